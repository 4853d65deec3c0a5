"""Lists, and pages of one thing."""

import json
import re

from browser import Browser
from case import case

CONNECT = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"


def first(browser):
    return browser.find("tbody a").text


def rows(browser):
    return [a.text for a in browser.all("tbody tr td:first-child a")]


@case
def lists_have_pages_of_a_hundred(hub, browser, options):
    browser.hub("registrations?tag=bulk")
    assert "No registration has this tag" in browser.text()
    for number in range(100, 101):
        hub.install(number, ["bulk"])
    browser.hub("registrations?tag=bulk")
    assert len(rows(browser)) == 1
    for number in range(101, 200):
        hub.install(number, ["bulk"])
    browser.hub("registrations?tag=bulk")
    hundred = rows(browser)
    browser.wait(lambda: len(hundred) == 100, "a hundred rows", 1)
    if browser.all("a[rel=next]"):
        browser.find("a[rel=next]").click()
        browser.wait(lambda: not browser.all("tbody tr"), "an empty page behind the last")
        browser.hub("registrations?tag=bulk")
    hub.install(200, ["bulk"])
    browser.hub("registrations?tag=bulk")
    # A row of the next page is deleted, then one of this page: no other is left out.
    browser.find("a[rel=next]").click()
    browser.wait(lambda: len(rows(browser)) == 1, "one more on the second page")
    last = first(browser)
    browser.driver.back()
    browser.wait(lambda: rows(browser) == hundred, "the same place again")
    hub.rest("DELETE", f"registrations/{hundred[5]}?api-version=2016-07", headers=[("If-Match", "*")])
    browser.find("a[rel=next]").click()
    browser.wait(lambda: rows(browser) == [last], "the row behind stays where it was")


@case
def a_prefix_is_no_pattern(hub, browser, _):
    for prefix in ["%25", "_", "*", ".", "loc%25"]:
        browser.hub(f"tags?prefix={prefix}")
        assert "No tag begins so" in browser.text(), prefix
    browser.hub("tags?prefix=locale")
    assert "locale:fr" in browser.text()


@case
def a_device_shows_whether_it_is_there(hub, browser, _):
    program, device = hub.new_device("short")
    browser.hub(f"devices/{device}")
    assert "connected" in browser.find("dl").text
    program.kill()
    hub.await_true(lambda: device not in json.dumps(hub.ask("devices?state=connected")), "it went")
    hub.send("short", '{"aps":{"alert":"a"}}', "apple")
    browser.hub(f"devices/{device}")
    assert "away" in browser.find("dl").text
    browser.wait(lambda: browser.find("[data-live=behind]").text != "0", "it is behind", 5)
    browser.hub("devices/" + "0" * 32)
    assert len(browser.find("[role=alert]").text) > 10, "an unknown one is told"
    browser.forget_noise()


@case
def a_device_shows_all_its_registrations(hub, browser, _):
    program, device = hub.new_device("many", "--show-handle", "--json")
    handle = None
    while not handle:
        handle = re.search("[0-9A-Fa-f]{64}", program.stdout.readline())
    for number in range(15):
        hub.rest("POST", "registrations?api-version=2016-07", f"""<?xml version="1.0" encoding="utf-8"?>
            <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">
            <AppleRegistrationDescription xmlns="{CONNECT}"><Tags>many:{number}</Tags>
            <DeviceToken>{handle[0]}</DeviceToken></AppleRegistrationDescription></content></entry>
            """.strip(), [("Content-Type", "application/atom+xml;type=entry;charset=utf-8")])
    browser.hub(f"devices/{device}")
    shown = browser.find("section table").text
    assert all(f"many:{number}" in shown for number in range(15)), shown
    assert len(browser.all("section:first-of-type tbody tr")) == 16


@case
def pages_show_what_rest_says(hub, browser, _):
    browser.hub("settings")
    settings = hub.ask("settings")
    for name in ["timeToLive", "retention", "deviceCap"]:
        value = browser.find(f"#{name}").get_attribute("value")
        assert int(value) in settings.values(), (name, value, settings)
    hub.run("send", "--data", hub.data, "--tags", "topic:9", "--format", "template", "--at", "+4h",
            '{"title":"In four hours"}')
    browser.hub("schedules")
    known = next(v for v in hub.ask("schedulednotifications").values() if isinstance(v, list))
    assert known and len(browser.all("tbody tr")) == len(known), known
    browser.open("")
    assert rows(browser) == ["hub"]


@case
def a_hub_is_made_and_deleted(hub, browser, _):
    browser.open("")
    browser.type("#name", "second")
    browser.press("Make it")
    browser.wait(lambda: "Access" in browser.driver.title, "its keys")
    browser.confirm(hub)
    browser.open("h/second/settings")
    browser.find("section form #name").send_keys("second")
    browser.press("Delete the hub")
    browser.wait(lambda: "Hubs" in browser.driver.title, "the list of hubs")
    assert rows(browser) == ["hub"]
    browser.open("audit")
    text = browser.text()
    for act in ["console.makeHub", "console.deleteHub"]:
        assert text.count(act) == 2, f"{act} has a line when it begins and one when it is done"


@case
def a_thirteenth_rule_is_refused(hub, browser, _):
    browser.confirm(hub)
    browser.hub("access")
    count = len(browser.all("[name=removed] option"))
    for number in range(count, 13):
        browser.type("#rule", f"Rule{number}")
        browser.press("Add the rule")
        browser.wait(lambda: "Rule" in browser.text(), "an answer")
    assert "12" in browser.find("[role=alert]").text, browser.text()
    browser.hub("access")
    assert len(browser.all("[name=removed] option")) == 12
    for number in range(count, 12):
        browser.choose("[name=removed]", f"Rule{number}")
        browser.press("Remove the rule")
        browser.wait(lambda: not browser.all(f"option[value=Rule{number}]"), "it is gone")
    browser.forget_noise()


@case(few=True)
def a_key_is_copied_behind_a_confirmation(hub, browser, options):
    link = hub.link("--as", "frank")
    other = Browser(options.browser, link)
    try:
        other.sign_in(link)
        other.hub("access")
        other.find("main td a").click()
        other.wait(lambda: other.find("#digits"), "the question for digits")
        other.find("#digits").send_keys(hub.digits())
        other.press("Confirm")
        other.wait(lambda: "Access" in other.driver.title, "back at the keys")
        assert "SharedAccessKey=" not in other.driver.page_source
        other.press("Copy connection string")
        # Headless browsers have no clipboard: then the text itself is shown.
        other.wait(lambda: "SharedAccessKey=" in other.driver.page_source
                   or "clipboard" in other.find("#status").text, "the connection string")
        other.hub("access")
        kept = other.run("return JSON.stringify([{...localStorage}, {...sessionStorage},"
                         "history.state, location.href])")
        assert "SharedAccessKey" not in kept + other.driver.page_source
    finally:
        other.close()
