"""Compares what HubRelay sends with what four libraries send to the same fakes.

Usage: relay_requests.py BELFRY FILE; the suite HubRelayTests has written FILE (`make relay-samples`).
Needs aioapns, firebase-admin, pywebpush and django-push-notifications.
"""

import asyncio
import json
import os
import re
import socket
import ssl
import subprocess
import sys
import tempfile
from urllib.parse import parse_qs

import urllib3.util.connection

HANDLE = "00" * 32
TOKEN = "cAbc:APA91b-token"


def check(what, condition, *shown):
    if not condition:
        sys.exit(f"relay requests: {what} is wrong {shown}")
    print(f"ok: {what}")


class Fake:
    """`belfry fake`, and its journal."""

    def __init__(self, belfry, service, folder):
        self.folder = folder
        self.journal = os.path.join(folder, f"{service}.jsonl")
        self.process = subprocess.Popen(
            [belfry, "fake", service, "--folder", folder, "--journal", self.journal],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        self.port = int(re.search(r"localhost:(\d+)", line)[1])
        while "credential" not in self.process.stderr.readline():
            pass
        self.trust = os.path.join(folder, "ca.pem")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def last(self):
        with open(self.journal, encoding="utf-8") as file:
            return json.loads(file.readlines()[-1])


def headers(request, names):
    return {name: request["headers"].get(name) for name in names}


def apple(fake, ours):
    from aioapns import APNs, NotificationRequest, PushType

    async def send():
        loop = asyncio.get_running_loop()
        connect = loop.create_connection

        def local(protocol_factory, host, port, **more):
            return connect(protocol_factory, "127.0.0.1", fake.port,
                           **dict(more, server_hostname=host))

        loop.create_connection = local
        with open(os.path.join(fake.folder, "AuthKey_FAKEKEY001.p8"), encoding="utf-8") as file:
            key = file.read()
        context = ssl.create_default_context(cafile=fake.trust)
        context.set_alpn_protocols(["h2"])
        client = APNs(key=key, key_id="FAKEKEY001", team_id="FAKETEAM01",
                      topic="com.example.app", ssl_context=context)
        return await client.send_notification(NotificationRequest(
            device_token=HANDLE, message={"aps": {"alert": "hello"}}, time_to_live=3600,
            priority=10, push_type=PushType.ALERT))

    answer = asyncio.run(send())
    check("the fake takes aioapns' request", answer.is_successful, answer.description)
    theirs = fake.last()
    names = ["authorization", "apns-topic", "apns-push-type", "apns-priority"]
    check("Apple's headers are those of aioapns", headers(ours, names) == headers(theirs, names),
          ours, theirs)
    check("Apple's header names are those of aioapns",
          sorted(ours["headers"]) == sorted(name for name in theirs["headers"] if name != "host"))
    check("Apple's path is that of aioapns", ours["path"] == theirs["path"])
    check("Apple's payload is that of aioapns",
          json.loads(ours["text"]) == json.loads(theirs["text"]))


def firebase(fake, ours):
    import firebase_admin
    from firebase_admin import credentials, messaging

    os.environ["REQUESTS_CA_BUNDLE"] = fake.trust
    urllib3.util.connection.create_connection = \
        lambda address, *rest, **more: socket.create_connection(("127.0.0.1", fake.port))
    file = os.path.join(fake.folder, "service-account.json")
    firebase_admin.initialize_app(credentials.Certificate(file))
    name = messaging.send(messaging.Message(
        token=TOKEN, data={"a": "b"}, notification=messaging.Notification(title="hello"),
        android=messaging.AndroidConfig(ttl=3600)))
    check("the fake takes firebase-admin's token request and message",
          name.startswith("projects/fake-project/messages/"))
    theirs = fake.last()
    check("FCM's message is that of firebase-admin",
          json.loads(ours["text"])["message"] == json.loads(theirs["text"])["message"],
          ours["text"], theirs["text"])
    check("FCM's scheme is that of firebase-admin",
          ours["headers"]["authorization"] == theirs["headers"]["authorization"])
    check("FCM's path differs only in the project",
          ours["path"].replace("demo-project", "fake-project") == theirs["path"])


def browser(fake, ours):
    import requests
    from pywebpush import webpush

    os.environ["REQUESTS_CA_BUNDLE"] = fake.trust
    place = f"https://localhost:{fake.port}"
    subscription = requests.get(f"{place}/subscription/anna", timeout=10).json()
    from py_vapid import Vapid02
    key = Vapid02()
    key.generate_keys()
    answer = webpush(subscription, "hello", vapid_private_key=key, ttl=3600,
                     vapid_claims={"sub": "mailto:ops@example.com"},
                     headers={"urgency": "normal"}, timeout=10)
    check("the fake takes pywebpush's request", answer.status_code == 201, answer.text)
    theirs = fake.last()
    check("the fake decrypts what pywebpush encrypted", theirs["text"] == "hello")
    names = ["authorization", "ttl", "urgency", "content-encoding"]
    check("Web Push's headers are those of pywebpush",
          headers(ours, names) == headers(theirs, names), ours, theirs)


def windows(fake, ours, token):
    from django.conf import settings

    with open(os.path.join(fake.folder, "wns-secret"), encoding="utf-8") as file:
        secret = file.read()
    sid = "ms-app://s-1-15-2-1"
    settings.configure(PUSH_NOTIFICATIONS_SETTINGS={
        "WNS_PACKAGE_SECURITY_ID": sid, "WNS_SECRET_KEY": secret})
    from push_notifications import wns

    os.environ["SSL_CERT_FILE"] = fake.trust
    connect, ask, asked = socket.create_connection, wns.urlopen, []

    def note(request):
        asked.append(request)
        return ask(request)

    socket.create_connection = lambda address, *rest, **more: connect(
        ("127.0.0.1", fake.port), *rest, **more)
    wns.urlopen = note
    try:
        wns.wns_send_message("https://db5p.notify.windows.com/?token=a", message="hello")
    finally:
        socket.create_connection = connect
    theirs, form = fake.last(), parse_qs(asked[0].data.decode(), strict_parsing=True)
    form["client_secret"] = ["window secret of the package"]
    check("WNS's token request is that of django-push-notifications",
          parse_qs(token["text"], strict_parsing=True) == form, token["text"], form)
    check("WNS's token endpoint is theirs", asked[0].full_url.endswith(token["path"]))
    check("the fake takes django-push-notifications' request", theirs["status"] == 200, theirs)
    names = ["authorization", "content-type", "x-wns-type"]
    check("WNS's headers are those of django-push-notifications",
          headers(ours, names) == headers(theirs, names), ours, theirs)
    check("WNS's path is theirs", ours["path"] == theirs["path"])


def main():
    belfry, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        ours = json.load(file)["requests"]
    connect = urllib3.util.connection.create_connection
    for service, compare in [("apns", apple), ("fcm", firebase), ("webpush", browser)]:
        with tempfile.TemporaryDirectory() as folder, Fake(belfry, service, folder) as fake:
            compare(fake, ours[service])
        urllib3.util.connection.create_connection = connect
    with tempfile.TemporaryDirectory() as folder, Fake(belfry, "wns", folder) as fake:
        windows(fake, ours["wns"], ours["wnsToken"])


main()
