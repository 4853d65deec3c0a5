#!/usr/bin/env python3
"""Sends to a hub that is killed meanwhile, and writes down what it was answered.

    sender.py CONNECTION.json NAME SEED THREADS

Each thread sends one notification after another. Every send has an idempotency key, which says who
sent it, as which number, and of which kind; what was not answered is sent again with the same key
until it is, and one in ten that was answered is sent again all the same. Prints one JSON object for
each attempt and ends on SIGTERM, once nothing is without an answer. A line of standard input says how
many seconds each thread rests at least between two attempts; at first there is no such rest.
"""
import base64, datetime, hashlib, hmac, http.client, json, os, random, signal, ssl, sys, threading, time
from urllib.parse import quote

KINDS = {  # kind: format, tags, body with the key for {}
    "world": ("apple", "World", '{"aps":{"alert":"[{}]"}}'),
    "sports": ("apple", "Sports", '{"aps":{"alert":"[{}]"}}'),
    "mixed": ("apple", "World && !Sports", '{"aps":{"alert":"[{}]"}}'),
    "gcm": ("gcm", "Sports", '{"data":{"m":"[{}]"}}'),
    "template": ("template", "World || Sports", '{"m":"[{}]"}'),
    "everybody": ("apple", None, '{"aps":{"alert":"[{}]"}}'),
    "nobody": ("apple", "Sports && Other", '{"aps":{"alert":"[{}]"}}'),
    "scheduled": ("apple", "World", '{"aps":{"alert":"[{}]"}}'),
}
stopping = threading.Event()
printing = threading.Lock()
rest = 0.0


def listen():
    """Follows standard input; unbuffered, because a lock of its buffer would outlive the end."""
    global rest
    while lines := os.read(0, 100):
        rest = float(lines.split()[-1])


def write(**line):
    with printing:
        print(json.dumps(line), flush=True)


def token(connection):
    text = connection["connectionStrings"]["full"]
    parts = dict(part.split("=", 1) for part in text.split(";"))
    audience = quote(f"https://localhost/{connection['hub']}", safe="").lower()
    expiry = int(time.time()) + 86400
    code = hmac.digest(parts["SharedAccessKey"].encode(), f"{audience}\n{expiry}".encode(), hashlib.sha256)
    signature = quote(base64.b64encode(code).decode(), safe="")
    return f"SharedAccessSignature sr={audience}&sig={signature}&se={expiry}&skn={parts['SharedAccessKeyName']}"


class Sender:
    def __init__(self, connection, name, seed):
        self.connection, self.name, self.dice = connection, name, random.Random(seed)
        self.context = ssl.create_default_context(cafile=connection["ca"])
        self.authorization = token(connection)
        self.link = None

    def attempt(self, key, kind, due):
        """One request; status and the id in Location, or an OSError or HTTPException."""
        form, tags, body = KINDS[kind]
        headers = {
            "Authorization": self.authorization,
            "Content-Type": "application/json;charset=utf-8",
            "ServiceBusNotification-Format": form,
            "Idempotency-Key": key,
        }
        if tags:
            headers["ServiceBusNotification-Tags"] = tags
        if due:
            headers["ServiceBusNotification-ScheduleTime"] = due
        if self.link is None:
            port = self.connection["rest"]["port"]
            self.link = http.client.HTTPSConnection("localhost", port, context=self.context, timeout=20)
        path = "schedulednotifications" if due else "messages"
        try:
            self.link.request(
                "POST", f"/{self.connection['hub']}/{path}/?api-version=2020-06",
                body.replace("{}", key).encode(), headers,
            )
            answer = self.link.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException):
            self.link.close()
            self.link = None
            raise
        location = answer.headers.get("Location", "").split("?")[0]
        return answer.status, location.rsplit("/", 1)[-1], answer.headers.get("Retry-After")

    def send(self, number):
        """Sends until the answer is 201, and sometimes once more."""
        kind = self.dice.choice(list(KINDS))
        key, due = f"{self.name}.{number}.{kind}", None
        if kind == "scheduled":
            time_due = time.time() + self.dice.uniform(0.1, 1.5)
            due = datetime.datetime.fromtimestamp(time_due, datetime.timezone.utc).isoformat()[:23] + "Z"
        left, tries = 2 if self.dice.random() < 0.1 else 1, 0
        while left > 0:
            tries += 1
            try:
                status, name, retry = self.attempt(key, kind, due)
            except (OSError, http.client.HTTPException) as error:
                write(key=key, kind=kind, tries=tries, error=type(error).__name__)
                self.pause(0.01, 0.05)
                continue
            write(key=key, kind=kind, tries=tries, status=status, id=name, retryAfter=retry)
            if status == 201:
                left -= 1
            elif status < 500 and status != 429:
                raise SystemExit(f"{status} for {key}")
            else:
                self.pause(0.01, 0.05)

    def pause(self, least, most):
        """Rests by lot, and at least as long as standard input has said."""
        time.sleep(max(rest, self.dice.uniform(least, most)))

    def run(self):
        number = 0
        while not stopping.is_set():
            self.send(number)
            number += 1
            self.pause(0, 0.02)


def main():
    path, name, seed, threads = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with open(path, encoding="utf-8") as file:
        connection = json.load(file)
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})  # who started it may have blocked it
    senders = [Sender(connection, f"{name}{number}", seed * 1000 + number) for number in range(threads)]
    threading.Thread(target=listen, daemon=True).start()
    running = [threading.Thread(target=sender.run) for sender in senders]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


if __name__ == "__main__":
    main()
