"""A browser that is signed in to the console: Chromium, Firefox or WebKit, as selenium drives them."""

import glob
import json
import time

import marionette
from selenium import webdriver
from selenium.common.exceptions import ElementNotInteractableException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select
from selenium.webdriver.webkitgtk.service import Service as WebKitService

CHROMIUM, FIREFOX, WEBKIT = "chromium", "firefox", "webkit"
ALL = (CHROMIUM, FIREFOX, WEBKIT)
MINI_BROWSER = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"


class Element(WebElement):
    """WebKit's driver takes some links of a bar that scrolls for ones out of sight."""

    def click(self):
        try:
            super().click()
        except ElementNotInteractableException:
            self.parent.execute_script("arguments[0].click()", self)


class Browser:
    """One browser with one session; its tabs share a cookie."""

    def __init__(self, kind, link, scripts=True):
        self.kind = kind
        self.firefox = None
        if kind == CHROMIUM:
            self.driver = self.chromium(scripts)
        elif kind == FIREFOX:
            self.driver, self.firefox = marionette.driver({
                "javascript.enabled": scripts, "dom.disable_open_during_load": False,
                "browser.shell.checkDefaultBrowser": False, "app.update.enabled": False,
                "datareporting.policy.dataSubmissionEnabled": False})
        else:
            options = webdriver.WebKitGTKOptions()
            options.binary_location = glob.glob(MINI_BROWSER)[0]
            options.add_argument("--automation")
            self.driver = webdriver.WebKitGTK(
                options=options, service=WebKitService("/usr/bin/WebKitWebDriver"))
            self.driver.set_window_size(1280, 900)
            self.driver._web_element_cls = Element
        self.driver.set_page_load_timeout(30)
        self.base = link.split("/$belfry")[0]
        self.addresses = set()
        self.classes = set()
        self.noise = []

    @staticmethod
    def chromium(scripts):
        options = webdriver.ChromeOptions()
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900",
                         "--disable-dev-shm-usage", "--hide-scrollbars"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        if not scripts:
            options.add_experimental_option(
                "prefs", {"profile.managed_default_content_settings.javascript": 2})
        return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))

    def sign_in(self, link):
        """Signs in by a link, whose way to the hub is taken from then on."""
        self.base = link.split("/$belfry")[0]
        self.driver.get(link)
        if self.find("#code").get_attribute("value") == "":
            self.find("#code").send_keys(link.split("#")[1])
        self.find("#sign-in button").click()
        self.wait(lambda: self.find(".health"), "signed in")

    def confirm(self, hub):
        """Makes the session fresh for ten minutes."""
        self.open("confirm")
        self.find("#digits").send_keys(hub.digits())
        self.press("Confirm")
        self.wait(lambda: "Hubs" in self.driver.title, "confirmed")

    def open(self, path):
        self.driver.get(f"{self.base}/$belfry/ui/{path}")
        self.look()

    def look(self):
        """Notes which classes a page has."""
        self.classes |= set(self.run(
            "return [...document.querySelectorAll('[class]')].flatMap(e => [...e.classList])"))

    def hub(self, path):
        self.open(f"h/hub/{path}")

    def text(self):
        return self.find("main").text

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def type(self, selector, text):
        """Replaces what stands in a field."""
        self.find(selector).clear()
        self.find(selector).send_keys(text)

    def choose(self, selector, value):
        """Takes a value of a list; WebKit's driver may do so before the page is whole."""
        def choose():
            Select(self.find(selector)).select_by_value(value)
            return self.find(selector).get_attribute("value") == value
        self.wait(choose, f"{value} in {selector}")

    def press(self, label):
        for button in self.all("main button"):
            if button.text == label:
                return button.click()
        raise AssertionError(f"no button '{label}'")

    def wait(self, condition, what, seconds=10):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if condition():
                    return self.look()
            except Exception:  # noqa: BLE001: the page may just be changing
                pass
            time.sleep(0.05)
        raise AssertionError(f"not in {seconds} s: {what}")

    def size(self, width, scheme="light", **media):
        """Has pages be so wide, in these colours; other browsers than Chromium cannot."""
        features = {"prefers-color-scheme": scheme, **media}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 800 if width < 600 else 900, "deviceScaleFactor": 1,
            "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": name.replace("_", "-"), "value": value}
                         for name, value in features.items()]})

    def cookie(self):
        return next(c for c in self.driver.get_cookies() if c["name"] == "belfry-relay")

    def collect(self):
        """What the browser's console says, and where requests went."""
        if self.kind == CHROMIUM:
            # The blending of two pages, which a busy machine leaves out.
            self.noise += [entry["message"] for entry in self.driver.get_log("browser")
                           if "Transition was aborted" not in entry["message"]]
            for entry in self.driver.get_log("performance"):
                message = json.loads(entry["message"])["message"]
                if message["method"] == "Network.requestWillBeSent":
                    request = message["params"]["request"]
                    self.addresses.add(request["url"])
                    self.addresses.add(request["headers"].get("Referer", ""))
        if self.firefox:
            self.noise += self.firefox.said()

    def forget_noise(self):
        """What a case has provoked is no fault of a page."""
        self.collect()
        self.noise = []

    def close(self):
        self.driver.quit()
