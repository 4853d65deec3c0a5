"""Frames from their fields, by README.md alone: the encoder behind generate.py.

It only puts bytes together, so it can also put together what no encoder should. Each body comes
with the fields that a decoder must find in it.
"""
import re, struct

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
             max_receipts=64, return_spread_ms=5000, return_max_ms=900000, dict_id=0)
    f.update(changes)
    body = (u8(f["minor"]) + u8(f["resume"]) + u8(f["zero"]) + u8(f["dict"]) + u32(f["lost"])
            + u64(f["capabilities"]) + f["device_id"] + u64(f["epoch"]) + u64(f["seq"])
            + u32(f["check"]) + u32(f["max_frame"]) + u64(f["server_time_ms"]) + u64(f["etag"])
            + u32(f["auth_expires"]) + u32(f["retention_s"]) + u16(f["keepalive"])
            + u16(f["grace"]) + u16(f["max_regs"]) + u16(f["max_tags"]) + u8(f["max_tag_len"])
            + u8(f["ack_delay"]) + u16(f["max_receipts"]) + u32(f["return_max_ms"])
            + u32(f["return_spread_ms"]) + u64(f["dict_id"]) + handle + b8(device_key) + b8(trace))
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
