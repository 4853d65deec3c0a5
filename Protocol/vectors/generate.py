#!/usr/bin/env python3
"""Writes the frame vectors, auth.json and resume.json beside it, by README.md alone.

    python3 Protocol/vectors/generate.py

The encoder below is independent of every other one: it only puts bytes together, so it can also
put together what no encoder should.
"""
import hashlib, hmac, json, os, re, struct

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = {}
NAMES = set()

TYPES = dict(HELLO=0x01, WELCOME=0x02, PING=0x03, PONG=0x04, GOAWAY=0x05, BYE=0x06, ERROR=0x07,
             WINDOW=0x08, REGISTER=0x10, UNREGISTER=0x11, TAGS=0x12, RESULT=0x13, DELIVER=0x20,
             ACK=0x21, GAP=0x22, RECEIPTS=0x30, PADDING=0x80)
FROM_HUB = {"WELCOME", "PONG", "GOAWAY", "RESULT", "DELIVER", "GAP"}

u8 = lambda v: struct.pack(">B", v)
u16 = lambda v: struct.pack(">H", v)
u24 = lambda v: struct.pack(">I", v)[1:]
u32 = lambda v: struct.pack(">I", v)
u64 = lambda v: struct.pack(">Q", v)
h = bytes.fromhex


def b8(data, length=None):
    data = data.encode() if isinstance(data, str) else data
    return u8(len(data) if length is None else length) + data


def b16(data, length=None):
    data = data.encode() if isinstance(data, str) else data
    return u16(len(data) if length is None else length) + data


def frame(type, body=b"", ref=0, flags=0, length=None):
    number = TYPES.get(type, type)
    return u8(number) + u8(flags) + u16(ref) + u32(len(body) if length is None else length) + body


def text(data):
    """Hex; in long vectors a run of equal bytes becomes (XX*N)."""
    plain = data.hex()
    if len(data) <= 600:
        return plain
    return "".join(
        "(%02x*%d)" % (run.group()[0], len(run.group())) if len(run.group()) >= 24 else run.group().hex()
        for run in re.finditer(rb"(.)\1*", data, re.S))


def add(file, name, type, data, state, dir, **what):
    assert name not in NAMES, name
    NAMES.add(name)
    if dir is None:
        dir = "h2d" if type in FROM_HUB else "d2h"
    if state is None:
        state = {"HELLO": "WAIT_HELLO", "WELCOME": "WAIT_WELCOME"}.get(type, "READY")
    FILES.setdefault(file, []).append(dict(name=name, dir=dir, state=state, hex=text(data), **what))


def good(file, name, type, body, expect, ref=0, flags=0, canonical=True, state=None, dir=None):
    fields = dict(type=type, ref=ref, **expect)
    add(file, name, type, frame(type, body, ref, flags), state, dir, expect=fields,
        canonical=canonical)


def bad(file, name, error, type, body=b"", ref=0, flags=0, length=None, limit=None, state=None,
        dir=None):
    what = dict(error=error) if limit is None else dict(error=error, limit=limit)
    add(file, name, type, frame(type, body, ref, flags, length), state, dir, canonical=False, **what)


def raw(file, name, data, dir, state, **what):
    add(file, name, None, data, state, dir, canonical=False, **what)


# ---------------------------------------------------------------- bodies and what they mean

ID = h("0192f3a07c4d7e1a8b2c3d4e5f607182")
NOTE = h("0192f3a1b2c37d4e9f00112233445566")
HANDLE = bytes(range(0x40, 0x60))
KEY = bytes(range(0x80, 0xA0))


def hello(auth=b"abc", hub="main", **changes):
    f = dict(magic=0x424C4631, minor_min=0, minor_max=0, net_type=2, zero=0, capabilities=0x8B,
             device_id=bytes(16), instance=0x1122334455667788, epoch=0, seq=0, check=0,
             max_frame=65536, etag=0, max_payload=65536, window_bytes=65536, window_msgs=32,
             keepalive_min=60, keepalive_max=900, auth_method=1, dict_count=0)
    f.update(changes)
    hub_bytes = hub.encode() if isinstance(hub, str) else hub
    prefix = (u32(f["magic"]) + u8(f["minor_min"]) + u8(f["minor_max"]) + u8(f["net_type"])
              + u8(f["zero"]) + u64(f["capabilities"]) + f["device_id"] + u64(f["instance"])
              + u64(f["epoch"]) + u64(f["seq"]) + u32(f["check"]) + u32(f["max_frame"])
              + u64(f["etag"]) + u32(f["max_payload"]) + u32(f["window_bytes"])
              + u16(f["window_msgs"]) + u16(f["keepalive_min"]) + u16(f["keepalive_max"])
              + u8(f["auth_method"]) + u8(f["dict_count"]) + b8(hub_bytes))
    body = prefix + b16(auth)
    expect = {k: v for k, v in f.items() if k not in ("magic", "zero", "dict_count")}
    expect.update(hub=hub, auth=auth.hex(), prefix_bytes=len(prefix), device_id=f["device_id"].hex())
    for k in ("capabilities", "instance", "epoch", "seq", "etag"):
        expect[k] = str(f[k])
    return body, expect


def welcome(handle=HANDLE, device_key=b"", trace="t1", **changes):
    f = dict(minor=0, resume=1, zero=0, dict=0, lost=0, capabilities=0x8B, device_id=ID,
             epoch=0xA1B2C3D4E5F60718, seq=41, check=0x22334455, max_frame=16384,
             server_time_ms=1767225600123, etag=16, auth_expires=86400, retention_s=2419200,
             keepalive=300, grace=60, max_regs=16, max_tags=60, max_tag_len=120, ack_delay=25,
             max_receipts=64, dict_id=0)
    f.update(changes)
    body = (u8(f["minor"]) + u8(f["resume"]) + u8(f["zero"]) + u8(f["dict"]) + u32(f["lost"])
            + u64(f["capabilities"]) + f["device_id"] + u64(f["epoch"]) + u64(f["seq"])
            + u32(f["check"]) + u32(f["max_frame"]) + u64(f["server_time_ms"]) + u64(f["etag"])
            + u32(f["auth_expires"]) + u32(f["retention_s"]) + u16(f["keepalive"])
            + u16(f["grace"]) + u16(f["max_regs"]) + u16(f["max_tags"]) + u8(f["max_tag_len"])
            + u8(f["ack_delay"]) + u16(f["max_receipts"]) + u64(f["dict_id"]) + handle
            + b8(device_key) + b8(trace))
    expect = {k: v for k, v in f.items() if k not in ("zero", "dict", "dict_id")}
    expect.update(device_id=f["device_id"].hex(), handle=handle.hex(),
                  device_key=device_key.hex(), trace=trace)
    for k in ("capabilities", "epoch", "seq", "server_time_ms", "etag"):
        expect[k] = str(f[k])
    return body, expect


def taglist(tags, count=None, total=None):
    items = b"".join(b8(t) for t in tags)
    return u16(len(tags) if count is None else count) + u16(len(items) if total is None else total) \
        + items


def hexes(tags):
    return [(t.encode() if isinstance(t, str) else t).hex() for t in tags]


def register(slot=0, kind=0, platform=0, ttl_s=0, if_etag=0, tags=("user:42", "lang:en"),
             name="", expiry="", headers=(), template=b"{}", count=None, list=None):
    body = u16(slot) + u8(kind) + u8(platform) + u32(ttl_s) + u64(if_etag) \
        + (taglist(tags) if list is None else list)
    expect = dict(slot=slot, kind=kind, platform=platform, ttl_s=ttl_s, if_etag=str(if_etag),
                  tags=hexes(tags))
    if kind == 1:
        body += b8(name) + b8(expiry) + u8(len(headers) if count is None else count)
        body += b"".join(b8(k) + b8(v) for k, v in headers) + b16(template)
        expect.update(name=name, expiry=expiry, headers=[[k, v] for k, v in headers],
                      template=template.hex())
    return body, expect


def tags(slot=0, mode=1, zero=0, if_etag=16, add=("vip",), remove=("lang:en",)):
    body = u16(slot) + u8(mode) + u8(zero) + u64(if_etag) + taglist(add) + taglist(remove)
    return body, dict(slot=slot, mode=mode, if_etag=str(if_etag), add=hexes(add),
                      remove=hexes(remove))


def result(status=0, slot=0, retry_after_ms=0, etag=17, expires=86400, applied=2, zero=0,
           handle=b"", detail=""):
    body = u16(status) + u16(slot) + u32(retry_after_ms) + u64(etag) + u32(expires) \
        + u16(applied) + u16(zero) + b8(handle) + b8(detail)
    return body, dict(status=status, slot=slot, retry_after_ms=retry_after_ms, etag=str(etag),
                      expires=expires, applied=applied, handle=handle.hex(), detail=detail)


def parcel(payload=b'{"t":"Hi"}', note=NOTE, ttl=3600):
    """Layout 1, codec 0, without options; see parcels.md."""
    return u8(1) + u8(0) + u8(0) + u8(2) + u16(0) + u8(1) + u8(0) + note + u32(ttl) \
        + u32(len(payload)) + payload


def deliver(entries, prev_seq=41, backlog=0, zero=0, count=None):
    """Entries are (delta, slot, eflags, parcel)."""
    body = u64(prev_seq) + u16(len(entries) if count is None else count) + u16(zero) + u32(backlog)
    expected, seq = [], prev_seq
    for delta, slot, eflags, content in entries:
        body += u32(delta) + u16(slot) + u8(eflags) + u24(len(content)) + content
        seq += delta
        expected.append(dict(seq=None if eflags & 2 else str(seq), slot=slot, eflags=eflags,
                             parcel=text(content)))
    return body, dict(prev_seq=str(prev_seq), backlog=backlog, entries=expected)


def receipts(records, zero=bytes(6), count=None, inner=0):
    body = u16(len(records) if count is None else count) + zero
    expected = []
    for note, event, action, slot, at in records:
        body += note + u8(event) + u8(action) + u16(slot) + u32(inner) + u64(at)
        expected.append(dict(notification=note.hex(), event=event, action=action, slot=slot,
                             at_ms=str(at)))
    return body, dict(records=expected)


def error(code=0x0105, eflags=1, about_type=0x20, retry_after_ms=0, limit=65536, detail=""):
    body = u16(code) + u8(eflags) + u8(about_type) + u32(retry_after_ms) + u32(limit) + b8(detail)
    return body, dict(code=code, fatal=bool(eflags & 1), about_type=about_type,
                      retry_after_ms=retry_after_ms, limit=limit, detail=detail)


def goaway(reason=1, gflags=1, alt_port=0, min_delay_ms=1000, spread_ms=30000, alt_host="",
           detail=""):
    body = u8(reason) + u8(gflags) + u16(alt_port) + u32(min_delay_ms) + u32(spread_ms) \
        + b8(alt_host) + b8(detail)
    return body, dict(reason=reason, may_reconnect=bool(gflags & 1), min_delay_ms=min_delay_ms,
                      spread_ms=spread_ms, detail=detail)


def ping(next_s=300, net_type=3, zero=0, token=0xCAFEBABE, ack=44):
    return u16(next_s) + u8(net_type) + u8(zero) + u32(token) + u64(ack), \
        dict(next_s=next_s, net_type=net_type, token=token, ack=str(ack))


def pong(token=0xCAFEBABE, hint_s=600, zero=0, server_time_ms=1767225601027):
    return u32(token) + u16(hint_s) + u16(zero) + u64(server_time_ms), \
        dict(token=token, hint_s=hint_s, server_time_ms=str(server_time_ms))


def bye(reason=1, zero=bytes(3), expected_return_s=5):
    return u8(reason) + zero + u32(expected_return_s), \
        dict(reason=reason, expected_return_s=expected_return_s)


def window(app_state=3, zero=0, msgs=0, bytes=0):
    return u8(app_state) + u8(zero) + u16(msgs) + u32(bytes), \
        dict(app_state=app_state, msgs=msgs, bytes=bytes)


def gap(from_=46, to=146, lost=100, check=0x55667788, reason=1, zero=b"\0\0\0"):
    return u64(from_) + u64(to) + u32(lost) + u32(check) + u8(reason) + zero, \
        {"from": str(from_), "to": str(to), "lost": lost, "check": check, "reason": reason}


def ack(seq=46):
    return u64(seq), dict(seq=str(seq))


def unregister(slot=0xFFFF, zero=0):
    return u16(slot) + u16(zero), dict(slot=slot)


def option(id, value=b"", length=None):
    return u8(id) + b16(value, length)


# ---------------------------------------------------------------- session.json

def session():
    F = "session"
    G = lambda name, type, made, **k: good(F, name, type, *made, **k)
    B = lambda name, err, type, made, **k: bad(F, name, err, type, made[0], **k)
    G("hello-fresh", "HELLO", hello())
    G("hello-resume", "HELLO", hello(auth=bytes(range(32)), epoch=0xA1B2C3D4E5F60718, seq=41,
                                    check=0x22334455, etag=16, auth_method=2, device_id=ID))
    G("hello-certificate", "HELLO", hello(auth=b"", auth_method=3))
    G("hello-method-none", "HELLO", hello(auth=b"", auth_method=0))
    G("hello-method-reserved", "HELLO", hello(auth=bytes(64), auth_method=4))
    G("hello-floors", "HELLO", hello(max_frame=16384, max_payload=8192, window_bytes=16384,
                                    window_msgs=0, keepalive_min=0, keepalive_max=1))
    G("hello-check-zero", "HELLO", hello(epoch=1, seq=7, check=0))
    G("hello-epoch-without-seq", "HELLO", hello(epoch=1, seq=0, check=9))
    G("hello-newer-minors", "HELLO", hello(minor_max=255))
    G("hello-unknown-net-and-capability", "HELLO", hello(net_type=255, capabilities=1 << 63))
    G("hello-all-ones", "HELLO", hello(instance=2**64 - 1, epoch=2**64 - 1, seq=2**64 - 1,
                                      check=2**32 - 1, etag=2**64 - 1, max_frame=2**32 - 1,
                                      max_payload=2**32 - 1, window_bytes=2**32 - 1,
                                      window_msgs=65535, keepalive_min=65535, keepalive_max=65535))
    G("hello-hub-empty", "HELLO", hello(hub=""))
    G("hello-smallest", "HELLO", hello(hub="", auth=b""))
    G("hello-hub-64", "HELLO", hello(hub="h" * 64))
    G("hello-hub-utf8", "HELLO", hello(hub="h\u00e4\u4e2d\U0001f600\u0080"))
    G("hello-auth-2048", "HELLO", hello(auth=b"\xaa" * 2048))
    B("hello-hub-65", "BAD_FIELD", "HELLO", hello(hub="h" * 65))
    B("hello-auth-2049", "BAD_FIELD", "HELLO", hello(auth=b"\xaa" * 2049))
    B("hello-magic", "BAD_MAGIC", "HELLO", hello(magic=0x58585858))
    B("hello-minor-range", "BAD_FIELD", "HELLO", hello(minor_min=2, minor_max=1))
    B("hello-minor-1", "VERSION_UNSUPPORTED", "HELLO", hello(minor_min=1, minor_max=1))
    B("hello-zero", "BAD_FIELD", "HELLO", hello(zero=1))
    B("hello-seq-without-epoch", "BAD_FIELD", "HELLO", hello(seq=5))
    B("hello-check-without-epoch", "BAD_FIELD", "HELLO", hello(check=5))
    B("hello-max-frame-below", "BAD_FIELD", "HELLO", hello(max_frame=16383))
    B("hello-max-payload-below", "BAD_FIELD", "HELLO", hello(max_payload=8191))
    B("hello-window-below", "BAD_FIELD", "HELLO", hello(window_bytes=16383))
    B("hello-keepalive-range", "BAD_FIELD", "HELLO", hello(keepalive_min=61, keepalive_max=60))
    B("hello-keepalive-zero", "BAD_FIELD", "HELLO", hello(keepalive_min=0, keepalive_max=0))
    B("hello-method-5", "BAD_FIELD", "HELLO", hello(auth_method=5))
    B("hello-dictionaries", "BAD_FIELD", "HELLO", hello(dict_count=1))
    B("hello-hub-control", "BAD_UTF8", "HELLO", hello(hub="a\x1fb"))
    B("hello-hub-nul", "BAD_UTF8", "HELLO", hello(hub="\0"))
    B("hello-hub-delete", "BAD_UTF8", "HELLO", hello(hub="\x7f"))
    for name, data in dict(overlong=b"\xc0\xaf", overlong3=b"\xe0\x9f\xbf", surrogate=b"\xed\xa0\x80",
                           big=b"\xf4\x90\x80\x80", f5=b"\xf5\x80\x80\x80", overlong4=b"\xf0\x8f\xbf\xbf",
                           lone=b"\x80", cut=b"a\xe4\xb8", second=b"\xc3(", third=b"\xe4\xb8(",
                           fourth=b"\xf0\x9f\x98(").items():
        B("hello-utf8-" + name, "BAD_UTF8", "HELLO", hello(hub=data))
    made = hello()[0]
    bad(F, "hello-auth-past-end", "BAD_LENGTH", "HELLO", made[:-5] + u16(4) + b"abc")
    bad(F, "hello-auth-short", "BAD_LENGTH", "HELLO", made[:-5] + u16(2) + b"abc")
    bad(F, "hello-hub-past-end", "BAD_LENGTH", "HELLO", made[:88] + u8(64) + b"main" + u16(3) + b"abc")
    bad(F, "hello-90", "BAD_LENGTH", "HELLO", made[:90])
    bad(F, "hello-4097", "FRAME_TOO_LARGE", "HELLO", length=4097, limit=4096)
    bad(F, "hello-with-options-4097", "FRAME_TOO_LARGE", "HELLO", flags=1, length=4097, limit=4096)
    bad(F, "hello-ref", "BAD_FIELD", "HELLO", made, ref=1)
    bad(F, "hello-twice", "WRONG_STATE", "HELLO", made, state="READY")
    bad(F, "hello-from-hub", "WRONG_DIRECTION", "HELLO", made, state="READY", dir="h2d")
    body, expect = hello()
    good(F, "hello-option-ignored", "HELLO", body + option(0x80, b"x"), expect, flags=1, canonical=False)
    good(F, "hello-options-1024", "HELLO", body + option(0xFF, bytes(1021)), expect, flags=1,
         canonical=False)
    bad(F, "hello-options-1025", "BAD_OPTION", "HELLO", body + option(0xFF, bytes(1022)), flags=1)

    G("welcome-fresh", "WELCOME", welcome(resume=0, seq=0, check=0, etag=0, device_key=KEY))
    G("welcome-resumed", "WELCOME", welcome())
    G("welcome-gap", "WELCOME", welcome(resume=2, lost=100))
    G("welcome-gap-none-lost", "WELCOME", welcome(resume=2))
    G("welcome-reset", "WELCOME", welcome(resume=3, lost=0xFFFFFFFF))
    G("welcome-smallest", "WELCOME", welcome(trace=""))
    G("welcome-trace-64", "WELCOME", welcome(trace="t" * 64))
    G("welcome-zeros", "WELCOME", welcome(capabilities=0, keepalive=0, grace=0, max_regs=0, max_tags=0,
                                         max_tag_len=0, ack_delay=0, max_receipts=0, retention_s=0,
                                         auth_expires=0, server_time_ms=0))
    B("welcome-trace-65", "BAD_FIELD", "WELCOME", welcome(trace="t" * 65))
    B("welcome-minor-1", "VERSION_UNSUPPORTED", "WELCOME", welcome(minor=1))
    B("welcome-resume-4", "BAD_FIELD", "WELCOME", welcome(resume=4))
    B("welcome-zero", "BAD_FIELD", "WELCOME", welcome(zero=1))
    B("welcome-dict", "BAD_FIELD", "WELCOME", welcome(dict=1))
    B("welcome-dict-id", "BAD_FIELD", "WELCOME", welcome(dict_id=1))
    B("welcome-lost-resumed", "BAD_FIELD", "WELCOME", welcome(lost=1))
    B("welcome-lost-fresh", "BAD_FIELD", "WELCOME", welcome(resume=0, lost=1))
    B("welcome-no-device", "BAD_FIELD", "WELCOME", welcome(device_id=bytes(16)))
    B("welcome-epoch-0", "BAD_FIELD", "WELCOME", welcome(epoch=0))
    B("welcome-max-frame-below", "BAD_FIELD", "WELCOME", welcome(max_frame=16383))
    B("welcome-key-31", "BAD_FIELD", "WELCOME", welcome(device_key=KEY[:31]))
    B("welcome-key-33", "BAD_FIELD", "WELCOME", welcome(device_key=KEY + b"x"))
    B("welcome-trace-control", "BAD_UTF8", "WELCOME", welcome(trace="\n"))
    made = welcome()[0]
    bad(F, "welcome-133", "BAD_LENGTH", "WELCOME", made[:133])
    bad(F, "welcome-trailing", "BAD_LENGTH", "WELCOME", made + b"\0")
    bad(F, "welcome-trace-past-end", "BAD_LENGTH", "WELCOME", made[:-3] + u8(3) + b"t1")
    bad(F, "welcome-1025", "FRAME_TOO_LARGE", "WELCOME", length=1025, limit=1024)
    bad(F, "welcome-with-options-2049", "FRAME_TOO_LARGE", "WELCOME", flags=1, length=2049, limit=2048)
    bad(F, "welcome-ref", "BAD_FIELD", "WELCOME", made, ref=9)
    bad(F, "welcome-twice", "WRONG_STATE", "WELCOME", made, state="READY")
    bad(F, "welcome-from-device", "WRONG_DIRECTION", "WELCOME", made, state="READY", dir="d2h")

    G("goaway-drain", "GOAWAY", goaway())
    G("goaway-early", "GOAWAY", goaway(reason=3, gflags=0xF0, detail="too many"), state="WAIT_WELCOME",
      canonical=False)
    G("goaway-unknown-reason", "GOAWAY", goaway(reason=200, gflags=0))
    G("goaway-detail-200", "GOAWAY", goaway(detail="d" * 200))
    B("goaway-detail-201", "BAD_FIELD", "GOAWAY", goaway(detail="d" * 201))
    B("goaway-redirect-flag", "UNKNOWN_FLAG", "GOAWAY", goaway(gflags=2))
    B("goaway-discard-flag", "UNKNOWN_FLAG", "GOAWAY", goaway(gflags=5))
    B("goaway-port", "BAD_FIELD", "GOAWAY", goaway(alt_port=1))
    B("goaway-host", "BAD_FIELD", "GOAWAY", goaway(alt_host="a.example"))
    B("goaway-host-utf8", "BAD_UTF8", "GOAWAY", goaway(alt_host="\x01"))
    B("goaway-host-254", "BAD_FIELD", "GOAWAY", goaway(alt_host=b"\xff" * 254))
    bad(F, "goaway-13", "BAD_LENGTH", "GOAWAY", goaway()[0][:13])
    bad(F, "goaway-468", "FRAME_TOO_LARGE", "GOAWAY", length=468, limit=467)
    bad(F, "goaway-from-device", "WRONG_DIRECTION", "GOAWAY", goaway()[0], dir="d2h")

    G("bye", "BYE", bye())
    G("bye-unknown-reason", "BYE", bye(reason=255, expected_return_s=0))
    for i in range(3):
        B("bye-zero-%d" % i, "BAD_FIELD", "BYE", bye(zero=bytes(i) + b"\1" + bytes(2 - i)))

    G("error-fatal", "ERROR", error(), dir="d2h")
    G("error-request", "ERROR", error(code=0x0301, eflags=0, about_type=0x12, retry_after_ms=5000,
                                      limit=20, detail="slow down"), ref=7, dir="h2d")
    G("error-before-welcome", "ERROR", error(code=0x0202, about_type=1, limit=0), dir="h2d",
      state="WAIT_WELCOME")
    G("error-unknown-code", "ERROR", error(code=0x7F01, eflags=0xF1), dir="h2d", canonical=False)
    G("error-detail-200", "ERROR", error(detail="e" * 200), dir="h2d")
    B("error-detail-201", "FRAME_TOO_LARGE", "ERROR", error(detail="e" * 201), limit=213)
    body = error()[0]
    bad(F, "error-detail-length-201", "BAD_FIELD", "ERROR", body[:-1] + u8(201))
    bad(F, "error-detail-past-end", "BAD_LENGTH", "ERROR", body[:-1] + u8(1))
    B("error-code-0", "BAD_FIELD", "ERROR", error(code=0))
    B("error-flag-2", "UNKNOWN_FLAG", "ERROR", error(eflags=2))
    B("error-detail-utf8", "BAD_UTF8", "ERROR", error(detail=b"\xff"))
    bad(F, "error-12", "BAD_LENGTH", "ERROR", body[:12])
    bad(F, "error-in-wait-hello", "WRONG_STATE", "ERROR", body, state="WAIT_HELLO")


# ---------------------------------------------------------------- keepalive.json

def keepalive():
    F = "keepalive"
    G = lambda name, type, made, **k: good(F, name, type, *made, **k)
    B = lambda name, err, type, made, **k: bad(F, name, err, type, made[0], **k)
    G("ping", "PING", ping())
    G("ping-no-ack", "PING", ping(next_s=0, net_type=255, token=0, ack=0))
    G("ping-all-ones", "PING", ping(next_s=65535, token=2**32 - 1, ack=2**64 - 1))
    G("ping-advisory-flag", "PING", ping(), flags=0x80, canonical=False)
    B("ping-zero", "BAD_FIELD", "PING", ping(zero=1))
    bad(F, "ping-before-hello", "WRONG_STATE", "PING", ping()[0], state="WAIT_HELLO")
    bad(F, "ping-from-hub", "WRONG_DIRECTION", "PING", ping()[0], dir="h2d")
    G("pong", "PONG", pong())
    G("pong-no-hint", "PONG", pong(hint_s=0))
    B("pong-zero", "BAD_FIELD", "PONG", pong(zero=0x0100))
    B("pong-zero-low", "BAD_FIELD", "PONG", pong(zero=1))
    bad(F, "pong-early", "WRONG_STATE", "PONG", pong()[0], state="WAIT_WELCOME")
    bad(F, "pong-from-device", "WRONG_DIRECTION", "PONG", pong()[0], dir="d2h")
    G("window-doze-paused", "WINDOW", window())
    G("window-open", "WINDOW", window(app_state=1, msgs=1, bytes=16384))
    G("window-paused-with-bytes", "WINDOW", window(app_state=255, msgs=0, bytes=16383))
    G("window-all-ones", "WINDOW", window(msgs=65535, bytes=2**32 - 1))
    B("window-below", "BAD_FIELD", "WINDOW", window(msgs=1, bytes=16383))
    B("window-zero", "BAD_FIELD", "WINDOW", window(zero=1))
    for type, made in dict(PING=ping, PONG=pong, BYE=bye, WINDOW=window, ACK=ack, GAP=gap,
                           UNREGISTER=unregister).items():
        body = made()[0]
        ref = 1 if type == "UNREGISTER" else 0
        low = type.lower()
        bad(F, low + "-short", "BAD_LENGTH", type, body[:-1], ref=ref)
        bad(F, low + "-long", "FRAME_TOO_LARGE", type, body + b"\0", ref=ref, limit=len(body))
        if ref == 0:
            bad(F, low + "-ref", "BAD_FIELD", type, body, ref=3)


# ---------------------------------------------------------------- registration.json

def registration():
    F = "registration"
    G = lambda name, type, made, ref=1, **k: good(F, name, type, *made, ref=ref, **k)
    B = lambda name, err, type, made, ref=1, **k: bad(F, name, err, type, made[0], ref=ref, **k)
    body = register()[0]
    G("register-native", "REGISTER", register())
    G("register-no-tags", "REGISTER", register(tags=()))
    G("register-slot-15", "REGISTER", register(slot=15, platform=8, ttl_s=2**32 - 1, if_etag=2**64 - 1),
      ref=65535)
    G("register-platform-9", "REGISTER", register(platform=9))
    G("register-60-tags", "REGISTER", register(tags=["tag:%02d" % i for i in range(60)]))
    G("register-65-tags", "REGISTER", register(tags=["%c" % (48 + i) for i in range(65)]))
    G("register-tag-120", "REGISTER", register(tags=["t" * 120]))
    G("register-tag-121", "REGISTER", register(tags=["t" * 121]))
    G("register-tag-255", "REGISTER", register(tags=["t" * 255]))
    G("register-tag-bad-character", "REGISTER", register(tags=[b"\x01 "]))
    G("register-tag-not-utf8", "REGISTER", register(tags=[b"\xff\xfe"]))
    G("register-tag-protected", "REGISTER", register(tags=["$admin", "username:ann"]))
    G("register-tag-any-script", "REGISTER", register(tags=["\u0441\u043f\u043e\u0440\u0442", "\u5317\u4eac_1"]))
    template = b'{"aps":{"alert":"$(message)"}}'
    G("register-template", "REGISTER",
      register(slot=1, kind=1, ttl_s=86400, tags=("World",), name="news", expiry="$(expiry)",
               headers=[("apns-priority", "10"), ("apns-topic", "$(topic)")], template=template))
    G("register-template-bare", "REGISTER", register(kind=1, tags=(), template=b""))
    G("register-template-name-200", "REGISTER", register(kind=1, name="n" * 200, template=template))
    G("register-template-expiry-255", "REGISTER", register(kind=1, expiry="e" * 255, template=template))
    G("register-template-16-headers", "REGISTER",
      register(kind=1, headers=[("h%d" % i, "") for i in range(16)], template=template))
    G("register-template-header-255", "REGISTER",
      register(kind=1, headers=[("h" * 255, "v" * 255)], template=template))
    G("register-template-8192", "REGISTER", register(kind=1, template=b"t" * 8192))
    G("register-template-not-utf8", "REGISTER", register(kind=1, template=b"\xff\0"))
    B("register-template-name-201", "BAD_FIELD", "REGISTER", register(kind=1, name="n" * 201))
    B("register-template-17-headers", "BAD_FIELD", "REGISTER",
      register(kind=1, headers=[("h", "")] * 17))
    B("register-template-8193", "BAD_FIELD", "REGISTER", register(kind=1, template=b"t" * 8193))
    B("register-template-header-empty", "BAD_FIELD", "REGISTER", register(kind=1, headers=[("", "v")]))
    B("register-template-header-control", "BAD_UTF8", "REGISTER",
      register(kind=1, headers=[("h", "a\r\nb")]))
    B("register-template-name-utf8", "BAD_UTF8", "REGISTER", register(kind=1, name=b"\xc3"))
    bad(F, "register-template-header-count-lies", "BAD_LENGTH", "REGISTER",
        register(kind=1, count=2, headers=[("h", "v")], template=b"")[0][:-2], ref=1)
    bad(F, "register-template-missing", "BAD_LENGTH", "REGISTER", register(kind=0)[0][:2] + u8(1)
        + register(kind=0)[0][3:], ref=1)
    bad(F, "register-template-past-end", "BAD_LENGTH", "REGISTER",
        register(kind=1, template=b"")[0][:-2] + u16(1), ref=1)
    B("register-slot-16", "BAD_FIELD", "REGISTER", register(slot=16))
    B("register-slot-direct", "BAD_FIELD", "REGISTER", register(slot=0xFFFF))
    B("register-kind-2", "BAD_FIELD", "REGISTER", register(kind=2))
    B("register-ref-0", "BAD_FIELD", "REGISTER", register(), ref=0)
    bad(F, "register-trailing", "BAD_LENGTH", "REGISTER", body + b"\0", ref=1)
    bad(F, "register-19", "BAD_LENGTH", "REGISTER", body[:19], ref=1)
    bad(F, "register-16385", "FRAME_TOO_LARGE", "REGISTER", ref=1, length=16385, limit=16384)
    bad(F, "register-with-options-16385", "FRAME_TOO_LARGE", "REGISTER", ref=1, flags=1, length=16385,
        limit=16384)
    raw(F, "register-16384", frame("REGISTER", ref=1, length=16384), "d2h", "READY", need_more=16392)
    bad(F, "register-from-hub", "WRONG_DIRECTION", "REGISTER", body, ref=1, dir="h2d")
    B("tag-empty", "BAD_TAGS", "REGISTER", register(list=u16(1) + u16(2) + b"\0\0"))
    B("tag-past-total", "BAD_TAGS", "REGISTER", register(list=u16(1) + u16(3) + b"\5ab"))
    B("tag-total-past-end", "BAD_LENGTH", "REGISTER", register(list=u16(1) + u16(60) + b"\1a"))
    B("tag-left-over", "BAD_TAGS", "REGISTER", register(list=u16(1) + u16(4) + b"\1a\1b"))
    B("tag-count-lies", "BAD_TAGS", "REGISTER", register(list=u16(3) + u16(5) + b"\1a\2bc"))
    B("tag-count-without-bytes", "BAD_TAGS", "REGISTER", register(list=u16(65535) + u16(0)))
    B("tag-total-without-count", "BAD_TAGS", "REGISTER", register(list=u16(0) + u16(2) + b"\1a"))
    B("tag-list-cut", "BAD_TAGS", "REGISTER", register(list=u16(2) + u16(4) + b"\3abc"))

    G("tags-patch", "TAGS", tags(), ref=3)
    G("tags-replace", "TAGS", tags(mode=0, remove=(), add=("a", "b")))
    G("tags-empty", "TAGS", tags(mode=0, remove=(), add=(), if_etag=0))
    G("tags-patch-nothing", "TAGS", tags(slot=15, remove=(), add=()))
    B("tags-ref-0", "BAD_FIELD", "TAGS", tags(), ref=0)
    B("tags-slot-16", "BAD_FIELD", "TAGS", tags(slot=16))
    B("tags-mode-2", "BAD_FIELD", "TAGS", tags(mode=2))
    B("tags-zero", "BAD_FIELD", "TAGS", tags(zero=1))
    B("tags-replace-with-remove", "BAD_FIELD", "TAGS", tags(mode=0))
    body = tags()[0]
    bad(F, "tags-19", "BAD_LENGTH", "TAGS", body[:19], ref=1)
    bad(F, "tags-remove-missing", "BAD_LENGTH", "TAGS", tags(add=("a" * 20,))[0][:34], ref=1)
    bad(F, "tags-trailing", "BAD_LENGTH", "TAGS", body + b"\0", ref=1)
    bad(F, "tags-remove-empty-tag", "BAD_TAGS", "TAGS", tags(remove=())[0][:-4] + u16(1) + u16(2) + b"\0\0",
        ref=1)
    bad(F, "tags-16385", "FRAME_TOO_LARGE", "TAGS", ref=1, length=16385, limit=16384)

    G("unregister-one", "UNREGISTER", unregister(slot=0), ref=6)
    G("unregister-15", "UNREGISTER", unregister(slot=15))
    G("unregister-all", "UNREGISTER", unregister())
    B("unregister-16", "BAD_FIELD", "UNREGISTER", unregister(slot=16))
    B("unregister-hub-slot", "BAD_FIELD", "UNREGISTER", unregister(slot=0xFFFE))
    B("unregister-zero", "BAD_FIELD", "UNREGISTER", unregister(zero=1))
    B("unregister-ref-0", "BAD_FIELD", "UNREGISTER", unregister(), ref=0)

    G("result-ok", "RESULT", result(handle=HANDLE))
    G("result-forbidden", "RESULT", result(status=0x0204, applied=0, detail="username:ann"), ref=65535)
    G("result-unknown-status", "RESULT", result(status=0x04FF, slot=0xFFFF, retry_after_ms=60000))
    G("result-largest", "RESULT", result(handle=b"\x11" * 64, detail="d" * 200))
    B("result-handle-65", "BAD_FIELD", "RESULT", result(handle=b"\x11" * 65))
    B("result-detail-201", "BAD_FIELD", "RESULT", result(detail="d" * 201))
    B("result-zero", "BAD_FIELD", "RESULT", result(zero=1))
    B("result-detail-utf8", "BAD_UTF8", "RESULT", result(detail="\t"))
    B("result-ref-0", "BAD_FIELD", "RESULT", result(), ref=0)
    body = result()[0]
    bad(F, "result-25", "BAD_LENGTH", "RESULT", body[:25], ref=1)
    bad(F, "result-handle-past-end", "BAD_LENGTH", "RESULT", body[:-2] + b"\2\0", ref=1)
    bad(F, "result-trailing", "BAD_LENGTH", "RESULT", body + b"\0", ref=1)
    bad(F, "result-291", "FRAME_TOO_LARGE", "RESULT", ref=1, length=291, limit=290)
    bad(F, "result-from-device", "WRONG_DIRECTION", "RESULT", body, ref=1, dir="d2h")


# ---------------------------------------------------------------- delivery.json

def delivery():
    F = "delivery"
    RE, TR, CO = 1, 2, 4
    G = lambda name, type, made, **k: good(F, name, type, *made, **k)
    B = lambda name, err, made, **k: bad(F, name, err, "DELIVER", made[0], **k)
    P = parcel()
    least = parcel(b"")
    G("deliver-one", "DELIVER", deliver([(1, 0, 0, P)]))
    G("deliver-from-start", "DELIVER", deliver([(1, 0, 0, P)], prev_seq=0))
    G("deliver-holes", "DELIVER", deliver([(1, 0, 0, P), (3, 1, RE, P)], prev_seq=42, backlog=5))
    G("deliver-smallest", "DELIVER", deliver([(1, 0, 0, least)]))
    G("deliver-transient", "DELIVER", deliver([(0, 2, TR, parcel(ttl=0))], prev_seq=7))
    G("deliver-transient-at-the-end-of-numbers", "DELIVER",
      deliver([(0, 0, TR, P)], prev_seq=2**64 - 1))
    G("deliver-group", "DELIVER", deliver([(2, 0, CO, P), (0, 1, CO | RE, P), (0, 0x100, 0, P), (1, 0, 0, P)]))
    G("deliver-group-open", "DELIVER", deliver([(1, 0, 0, P), (1, 3, CO, P)], backlog=1))
    G("deliver-group-goes-on", "DELIVER", deliver([(2, 4, 0, P)]))
    G("deliver-transient-in-group", "DELIVER", deliver([(1, 0, CO, P), (0, 0, TR, P), (0, 1, 0, P)]))
    G("deliver-transient-first", "DELIVER", deliver([(0, 5, TR, P), (1, 0, 0, P)]))
    G("deliver-direct-slot", "DELIVER", deliver([(1, 0xFFFF, 0, P)]))
    G("deliver-largest-delta", "DELIVER", deliver([(2**32 - 1, 0, 0, P)]))
    G("deliver-last-number", "DELIVER", deliver([(1, 0, 0, P)], prev_seq=2**64 - 2))
    G("deliver-advisory-eflags", "DELIVER", deliver([(1, 0, 0xF0, P)]))
    G("deliver-64", "DELIVER", deliver([(1, 0, 0, least)] * 64, backlog=2**32 - 1))
    G("deliver-unknown-layout", "DELIVER", deliver([(1, 0, 0, b"\x02" + least[1:])]))
    G("deliver-flush", "DELIVER", deliver([(1, 0, 0, parcel(b"x" * (16384 - 8 - 16 - 10 - 32)))]))
    G("deliver-65536", "DELIVER", deliver([(1, 0, 0, parcel(b"x" * (65536 - 16 - 10 - 32)))]))
    body, expect = deliver([(1, 0, 0, P)])
    good(F, "deliver-option", "DELIVER", body + option(0x90), expect, flags=1, canonical=False)
    good(F, "deliver-options-1024", "DELIVER", body + option(0x90, bytes(1021)), expect, flags=1,
         canonical=False)
    bad(F, "deliver-options-1025", "BAD_OPTION", "DELIVER", body + option(0x90, bytes(1022)), flags=1)
    bad(F, "deliver-65537", "FRAME_TOO_LARGE", "DELIVER", length=65537, limit=65536)
    bad(F, "deliver-with-options-65537", "FRAME_TOO_LARGE", "DELIVER", flags=1, length=65537, limit=65536)
    bad(F, "deliver-57", "BAD_LENGTH", "DELIVER", deliver([(1, 0, 0, least)])[0][:57])
    bad(F, "deliver-ref", "BAD_FIELD", "DELIVER", body, ref=1)
    bad(F, "deliver-from-device", "WRONG_DIRECTION", "DELIVER", body, dir="d2h")
    bad(F, "deliver-early", "WRONG_STATE", "DELIVER", body, state="WAIT_WELCOME")
    B("deliver-count-0", "BAD_FIELD", deliver([(1, 0, 0, P)], count=0))
    B("deliver-count-65", "BAD_FIELD", deliver([(1, 0, 0, least)] * 65))
    B("deliver-zero", "BAD_FIELD", deliver([(1, 0, 0, P)], zero=1))
    B("deliver-count-above", "BAD_LENGTH", deliver([(1, 0, 0, P)], count=2))
    B("deliver-count-above-large", "BAD_LENGTH", deliver([(1, 0, 0, parcel(bytes(100)))], count=2))
    B("deliver-count-below", "BAD_LENGTH", deliver([(1, 0, 0, P), (1, 0, 0, P)], count=1))
    B("deliver-count-lies", "BAD_LENGTH", deliver([(1, 0, 0, parcel(bytes(58)))], count=64))
    B("deliver-delta-0", "BAD_FIELD", deliver([(0, 0, 0, P)]))
    B("deliver-delta-0-second", "BAD_FIELD", deliver([(1, 0, 0, P), (0, 1, 0, P)]))
    B("deliver-delta-0-after-transient", "BAD_FIELD", deliver([(0, 0, TR, P), (0, 1, 0, P)]))
    B("deliver-group-broken", "BAD_FIELD", deliver([(1, 0, CO, P), (1, 1, 0, P)]))
    B("deliver-group-slot-equal", "BAD_FIELD", deliver([(1, 3, CO, P), (0, 3, 0, P)]))
    B("deliver-group-slot-falls", "BAD_FIELD", deliver([(1, 3, CO, P), (0, 2, 0, P)]))
    B("deliver-transient-delta", "BAD_FIELD", deliver([(1, 0, TR, P)]))
    B("deliver-transient-continues", "BAD_FIELD", deliver([(0, 0, TR | CO, P)]))
    B("deliver-overflow", "BAD_FIELD", deliver([(1, 0, 0, P)], prev_seq=2**64 - 1))
    B("deliver-overflow-second", "BAD_FIELD", deliver([(1, 0, 0, P), (1, 0, 0, P)], prev_seq=2**64 - 2))
    B("deliver-eflag-8", "UNKNOWN_FLAG", deliver([(1, 0, 8, P)]))
    B("deliver-eflag-8-before-chain", "UNKNOWN_FLAG", deliver([(0, 0, 8, P)]))
    entry = lambda length, content: u64(41) + u16(1) + u16(0) + u32(0) + u32(1) + u16(0) + u8(0) \
        + u24(length) + content
    bad(F, "parcel-31", "BAD_FIELD", "DELIVER", entry(31, least))
    bad(F, "parcel-0", "BAD_FIELD", "DELIVER", entry(0, least))
    bad(F, "parcel-length-above", "BAD_LENGTH", "DELIVER", entry(len(P) + 1, P))
    bad(F, "parcel-length-below", "BAD_LENGTH", "DELIVER", entry(len(P) - 1, P))
    bad(F, "parcel-length-largest", "BAD_LENGTH", "DELIVER", entry(2**24 - 1, P))
    two = deliver([(1, 0, 0, parcel(bytes(60))), (1, 0, 0, least)])[0]
    bad(F, "deliver-second-entry-cut", "BAD_LENGTH", "DELIVER", two[:-33])

    G("ack", "ACK", ack())
    G("ack-0", "ACK", ack(0))
    G("ack-last", "ACK", ack(2**64 - 1))
    G("ack-advisory-flag", "ACK", ack(1), flags=0x40, canonical=False)
    bad(F, "ack-from-hub", "WRONG_DIRECTION", "ACK", ack()[0], dir="h2d")
    G("gap-cap", "GAP", gap())
    G("gap-moved", "GAP", gap(from_=0, to=1, lost=0, check=0, reason=0))
    G("gap-unknown", "GAP", gap(lost=0xFFFFFFFF, reason=255, to=2**64 - 1))
    bad(F, "gap-equal", "BAD_FIELD", "GAP", gap(to=46)[0])
    bad(F, "gap-backwards", "BAD_FIELD", "GAP", gap(to=45)[0])
    for i in range(3):
        bad(F, "gap-zero-%d" % i, "BAD_FIELD", "GAP", gap(zero=bytes(i) + b"\1" + bytes(2 - i))[0])
    bad(F, "gap-from-device", "WRONG_DIRECTION", "GAP", gap()[0], dir="d2h")


# ---------------------------------------------------------------- receipts.json

def receipt():
    F = "receipts"
    one = (NOTE, 3, 0, 0, 1767225601904)
    good(F, "receipts-1", "RECEIPTS", *receipts([one]), ref=4)
    good(F, "receipts-2", "RECEIPTS", *receipts([one, (NOTE, 5, 2, 0xFFFF, 2**64 - 1)]), ref=4)
    good(F, "receipts-unknown-event", "RECEIPTS", *receipts([(ID, 0, 255, 1, 0)]), ref=4)
    good(F, "receipts-64", "RECEIPTS", *receipts([one] * 64), ref=65535)
    B = lambda name, err, made, ref=4: bad(F, name, err, "RECEIPTS", made[0], ref=ref)
    B("receipts-0", "BAD_FIELD", receipts([one], count=0))
    bad(F, "receipts-65", "FRAME_TOO_LARGE", "RECEIPTS", receipts([one] * 65)[0], ref=4, limit=2056)
    B("receipts-count-65", "BAD_FIELD", receipts([one] * 64, count=65))
    B("receipts-count-above", "BAD_LENGTH", receipts([one], count=2))
    B("receipts-count-below", "BAD_LENGTH", receipts([one, one], count=1))
    for i in range(6):
        B("receipts-zero-%d" % i, "BAD_FIELD", receipts([one], zero=bytes(i) + b"\1" + bytes(5 - i)))
    B("receipts-record-zero", "BAD_FIELD", receipts([one], inner=1))
    B("receipts-record-zero-high", "BAD_FIELD", receipts([one], inner=1 << 24))
    bad(F, "receipts-39", "BAD_LENGTH", "RECEIPTS", receipts([one])[0][:39], ref=4)
    B("receipts-ref-0", "BAD_FIELD", receipts([one]), ref=0)
    bad(F, "receipts-from-hub", "WRONG_DIRECTION", "RECEIPTS", receipts([one])[0], ref=4, dir="h2d")


# ---------------------------------------------------------------- framing.json

def framing():
    F = "framing"
    R = lambda name, data, dir="d2h", state="READY", **k: raw(F, name, data, dir, state, **k)
    R("empty", b"", need_more=8)
    R("need-more-1", b"\x21", need_more=8)
    R("need-more-7", h("21000000000000"), need_more=8)
    R("need-more-header-only", h("2100000000000008"), need_more=16)
    R("need-more-15", h("210000000000000800000000000000"), need_more=16)
    R("need-more-hello-4096", h("0100000000001000"), state="WAIT_HELLO", need_more=4104)
    R("need-more-garbage-in-wait-hello", b"GET", state="WAIT_HELLO", need_more=8)
    R("need-more-deliver-65536", h("2000000000010000"), dir="h2d", need_more=65544)
    R("need-more-welcome-with-options-2048", h("0201000000000800"), dir="h2d", state="WAIT_WELCOME",
      need_more=2056)
    R("need-more-ack-with-options-1032", h("2101000000000408"), need_more=1040)
    R("ack-with-options-1033", h("2101000000000409"), error="FRAME_TOO_LARGE", limit=1032)
    R("type-0", bytes(8), error="UNKNOWN_TYPE")
    R("type-7f", h("7f00000000000000"), error="UNKNOWN_TYPE")
    for number in (0x09, 0x0A, 0x14, 0x16, 0x23, 0x31, 0x40, 0x41, 0x42, 0x47, 0x48, 0x50, 0x6E):
        R("type-%02x" % number, frame(number, bytes(4), ref=1), error="UNKNOWN_TYPE")
        R("type-%02x-from-hub" % number, frame(number, bytes(4), ref=1), dir="h2d", error="UNKNOWN_TYPE")
    R("http-get", b"GET / HTTP/1.1\r\n\r\n", state="WAIT_HELLO", error="WRONG_STATE")
    R("http-answer", b"HTTP/1.1 400 Bad Request\r\n", dir="h2d", state="WAIT_WELCOME", error="WRONG_STATE")
    R("http-get-ready", b"GET / HTTP/1.1\r\n\r\n", error="UNKNOWN_TYPE")
    R("tls-in-tls", h("16030100f8010000f4"), state="WAIT_HELLO", error="WRONG_STATE")
    R("random", h("d3a6b2c3ffffffff00112233"), error="UNKNOWN_FLAG")
    R("random-extension", h("d3a0b2c3ffffffff00112233"), error="FRAME_TOO_LARGE", limit=16384)
    for bit in (2, 4, 8):
        R("flag-%d" % bit, frame("ACK", u64(1), flags=bit), error="UNKNOWN_FLAG")
        R("flag-%d-extension" % bit, frame(0x90, b"", flags=bit), error="UNKNOWN_FLAG")
    R("flag-before-direction", frame("DELIVER", b"", flags=2), error="UNKNOWN_FLAG")
    R("type-before-flag", frame(0x6E, b"", flags=2), error="UNKNOWN_TYPE")
    R("state-before-type", frame(0x6E, b""), state="WAIT_HELLO", error="WRONG_STATE")
    R("direction-before-length", h("20000000ffffffff"), error="WRONG_DIRECTION")
    R("length-before-ref", h("210000010000ffff"), error="FRAME_TOO_LARGE", limit=8)
    R("ref-before-body", h("2100000100000008"), error="BAD_FIELD")
    R("length-largest", h("20000000ffffffff"), dir="h2d", error="FRAME_TOO_LARGE", limit=65536)
    R("extension-skip", frame(0x90, b"future"), expect=dict(type="SKIP", bytes=14))
    R("extension-skip-empty", frame(0xFF, b"", ref=9, flags=0xF1), expect=dict(type="SKIP", bytes=8))
    R("extension-skip-early", frame(0x81, b"x"), dir="h2d", state="WAIT_WELCOME",
      expect=dict(type="SKIP", bytes=9))
    R("extension-in-wait-hello", frame(0x81, b"x"), state="WAIT_HELLO", error="WRONG_STATE")
    R("extension-16384", frame(0x90, bytes(16384)), expect=dict(type="SKIP", bytes=16392))
    R("extension-16385", frame(0x90, length=16385), error="FRAME_TOO_LARGE", limit=16384)
    R("extension-65536", frame(0x90, bytes(65536)), dir="h2d", expect=dict(type="SKIP", bytes=65544))
    R("extension-65537", frame(0x90, length=65537), dir="h2d", error="FRAME_TOO_LARGE", limit=65536)
    R("need-more-extension", frame(0x90, b"abc", length=6), need_more=14)
    good(F, "padding-0", "PADDING", b"", dict(bytes=0))
    good(F, "padding-1024", "PADDING", bytes(1024), dict(bytes=1024))
    good(F, "padding-from-hub", "PADDING", bytes(3), dict(bytes=3), dir="h2d")
    good(F, "padding-early", "PADDING", bytes(3), dict(bytes=3), dir="h2d", state="WAIT_WELCOME")
    good(F, "padding-any-bytes-and-flag", "PADDING", b"\1\2\3", dict(bytes=3), flags=1, canonical=False)
    bad(F, "padding-1025", "FRAME_TOO_LARGE", "PADDING", length=1025, limit=1024)
    bad(F, "padding-with-options-1025", "FRAME_TOO_LARGE", "PADDING", flags=1, length=1025, limit=1024)
    bad(F, "padding-ref", "BAD_FIELD", "PADDING", bytes(3), ref=1)
    bad(F, "padding-in-wait-hello", "WRONG_STATE", "PADDING", b"", state="WAIT_HELLO")

    body, expect = unregister()
    O = lambda name, options, **k: good(F, name, "UNREGISTER", body + options, expect, ref=1, flags=1,
                                        canonical=False)
    X = lambda name, err, options: bad(F, name, err, "UNREGISTER", body + options, ref=1, flags=1)
    O("option-ignored", option(0x81, b"x"))
    O("option-empty-value", option(0x80))
    O("options-ascending", option(0x80, b"a") + option(0x81) + option(0xFF, b"b"))
    O("options-1024", option(0x80, bytes(1021)))
    X("option-none", "BAD_OPTION", b"")
    X("option-unknown-critical", "BAD_OPTION", option(0x33))
    X("option-0", "BAD_OPTION", option(0))
    X("option-7f", "BAD_OPTION", option(0x7F))
    X("option-duplicate", "BAD_OPTION", option(0x81) + option(0x81))
    X("option-unsorted", "BAD_OPTION", option(0x82) + option(0x81))
    X("option-truncated-value", "BAD_LENGTH", option(0x81, b"a", length=5))
    X("option-truncated-header", "BAD_LENGTH", option(0x81) + b"\x82\0")
    X("option-critical-before-value", "BAD_OPTION", option(0x33, b"a", length=5))
    bad(F, "options-1025", "FRAME_TOO_LARGE", "UNREGISTER", body + option(0x80, bytes(1022)), ref=1,
        flags=1, limit=1028)
    bad(F, "option-flag-missing", "FRAME_TOO_LARGE", "UNREGISTER", body + option(0x81, b"x"), ref=1,
        limit=4)
    bad(F, "option-flag-on-short-body", "BAD_LENGTH", "UNREGISTER", body[:3], ref=1, flags=1)


# ---------------------------------------------------------------- auth.json, resume.json

def auth():
    exporter, key = bytes(range(32)), bytes(range(0x80, 0xA0))
    made, _ = hello(auth=b"", auth_method=2, device_id=ID, epoch=0xA1B2C3D4E5F60718, seq=41,
                    check=0x22334455, etag=16)
    prefix = made[:-2]
    data = b"BLF1 auth" + exporter + prefix
    proof = hmac.new(key, data, hashlib.sha256).digest()
    return dict(exporter_label="EXPORTER-belfry-1-auth", exporter=exporter.hex(),
                device_key=key.hex(), prefix=prefix.hex(), input=data.hex(), proof=proof.hex(),
                hello=frame("HELLO", prefix + b16(proof)).hex())


def decide(hub, hello):
    """[R-3] to [R-5], for resume.json."""
    epochs, first, head = hub["epochs"], hub["first"], hub["head"]
    cursor, seq, epoch = hub["cursor"], hello["seq"], hello["epoch"]
    current = epochs[-1][0]
    base = cursor
    if base is None:
        base = head if hub["effective_from"] is None else hub["effective_from"] - 1
    start = max(first - 1, min(head, base))
    names = [e for e, _ in epochs]
    lost = 0
    known = 0 if seq == 0 else hub["checks"].get(seq)
    if epoch == 0:
        outcome = "FRESH"
    elif epoch not in names:
        outcome = "RESET"
    elif epoch != current and seq >= epochs[names.index(epoch) + 1][1]:
        outcome = "RESET"
    elif seq > head:
        outcome = "RESET"
    elif seq >= first - 1 and known is not None and known != hello["check"]:
        outcome = "RESET"
    else:
        outcome, start = "RESUMED", max(seq, first - 1)
    scan = start
    if start == cursor and hub["scanned_through"] is not None:
        scan = max(start, min(hub["scanned_through"], head))
    if hub["cut"] and hub["cut"]["through"] > scan:
        scan = start = min(hub["cut"]["through"], head)
        lost, outcome = hub["cut"]["lost"], "RESET" if outcome == "RESET" else "GAP"
    check = 0 if start == 0 else hub["checks"].get(start)
    if outcome == "RESUMED" and start == seq:
        check = hello["check"]
    acknowledged = cursor
    if outcome == "RESUMED" and (cursor is not None or hub["effective_from"] is not None):
        acknowledged = max(cursor or 0, start)
    return dict(resume=outcome, epoch=current, seq=start, check=check, lost=lost, scan_after=scan,
                acknowledged=acknowledged)


def resume():
    """Outcomes are written down by hand; `decide` only confirms them."""
    out = []

    def scenario(name, want, first=1, head=46, epochs=((7, 1),), cursor=None, scanned=None,
                 effective=None, cut=None, hello=(7, 0, None), missing=()):
        checks = {s: (0x1000 + s) & 0xFFFFFFFF for s in range(first, head + 1) if s in range(first, first + 3)
                  or s > head - 60}
        hub = dict(epochs=[list(e) for e in epochs], first=first, head=head, checks=checks,
                   cursor=cursor, scanned_through=scanned, effective_from=effective, cut=cut)
        epoch, seq, check = hello
        check = checks.get(seq, 0) if check is None else check
        got = decide(hub, dict(epoch=epoch, seq=seq, check=check))
        assert (got["resume"], got["seq"], got["lost"], got["scan_after"]) == want, (name, got)
        s = lambda v: None if v is None else str(v)
        out.append(dict(
            name=name,
            hub=dict(epochs=[[str(e), str(f)] for e, f in epochs], first=str(first), head=str(head),
                     checks={str(k): v for k, v in checks.items()}, cursor=s(cursor),
                     scanned_through=s(scanned), effective_from=s(effective),
                     cut=cut and dict(through=str(cut["through"]), lost=cut["lost"])),
            hello=dict(epoch=str(epoch), seq=str(seq), check=check),
            expect=dict(resume=got["resume"], epoch=str(got["epoch"]), seq=str(got["seq"]),
                        check=got["check"], lost=got["lost"], scan_after=str(got["scan_after"]),
                        acknowledged=s(got["acknowledged"]))))

    none = (0, 0, 0)
    scenario("first connection ever, empty log", ("FRESH", 0, 0, 0), head=0, hello=none)
    scenario("first connection, log has history, no registrations", ("FRESH", 46, 0, 46), hello=none)
    scenario("no position, registered at 40", ("FRESH", 39, 0, 39), effective=40, hello=none)
    scenario("no position, registered before the oldest record", ("FRESH", 29, 0, 29), first=30,
             effective=5, hello=none)
    scenario("position lost, the hub has a cursor", ("FRESH", 44, 0, 44), cursor=44, effective=3,
             hello=none)
    scenario("position lost, cursor below the oldest record", ("FRESH", 29, 0, 29), first=30, cursor=10,
             hello=none)
    scenario("position lost, cursor above the head after a restore", ("FRESH", 46, 0, 46), cursor=50,
             hello=none)
    scenario("nothing new", ("RESUMED", 46, 0, 46), cursor=46, hello=(7, 46, None))
    scenario("two stored of four sent", ("RESUMED", 44, 0, 44), cursor=42, hello=(7, 44, None))
    scenario("everything stored, the ACK was lost", ("RESUMED", 46, 0, 46), cursor=42, hello=(7, 46, None))
    scenario("device restored from its own backup", ("RESUMED", 41, 0, 41), cursor=46, hello=(7, 41, None))
    scenario("a long idle device, nothing matched meanwhile", ("RESUMED", 40, 0, 45), cursor=40,
             scanned=45, hello=(7, 40, None))
    scenario("scanned through counts for the cursor only", ("RESUMED", 41, 0, 41), cursor=40, scanned=45,
             hello=(7, 41, None))
    scenario("position before the oldest record", ("RESUMED", 29, 0, 29), first=30, cursor=12,
             hello=(7, 12, 99))
    scenario("position just before the oldest record", ("RESUMED", 29, 0, 29), first=30, cursor=29,
             hello=(7, 29, 99))
    scenario("position at the oldest record", ("RESUMED", 30, 0, 30), first=30, cursor=30,
             hello=(7, 30, None))
    scenario("position at the oldest record, other check", ("RESET", 30, 0, 30), first=30, cursor=30,
             hello=(7, 30, 99))
    scenario("everything expired, position at the head", ("RESUMED", 46, 0, 46), first=47, head=46,
             cursor=46, hello=(7, 46, 99))
    scenario("everything expired, position below", ("RESUMED", 46, 0, 46), first=47, head=46, cursor=20,
             hello=(7, 20, 99))
    scenario("nothing yet in this epoch", ("RESUMED", 0, 0, 0), hello=(7, 0, 0), effective=1)
    scenario("nothing yet has check 0", ("RESET", 46, 0, 46), hello=(7, 0, 1234))
    scenario("nothing yet, oldest record is later", ("RESUMED", 29, 0, 29), first=30, hello=(7, 0, 0))
    scenario("position at the head", ("RESUMED", 46, 0, 46), hello=(7, 46, None))
    scenario("position above the head", ("RESET", 42, 0, 42), cursor=42, hello=(7, 47, 99))
    scenario("position above the head, no cursor", ("RESET", 9, 0, 9), effective=10, hello=(7, 47, 99))
    scenario("position in an empty log", ("RESET", 0, 0, 0), head=0, hello=(7, 1, 99))
    scenario("same number, other check", ("RESET", 42, 0, 42), cursor=42, hello=(7, 44, 99))
    scenario("check 0 is compared like any other", ("RESET", 42, 0, 42), cursor=42, hello=(7, 44, 0))
    scenario("epoch of another hub", ("RESET", 42, 0, 42), cursor=42, hello=(8, 44, None))
    scenario("older epoch, before the fork", ("RESUMED", 44, 0, 44), epochs=((7, 1), (9, 45)), cursor=44,
             hello=(7, 44, None))
    scenario("older epoch, before the fork, other check", ("RESET", 44, 0, 44), epochs=((7, 1), (9, 45)),
             cursor=44, hello=(7, 44, 99))
    scenario("older epoch, at the fork", ("RESET", 44, 0, 44), epochs=((7, 1), (9, 45)), cursor=44,
             hello=(7, 45, None))
    scenario("older epoch, after the fork", ("RESET", 44, 0, 44), epochs=((7, 1), (9, 45)), cursor=44,
             hello=(7, 46, None))
    scenario("two forks, position before the first", ("RESUMED", 43, 0, 43),
             epochs=((7, 1), (9, 44), (11, 45)), cursor=43, hello=(7, 43, None))
    scenario("two forks, position between them", ("RESUMED", 44, 0, 44),
             epochs=((7, 1), (9, 44), (11, 45)), cursor=44, hello=(9, 44, None))
    scenario("two forks, position of the first epoch between them", ("RESET", 43, 0, 43),
             epochs=((7, 1), (9, 44), (11, 45)), cursor=43, hello=(7, 44, None))
    scenario("older epoch, before the oldest record", ("RESUMED", 44, 0, 44), first=45,
             epochs=((7, 1), (9, 40)), cursor=39, hello=(7, 39, 99))
    scenario("current epoch after a fork", ("RESUMED", 46, 0, 46), epochs=((7, 1), (9, 45)), cursor=44,
             hello=(9, 46, None))
    unknown = 0xFFFFFFFF
    scenario("position lost, nothing matched meanwhile", ("FRESH", 40, 0, 45), cursor=40, scanned=45,
             hello=none)
    scenario("another history, nothing matched meanwhile", ("RESET", 40, 0, 45), cursor=40, scanned=45,
             hello=(8, 44, None))
    scenario("scanned through the head at most", ("RESUMED", 40, 0, 46), cursor=40, scanned=60,
             hello=(7, 40, None))
    scenario("tag history cut up to 30", ("GAP", 30, unknown, 30), cursor=12, hello=(7, 12, None),
             cut=dict(through=30, lost=unknown))
    scenario("cut at the position", ("RESUMED", 30, 0, 30), cursor=30, hello=(7, 30, None),
             cut=dict(through=30, lost=unknown))
    scenario("cut where nothing matched", ("RESUMED", 12, 0, 30), cursor=12, scanned=30, hello=(7, 12, None),
             cut=dict(through=30, lost=unknown))
    scenario("cut below the oldest record", ("RESUMED", 39, 0, 39), first=40, cursor=12, hello=(7, 12, 99),
             cut=dict(through=30, lost=unknown))
    scenario("cut without a position", ("GAP", 30, unknown, 30), cursor=12, hello=none,
             cut=dict(through=30, lost=unknown))
    scenario("another history and a cut", ("RESET", 44, unknown, 44), cursor=12, hello=(7, 40, 99),
             cut=dict(through=44, lost=unknown))
    scenario("cut above the head after a restore", ("GAP", 46, unknown, 46), cursor=12, hello=(7, 12, None),
             cut=dict(through=60, lost=unknown))
    scenario("largest numbers", ("RESUMED", 2**64 - 2, 0, 2**64 - 2), first=2**64 - 3, head=2**64 - 1,
             epochs=((2**64 - 1, 1),), cursor=2**64 - 3, hello=(2**64 - 1, 2**64 - 2, None))
    return out


def write(name, value):
    with open(os.path.join(HERE, name + ".json"), "w") as f:
        if isinstance(value, list):
            f.write("[\n" + ",\n".join(json.dumps(v) for v in value) + "\n]\n")
        else:
            json.dump(value, f, indent=1)
            f.write("\n")


def main():
    for make in (session, keepalive, registration, delivery, receipt, framing):
        make()
    for name, vectors in FILES.items():
        write(name, vectors)
    write("auth", auth())
    write("resume", resume())
    every = [v for vectors in FILES.values() for v in vectors]
    print("%d frame vectors, %d good, %d malformed, %d incomplete; errors: %s" % (
        len(every), sum("expect" in v for v in every), sum("error" in v for v in every),
        sum("need_more" in v for v in every), " ".join(sorted({v["error"] for v in every if "error" in v}))))


main()
