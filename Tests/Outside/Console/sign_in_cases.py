"""The way in, and what other pages must not be able to do."""

import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from browser import FIREFOX, CHROMIUM, WEBKIT, Browser
from case import case, chromium
from selenium.webdriver.common.by import By


class Elsewhere:
    """A page of a stranger, on a port of its own."""

    def __init__(self, markup):
        class Answer(BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(f"<!doctype html><title>elsewhere</title>{markup}".encode())

            def log_message(self, *_):
                pass
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self, host):
        return f"http://{host}:{self.server.server_port}/"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()


@case(few=True)
def the_link_signs_in_once_and_leaves_no_trace(hub, browser, options):
    link = hub.link("--as", "carol")
    other = Browser(options.browser, link)
    try:
        other.sign_in(link)
        assert "#" not in other.driver.current_url
        cookie = other.cookie()
        assert cookie["httpOnly"] and cookie["sameSite"] == "Lax", cookie
        assert other.run("return document.cookie") == ""
        other.driver.back()
        code = link.split("#")[1]
        assert code not in other.driver.current_url and code not in other.driver.page_source
        # The same code once more, in a browser that has no session.
        other.driver.delete_all_cookies()
        other.driver.get(link)
        other.find("#sign-in button").click()
        other.wait(lambda: "was used, or is too old" in other.find("[role=alert]").text,
                   "a used code is refused with a sentence")
    finally:
        other.close()


@case(few=True)
def a_code_is_in_no_request_and_no_log(hub, browser, _):
    browser.collect()
    for secret in hub.secrets + [browser.cookie()["value"]]:
        assert not [a for a in browser.addresses if secret in a], "in an address"
        with open(hub.log) as log:
            assert secret not in log.read(), "in the log"


@case(few=True)
def a_sign_out_ends_the_other_tab(hub, browser, options):
    link = hub.link("--as", "dave")
    other = Browser(options.browser, link)
    try:
        other.sign_in(link)
        other.hub("")
        first = other.driver.current_window_handle
        other.driver.switch_to.new_window("tab")
        other.hub("devices")
        next(b for b in other.all("header button") if b.text == "Sign out").click()
        other.wait(lambda: other.find("#sign-in"), "signed out")
        other.driver.back()
        other.wait(lambda: other.find("#sign-in"), "a page of before shows nothing")
        other.driver.switch_to.window(first)
        other.wait(lambda: "session has ended" in other.find("#status").text, "it is told", 3)
    finally:
        other.close()


@case(few=True)
def a_form_of_another_port_is_refused(hub, browser, _):
    cookie = browser.cookie()
    for headers, status in [
        ({"Sec-Fetch-Site": "same-site"}, 403), ({"Origin": "http://127.0.0.1:1"}, 403), ({}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Host": "evil.example"}, 421),
    ]:
        request = urllib.request.Request(f"{browser.base}/$belfry/ui/sign-out", method="POST",
                                         data=b"token=x", headers={
                                             "Cookie": f"belfry-relay={cookie['value']}",
                                             **headers})
        try:
            urllib.request.urlopen(request)
            raise AssertionError("taken")
        except urllib.error.HTTPError as error:
            assert error.code == status, (headers, error.code)


@case(few=True)
def a_page_elsewhere_sends_no_form_and_reads_nothing(hub, browser, _):
    form = (f"<form method=post action='{browser.base}/$belfry/ui/sign-out'>"
            "<input name=token value=x><button>go</button></form>")
    with Elsewhere(form) as elsewhere:
        for host in ["localhost", "127.0.0.1"]:
            browser.driver.get(elsewhere.address(host))
            read = browser.driver.execute_async_script(
                "const done = arguments[1]; fetch(arguments[0], {credentials: 'include'})"
                ".then(a => a.text()).then(done, () => done(null))",
                f"{browser.base}/$belfry/ui/h/hub/")
            assert read is None, "a page elsewhere has read one of ours"
            # Not a click: a driver waits for a page that goes to another group of windows.
            browser.run("setTimeout(() => document.forms[0].submit(), 10)")
            browser.wait(lambda: "from elsewhere" in browser.driver.title, "refused")
    browser.hub("")
    assert "Overview" in browser.driver.title, "the session goes on"
    browser.forget_noise()


@case(few=True)
def a_page_elsewhere_gets_no_frame_and_no_handle(hub, browser, _):
    address = f"{browser.base}/$belfry/ui/h/hub/"
    with Elsewhere(f"<iframe src='{address}'></iframe>") as elsewhere:
        browser.driver.get(elsewhere.address("localhost"))
        browser.driver.switch_to.frame(browser.find("iframe"))
        assert not browser.all("main"), "our page is in a frame"
        browser.driver.switch_to.default_content()
        if browser.kind == WEBKIT:
            return  # Its small browser opens no window for a script.
        first = browser.driver.current_window_handle
        browser.run("window.opened = window.open(arguments[0])", address)
        browser.wait(lambda: len(browser.driver.window_handles) == 2, "a second window")
        browser.wait(lambda: browser.run("return window.opened.closed"), "its handle is cut")
        browser.driver.switch_to.window(
            next(w for w in browser.driver.window_handles if w != first))
        assert browser.run("return window.opener") is None
        browser.driver.close()
        browser.driver.switch_to.window(first)
    browser.hub("")
    browser.forget_noise()


@chromium
def an_injected_handler_is_blocked(hub, browser, _):
    browser.hub("")
    for script in ["document.body.innerHTML += '<b>x</b>'",
                   "new Range().createContextualFragment('<b>x</b>')",
                   "document.querySelector('main').setAttribute('onclick', 'window.hit = 1')",
                   "document.createElement('script').text = 'window.hit = 1'"]:
        assert browser.run(f"try {{ {script}; return false }} catch {{ return true }}"), script
    assert browser.run("return window.hit") is None
    browser.collect()
    # That it was blocked is told, as it should be.
    assert any("TrustedHTML" in text for text in browser.noise), browser.noise
    browser.noise = []


@case(browsers=(CHROMIUM, FIREFOX))
def without_scripts_pages_are_read_and_forms_sent(hub, browser, options):
    link = hub.link("--role", "sender", "--as", "bob")
    plain = Browser(options.browser, link, scripts=False)
    try:
        plain.sign_in(link)
        for path in ["", "send", "notifications", "devices", "registrations", "installations",
                     "tags", "audience?tags=World", "schedules"]:
            plain.hub(path)
            assert plain.find("h1").text, path
        plain.hub("send")
        plain.find("#format [value=apple]").click()
        plain.find("#tags").send_keys("topic:2")
        plain.find("#body").send_keys('{"title":"plain"}')
        plain.press("Send…")
        plain.wait(lambda: "1 registrations" in plain.text(), "how many get it")
        plain.press("Send to 1")
        plain.wait(lambda: "Notification" in plain.driver.title, "the notification")
        plain.hub("schedules")
        rows = len(plain.driver.find_elements(By.CSS_SELECTOR, "tbody tr"))
        plain.press("Cancel")
        plain.wait(lambda: len(plain.all("tbody tr")) == rows - 1, "the schedule is gone")
        plain.hub("access")
        assert "needs the role" in plain.text()
    finally:
        plain.close()
