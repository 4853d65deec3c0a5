"""Judges the frames of a relay to APNs by `h2`, a package that is not ours, as the service's server.

Usage: relay_frames.py BELFRY; `make relay-samples` runs it. Needs h2.

The server follows the protocol to the letter and ends the connection over any breach. It plays three
services: one with wide windows, one whose windows and frames are as small as the protocol allows and
whose header table is empty, and one that changes its settings while requests are in flight.
"""

import json
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import threading

import h2.config
import h2.connection
import h2.events
import h2.exceptions
from h2.settings import SettingCodes, Settings

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Rigs"))
from relayhub import BATCH, Hub, token  # noqa: E402

BODY = json.dumps({"aps": {"alert": "x" * 3000}})


def check(what, condition, *shown):
    if not condition:
        sys.exit(f"relay frames: {what} is wrong {shown}")
    print(f"ok: {what}", flush=True)


class Server:
    """Listens for one client after the other; notes requests, breaches and resets."""

    def __init__(self, folder, settings, changes):
        self.settings, self.changes = settings, list(changes)
        self.requests, self.breaches, self.connections = {}, [], 0
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(folder + "/cert.pem", folder + "/key.pem")
        self.context.set_alpn_protocols(["h2"])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.enough = threading.Event()
        self.wanted = 0
        threading.Thread(target=self.run, daemon=True).start()

    def expect(self, count):
        self.wanted = count
        return self.enough.wait(600)

    def run(self):
        while True:
            plain, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(plain,), daemon=True).start()

    def serve(self, plain):
        try:
            with self.context.wrap_socket(plain, server_side=True) as link:
                self.connections += 1
                self.talk(link)
        except OSError:
            pass

    def talk(self, link):
        connection = h2.connection.H2Connection(h2.config.H2Configuration(
            client_side=False, header_encoding="utf-8"))
        connection.local_settings = Settings(client=False, initial_values=self.settings)
        connection.initiate_connection()
        link.sendall(connection.data_to_send())
        streams = {}
        while data := link.recv(65536):
            try:
                events = connection.receive_data(data)
            except h2.exceptions.ProtocolError as error:
                self.breaches.append(repr(error))
                link.sendall(connection.data_to_send())
                return
            for event in events:
                self.take(connection, streams, event)
            link.sendall(connection.data_to_send())

    def take(self, connection, streams, event):
        if isinstance(event, h2.events.RequestReceived):
            streams[event.stream_id] = [dict(event.headers), b""]
        elif isinstance(event, h2.events.DataReceived):
            streams[event.stream_id][1] += event.data
            # The windows are given back at once, so that they are small and the way is not.
            if event.flow_controlled_length:
                connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.StreamEnded):
            headers, body = streams.pop(event.stream_id)
            path = headers[":path"]
            self.requests[path] = self.requests.get(path, 0) + 1
            self.note(headers, body)
            connection.send_headers(event.stream_id, [(":status", "200"), (
                "apns-id", headers["apns-id"])], end_stream=True)
            if self.changes and len(self.requests) % 100 == 0:
                connection.update_settings(self.changes.pop(0))
            if len(self.requests) >= self.wanted > 0:
                self.enough.set()
        elif isinstance(event, h2.events.StreamReset):
            self.breaches.append(f"a reset with {event.error_code}")

    def note(self, headers, body):
        wrong = [name for name, value in {
            ":method": "POST", ":scheme": "https", ":authority": "api.push.apple.com",
            "apns-topic": "com.example.app", "apns-push-type": "alert", "apns-priority": "10",
        }.items() if headers.get(name) != value]
        if wrong or not headers["authorization"].startswith("bearer ") or body != BODY.encode():
            self.breaches.append(f"a request: {wrong} {len(body)} bytes")


SERVICES = {
    "wide windows": ({SettingCodes.MAX_CONCURRENT_STREAMS: 1000,
                      SettingCodes.INITIAL_WINDOW_SIZE: 1 << 20}, []),
    "windows of 1,000 bytes and no header table": (
        {SettingCodes.MAX_CONCURRENT_STREAMS: 20, SettingCodes.INITIAL_WINDOW_SIZE: 1000,
         SettingCodes.HEADER_TABLE_SIZE: 0}, []),
    "settings that change": (
        {SettingCodes.MAX_CONCURRENT_STREAMS: 100},
        [{SettingCodes.INITIAL_WINDOW_SIZE: 100, SettingCodes.MAX_CONCURRENT_STREAMS: 7},
         {SettingCodes.HEADER_TABLE_SIZE: 0}, {SettingCodes.HEADER_TABLE_SIZE: 4096},
         {SettingCodes.INITIAL_WINDOW_SIZE: 70000, SettingCodes.MAX_FRAME_SIZE: 65536},
         {SettingCodes.HEADER_TABLE_SIZE: 50, SettingCodes.MAX_CONCURRENT_STREAMS: 300}]),
}


def main():
    belfry = sys.argv[1]
    for name, (settings, changes) in SERVICES.items():
        with tempfile.TemporaryDirectory(prefix="belfry-frames-") as folder:
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                 "ec_paramgen_curve:P-256", "-nodes", "-keyout", folder + "/key.pem", "-out",
                 folder + "/cert.pem", "-days", "2", "-subj", "/CN=stand-in", "-addext",
                 "subjectAltName=DNS:api.push.apple.com"], check=True, capture_output=True)
            key = folder + "/AuthKey_ABC1234567.p8"
            subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                            "ec_paramgen_curve:P-256", "-out", key], check=True,
                           capture_output=True)
            server = Server(folder, settings, changes)
            hub = Hub(belfry, folder, {"api.push.apple.com": server.port}, folder + "/cert.pem",
                      ["--apple-key", key, "--team", "TEAM123456", "--bundle", "com.example.app"])
            try:
                hub.send_batch(BODY, 1)
                came = server.expect(BATCH)
                check(f"{name}: {BATCH} requests came", came, len(server.requests), server.breaches)
                check(f"{name}: h2 finds no breach", server.breaches == [], server.breaches)
                paths = {f"/3/device/{token(1 + number)}" for number in range(BATCH)}
                check(f"{name}: each token once", server.requests == dict.fromkeys(paths, 1))
                check(f"{name}: all settings were taken", server.changes == [])
                print(f"    over {server.connections} connections", flush=True)
            finally:
                hub.stop()


main()
