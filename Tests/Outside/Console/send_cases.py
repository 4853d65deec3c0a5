"""Sending, and asking what became of it."""

import json
import os
import re
import signal
import ssl
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import commands
import questions
from case import case
from selenium.webdriver.common.action_chains import ActionChains

TEST = '{"aps":{"alert":"Test"}}'


def fill(browser, tags, body, form="apple"):
    browser.hub("send")
    browser.choose("#format", form)
    if tags:
        browser.find("#tags").send_keys(tags)
    browser.find("#body").send_keys(body)


@case(few=True)
def a_test_send_shows_each_device_until_it_has_acknowledged(hub, browser, _):
    browser.hub("send")
    browser.choose("#format", "apple")
    browser.find("#tags").send_keys("topic:0 || topic:1")
    browser.wait(lambda: "2 registrations" in browser.find("[data-live=audience]").text,
                 "the audience is counted while it is typed")
    browser.find("#body").send_keys(TEST)
    browser.press("Preview")
    browser.wait(lambda: TEST in browser.find("article").text, "a preview")
    browser.press("Test send to 10")
    browser.wait(lambda: "2 of 2 have acknowledged" in browser.text(), "both acknowledge", 10)


@case
def a_device_that_stands_still_has_not_acknowledged(hub, browser, _):
    os.kill(hub.devices[1].pid, signal.SIGSTOP)
    try:
        fill(browser, "topic:1", TEST)
        browser.press("Test send to 10")
        browser.wait(lambda: "0 of 1 have acknowledged" in browser.text(), "it is sent")
        time.sleep(2)
        assert "0 of 1 have acknowledged" in browser.text()
    finally:
        os.kill(hub.devices[1].pid, signal.SIGCONT)
    browser.wait(lambda: "1 of 1 have acknowledged" in browser.text(), "then it has", 30)


@case
def what_cannot_be_sent_is_told_in_a_sentence(hub, browser, _):
    fill(browser, "locale:fr", '{"title":"a"}', "template")
    browser.press("Test send to 10")
    browser.wait(lambda: "Nothing was sent" in browser.text(), "handles of no device")
    verdicts = [cell.text for cell in browser.all("tbody td:nth-child(3)")]
    assert len(verdicts) == 3 and all(len(text) > 20 for text in verdicts), verdicts
    hub.send("locale:fr")
    browser.hub(f"notifications/{questions.newest(hub)}")
    browser.wait(lambda: browser.all("a[href$=failures]"), "a way to those who missed it")
    browser.find("a[href$=failures]").click()
    browser.wait(lambda: browser.text().count("no device of this hub has the handle") == 3,
                 "each with its cause")
    for form, body in [("template", "no json"), ("apple", json.dumps({"aps": "x" * 9_000}))]:
        browser.hub(f"send?format={form}")
        browser.find("#tags").send_keys("World")
        browser.run("document.getElementById('body').value = arguments[0]", body)
        browser.press("Preview")
        browser.wait(lambda: len(browser.find("[role=alert]").text) > 20, "why not")
        assert browser.find("#tags").get_attribute("value") == "World", "what was typed is gone"
    browser.forget_noise()


@case
def a_send_to_everyone_asks_for_the_name(hub, browser, _):
    fill(browser, "", TEST)
    browser.press("Send…")
    browser.wait(lambda: browser.find("#name"), "the hub's name is asked for")
    next(b for b in browser.all("main button") if b.text.startswith("Send to")).click()
    browser.wait(lambda: "must be the name of the hub" in browser.text(), "refused without it")
    browser.forget_noise()


@case
def a_double_click_sends_once(hub, browser, _):
    before = hub.ask("notifications?$top=1")["notifications"][0]["place"]
    fill(browser, "topic:2", '{"aps":{"alert":"Once"}}')
    browser.press("Send…")
    browser.wait(lambda: "1 registrations" in browser.text(), "how many get it")
    button = next(b for b in browser.all("main button") if b.text == "Send to 1")
    ActionChains(browser.driver).double_click(button).perform()
    browser.wait(lambda: "Notification" in browser.driver.title, "the notification")
    after = hub.ask("notifications?$top=1")["notifications"][0]["place"]
    assert after == before + 1, (before, after)


@case(few=True)
def twelve_questions_are_answered_in_time(hub, browser, _):
    hub.run("send", "--data", hub.data, "--tags", "locale:fr", "--format", "template", "--at",
            "+3h", '{"title":"Later still"}')
    hub.send("topic:0 || topic:1 || topic:2", '{"aps":{"alert":"A question"}}', "apple")
    hub.await_true(lambda: hub.ask("notifications?$top=1")["notifications"][0]["acknowledged"] == 3,
                   "three devices have acknowledged")
    known = {"notification": questions.newest(hub), "device": questions.device(hub)}
    browser.hub("")
    ask_all(questions.ALL, lambda answer: answer(hub, browser, known))


def ask_all(asked, answer):
    """Answers each question, and says which took longer than a person waits."""
    late = []
    for text, seconds, how in asked:
        began = time.monotonic()
        answer(how)
        took = time.monotonic() - began
        print(f"     {took:5.2f} of {seconds:2} s  {text}")
        if took > seconds:
            late.append(text)
    assert not late, late


@case
def twelve_questions_are_answered_by_commands(hub, browser, _):
    for hours in ["+5h", "+6h"]:
        hub.run("send", "--data", hub.data, "--tags", "locale:fr", "--format", "template", "--at",
                hours, '{"title":"Late"}')
    hub.send("topic:0", '{"aps":{"alert":"A question"}}', "apple")
    hub.await_true(lambda: hub.ask("notifications?$top=1")["notifications"][0]["acknowledged"] == 1,
                   "a device has acknowledged")
    known = {"notification": questions.newest(hub), "device": questions.device(hub)}
    # A program starts for each, and the doctor measures the disk.
    ask_all([(text, seconds + 4, how) for text, seconds, how in commands.ALL],
            lambda answer: answer(hub, known))


@case
def a_notification_has_the_counters_of_rest(hub, browser, _):
    newest = lambda: hub.ask("notifications?$top=1")["notifications"][0]  # noqa: E731
    before = newest()["place"]
    hub.send("topic:0 || topic:1", TEST, "apple")
    hub.await_true(lambda: newest()["place"] == before + 1 and newest()["acknowledged"] == 2,
                   "both acknowledge")
    browser.hub(f"notifications/{newest()['id']}")
    # The first table: WebKit tells the text of a closed one too.
    table = browser.find("table")
    heads = [cell.text for cell in table.find_elements("css selector", "th")]
    cells = [cell.text for cell in table.find_elements("css selector", "tbody td")]
    shown = dict(zip(heads, cells))
    for name, word in [("Connected", "matchedConnected"), ("Sent", "sent"),
                       ("Acknowledged", "acknowledged")]:
        assert shown[name] == str(newest()[word]), (name, shown, newest())


@case(few=True)
def an_explanation_is_three_acts_away(hub, browser, _):
    device = questions.device(hub)
    registration = hub.ask("audience?tags=topic:1&sample=1")["sample"][0]["id"]
    for subject in [registration, device, "phone-1"]:
        browser.hub("notifications")
        browser.find("tbody a").click()
        browser.find("#subject").send_keys(subject)
        browser.press("Explain")
        browser.wait(lambda: "accepted at place" in browser.text(), f"the timeline of {subject}")
    notification = questions.newest(hub)
    for query, word in [(f"notification={notification}&subject=", "subject"),
                        (f"notification=x&subject={device}", "notification")]:
        browser.hub(f"explain?{query}")
        assert word in browser.find("[role=alert]").text, browser.text()
    browser.forget_noise()


@case
def a_purge_takes_back_and_says_up_to_where(hub, browser, _):
    browser.confirm(hub)
    place = hub.ask("notifications?$top=1")["notifications"][0]["place"]
    browser.hub("settings")
    browser.type("#through", str(place))
    browser.press("Purge")
    browser.wait(lambda: f"Purged up to place {place:,}".replace(",", "") in
                 browser.text().replace(",", "").replace("\u202f", ""), "how far")
    browser.hub(f"explain?notification={questions.newest(hub)}&subject={questions.device(hub)}")
    assert "accepted at place" in browser.text() or "purged" in browser.text().lower()


@case
def a_revoked_device_is_cut_off_at_once(hub, browser, _):
    _, device = hub.new_device("stolen")
    browser.confirm(hub)
    browser.hub(f"devices/{device}")
    browser.wait(lambda: "connected" in browser.text().lower(), "it is connected")
    browser.press("Revoke this device")
    gone = lambda: device not in [  # noqa: E731
        d["device"] for d in hub.ask("devices?state=connected")["devices"]]
    hub.await_true(gone, "its session has ended", 1.5)


@case
def keys_are_changed_beside_a_sender_and_no_request_fails(hub, browser, _):
    browser.confirm(hub)
    browser.hub("access")
    browser.type("#rule", "Backend")
    browser.choose("#rights", "send")
    browser.press("Add the rule")
    browser.wait(lambda: "Backend" in browser.find("table").text, "a rule of its own")

    def string(key):
        """What a person copies."""
        return browser.driver.execute_async_script("""
            const [key, done] = arguments;
            const form = [...document.querySelectorAll('form[data-script=copy]')].find(
              f => f.elements.rule.value === 'Backend' && f.elements.key.value === key);
            fetch(form.action, {method: 'POST', body: new URLSearchParams(new FormData(form))})
              .then(a => a.text()).then(done);""", key)

    def renew(key):
        form = next(f for f in browser.all("td form") if "renew" in f.get_attribute("action")
                    and f.find_element("css selector", "[name=rule]").get_attribute("value")
                    == "Backend"
                    and f.find_element("css selector", "[name=key]").get_attribute("value") == key)
        form.find_element("css selector", "button").click()
        browser.wait(lambda: browser.all("form[data-script=copy]"), "the page again")

    token = lambda key: hub.run(  # noqa: E731
        "token", "--connection-string", string(key))
    failed, sent, isOver = [], [], threading.Event()
    hub.tokens["backend"] = token("primary")

    def send():
        while not isOver.is_set():
            try:
                hub.send("tail:nobody", token=hub.tokens["backend"])
                sent.append(1)
            except urllib.request.HTTPError as error:
                failed.append(error.code)
    sender = threading.Thread(target=send)
    sender.start()
    try:
        for key in ["secondary", "primary"]:
            renew(key)
            time.sleep(0.5)
            hub.tokens["backend"] = token(key)
            time.sleep(0.5)
    finally:
        isOver.set()
        sender.join()
    assert sent and not failed, (len(sent), failed)
    print(f"     {len(sent)} sends, 0 failed")


@case
def keys_of_the_namespace_are_changed(hub, browser, _):
    """Each new key ends the session; programs that read the folder go on."""
    token = hub.run("token", "--data", hub.data, "--rights", "namespace")

    def status(token, path):
        """What a row of the server answers."""
        port = hub.connection["rest"]["port"]
        trust = ssl.create_default_context(cafile=hub.connection["ca"])
        request = urllib.request.Request(
            f"https://localhost:{port}/$belfry/{path}", headers={"Authorization": token})
        try:
            with urllib.request.urlopen(request, context=trust) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def scraped():
        text = Path(f"{hub.data}/metrics.token").read_text().strip()
        return status(f"SharedAccessSignature {text}", "metrics")

    for key in ["secondary", "primary"]:
        assert (status(token, "hubs"), scraped()) == (200, 200), key
        browser.confirm(hub)
        browser.open("access")
        form = next(f for f in browser.all("td form") if "renew" in f.get_attribute("action")
                    and f.find_element("css selector", "[name=key]").get_attribute("value") == key)
        form.find_element("css selector", "button").click()
        browser.wait(lambda: browser.all("#sign-in"), "the session has ended")
        browser.sign_in(hub.link("--as", "alice"))
    assert (status(token, "hubs"), scraped()) == (401, 200)
    browser.open("audit")
    shown = browser.text().count("console.renewNamespaceKey")
    assert shown == 4, f"{shown} lines; two changes begin and are done"
    browser.forget_noise()


@case
def a_user_has_three_devices(hub, browser, _):
    browser.open("find?q=mara&hub=hub")
    browser.wait(lambda: "Registrations" in browser.driver.title, "one hit leads on")
    handles = {cell.text for cell in browser.all("tbody td:nth-child(4)")}
    assert len(handles) == 3, handles
    browser.hub("devices")
    browser.type("#user", "mara")
    browser.press("Show")
    browser.wait(lambda: "No device fits" in browser.text(), "installations without devices")
    program, device = hub.new_device("nina", "--show-handle", "--json")
    handle = None
    while not handle:
        handle = re.search("[0-9A-Fa-f]{64}", program.stdout.readline())
    hub.install(300, ["nina"], userId="nina", pushChannel=handle[0])
    browser.type("#user", "nina")
    browser.press("Show")
    browser.wait(lambda: [a.text for a in browser.all("tbody td:first-child a")] == [device],
                 "the user's device, and no other")
