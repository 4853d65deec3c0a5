"""Twelve questions with which operators come, each with the seconds in which a page answers it."""

import json

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ALL = []


def question(text, seconds):
    def keep(function):
        ALL.append((text, seconds, function))
        return function
    return keep


def newest(hub):
    return json.loads(hub.rest("GET", "$belfry/notifications?$top=1"))["notifications"][0]["id"]


def device(hub):
    devices = json.loads(hub.rest("GET", "$belfry/devices?state=connected"))["devices"]
    return devices[0]["device"]


def ask(browser, text):
    """Find, as a person does: the key, the text, Enter."""
    browser.find("body").send_keys("/")
    browser.driver.switch_to.active_element.send_keys(text, Keys.ENTER)


@question("Did my message arrive?", 3)
def arrived(hub, browser, known):
    ask(browser, known["notification"])
    browser.wait(lambda: browser.find("#subject") and "Acknowledged" in browser.text(),
                 "the counters")


@question("Why did this device not get it?", 8)
def why(hub, browser, known):
    browser.find("#subject").send_keys(known["device"])
    browser.press("Explain")
    browser.wait(lambda: "accepted at place" in browser.text(), "the timeline")


@question("Who has this tag, whom does this expression mean?", 3)
def whom(hub, browser, known):
    browser.find("nav [data-key=t]").click()
    browser.find("#tags").send_keys("World && topic:9", Keys.ENTER)
    browser.wait(lambda: "0 registrations." in browser.text()
                 and "Did you mean topic:" in browser.text(), "the count and the nearest tag")


@question("Is this device known, connected, how far behind?", 3)
def known_device(hub, browser, known):
    ask(browser, known["device"])
    browser.wait(lambda: "connected" in browser.text().lower(), "the device")


@question("Is the hub healthy?", 1)
def healthy(hub, browser, known):
    assert "healthy" in browser.find(".health").text


@question("What is the load?", 2)
def load(hub, browser, known):
    browser.find("nav [data-key=o]").click()
    browser.wait(lambda: len(browser.driver.find_elements(By.CSS_SELECTOR, "figure polyline")) > 3,
                 "the graphs")


@question("Send a test and see it arrive", 10)
def test(hub, browser, known):
    browser.find("nav [data-key=s]").click()
    browser.choose("#format", "apple")
    browser.find("#tags").send_keys("topic:0 || topic:1")
    browser.find("#body").send_keys('{"aps":{"alert":"Test"}}')
    browser.press("Test send to 10")
    browser.wait(lambda: "2 of 2 have acknowledged, half of them within" in browser.text(),
                 "both acknowledge, with their milliseconds")


@question("What becomes of this text on each platform?", 5)
def preview(hub, browser, known):
    browser.find("nav [data-key=s]").click()
    browser.choose("#format", "template")
    browser.find("#tags").send_keys("locale:fr")
    browser.find("#body").send_keys('{"title":"Bonjour"}')
    browser.press("Preview")
    browser.wait(lambda: len(browser.driver.find_elements(By.CSS_SELECTOR, "article")) == 3,
                 "a pane for each template")


@question("Who holds keys, and are they used?", 5)
def keys(hub, browser, known):
    browser.hub("access")
    browser.wait(lambda: "within the hour" in browser.text(), "the last use")


@question("What happened, and who did it?", 10)
def happened(hub, browser, known):
    browser.find("nav [data-key=e]").click()
    browser.wait(lambda: "accepted" in browser.text(), "the events")
    browser.open("audit")
    browser.wait(lambda: "alice" in browser.text(), "the audit")


@question("What is going to be sent? Stop it", 5)
def scheduled(hub, browser, known):
    browser.hub("schedules")
    rows = len(browser.driver.find_elements(By.CSS_SELECTOR, "tbody tr"))
    browser.press("Cancel")
    browser.wait(lambda: len(browser.driver.find_elements(By.CSS_SELECTOR, "tbody tr"))
                 == rows - 1, "one schedule less")


@question("Who is furthest behind?", 3)
def behind(hub, browser, known):
    browser.hub("devices?sort=behind")
    browser.wait(lambda: len(browser.driver.find_elements(By.CSS_SELECTOR, "tbody tr")) >= 3,
                 "the devices")
