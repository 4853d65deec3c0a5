"""A hub with devices, registrations and notifications, and a way into its console."""

import hashlib
import json
import shutil
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ATTACK = "<img src=x onerror=hit()>"


class Hub:
    """A running hub; `close` ends it with everything that it started."""

    def __init__(self, belfry):
        self.belfry = belfry
        self.folder = tempfile.mkdtemp(prefix="belfry-console-")
        self.data = f"{self.folder}/data"
        self.programs = []
        self.tokens = {}
        self.codes = []
        self.serve("0", "0")

    def serve(self, rest, device):
        Path(f"{self.data}/connection.json").unlink(missing_ok=True)
        self.server = self.start("serve", "--data", self.data, "--rest-port", rest,
                                 "--device-port", device, "--log-level", "debug", log=self.log)
        self.await_true(lambda: Path(f"{self.data}/connection.json").exists(), "the hub listens")
        self.connection = json.loads(Path(f"{self.data}/connection.json").read_text())

    @property
    def log(self):
        return f"{self.folder}/log"

    def restart(self):
        """Kills the hub, and starts it again where it was."""
        self.server.kill()
        self.server.wait()
        self.serve(str(self.connection["rest"]["port"]), str(self.connection["devices"]["port"]))

    def start(self, *arguments, log=None):
        with open(log or "/dev/null", "a") as errors:
            program = subprocess.Popen([self.belfry, *arguments], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=errors, text=True)
        self.programs.append(program)
        return program

    def run(self, *arguments):
        return subprocess.run([self.belfry, *arguments], capture_output=True, text=True,
                              check=True, timeout=60).stdout.strip()

    def token(self, rights="full"):
        if rights not in self.tokens:
            self.tokens[rights] = self.run("token", "--data", self.data, "--rights", rights)
        return self.tokens[rights]

    def rest(self, method, path, body=None, headers=(), token=None):
        port = self.connection["rest"]["port"]
        request = urllib.request.Request(f"https://localhost:{port}/hub/{path}", method=method,
                                         data=body.encode() if body else None)
        request.add_header("Authorization", token or self.token())
        for name, value in headers:
            request.add_header(name, value)
        trust = ssl.create_default_context(cafile=self.connection["ca"])
        with urllib.request.urlopen(request, context=trust) as answer:
            return answer.read().decode()

    def ask(self, path):
        """A row of our own, read as JSON."""
        return json.loads(self.rest("GET", f"$belfry/{path}"))

    def send(self, tags, body='{"title":"a"}', form="template", token=None):
        self.rest("POST", "messages", body, [
            ("Content-Type", "application/json"), ("ServiceBusNotification-Format", form),
            ("ServiceBusNotification-Tags", tags)], token)

    def install(self, number, tags, platform="apns", **more):
        channel = hashlib.sha256(str(number).encode()).hexdigest()
        self.handle = channel
        installation = {"installationId": f"phone-{number}", "platform": platform,
                        "pushChannel": f"https://example.invalid/{channel}"
                        if platform == "wns" else channel, "tags": tags, **more}
        try:
            self.rest("PUT", f"installations/phone-{number}", json.dumps(installation),
                      [("Content-Type", "application/json")])
        except urllib.error.HTTPError as error:
            raise SystemExit(f"installation: {error.read().decode()}") from error

    def fill(self):
        """Devices, installations with templates, and an attack wherever any text may stand."""
        self.devices = [
            self.start("device", "--data", self.data, "--tag", "World", "--tag", f"topic:{number}")
            for number in range(3)]
        for number, platform in enumerate(["apns", "fcmv1", "wns"]):
            template = {"body": json.dumps({"alert": f"{ATTACK}$(title)"})}
            if platform == "wns":
                template = {"body": "<toast><text>$(title)</text></toast>",
                            "headers": {"X-WNS-Type": "wns/toast"}}
            self.install(number, ["World", "locale:fr"], platform, userId="mara",
                         templates={"news": template})
        self.await_true(lambda: '"registrations":3' in self.rest(
            "GET", "$belfry/audience?tags=topic:0%20%7C%7C%20topic:1%20%7C%7C%20topic:2"),
            "three devices are registered")
        for number in range(30):
            self.send("World && !Sports", json.dumps({"title": f"News {number} {ATTACK}"}))
        self.run("send", "--data", self.data, "--tags", "locale:fr", "--format", "template",
                 "--at", "+2h", json.dumps({"title": "Later"}))

    def new_device(self, tag, *options):
        """One more device, and its id."""
        known = {one["device"] for one in self.ask("devices")["devices"]}
        program = self.start("device", "--data", self.data, "--tag", tag, *options)
        others = lambda: {  # noqa: E731
            one["device"] for one in self.ask("devices")["devices"]} - known
        self.await_true(others, f"a device with {tag}")
        return program, others().pop()

    def link(self, *options):
        """A link that signs in, and the program that leads there."""
        program = self.start("console", "--data", self.data, "--no-open", *options)
        link = program.stdout.readline().strip()
        self.codes.append(link.split("#")[1])
        return link

    @property
    def secrets(self):
        """What no address and no log may have."""
        keys = [self.connection["connectionStrings"][rights].split("SharedAccessKey=")[1]
                .split(";")[0] for rights in ("full", "listen", "send")]
        return keys + self.codes + [self.handle, ATTACK]

    def digits(self):
        return self.run("console", "--data", self.data, "--confirm")

    @staticmethod
    def await_true(condition, what, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if condition():
                    return
            except (OSError, urllib.error.URLError):
                pass
            time.sleep(0.05)
        raise AssertionError(f"not in {seconds} s: {what}")

    def close(self):
        for program in reversed(self.programs):
            program.terminate()
        for program in self.programs:
            try:
                program.wait(10)
            except subprocess.TimeoutExpired:
                program.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
