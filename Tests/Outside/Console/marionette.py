"""Firefox without its driver program: commands of WebDriver over the socket that it opens itself."""

import json
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.remote.command import Command

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# What selenium asks for, and what Firefox calls it.
NAMES = {
    Command.NEW_SESSION: "NewSession", Command.GET: "Navigate", Command.REFRESH: "Refresh",
    Command.GO_BACK: "Back", Command.GO_FORWARD: "Forward",
    Command.GET_CURRENT_URL: "GetCurrentURL", Command.GET_TITLE: "GetTitle",
    Command.GET_PAGE_SOURCE: "GetPageSource", Command.FIND_ELEMENT: "FindElement",
    Command.FIND_ELEMENTS: "FindElements", Command.FIND_CHILD_ELEMENT: "FindElement",
    Command.FIND_CHILD_ELEMENTS: "FindElements", Command.CLICK_ELEMENT: "ElementClick",
    Command.CLEAR_ELEMENT: "ElementClear", Command.SEND_KEYS_TO_ELEMENT: "ElementSendKeys",
    Command.GET_ELEMENT_TEXT: "GetElementText", Command.GET_ELEMENT_TAG_NAME: "GetElementTagName",
    Command.GET_ELEMENT_ATTRIBUTE: "GetElementAttribute",
    Command.GET_ELEMENT_PROPERTY: "GetElementProperty",
    Command.GET_ELEMENT_RECT: "GetElementRect", Command.IS_ELEMENT_SELECTED: "IsElementSelected",
    Command.IS_ELEMENT_ENABLED: "IsElementEnabled",
    Command.GET_ELEMENT_VALUE_OF_CSS_PROPERTY: "GetElementCSSValue",
    Command.W3C_GET_ACTIVE_ELEMENT: "GetActiveElement",
    Command.W3C_EXECUTE_SCRIPT: "ExecuteScript",
    Command.W3C_EXECUTE_SCRIPT_ASYNC: "ExecuteAsyncScript",
    Command.GET_ALL_COOKIES: "GetCookies", Command.ADD_COOKIE: "AddCookie",
    Command.DELETE_ALL_COOKIES: "DeleteAllCookies", Command.SCREENSHOT: "TakeScreenshot",
    Command.NEW_WINDOW: "NewWindow", Command.CLOSE: "CloseWindow",
    Command.SWITCH_TO_WINDOW: "SwitchToWindow", Command.SWITCH_TO_FRAME: "SwitchToFrame",
    Command.W3C_GET_WINDOW_HANDLES: "GetWindowHandles",
    Command.W3C_GET_CURRENT_WINDOW_HANDLE: "GetWindowHandle",
    Command.SET_TIMEOUTS: "SetTimeouts", Command.SET_WINDOW_RECT: "SetWindowRect",
    Command.W3C_ACTIONS: "PerformActions", Command.W3C_CLEAR_ACTIONS: "ReleaseActions",
}


# Seconds for an answer: the first one of a profile takes long on a machine under load.
PATIENCE = 180


class Marionette:
    """Takes the place of selenium's connection to a driver program."""

    def __init__(self, preferences):
        self.profile = tempfile.mkdtemp(prefix="belfry-firefox-")
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});"
                 for name, value in {"marionette.port": 0, **preferences}.items()]
        Path(self.profile, "user.js").write_text("\n".join(lines))
        self.browser = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--remote-allow-system-access",
             "--no-remote", "--profile", self.profile, "--width", "1280", "--height", "900"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = self.connect(Path(self.profile, "MarionetteActivePort"))
        self.read()
        self.number = 0

    def connect(self, port):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if port.exists() and port.read_text().strip():
                return socket.create_connection(("127.0.0.1", int(port.read_text())), PATIENCE)
            time.sleep(0.1)
        self.close()
        raise SystemExit("Firefox opens no socket")

    def read(self):
        """A message: its length in digits, a colon, JSON."""
        head = b""
        while not head.endswith(b":"):
            head += self.some(1)
        left, parts = int(head[:-1]), []
        while left:
            parts.append(self.some(left))
            left -= len(parts[-1])
        return json.loads(b"".join(parts))

    def some(self, most):
        found = self.socket.recv(min(most, 65_536))
        if not found:
            raise ConnectionError("Firefox has ended")
        return found

    def ask(self, name, parameters):
        self.number += 1
        text = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, value = self.read()
        return error, value

    def execute(self, command, parameters):
        if command == Command.QUIT:
            return self.close()
        given = {key: value for key, value in (parameters or {}).items() if key != "sessionId"}
        if command == Command.NEW_SESSION:
            given = {}
        elif command in (Command.FIND_CHILD_ELEMENT, Command.FIND_CHILD_ELEMENTS):
            given["element"] = given.pop("id")
        elif command == Command.SWITCH_TO_FRAME and isinstance(given["id"], dict):
            given = {"element": given["id"][ELEMENT]}
        error, value = self.ask(f"WebDriver:{NAMES[command]}", given)
        if error:
            return {"status": 500, "value": json.dumps({"value": error})}
        return {"value": value["value"] if isinstance(value, dict) and set(value) == {"value"}
                else value}

    def said(self):
        """What the browser's console says since the last time."""
        self.ask("Marionette:SetContext", {"value": "chrome"})
        _, found = self.ask("WebDriver:ExecuteScript", {"args": [], "script": """
            const found = Services.console.getMessageArray().map(m => m.message ?? String(m));
            Services.console.reset();
            return found;"""})
        self.ask("Marionette:SetContext", {"value": "content"})
        return [text for text in (found or {}).get("value", []) if "/$belfry/" in text]

    def close(self):
        self.browser.terminate()
        try:
            self.browser.wait(20)
        except subprocess.TimeoutExpired:
            self.browser.kill()
            self.browser.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def driver(preferences):
    """A driver of selenium for a new Firefox, and the connection beneath."""
    connection = Marionette(preferences)
    try:
        return webdriver.Remote(connection, options=webdriver.FirefoxOptions()), connection
    except BaseException:
        connection.close()
        raise
