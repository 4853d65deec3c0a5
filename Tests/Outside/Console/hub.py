"""A hub with devices, registrations and notifications, and a way into its console."""

import json
import shutil
import ssl
import subprocess
import tempfile
import time
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
        self.serve()

    def serve(self):
        self.server = self.start("serve", "--data", self.data, "--rest-port", "0",
                                 "--device-port", "0")
        self.await_true(lambda: Path(f"{self.data}/connection.json").exists(), "the hub listens")
        self.connection = json.loads(Path(f"{self.data}/connection.json").read_text())

    def start(self, *arguments):
        program = subprocess.Popen([self.belfry, *arguments], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.programs.append(program)
        return program

    def run(self, *arguments):
        return subprocess.run([self.belfry, *arguments], capture_output=True, text=True,
                              check=True, timeout=60).stdout.strip()

    def rest(self, method, path, body=None, headers=()):
        token = self.run("token", "--data", self.data, "--rights", "full")
        port = self.connection["rest"]["port"]
        request = urllib.request.Request(f"https://localhost:{port}/hub/{path}", method=method,
                                         data=body.encode() if body else None)
        request.add_header("Authorization", token)
        for name, value in headers:
            request.add_header(name, value)
        trust = ssl.create_default_context(cafile=self.connection["ca"])
        with urllib.request.urlopen(request, context=trust) as answer:
            return answer.read().decode()

    def fill(self):
        """Devices, installations with templates, and an attack wherever any text may stand."""
        for number in range(3):
            self.start("device", "--data", self.data, "--tag", "World", "--tag", f"topic:{number}")
        for number, platform in enumerate(["apns", "fcmv1", "wns"]):
            installation = {
                "installationId": f"phone-{number}", "platform": platform,
                "pushChannel": "https://example.invalid/" + "ab12" * 16 if platform == "wns"
                else "ab12" * 16, "tags": ["World", "locale:fr"],
                "templates": {"news": {"body": json.dumps({"alert": f"{ATTACK}$(title)"})
                                       if platform != "wns" else
                                       "<toast><text>$(title)</text></toast>",
                                       **({"headers": {"X-WNS-Type": "wns/toast"}}
                                          if platform == "wns" else {})}},
            }
            name = urllib.request.quote(installation["installationId"], safe="")
            try:
                self.rest("PUT", f"installations/{name}", json.dumps(installation),
                          [("Content-Type", "application/json")])
            except urllib.error.HTTPError as error:
                raise SystemExit(f"installation: {error.read().decode()}") from error
        self.await_true(lambda: '"registrations":3' in self.rest(
            "GET", "$belfry/audience?tags=topic:0%20%7C%7C%20topic:1%20%7C%7C%20topic:2"),
            "three devices are registered")
        for number in range(30):
            self.run("send", "--data", self.data, "--tags", "World && !Sports", "--format",
                     "template", json.dumps({"title": f"News {number} {ATTACK}"}))
        self.run("send", "--data", self.data, "--tags", "locale:fr", "--format", "template",
                 "--at", "+2h", json.dumps({"title": "Later"}))

    def link(self, *options):
        """A link that signs in, and the program that leads there."""
        program = self.start("console", "--data", self.data, "--no-open", *options)
        return program.stdout.readline().strip()

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
        raise SystemExit(f"not in {seconds} s: {what}")

    def close(self):
        for program in reversed(self.programs):
            program.terminate()
        for program in self.programs:
            try:
                program.wait(10)
            except subprocess.TimeoutExpired:
                program.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
