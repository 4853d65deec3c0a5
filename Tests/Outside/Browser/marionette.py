"""Firefox without a window, driven by Marionette: `length:[0, id, command, parameters]` over TCP."""
import json, os, pathlib, socket, subprocess, time


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Firefox:
    def __init__(self, folder, push_port):
        profile = pathlib.Path(folder, "profile")
        profile.mkdir()
        port = free_port()
        settings = {
            "marionette.port": port,
            "dom.push.serverURL": f"ws://127.0.0.1:{push_port}/",
            "dom.push.testing.allowInsecureServerURL": True,
            "dom.push.testing.ignorePermission": True,
            "dom.push.connection.enabled": True,
            "dom.security.https_first": False,
            "browser.shell.checkDefaultBrowser": False,
            "browser.startup.page": 0,
            "datareporting.policy.dataSubmissionEnabled": False,
            "toolkit.telemetry.enabled": False,
            "app.update.enabled": False,
            "network.captive-portal-service.enabled": False,
            "network.connectivity-service.enabled": False,
        }
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});"
                 for name, value in settings.items()]
        profile.joinpath("user.js").write_text("\n".join(lines))
        home = {**os.environ, "HOME": folder, "MOZ_CRASHREPORTER_DISABLE": "1"}
        self.program = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(profile)],
            env=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.link, self.buffer, self.number = None, b"", 0
        end = time.monotonic() + 90
        while self.link is None:
            try:
                self.link = socket.create_connection(("127.0.0.1", port), timeout=60)
            except OSError:
                if time.monotonic() > end or self.program.poll() is not None:
                    raise
                time.sleep(0.2)
        self.receive()
        session = self.ask("WebDriver:NewSession", {"capabilities": {}})["capabilities"]
        self.version = f"{session['browserName']} {session['browserVersion']}"
        self.ask("WebDriver:SetTimeouts", {"script": 60000})

    def receive(self):
        while True:
            length, colon, rest = self.buffer.partition(b":")
            if colon and len(rest) >= int(length):
                self.buffer = rest[int(length):]
                return json.loads(rest[:int(length)])
            data = self.link.recv(65536)
            if not data:
                raise EOFError("firefox ended")
            self.buffer += data

    def ask(self, command, parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.link.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.receive()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return result

    def open(self, address):
        self.ask("WebDriver:Navigate", {"url": address})

    def script(self, text, arguments):
        return self.ask("WebDriver:ExecuteAsyncScript", {"script": text, "args": arguments})["value"]

    def stop(self):
        self.program.terminate()
        self.program.wait(30)
