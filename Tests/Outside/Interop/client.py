#!/usr/bin/env python3
"""A device of the device link, written from Protocol/ alone, in Python's standard library.

    client.py vectors DIR      checks every vector in DIR (Protocol/vectors)
    client.py session ...      opens a session, registers, receives, acknowledges, resumes

A session prints one JSON object a line and ends with 0 once it has received what it expects.
Python 3.11, whose `ssl` lacks the TLS exporter: libssl's is called on the SSL object in its socket.
"""
import argparse, ctypes, hashlib, hmac, json, os, re, socket, ssl, struct, sys, time, zlib

# ---------------------------------------------------------------- frames, Protocol §3 and §4
# Fields: `name:N` is an integer of N bytes (8: a decimal text), with bounds; every other kind is a
# method of Reader. Between them stand conditions on what was read, with the error that it else is
# (BAD_FIELD unless named).
EPOCH = (lambda f: f["epoch"] != "0" or f["seq"] == "0" and not f.get("check"),)
FRAMES = {  # name: type, directions, smallest, largest, ref (None: any), options grow it, fields
    "HELLO": (0x01, "D", 91, 4096, 0, False, "magic:4", (lambda f: f.pop("magic") == 0x424C4631, "BAD_MAGIC"),
              "minor_min:1 minor_max:1", (lambda f: f["minor_min"] <= f["minor_max"],),
              (lambda f: f["minor_min"] == 0, "VERSION_UNSUPPORTED"),
              "net_type:1 zero:1 capabilities:8 device_id:raw16 instance:8 epoch:8 seq:8", EPOCH, "check:4", EPOCH,
              "max_frame:4>=16384 etag:8 max_payload:4>=8192 window_bytes:4>=16384 window_msgs:2 keepalive_min:2",
              "keepalive_max:2>=1", (lambda f: f["keepalive_min"] <= f["keepalive_max"],),
              "auth_method:1<=4 zero:1 hub:text64 prefix_bytes:mark auth:blob2/2048"),
    "WELCOME": (0x02, "H", 142, 1024, 0, True, "minor:1", (lambda f: f["minor"] == 0, "VERSION_UNSUPPORTED"),
                "resume:1<=3 zero:2 lost:4", (lambda f: f["lost"] == 0 or f["resume"] >= 2,),
                "capabilities:8 device_id:raw16", (lambda f: int(f["device_id"], 16),), "epoch:8", (lambda f: f["epoch"] != "0",),
                "seq:8 check:4 max_frame:4>=16384 server_time_ms:8 etag:8 auth_expires:4 retention_s:4 keepalive:2 grace:2 "
                "max_regs:2 max_tags:2 max_tag_len:1 ack_delay:1 max_receipts:2 return_max_ms:4>=1000<=3600000 "
                "return_spread_ms:4", (lambda f: f["return_spread_ms"] <= f["return_max_ms"],), "zero:8 handle:raw32 "
                "device_key:blob1/32", (lambda f: len(f["device_key"]) in (0, 64),), "trace:text64"),
    "PING": (0x03, "D", 16, 16, 0, True, "next_s:2 net_type:1 zero:1 token:4 ack:8"),
    "PONG": (0x04, "H", 16, 16, 0, True, "token:4 hint_s:2 zero:2 server_time_ms:8"),
    "GOAWAY": (0x05, "H", 14, 467, 0, True, "reason:1 may_reconnect:flag zero:2 min_delay_ms:4 spread_ms:4",
               "host:text253", (lambda f: f.pop("host") == "",), "detail:text200"),
    "BYE": (0x06, "D", 8, 8, 0, True, "reason:1 zero:3 expected_return_s:4"),
    "ERROR": (0x07, "DH", 13, 213, None, True,
              "code:2>=1 fatal:flag about_type:1 retry_after_ms:4 limit:4 detail:text200"),
    "WINDOW": (0x08, "D", 8, 8, 0, True, "app_state:1 zero:1 msgs:2 bytes:4",
               (lambda f: f["msgs"] == 0 or f["bytes"] >= 16384, "BAD_FIELD", 16384)),
    "REGISTER": (0x10, "D", 20, 16384, 1, True, "slot:2<=15 kind:1<=1 platform:1 ttl_s:4 if_etag:8 tags:tags"),
    "UNREGISTER": (0x11, "D", 4, 4, 1, True, "slot:2", (lambda f: f["slot"] <= 15 or f["slot"] == 0xFFFF,), "zero:2"),
    "TAGS": (0x12, "D", 20, 16384, 1, True, "slot:2<=15 mode:1<=1 zero:1 if_etag:8 add:tags remove:tags",
             (lambda f: f["mode"] == 1 or not f["remove"],)),
    "RESULT": (0x13, "H", 26, 290, 1, True,
               "status:2 slot:2 retry_after_ms:4 etag:8 expires:4 applied:2 zero:2 handle:blob1/64 detail:text200"),
    "DELIVER": (0x20, "H", 58, 1048576, 0, False, "prev_seq:8 count:2>=1<=64 zero:2 backlog:4 entries:entries"),
    "ACK": (0x21, "D", 8, 8, 0, True, "seq:8"),
    "GAP": (0x22, "H", 28, 28, 0, True, "from:8 to:8", (lambda f: int(f["to"]) > int(f["from"]),),
            "lost:4 check:4 reason:1 zero:3"),
    "RECEIPTS": (0x30, "D", 40, 2056, 1, True, "count:2>=1<=64 zero:6 records:records"),
    "PADDING": (0x80, "DH", 0, 1024, 0, False, "bytes:rest")}
NAMES = {rule[0]: name for name, rule in FRAMES.items()}
MAX_FRAME = {"D": 16384, "H": 65536}

class Refused(Exception):
    """An error by its name in the specification, and the limit that was missed."""

def need(fine, error="BAD_FIELD", limit=None):
    if not fine:
        raise Refused(error, limit)

class Reader:
    """Reads fields in order; the first violation ends it."""
    def __init__(self, data, **f):
        self.data, self.at, self.f = data, 0, f
    def take(self, count, error="BAD_LENGTH"):
        need(count <= self.left(), error)
        self.at += count
        return self.data[self.at - count:self.at]
    def left(self): return len(self.data) - self.at
    def mark(self): return self.at
    def rest(self): return len(self.take(self.left()))
    def u(self, size, error="BAD_LENGTH"): return int.from_bytes(self.take(size, error), "big")
    def raw(self, count, error="BAD_LENGTH"): return self.take(count, error).hex()
    def fields(self, spec):
        for name, kind, size, low, high in re.findall(r"(\w+):([a-z]*)([\d/]*)(?:>=(\d+))?(?:<=(\d+))?", spec):
            found = getattr(self, kind or "u")(*(int(part) for part in size.split("/") if part))
            need(not low or int(low) <= found, "BAD_FIELD", int(low or 0))
            need(not high or found <= int(high), "BAD_FIELD", int(high or 0))
            need(name != "zero" or found == 0)
            self.f[name] = str(found) if kind + size == "8" else found
        self.f.pop("zero", None)
        return self.f
    def blob(self, size, most):
        length = self.u(size)
        need(length <= most)
        return self.raw(length)
    def text(self, most=255, bad="BAD_UTF8", length="BAD_LENGTH"):
        size = self.u(1, length)
        need(size <= most)
        text = self.take(size, length).decode("utf-8", "surrogateescape")  # Bad bytes become U+DC80 and on.
        need(not re.search("[\0-\x1f\x7f\udc80-\udcff]", text), bad)
        return text
    def flag(self):
        bits = self.u(1)
        need(bits & 0x0E == 0, "UNKNOWN_FLAG")
        return bool(bits & 1)
    def tags(self):
        count, total, bad, tags = self.u(2), self.u(2), "BAD_TAGS", []
        need(total <= self.left(), "BAD_LENGTH")
        need(total >= 2 * count, bad)
        inner = Reader(self.take(total))
        for _ in range(count):
            length = inner.u(1, bad)
            need(length > 0, bad)
            tags.append(inner.raw(length, bad))
        need(inner.left() == 0, bad)
        return tags
    def headers(self):
        count, headers = self.u(1), []
        need(count <= 16)
        for _ in range(count):
            headers.append([self.text()])
            need(headers[-1] != [""])
            headers[-1].append(self.text())
        return headers
    def entries(self):
        count, entries = self.f.pop("count"), []
        need(42 * count <= self.left(), "BAD_LENGTH")
        seq, group, last = int(self.f["prev_seq"]), False, 0
        for _ in range(count):
            need(self.left() >= 10, "BAD_LENGTH")
            delta, slot, eflags = self.u(4), self.u(2), self.u(1)
            need(eflags & 8 == 0, "UNKNOWN_FLAG")
            if not eflags & 2:
                need(delta == 0 and slot > last if group else delta > 0)
                seq, last, group = seq + delta, slot, bool(eflags & 4)
            need(seq < 1 << 64 and (not eflags & 2 or delta == 0 and not eflags & 4))
            length, number = self.u(3), None if eflags & 2 else str(seq)
            need(length >= 32)
            entries.append({"seq": number, "slot": slot, "eflags": eflags, "parcel": self.raw(length)})
        return entries
    def records(self):
        count, record = self.f.pop("count"), "notification:raw16 event:1 action:1 slot:2 zero:4 at_ms:8"
        need(32 * count <= self.left(), "BAD_LENGTH")
        return [Reader(self.take(32)).fields(record) for _ in range(count)]
    def options(self, order, length):
        """`u8 id, u16 length, value` with ascending ids; none below 0x80 is known."""
        found, last = {}, -1
        while self.left():
            id, size = struct.unpack(">BH", self.take(3, length))
            need(id > last and id >= 0x80, order)
            found[id], last = self.take(size, length), id
        return found

def decode(data, side, state):
    """[F-10]: (fields, bytes used), or how many bytes are needed; raises Refused."""
    if len(data) < 8:
        return 8
    kind, flags, ref, length = struct.unpack(">BBHI", data[:8])
    name, total = NAMES.get(kind), 8 + length
    need(state != "WAIT_HELLO" or name == "HELLO", "WRONG_STATE")
    need(state != "WAIT_WELCOME" or kind >= 0x80 or name in ("WELCOME", "ERROR", "GOAWAY"), "WRONG_STATE")
    need(name or kind >= 0x80, "UNKNOWN_TYPE")
    need(flags & 0x0E == 0, "UNKNOWN_FLAG")
    if name is None:
        need(length <= MAX_FRAME[side], "FRAME_TOO_LARGE", MAX_FRAME[side])
        return ({"type": "SKIP", "bytes": total}, total) if len(data) >= total else total
    _, sides, least, most, wanted, grows, *specs = FRAMES[name]
    need(side in sides, "WRONG_DIRECTION")
    need(state == {"HELLO": "WAIT_HELLO", "WELCOME": "WAIT_WELCOME"}.get(name, state), "WRONG_STATE")
    most = min(most + (1024 if grows and flags & 1 else 0), MAX_FRAME[side])
    need(length <= most, "FRAME_TOO_LARGE", most)
    need(length >= least, "BAD_LENGTH")
    need(wanted is None or bool(ref) == bool(wanted))
    if len(data) < total:
        return total
    r = Reader(data[8:total], type=name, ref=ref)
    for spec in specs:
        if isinstance(spec, str):
            r.fields(spec)
        else:
            need(spec[0](r.f), *spec[1:])
    if name == "REGISTER" and r.f["kind"]:
        r.fields("name:text200 expiry:text255 headers:headers template:blob2/8192")
    if flags & 1 and name != "PADDING":
        need(0 < r.left() <= 1024, "BAD_OPTION")
        r.options("BAD_OPTION", "BAD_LENGTH")
    need(r.left() == 0, "BAD_LENGTH")
    return r.f, total
# ---------------------------------------------------------------- parcels, Protocol/parcels.md
DICTIONARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Protocol/dictionary-1.bin")
def parcel(data, max_payload):
    r, bad = Reader(data), "BAD_PARCEL"
    layout, kind, codec, urgency, flags, content, keys, id, ttl, raw = struct.unpack(">BBBBHBB16sII", r.take(32, bad))
    need(layout == 1 and kind == 0, bad)
    need(codec != 3, "DICT_UNKNOWN")
    need(codec < 3 and urgency <= 3 and flags & 0xD2 == 0, bad)
    need(content in (0, 1, 2, 4, 5, 6) and keys <= 64 and ttl <= 2419200, bad)
    out = {"codec": codec, "urgency": urgency, "flags": flags, "content_type": content, "id": id.hex(),
           "ttl": ttl, "collapse_key_hex": r.take(keys, bad).hex(), "platform": None, "headers": []}
    if flags & 1:
        size = r.u(2, bad)
        need(size <= 4096, bad)
        found = Reader(r.take(size, bad)).options(bad, bad)
        if 0x80 in found:
            need(found[0x80] in [bytes([n]) for n in range(9)], bad)
            out["platform"] = found[0x80][0]
        h = Reader(found.get(0x81, b""))
        while h.left():
            name, value = h.text(255, bad, bad), h.text(255, bad, bad)
            need(name != "", bad)
            out["headers"].append({"name_hex": name.encode().hex(), "value_hex": value.encode().hex()})
    payload = r.take(r.left())
    need(codec != 0 or len(payload) == raw, bad)
    need(raw <= max_payload and (codec == 0 or raw <= 1032 * len(payload) + 64), "INFLATE_LIMIT")
    if codec:
        z = zlib.decompressobj(-15, zdict=open(DICTIONARY, "rb").read()) if codec == 2 else zlib.decompressobj(-15)
        try:
            payload = z.decompress(payload, raw + 1)
        except zlib.error:
            raise Refused("INFLATE_FAILED")
        need(len(payload) <= raw, "INFLATE_LIMIT")
        need(z.eof and not z.unused_data and len(payload) == raw, "INFLATE_FAILED")
    return out | {"payload_hex": payload.hex()}

# ---------------------------------------------------------------- vectors, Protocol §12
def unhex(text):
    return bytes.fromhex(re.sub(r"\((..)\*(\d+)\)", lambda m: m[1] * int(m[2]), text))

def agrees(v):
    try:
        if "proof" in v:
            hello, key = unhex(v["hello"]), unhex(v["device_key"])
            fields, _ = decode(hello, "D", "WAIT_HELLO")
            made = prove(key, unhex(v["exporter"]), hello[8:8 + fields["prefix_bytes"]])
            return fields["auth"] == made.hex() == v["proof"]
        if "dir" not in v:
            return parcel(unhex(v["hex"]), v["limits"]["max_payload"]) == v.get("expect")
        data = unhex(v["hex"])
        found = decode(data, "D" if v["dir"] == "d2h" else "H", v["state"])
    except Refused as e:
        error, limit = (*e.args, None)[:2]
        return v.get("error", v.get("entry_error")) == error and v.get("limit", limit) == limit
    if isinstance(found, int):
        return v.get("need_more") == found
    for entry in v.get("expect", {}).get("entries", []):
        entry["parcel"] = unhex(entry["parcel"]).hex()
    return found == (v.get("expect"), len(data))

def vectors(options):
    results = {}
    for name in sorted(set(os.listdir(options.folder)) - {"resume.json", "template.json"}):  # A hub's matters.
        if name.endswith(".json"):
            content = json.load(open(os.path.join(options.folder, name)))
            for v in content if isinstance(content, list) else [content]:
                results[name, v.get("name")] = agrees(v)
    failed = ["%s: %s" % key for key, good in results.items() if not good]
    say(event="vectors", checked=len(results), failed=failed)
    return not results or failed != []

# ---------------------------------------------------------------- session, Protocol §2 and §5 to §9
def say(**event):
    print(json.dumps(event), flush=True)

def prove(key, exporter, prefix):
    return hmac.new(key, b"BLF1 auth" + exporter + prefix, hashlib.sha256).digest()

def exporter(tls, label=b"EXPORTER-belfry-1-auth", size=32):
    """[A-3]: the exporter value. CPython 3.11 keeps `SSL *` in the C struct of `_sslobj`, behind the object's
    head (two words) and the weak reference to the socket; the file descriptor proves what was found."""
    lib = ctypes.CDLL(next(line.split()[-1] for line in open("/proc/self/maps") if "libssl" in line))
    pointer = ctypes.c_void_p(ctypes.c_void_p.from_address(id(tls._sslobj) + 24).value)
    need(lib.SSL_get_fd(pointer) == tls.fileno(), "this Python keeps its SSL object elsewhere")
    out = ctypes.create_string_buffer(size)
    made = lib.SSL_export_keying_material(pointer, out, ctypes.c_size_t(size), label,
                                          ctypes.c_size_t(len(label)), None, ctypes.c_size_t(0), 0)
    need(made == 1, "no exporter value")
    return out.raw

class Session:
    def __init__(self, o):
        self.o, self.buffer, self.new, self.deadline = o, b"", 0, time.monotonic() + o.timeout
        self.state = {"id": "00" * 16, "key": "", "epoch": 0, "seq": 0, "check": 0, "etag": "0",
                      "open": [0, []], "ids": []}
        if os.path.exists(o.state):
            self.state = json.load(open(o.state))
    def save(self, **changes):
        """What was stored and the position change together, or not at all ([D-8])."""
        self.state.update(changes)
        with open(self.o.state + ".new", "w") as f:
            json.dump(self.state, f)
            f.flush()
            os.fsync(f.fileno())
        os.replace(self.o.state + ".new", self.o.state)
    def send(self, name, body, ref=0):
        self.tls.sendall(struct.pack(">BBHI", FRAMES[name][0], 0, ref, len(body)) + body)
    def ack(self): self.send("ACK", struct.pack(">Q", self.state["seq"]))
    def receive(self, state="READY"):
        while True:
            found = decode(self.buffer, "H", state)
            if isinstance(found, int):
                self.tls.settimeout(max(0.01, self.deadline - time.monotonic()))
                self.buffer += self.tls.recv(65536) or need(False, "closed by the hub")
                continue
            frame, self.buffer = found[0], self.buffer[found[1]:]
            if frame["type"] == "ERROR":
                say(event="error", code=frame["code"], fatal=frame["fatal"], detail=frame["detail"])
                need(not frame["fatal"], "refused")
            elif frame["type"] not in ("SKIP", "PADDING"):
                return frame
    def open(self):
        o, s = self.o, self.state
        context = ssl.create_default_context(cafile=o.ca)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.set_alpn_protocols(["belfry/1"])
        self.tls = context.wrap_socket(socket.create_connection((o.host, o.port), 10), server_hostname=o.host)
        self.tls.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        need(self.tls.selected_alpn_protocol() == "belfry/1", "the server does not speak belfry/1")
        hub, auth = o.hub.encode(), (o.token or "").encode()
        prefix = struct.pack(">4sBBBBQ16s8sQQIIQIIHHHBBB", b"BLF1", 0, 0, 4, 0, 0x8B, bytes.fromhex(s["id"]),
                             os.urandom(8), s["epoch"], s["seq"], s["check"], 65536, int(s["etag"]), 65536,
                             65536, 32, 15, 900, 2 if s["key"] else 1, 0, len(hub)) + hub
        if s["key"]:
            auth = prove(bytes.fromhex(s["key"]), exporter(self.tls), prefix)
        self.send("HELLO", prefix + struct.pack(">H", len(auth)) + auth)
        w = self.receive("WAIT_WELCOME")
        need(w["type"] == "WELCOME", w["type"])
        known = w["etag"] == s["etag"] != "0"
        self.save(id=w["device_id"], key=w["device_key"] or s["key"], epoch=int(w["epoch"]), seq=int(w["seq"]),
                  check=w["check"])
        say(event="connected", device=s["id"], resume=["FRESH", "RESUMED", "GAP", "RESET"][w["resume"]],
            seq=w["seq"], lost=w["lost"])
        return known
    def register(self):
        tag, body = self.o.tag.encode(), (self.o.template or "").encode()
        head = struct.pack(">HBBIQHHB", 0, bool(body), self.o.platform, 0, 0, 1, 1 + len(tag), len(tag))
        template = struct.pack(">BBBH", 0, 0, 0, len(body)) + body if body else b""
        self.send("REGISTER", head + tag + template, ref=1)
    def deliver(self, frame):
        """[D-1] to [D-9]: stores, then acknowledges; or ends at once, when told to."""
        s = self.state
        need(int(frame["prev_seq"]) == s["seq"], "SEQ_GAP")
        for entry in frame["entries"]:
            data, slot, transient = bytes.fromhex(entry["parcel"]), entry["slot"], entry["seq"] is None
            seq, name = int(entry["seq"] or 0), "%s/%d" % (data[8:24].hex(), slot)
            if not transient:
                have = s["open"][1] if s["open"][0] == seq else []
                s["open"] = [seq, have + [slot]]
                if not entry["eflags"] & 4:
                    s |= {"seq": seq, "check": int.from_bytes(data[20:24], "big")}
                if slot in have:
                    continue
            try:
                read = parcel(data, 65536)
                say(event="notification", id=read["id"], seq=seq, slot=slot, codec=read["codec"],
                    platform=read["platform"], duplicate=name in s["ids"], transient=transient,
                    payload=bytes.fromhex(read["payload_hex"]).decode("utf-8", "replace"))
            except Refused as e:
                say(event="undecodable", id=data[8:24].hex(), seq=seq, error=e.args[0])
            self.new, s["ids"] = self.new + (name not in s["ids"]), (s["ids"] + [name])[-1024:]
            if self.new == self.o.cut_after:
                self.save()
                say(event="cut", seq=s["seq"])
                os._exit(0)  # No close_notify, no BYE, no ACK.
        self.save()
        self.ack()
    def run(self):
        registered = self.open()
        if not registered:
            self.register()
        while self.new < self.o.expect or not registered:
            frame = self.receive()
            if frame["type"] == "RESULT":
                need(not frame["status"], "REGISTER: 0x%04x %s" % (frame["status"], frame["detail"]))
                registered = True
                self.save(etag=frame["etag"])
                say(event="registered", slot=frame["slot"], etag=frame["etag"])
            elif frame["type"] == "GAP":
                need(int(frame["from"]) == self.state["seq"], "SEQ_GAP")
                self.save(seq=int(frame["to"]), check=frame["check"], open=[0, []])
                say(event="gap", to=frame["to"], lost=frame["lost"], reason=frame["reason"])
                self.ack()
            elif frame["type"] == "DELIVER":
                self.deliver(frame)
            need(frame["type"] != "GOAWAY", "GOAWAY")
        self.send("BYE", struct.pack(">B3xI", 0, 0))
        self.tls.close()

def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    v, s = commands.add_parser("vectors"), commands.add_parser("session")
    v.add_argument("folder")
    for name in ("--host", "--ca", "--hub", "--tag", "--state", "--token", "--template"):
        s.add_argument(name, required=name not in ("--token", "--template"))
    for name, default in ("port", 9443), ("expect", 1), ("cut-after", -1), ("platform", 0), ("timeout", 30):
        s.add_argument("--" + name, type=int, default=default)
    v.set_defaults(run=vectors)
    s.set_defaults(run=lambda options: Session(options).run())
    options = parser.parse_args()
    try:
        return options.run(options)
    except (OSError, Refused) as e:
        say(event="disconnected", reason=str(e.args[-1] if isinstance(e, OSError) else e.args[0]))
        return 1

if __name__ == "__main__":
    sys.exit(main())
