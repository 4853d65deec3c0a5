#!/usr/bin/env python3
"""Writes the frame vectors, auth.json and resume.json beside it, by README.md alone.

    python3 Protocol/vectors/generate.py
"""
import hashlib, hmac, json, os

from encoder import *
from generate_resume import resume

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = {}
NAMES = set()

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
    B("hello-max-frame-below", "BAD_FIELD", "HELLO", hello(max_frame=16383), limit=16384)
    B("hello-max-payload-below", "BAD_FIELD", "HELLO", hello(max_payload=8191), limit=8192)
    B("hello-window-below", "BAD_FIELD", "HELLO", hello(window_bytes=16383), limit=16384)
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
                                         auth_expires=0, server_time_ms=0, return_spread_ms=0,
                                         return_max_ms=1000))
    G("welcome-return-longest", "WELCOME", welcome(return_spread_ms=3600000, return_max_ms=3600000))
    B("welcome-return-too-soon", "BAD_FIELD", "WELCOME", welcome(return_spread_ms=0, return_max_ms=999),
      limit=1000)
    B("welcome-return-too-late", "BAD_FIELD", "WELCOME", welcome(return_max_ms=3600001), limit=3600000)
    B("welcome-spread-above-longest", "BAD_FIELD", "WELCOME", welcome(return_spread_ms=900001))
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
    B("welcome-max-frame-below", "BAD_FIELD", "WELCOME", welcome(max_frame=16383), limit=16384)
    B("welcome-key-31", "BAD_FIELD", "WELCOME", welcome(device_key=KEY[:31]))
    B("welcome-key-33", "BAD_FIELD", "WELCOME", welcome(device_key=KEY + b"x"))
    B("welcome-trace-control", "BAD_UTF8", "WELCOME", welcome(trace="\n"))
    made = welcome()[0]
    bad(F, "welcome-141", "BAD_LENGTH", "WELCOME", made[:141])
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
    B("window-below", "BAD_FIELD", "WINDOW", window(msgs=1, bytes=16383), limit=16384)
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
    B = lambda name, err, made, ref=4, **k: bad(F, name, err, "RECEIPTS", made[0], ref=ref, **k)
    B("receipts-0", "BAD_FIELD", receipts([one], count=0), limit=1)
    bad(F, "receipts-65", "FRAME_TOO_LARGE", "RECEIPTS", receipts([one] * 65)[0], ref=4, limit=2056)
    B("receipts-count-65", "BAD_FIELD", receipts([one] * 64, count=65), limit=64)
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


# ---------------------------------------------------------------- auth.json

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
