"""A hub that relays to a stand-in of a push service, as a process, with what a rig asks of it."""
import base64, hashlib, hmac, http.client, json, os, pathlib, signal, socket, ssl, subprocess
import threading, time
from urllib.parse import quote

BATCH = 1000
APPLE = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def token(number):
    """A token that no device has, in a form that one could have; its end is its number."""
    return "5eed" * 8 + f"{number:032x}"


# Handles of a number: the words of a direct send, and the elements of a registration.
APPLE_TOKENS = ("apple", token)
FIREBASE_TOKENS = ("fcmv1", lambda number: f"d{number:010d}:APA91b" + "x" * 140)
APPLES = ("AppleRegistrationDescription",
          lambda number: f"<DeviceToken>{token(number)}</DeviceToken>")
# A point of the curve and a secret; as many subscriptions may have them as want to.
BROWSERS = ("BrowserRegistrationDescription", lambda number: (
    f"<Endpoint>https://updates.push.services.mozilla.com/push/{number}</Endpoint>"
    "<P256DH>BHHuJw-8fyH8QBdJVdGuH46AW3-5mrWIZilWqkje9oToXqBb-FuIOLLCpxIbD7GSmVKPkYEg-E6qsSFfBdegDf0"
    "</P256DH><Auth>AAAAAAAAAAAAAAAAAAAAAA</Auth>"))


class Refused(Exception):
    """The hub cannot take it now."""


class Hub:
    """`places` has the ports of services by their hosts; a credential is the command's arguments.

    Without a credential the hub has no lane.
    """

    def __init__(self, belfry, folder, places, authority, credential):
        self.belfry, self.data, self.port = belfry, folder + "/data", free_port()
        self.environment = {**os.environ, "BELFRY_RELAY_AUTHORITY": authority,
                            "BELFRY_RELAY_PLACES": ",".join(
                                f"{host}=127.0.0.1:{port}" for host, port in places.items())}
        # A connection for each thread that asks.
        self.links = threading.local()
        self.start()
        if credential:
            self.set_credential(credential)

    def set_credential(self, credential):
        """Gives the hub a lane, for what it accepts from now on."""
        subprocess.run([self.belfry, "hub", "credential", "set", "--data", self.data, *credential],
                       check=True, stdout=subprocess.DEVNULL)

    def start(self):
        self.process = subprocess.Popen(
            [self.belfry, "serve", "--data", self.data, "--rest-port", str(self.port),
             "--device-port", "0", "--log-level", "error"],
            env=self.environment, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()
        self.connection = json.loads(pathlib.Path(self.data, "connection.json").read_text())

    def link(self):
        if not hasattr(self.links, "open"):
            context = ssl.create_default_context(cafile=self.connection["ca"])
            self.links.open = http.client.HTTPSConnection(
                "localhost", self.port, context=context, timeout=60)
        return self.links.open

    def authorization(self):
        text = self.connection["connectionStrings"]["full"]
        parts = dict(part.split("=", 1) for part in text.split(";"))
        audience = quote(f"https://localhost/{self.connection['hub']}", safe="").lower()
        expiry = int(time.time()) + 3600
        code = hmac.digest(parts["SharedAccessKey"].encode(), f"{audience}\n{expiry}".encode(),
                           hashlib.sha256)
        signature = quote(base64.b64encode(code).decode(), safe="")
        name = parts["SharedAccessKeyName"]
        return f"SharedAccessSignature sr={audience}&sig={signature}&se={expiry}&skn={name}"

    def ask(self, method, path, body=None, headers={}):
        """The answer's text and its Location; a refusal is an error."""
        try:
            self.link().request(method, f"/{self.connection['hub']}{path}", body,
                                {"Authorization": self.authorization(), **headers})
            answer = self.link().getresponse()
            text = answer.read().decode()
        except (OSError, http.client.HTTPException):
            del self.links.open
            raise
        if answer.status not in (200, 201):
            refusal = f"{method} {path}: {answer.status} {text}"
            raise (Refused if answer.status in (429, 503, 507) else RuntimeError)(refusal)
        return text, answer.headers.get("Location", "").split("?")[0].rsplit("/", 1)[-1]

    def send(self, body, key=None, **headers):
        """A native send; its id."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        if key:
            more["Idempotency-Key"] = key
        return self.ask("POST", "/messages/?api-version=2020-06", body, {
            "Content-Type": "application/json;charset=utf-8",
            "ServiceBusNotification-Format": "apple", **more})[1]

    def send_batch(self, body, first, key=None, form=APPLE_TOKENS):
        """One direct send to a batch of tokens from a number on; its id."""
        mark = "belfry-rig"
        part = "--{}\r\nContent-Type: {}\r\nContent-Disposition: inline; name={}\r\n\r\n{}\r\n"
        name, handle = form
        tokens = json.dumps([handle(first + number) for number in range(BATCH)])
        whole = (part.format(mark, "application/json", "notification", body)
                 + part.format(mark, "application/json", "devices", tokens) + f"--{mark}--\r\n")
        headers = {"Content-Type": f'multipart/mixed; boundary="{mark}"',
                   "ServiceBusNotification-Format": name}
        if key:
            headers["Idempotency-Key"] = key
        return self.ask("POST", "/messages/$batch?direct&api-version=2020-06", whole, headers)[1]

    def register(self, count, form=APPLES):
        """Imports registrations with handles from 1 on, each with its number as tag, and `a`."""
        kind, handle = form
        folder = pathlib.Path(self.data, "hubs", self.connection["hub"], "jobs")
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "in.txt", "w", encoding="utf-8") as file:
            for number in range(1, count + 1):
                file.write(f'<{kind} xmlns="{APPLE}"><Tags>a,{number}</Tags>{handle(number)}'
                           f"</{kind}>\n")
        _, job = self.ask("POST", "/jobs?api-version=2020-06", (
            '<entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">'
            f'<NotificationHubJob xmlns="{APPLE}"><Type>ImportCreateRegistrations</Type>'
            "<OutputContainerUri>file:///</OutputContainerUri>"
            "<ImportFileUri>file:///in.txt</ImportFileUri></NotificationHubJob></content></entry>"))
        while True:
            text, _ = self.ask("GET", f"/jobs/{job}?api-version=2020-06")
            if "<Status>Completed</Status>" in text:
                return
            if "<Status>Failed</Status>" in text:
                raise RuntimeError(text)
            time.sleep(0.2)

    def lane(self, platform="apple"):
        text, _ = self.ask("GET", "/$belfry/relays?api-version=2020-06")
        return json.loads(text)[platform]

    def is_done(self, platform="apple"):
        lane = self.lane(platform)
        return lane["behind"] == 0 and lane["open"] == 0 and lane["deferred"] == 0

    def successes(self, notification):
        """How many of a notification the service took, by the hub's own count."""
        text, _ = self.ask("GET", f"/messages/{notification}?api-version=2020-06")
        start = text.find("<ApnsOutcomeCounts>")
        word = "<Name>Success</Name><Count>"
        place = text.find(word, start)
        if start < 0 or place < 0:
            return 0
        return int(text[place + len(word):text.index("<", place + len(word))])

    def metrics(self):
        """The server's numbers that have no labels, by name."""
        token = pathlib.Path(self.data, "metrics.token").read_text().strip()
        self.link().request("GET", "/$belfry/metrics",
                            headers={"Authorization": f"SharedAccessSignature {token}"})
        text = self.link().getresponse().read().decode()
        lines = (line.split() for line in text.splitlines() if not line.startswith("#"))
        return {line[0]: float(line[1]) for line in lines if len(line) == 2 and "{" not in line[0]}

    def threads(self, name):
        """Seconds of processor time of the threads whose names begin so."""
        sum = 0
        for folder in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                if (folder / "comm").read_text().startswith(name):
                    sum += int((folder / "schedstat").read_text().split()[0]) / 1e9
            except OSError:
                pass  # It ended meanwhile.
        return sum

    def memory(self):
        """Bytes that are resident."""
        with open(f"/proc/{self.process.pid}/statm", encoding="utf-8") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def cpu(self):
        """Seconds of processor time so far."""
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def written(self):
        """Bytes that it has written so far, to sockets and files."""
        with open(f"/proc/{self.process.pid}/io", encoding="utf-8") as file:
            return int(file.read().split()[3])

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
