#!/usr/bin/env python3
"""Receives a hub's traces as a collector does: each body becomes the official protobuf messages.

    traces.py BELFRY

A device, three fakes of push services and senders with and without `traceparent` are traced. A
field that the messages do not have, or one of another type, fails. Needs opentelemetry-proto.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"
HOSTS = {"apns": ["api.push.apple.com"],
         "fcm": ["fcm.googleapis.com", "oauth2.googleapis.com"],
         "webpush": ["updates.push.services.mozilla.com"]}
received, broken = [], []


def messages(text):
    """The request of a body; ids are hex in OTLP, where protobuf's own JSON has base64."""
    document = json.loads(text)
    for resource in document["resourceSpans"]:
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                for name in ["traceId", "spanId", "parentSpanId"]:
                    if name in span:
                        span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
    return json_format.ParseDict(document, ExportTraceServiceRequest())


class Collector(BaseHTTPRequestHandler):
    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json"
            received.append(messages(text))
        except Exception as error:  # noqa: BLE001: told at the end
            broken.append(f"{error}: {text[:300]}")
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def spans():
    return [span for request in received for resource in request.resource_spans
            for scope in resource.scope_spans for span in scope.spans]


def wait(condition, what, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"not in {seconds} s: {what}; there are "
                             f"{sorted(span.name for span in spans())} {broken}")
        time.sleep(0.05)


class Rig:
    """A hub that is traced, with a device, and fakes of push services."""

    def __init__(self, belfry, folder, collector):
        self.belfry, self.folder, self.programs = belfry, folder, []
        self.data = f"{folder}/data"
        places, authorities = [], ""
        for service, hosts in HOSTS.items():
            fake = self.start("fake", service, "--port", "0", "--folder", f"{folder}/{service}",
                              "--json")
            port = json.loads(fake.stdout.readline())["port"]
            places += [f"{host}=127.0.0.1:{port}" for host in hosts]
            authorities += Path(f"{folder}/{service}/ca.pem").read_text() + "\n"
        Path(f"{folder}/authorities.pem").write_text(authorities)
        self.environment = {
            **os.environ, "BELFRY_TRACES_URL": f"http://127.0.0.1:{collector}/v1/traces",
            "BELFRY_TRACES_RATIO": "1", "BELFRY_RELAY_PLACES": ",".join(places),
            "BELFRY_RELAY_AUTHORITY": f"{folder}/authorities.pem"}
        self.start("serve", "--data", self.data, "--rest-port", "0", "--device-port", "0")
        wait(Path(f"{self.data}/connection.json").exists, "the hub listens")
        self.connection = json.loads(Path(f"{self.data}/connection.json").read_text())
        self.run("hub", "credential", "set", "--apple-key",
                 f"{folder}/apns/AuthKey_FAKEKEY001.p8", "--team", "FAKETEAM01", "--bundle",
                 "com.example.app")
        self.run("hub", "credential", "set", "--firebase", f"{folder}/fcm/service-account.json")
        self.run("hub", "credential", "set", "--browser", f"{folder}/webpush/vapid.pem",
                 "--subject", "mailto:ops@example.com")

    def start(self, *arguments):
        program = subprocess.Popen([self.belfry, *arguments], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True,
                                   env=getattr(self, "environment", None))
        self.programs.append(program)
        return program

    def run(self, *arguments):
        found = subprocess.run([self.belfry, *arguments, "--data", self.data], text=True,
                               capture_output=True, timeout=60)
        if found.returncode:
            raise SystemExit(f"{arguments}: {found.stderr}")
        return found.stdout.strip()

    def rest(self, method, path, body, headers):
        """The status, by curl, which speaks to the hub's own authority."""
        token = self.run("token", "--rights", "full")
        return subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", method, "--cacert",
             self.connection["ca"], "-H", f"Authorization: {token}", "-H",
             "Content-Type: application/json", *[part for h in headers for part in ("-H", h)],
             "--data-binary", body,
             f"https://localhost:{self.connection['rest']['port']}/hub/{path}?api-version=2016-07"],
            capture_output=True, text=True, timeout=30).stdout

    def install(self, name, platform, channel):
        body = json.dumps({"installationId": name, "platform": platform, "pushChannel": channel,
                           "tags": ["World"],
                           "templates": {"t": {"body": '{"aps":{"alert":"$(title)"}}'
                                               if platform == "apns" else '{"title":"$(title)"}'}}})
        status = self.rest("PUT", f"installations/{name}", body, [])
        assert status == "200", f"{name}: {status}"

    def close(self):
        for program in reversed(self.programs):
            program.terminate()
        for program in self.programs:
            program.wait(20)


def facts(span):
    return {a.key: a.value.string_value or a.value.int_value for a in span.attributes}


def check(rig):
    rig.install("a", "apns", "c0ffee42" * 8)
    rig.install("b", "fcmv1", "phone:APA91bFakeToken")
    subscription = json.loads(Path(f"{rig.folder}/webpush/subscription.json").read_text())
    rig.install("c", "browser", {"endpoint": subscription["endpoint"], **subscription["keys"]})
    device = rig.start("device", "--data", rig.data, "--tag", "World", "--template",
                       '{"t":"$(title)"}', "--json")
    device.stdout.readline()
    wait(lambda: len(json.loads(rig.run("device", "list", "--json"))["devices"]) == 1, "a device")
    received.clear()
    status = rig.rest("POST", "messages", '{"title":"canary-of-a-payload"}', [
        "ServiceBusNotification-Format: template", "ServiceBusNotification-Tags: World",
        f"traceparent: 00-{TRACE}-{PARENT}-01"])
    assert status == "201", status

    def mine():
        return [span for span in spans() if span.trace_id.hex() == TRACE]
    wait(lambda: sum(span.name == "relay" for span in mine()) == 3
         and any(span.name == "acknowledge" for span in mine()), "relays and the acknowledgement")
    by_name = {}
    for span in mine():
        assert len(span.trace_id) == 16 and len(span.span_id) == 8
        assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano < 1 << 63
        assert span.status.code in (Status.STATUS_CODE_UNSET, Status.STATUS_CODE_ERROR)
        by_name.setdefault(span.name, []).append(span)
    request = next(span for span in mine() if span.parent_span_id.hex() == PARENT)
    assert request.kind == Span.SPAN_KIND_SERVER, request
    assert facts(request)["http.response.status_code"] == 201, request
    others = [span for span in mine() if span is not request]
    assert all(span.parent_span_id == request.span_id for span in others)
    assert {"commit", "fan out", "send", "acknowledge", "relay"} <= by_name.keys(), by_name.keys()
    for span in by_name["relay"]:
        assert span.kind == Span.SPAN_KIND_CLIENT, span
        assert 200 <= facts(span)["http.response.status_code"] < 300, span
    platforms = sorted(facts(span)["belfry.platform"] for span in by_name["relay"])
    assert len(set(platforms)) == 3, platforms
    order = [by_name[name][0].end_time_unix_nano for name in ["commit", "acknowledge"]]
    assert order == sorted(order)
    # A refused request begins a trace of its own, which has failed.
    rig.rest("POST", "messages", "{}", ["ServiceBusNotification-Format: none"])
    wait(lambda: any(facts(span).get("http.response.status_code") == 400 and not
                     span.parent_span_id for span in spans()), "the refused request")
    names = {a.key: a.value.string_value for request in received
             for resource in request.resource_spans for a in resource.resource.attributes}
    assert names["service.name"] == "belfry" and names["service.version"], names
    whole = b"".join(request.SerializeToString() for request in received)
    for secret in [b"canary", b"c0ffee42" * 8, b"APA91bFakeToken"]:
        assert secret not in whole, secret
    assert not broken, broken
    print(f"traces: {len(received)} requests with {len(spans())} spans are the official messages, "
          f"relays to {', '.join(platforms)} among them")


def main():
    folder = tempfile.mkdtemp(prefix="belfry-traces-")
    server = HTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    rig = None
    try:
        rig = Rig(str(Path(sys.argv[1]).resolve()), folder, server.server_port)
        check(rig)
    finally:
        if rig:
            rig.close()
        shutil.rmtree(folder, ignore_errors=True)


main()
