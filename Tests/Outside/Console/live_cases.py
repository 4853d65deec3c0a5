"""Numbers, tails and graphs: what moves by itself, and what does when the hub is away."""

import json
import threading
import time

from browser import Browser
from case import case, chromium
from hub import ATTACK

LIVE = "[data-live=sent]"


def requests_in(browser, seconds):
    """How many requests a page makes in some time."""
    browser.run("performance.clearResourceTimings()")
    time.sleep(seconds)
    return browser.run("return performance.getEntriesByType('resource').length")


@case(few=True)
def numbers_follow_what_happens(hub, browser, _):
    browser.hub("")
    before = browser.find(LIVE).text
    hub.send("World")
    browser.wait(lambda: browser.find(LIVE).text != before, "a new number", 2.5)


@case
def nobody_looks_and_nothing_is_asked(hub, browser, _):
    browser.hub("")
    assert requests_in(browser, 2.5) >= 1
    browser.find("body").send_keys("p")
    browser.wait(lambda: browser.find("#status").text == "Paused.", "paused")
    assert requests_in(browser, 2.5) == 0
    browser.find("body").send_keys("p")
    assert requests_in(browser, 2.5) >= 1
    # What a browser says of a tab behind others.
    browser.run("Object.defineProperty(document, 'hidden', {get: () => true})")
    time.sleep(1)
    assert requests_in(browser, 2.5) == 0


@case(few=True)
def events_come_by_themselves(hub, browser, _):
    browser.hub("events")
    before = len(browser.all("[data-tail] tr"))
    assert before > 0
    for number in range(3):
        hub.send("tail:here", json.dumps({"title": f"Tail {number} {ATTACK}"}))
    browser.wait(lambda: len(browser.all("[data-tail] tr")) >= before + 3, "three new rows", 6)
    assert "tail:here" in browser.find("[data-tail]").text
    assert browser.run("return document.querySelector('main img')") is None


@case
def events_are_chosen_by_kind(hub, browser, _):
    browser.hub("events?kind=accepted")
    kinds = {cell.text for cell in browser.all("[data-tail] td:nth-child(2)")}
    assert kinds == {"accepted"}, kinds
    browser.hub("events?kind=acepted")
    assert "Did you mean 'accepted'?" in browser.text()
    browser.forget_noise()


@case
def events_are_chosen_by_time(hub, browser, _):
    browser.hub("events")
    browser.type("#since", "2001-01-01T00:00:00Z")
    browser.type("#until", "2001-01-02T00:00:00Z")
    browser.press("Show")
    browser.wait(lambda: "of this kind and time" in browser.text(), "none of that time")
    browser.hub("events?since=2001-01-01T00:00:00Z")
    assert browser.all("[data-tail] tr"), "all have happened since"
    browser.hub("events?since=yesterday")
    assert "is no time" in browser.text()
    browser.forget_noise()


@case
def events_can_be_downloaded(hub, browser, _):
    browser.hub("events?kind=accepted")
    name, text = browser.driver.execute_async_script("""
        const done = arguments[0];
        fetch(document.querySelector('a[href*=download]').href).then(async answer =>
          done([answer.headers.get('content-disposition'), await answer.text()]))""")
    assert name == 'attachment; filename="events-hub.ndjson"', name
    lines = [json.loads(line) for line in text.splitlines()]
    assert len(lines) > 3 and {line["kind"] for line in lines} == {"accepted"}, lines[:3]


@chromium
def a_full_tail_stays_smooth(hub, browser, options):
    """60 s of 200 events a second; frames over 50 ms are at most 2 of 100."""
    browser.hub("events")
    isOver = threading.Event()
    sent = []

    def send():
        import http.client
        import ssl
        trust = ssl.create_default_context(cafile=hub.connection["ca"])
        line = http.client.HTTPSConnection(
            "localhost", hub.connection["rest"]["port"], context=trust)
        began = time.monotonic()
        while not isOver.is_set():
            line.request("POST", "/hub/messages", '{"title":"a"}', {
                "Authorization": hub.token(), "Content-Type": "application/json",
                "ServiceBusNotification-Format": "template",
                "ServiceBusNotification-Tags": "tail:nobody"})
            line.getresponse().read()
            sent.append(1)
            time.sleep(max(0, began + len(sent) / 200 - time.monotonic()))
    threading.Thread(target=send, daemon=True).start()
    try:
        seconds = 60 if not options.quick else 10
        browser.driver.set_script_timeout(seconds + 30)
        heap = "return performance.memory.usedJSHeapSize"
        rows = "return document.querySelector('[data-tail]').children.length"
        browser.wait(lambda: browser.run(rows) == 1_000, "a full tail", 60)
        began = browser.run(heap)
        frames = browser.driver.execute_async_script("""
            const [seconds, done] = arguments;
            const times = [];
            const begin = performance.now();
            let last = begin;
            const step = now => {
              times.push(now - last);
              last = now;
              now - begin < seconds * 1000 ? requestAnimationFrame(step) : done(times);
            };
            requestAnimationFrame(step);""", seconds)
        grown = (browser.run(heap) - began) / 1e6
    finally:
        isOver.set()
    slow = sum(1 for frame in frames if frame > 50)
    print(f"     {slow} of {len(frames)} frames over 50 ms, {len(sent)} events, "
          f"heap {grown:+.1f} MB, {browser.run(rows)} rows")
    assert browser.run(rows) == 1_000
    assert browser.find("[data-live=missed]").text == ""
    assert slow <= len(frames) * 0.02
    assert grown <= 5
    browser.hub("")


@case(few=True)
def the_past_is_drawn_without_a_script(hub, browser, _):
    browser.hub("")
    figures = browser.all("figure")
    assert len(figures) == 6, len(figures)
    lines = browser.all("figure polyline")
    assert lines and all(line.size["width"] >= 0 for line in lines)
    browser.find("figure summary").click()
    browser.wait(lambda: browser.find("figure tbody tr").is_displayed(), "the table")


@case
def an_older_count_never_overwrites_a_newer_one(hub, browser, _):
    browser.hub("send?format=apple")
    browser.wait(lambda: "registrations" in browser.find("[data-live=audience]").text, "a count")
    browser.run("""
        const real = window.fetch;
        let isFirst = true;
        window.fetch = (...given) => {
          const wait = isFirst ? 1500 : 0;
          isFirst = false;
          return new Promise(done => setTimeout(done, wait)).then(() => real(...given));
        };""")
    browser.find("#tags").send_keys("topic:0")
    time.sleep(0.6)
    browser.find("#tags").send_keys(" || topic:1")
    browser.wait(lambda: "2 registrations" in browser.find("[data-live=audience]").text, "two", 3)
    time.sleep(1.5)
    assert "2 registrations" in browser.find("[data-live=audience]").text


@case
def a_killed_hub_is_told_and_comes_back(hub, browser, options):
    link = hub.link("--as", "erin", "--role", "viewer")
    other = Browser(options.browser, link)
    try:
        other.sign_in(link)
        other.hub("")
        other.run("window.isSamePage = true")
        number = other.find(LIVE).text
        hub.server.kill()
        other.wait(lambda: "does not answer" in other.find("#status").text, "it is told", 8)
        assert other.find(LIVE).text == number
        other.wait(lambda: "stale" in other.find("body").get_attribute("class"), "greyed")
        hub.restart()
        other.wait(lambda: other.find("#status").text.startswith("Live"), "back", 10)
        assert other.run("return window.isSamePage"), "it was loaded again"
        other.hub("devices")
        assert "Devices" in other.driver.title, "the session is still there"
    finally:
        other.close()
    hub.await_true(lambda: len(hub.ask("devices?state=connected")["devices"]) == 3,
                   "the devices are back", 60)
