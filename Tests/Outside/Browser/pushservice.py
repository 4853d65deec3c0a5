"""A stand-in of Mozilla's push service, and the page that subscribes there.

To the browser it speaks the service's protocol over a WebSocket: hello, register, notification, ack.
To the hub it is an endpoint of RFC 8030 over TLS; it reads no key and passes on what it gets.
"""
import base64, hashlib, http.server, json, socketserver, ssl, struct, subprocess, threading, uuid

PAGE = b"<!doctype html><title>Push</title>"
WORKER = b"""
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("push", (event) => event.waitUntil(
    fetch("/shown", { method: "POST", body: event.data ? event.data.text() : "" })));
"""
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class PushService:
    host = "updates.push.services.mozilla.com"

    def __init__(self, folder):
        self.shown, self.sizes, self.channels, self.browsers = [], [], {}, []
        self.certificate = f"{folder}/push.pem"
        key = f"{folder}/push.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-keyout", key, "-out", self.certificate, "-days", "2", "-subj", "/CN=stand-in",
             "-addext", f"subjectAltName=DNS:{self.host}"], check=True, capture_output=True)
        secured = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        secured.load_cert_chain(self.certificate, key)
        secured.set_alpn_protocols(["http/1.1"])
        self.servers = []
        self.port = self.listen(self.endpoint(), secured)
        self.page = f"http://localhost:{self.listen(self.site())}/"
        self.socket_port = self.listen(self.link())

    def listen(self, handler, secured=None):
        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        if secured:
            server.socket = secured.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.servers.append(server)
        return server.server_address[1]

    def stop(self):
        for server in self.servers:
            server.shutdown()

    def answering(service):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, status, body=b"", kind="text/html", headers=()):
                self.send_response(status)
                for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))),
                                    *headers):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def body(self):
                return self.rfile.read(int(self.headers.get("Content-Length", 0)))

            def log_message(self, *_):
                pass
        return Handler

    def site(service):
        class Site(service.answering()):
            def do_GET(self):
                if self.path == "/worker.js":
                    self.answer(200, WORKER, "text/javascript")
                else:
                    self.answer(200 if self.path == "/" else 404, PAGE)

            def do_POST(self):
                service.shown.append(self.body().decode())
                self.answer(200)
        return Site

    def endpoint(service):
        """What a hub sends to: each message goes to the browser that holds its channel."""
        class Endpoint(service.answering()):
            def do_POST(self):
                body, channel = self.body(), self.path.rsplit("/", 1)[-1]
                if channel not in service.channels:
                    return self.answer(404)
                proof = self.headers.get("Authorization", "")
                if not proof.startswith("vapid t=") or "TTL" not in self.headers:
                    return self.answer(400)
                service.sizes.append(len(body))
                service.channels[channel].say({
                    "messageType": "notification", "channelID": channel, "version": uuid.uuid4().hex,
                    "ttl": int(self.headers["TTL"]),
                    "data": base64.urlsafe_b64encode(body).rstrip(b"=").decode(),
                    "headers": {"encoding": self.headers["Content-Encoding"]}})
                self.answer(201, headers=[("Location", f"https://{service.host}/m/{channel}")])
        return Endpoint

    def link(service):
        class Link(socketserver.StreamRequestHandler):
            """A WebSocket of text messages (RFC 6455)."""

            def handle(self):
                self.lock, headers = threading.Lock(), {}
                while (line := self.rfile.readline().strip()):
                    name, _, value = line.partition(b":")
                    headers[name.lower()] = value.strip()
                key = base64.b64encode(
                    hashlib.sha1(headers[b"sec-websocket-key"] + MAGIC).digest()).decode()
                lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket",
                         "Connection: Upgrade", f"Sec-WebSocket-Accept: {key}"]
                if b"sec-websocket-protocol" in headers:
                    protocol = headers[b"sec-websocket-protocol"].decode().split(",")[0]
                    lines.append(f"Sec-WebSocket-Protocol: {protocol}")
                self.wfile.write(("\r\n".join(lines) + "\r\n\r\n").encode())
                while (text := self.read()) is not None:
                    if text:
                        self.hear(json.loads(text))

            def read(self):
                """The next text; empty for other frames, None at the end."""
                head = self.rfile.read(2)
                if len(head) < 2 or head[0] & 15 == 8:
                    return None
                size = head[1] & 127
                if size == 126:
                    size, = struct.unpack(">H", self.rfile.read(2))
                elif size == 127:
                    size, = struct.unpack(">Q", self.rfile.read(8))
                mask = self.rfile.read(4) if head[1] & 128 else bytes(4)
                data = bytes(byte ^ mask[n % 4] for n, byte in enumerate(self.rfile.read(size)))
                return data.decode() if head[0] & 15 == 1 else ""

            def say(self, message):
                data = json.dumps(message).encode()
                size = (bytes([len(data)]) if len(data) < 126 else
                        b"\x7e" + struct.pack(">H", len(data)) if len(data) < 65536 else
                        b"\x7f" + struct.pack(">Q", len(data)))
                with self.lock:
                    self.wfile.write(b"\x81" + size + data)

            def hear(self, message):
                kind = message.get("messageType")
                if kind == "hello":
                    self.say({"messageType": "hello", "status": 200, "use_webpush": True,
                              "uaid": message.get("uaid") or uuid.uuid4().hex, "broadcasts": {}})
                elif kind == "register":
                    channel = message["channelID"]
                    service.channels[channel] = self
                    self.say({"messageType": "register", "status": 200, "channelID": channel,
                              "pushEndpoint": f"https://{service.host}/wpush/v2/{channel}"})
                elif kind == "unregister":
                    self.say({"messageType": "unregister", "status": 200,
                              "channelID": message["channelID"]})
                elif not message:
                    self.say({})
        return Link
