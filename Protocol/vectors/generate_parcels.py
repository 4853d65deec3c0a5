#!/usr/bin/env python3
"""Writes parcel.json and inflate.json, and the Swift copy of the well-known dictionary.

The vectors are made from Protocol/parcels.md with struct and zlib alone, so they check the Swift
code instead of repeating it. Run it from anywhere: python3 Protocol/vectors/generate_parcels.py
"""

import hashlib
import json
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DICTIONARY = (HERE.parent / "dictionary-1.bin").read_bytes()

ID = bytes.fromhex("0192f3a1b2c37d4e9f00112233445566")
ALERT = b'{"aps":{"alert":"Breaking World News : Ceasefire talks resume in Geneva"}}'
TOAST = (
    b'<toast><visual><binding template="ToastText01"><text id="1">Bank leaves its key rate '
    b"unchanged for a sixth month</text></binding></visual></toast>"
)


def deflate(payload, dictionary=None, level=6, strategy=zlib.Z_DEFAULT_STRATEGY):
    arguments = (level, zlib.DEFLATED, -13, 6, strategy)
    state = zlib.compressobj(*arguments, dictionary) if dictionary else zlib.compressobj(*arguments)
    return state.compress(payload) + state.flush()


def option(number, value):
    return struct.pack(">BH", number, len(value)) + value


def headers_option(*pairs):
    value = b""
    for name, text in pairs:
        value += bytes([len(name)]) + name + bytes([len(text)]) + text
    return option(0x81, value)


def parcel(
    payload=b"{}",
    layout=1,
    kind=0,
    codec=0,
    urgency=2,
    flags=0,
    content_type=1,
    collapse=b"",
    collapse_len=None,
    ttl=3600,
    raw_len=None,
    options=None,
    options_len=None,
    coded=None,
):
    """A parcel, every field free to be wrong; `coded` replaces what `codec` would make."""
    if options is not None:
        flags |= 0x0001
    if coded is None:
        coded = {
            0: lambda: payload,
            1: lambda: deflate(payload),
            2: lambda: deflate(payload, DICTIONARY),
        }.get(codec, lambda: payload)()
    head = struct.pack(
        ">BBBBHBB16sII",
        layout,
        kind,
        codec,
        urgency,
        flags,
        content_type,
        len(collapse) if collapse_len is None else collapse_len,
        ID,
        ttl,
        len(payload) if raw_len is None else raw_len,
    )
    block = b""
    if options is not None:
        block = struct.pack(">H", len(options) if options_len is None else options_len) + options
    return head + collapse + block + coded


VECTORS = {"parcel": [], "inflate": []}


def valid(file, name, data, payload, canonical=False, max_payload=65536, **fields):
    expect = {
        "codec": data[2],
        "urgency": data[3],
        "flags": struct.unpack(">H", data[4:6])[0],
        "content_type": data[6],
        "id": data[8:24].hex(),
        "ttl": struct.unpack(">I", data[24:28])[0],
        "collapse_key_hex": "",
        "platform": None,
        "headers": [],
        "payload_hex": payload.hex(),
    }
    expect.update(fields)
    VECTORS[file].append(
        {
            "name": name,
            "limits": {"max_payload": max_payload},
            "hex": data.hex(),
            "expect": expect,
            "canonical": canonical,
        }
    )


def bad(file, name, data, error, max_payload=65536):
    VECTORS[file].append(
        {
            "name": name,
            "limits": {"max_payload": max_payload},
            "hex": data.hex(),
            "entry_error": error,
        }
    )


def pairs(*items):
    return [{"name_hex": name.hex(), "value_hex": value.hex()} for name, value in items]


def valid_parcels():
    apple = option(0x80, b"\x00")
    valid("parcel", "shortest", parcel(b""), b"")
    valid("parcel", "identity-without-options", parcel(), b"{}")
    for number in range(9):
        data = parcel(ALERT, options=option(0x80, bytes([number])))
        valid("parcel", f"platform-{number}", data, ALERT, True, platform=number)
    for urgency in range(4):
        data = parcel(urgency=urgency, options=apple)
        valid("parcel", f"urgency-{urgency}", data, b"{}", True, platform=0)
    for kind in (0, 1, 2, 4, 5, 6):
        data = parcel(content_type=kind, options=apple)
        valid("parcel", f"content-type-{kind}", data, b"{}", True, platform=0)
    named = {"stored-receipt": 4, "user-receipt": 8, "silent": 0x20, "template": 0x100}
    for name, bit in named.items():
        data = parcel(flags=bit, options=apple)
        valid("parcel", f"flag-{name}", data, b"{}", True, platform=0)
    every = parcel(flags=0x012C, options=apple)
    valid("parcel", "flags-all-defined", every, b"{}", True, platform=0)
    valid("parcel", "flags-unknown-advisory", parcel(flags=0xFE00), b"{}")
    valid("parcel", "ttl-0", parcel(ttl=0, options=apple), b"{}", True, platform=0)
    longest = parcel(ttl=2_419_200, options=apple)
    valid("parcel", "ttl-28-days", longest, b"{}", True, platform=0)
    for length in (1, 64):
        key = bytes(range(64))[:length]
        data = parcel(collapse=key, options=apple)
        fields = {"collapse_key_hex": key.hex(), "platform": 0}
        valid("parcel", f"collapse-key-{length}", data, b"{}", True, **fields)
    one = ((b"apns-push-type", b"alert"),)
    data = parcel(ALERT, options=apple + headers_option(*one))
    valid("parcel", "header-one", data, ALERT, True, platform=0, headers=pairs(*one))
    many = (
        (b"x-wns-type", b"wns/toast"),
        (b"x-wns-tag", "Tür".encode()),
        (b"x", b""),
        (b"n" * 255, b"v" * 255),
    )
    data = parcel(TOAST, content_type=6, options=option(0x80, b"\x03") + headers_option(*many))
    valid("parcel", "headers-many", data, TOAST, True, platform=3, headers=pairs(*many))
    full = [(b"h%02d" % index, b"v" * 251) for index in range(15)]
    full.append((b"last", b"v" * 223))
    block = apple + headers_option(*full)
    block_missing = 4096 - len(block)
    full[-1] = (b"last", b"v" * (223 + block_missing))
    block = apple + headers_option(*full)
    assert len(block) == 4096, len(block)
    data = parcel(options=block)
    valid("parcel", "options-4096", data, b"{}", True, platform=0, headers=pairs(*full))
    valid("parcel", "options-empty", parcel(options=b""), b"{}")
    valid("parcel", "headers-empty", parcel(options=headers_option()), b"{}")
    unknown = apple + option(0x9F, b"future") + option(0xFF, b"")
    valid("parcel", "option-unknown-advisory", parcel(options=unknown), b"{}", platform=0)
    big = b"x" * 8192
    data = parcel(big, content_type=0, options=apple)
    valid("parcel", "payload-8192", data, big, True, platform=0, max_payload=8192)


def broken_parcels():
    whole = parcel(ALERT, collapse=b"news", options=option(0x80, b"\x00"))
    for length in (0, 1, 31):
        bad("parcel", f"cut-at-{length}", whole[:length], "BAD_PARCEL")
    bad("parcel", "cut-in-collapse-key", whole[:35], "BAD_PARCEL")
    bad("parcel", "cut-before-options-length", whole[:36], "BAD_PARCEL")
    bad("parcel", "cut-in-options", whole[:41], "BAD_PARCEL")
    for layout in (0, 2, 255):
        bad("parcel", f"parcel-layout{layout}", parcel(layout=layout), "BAD_PARCEL")
    for kind in (1, 2):
        bad("parcel", f"kind-{kind}", parcel(kind=kind), "BAD_PARCEL")
    bad("parcel", "codec-4", parcel(codec=4), "BAD_PARCEL")
    named = parcel(codec=3, raw_len=0, coded=struct.pack(">Q", 5) + b"\x03\x00")
    bad("parcel", "dict-unknown", named, "DICT_UNKNOWN")
    bad("parcel", "codec-3-urgency-4", parcel(codec=3, urgency=4), "DICT_UNKNOWN")
    bad("parcel", "kind-1-codec-3", parcel(kind=1, codec=3), "BAD_PARCEL")
    bad("parcel", "urgency-4", parcel(urgency=4), "BAD_PARCEL")
    for bit in (0x0002, 0x0010, 0x0040, 0x0080):
        bad("parcel", f"flag-critical-{bit:04x}", parcel(flags=bit), "BAD_PARCEL")
    bad("parcel", "e2e-compressed", parcel(codec=1, flags=0x0002), "BAD_PARCEL")
    for kind in (3, 7, 255):
        bad("parcel", f"content-type-{kind}", parcel(content_type=kind), "BAD_PARCEL")
    bad("parcel", "collapse-len-65", parcel(collapse=b"k" * 65), "BAD_PARCEL")
    bad("parcel", "collapse-past-end", parcel(b"", collapse_len=1), "BAD_PARCEL")
    bad("parcel", "ttl-2419201", parcel(ttl=2_419_201), "BAD_PARCEL")
    bad("parcel", "parcel-rawlen-mismatch", parcel(raw_len=3), "BAD_PARCEL")
    bad("parcel", "rawlen-too-small", parcel(raw_len=1), "BAD_PARCEL")
    bad("parcel", "rawlen-max", parcel(raw_len=0xFFFFFFFF), "BAD_PARCEL")
    bad("parcel", "payload-8193", parcel(b"x" * 8193), "INFLATE_LIMIT", max_payload=8192)
    past = parcel(b"", options=option(0x80, b"\x00"), options_len=5)
    bad("parcel", "options-past-end", past, "BAD_PARCEL")
    bad("parcel", "options-length-missing", parcel(b"", flags=1), "BAD_PARCEL")
    long = option(0x80, b"\x00") + option(0x90, b"x" * 4090)
    assert len(long) == 4097
    bad("parcel", "options-4097", parcel(options=long), "BAD_PARCEL")
    broken = {
        "option-unknown-critical": option(0x33, b""),
        "option-reserved-01": option(0x01, bytes(56)),
        "option-7f": option(0x7F, b""),
        "option-id-alone": b"\x80",
        "option-length-cut": b"\x80\x00",
        "option-value-cut": b"\x80\x00\x02\x00",
        "option-duplicate": option(0x80, b"\x00") * 2,
        "option-unsorted": headers_option((b"a", b"b")) + option(0x80, b"\x00"),
        "option-duplicate-unknown": option(0x90, b"") * 2,
        "platform-9": option(0x80, b"\x09"),
        "platform-empty": option(0x80, b""),
        "platform-two-bytes": option(0x80, b"\x00\x00"),
        "header-name-empty": option(0x81, b"\x00\x01v"),
        "header-name-alone": option(0x81, b"\x01n"),
        "header-name-cut": option(0x81, b"\x05n"),
        "header-value-cut": option(0x81, b"\x01n\x02v"),
        "header-second-cut": option(0x81, b"\x01n\x01v\x01"),
        "header-control": headers_option((b"n", b"a\r\nb: c")),
        "header-nul-in-name": headers_option((b"n\x00", b"v")),
        "header-del": headers_option((b"n", b"\x7f")),
        "header-not-utf8": headers_option((b"n", b"\xc3\x28")),
        "header-overlong-utf8": headers_option((b"n", b"\xc0\xaf")),
        "header-surrogate": headers_option((b"n", b"\xed\xa0\x80")),
    }
    for name, block in broken.items():
        bad("parcel", name, parcel(options=block), "BAD_PARCEL")


def valid_streams():
    apple = option(0x80, b"\x00")
    text = b"hello hello hello"
    valid("inflate", "deflate", parcel(text, codec=1), text)
    valid("inflate", "deflate-empty", parcel(b"", codec=1), b"")
    valid("inflate", "deflate-stored", parcel(text, codec=1, coded=deflate(text, level=0)), text)
    fixed = deflate(ALERT, strategy=zlib.Z_FIXED)
    valid("inflate", "deflate-fixed", parcel(ALERT, codec=1, coded=fixed), ALERT)
    dynamic = deflate(TOAST * 8)
    valid("inflate", "deflate-dynamic", parcel(TOAST * 8, codec=1, coded=dynamic), TOAST * 8)
    state = zlib.compressobj(6, zlib.DEFLATED, -13, 6)
    pieces = b"".join(state.compress(ALERT) + state.flush(zlib.Z_FULL_FLUSH) for _ in range(3))
    blocks = pieces + state.flush()
    valid("inflate", "deflate-many-blocks", parcel(ALERT * 3, codec=1, coded=blocks), ALERT * 3)
    for name, payload in {"alert": ALERT, "toast": TOAST, "plain": text, "empty": b""}.items():
        data = parcel(payload, codec=2, options=apple)
        valid("inflate", f"dictionary-{name}", data, payload, platform=0)
    whole = DICTIONARY[:258]
    valid("inflate", "dictionary-from-its-start", parcel(whole, codec=2), whole)
    zeros = bytes(8192)
    at_limit = parcel(zeros, codec=1)
    valid("inflate", "payload-at-limit", at_limit, zeros, max_payload=8192)
    exact = parcel(zeros[:1000], codec=1)
    valid("inflate", "max-payload-equal", exact, zeros[:1000], max_payload=1000)


def broken_streams():
    megabyte = deflate(bytes(1_000_000))
    small = parcel(codec=1, coded=megabyte, raw_len=1000)
    bad("inflate", "bomb-declared-small", small, "INFLATE_LIMIT")
    big = parcel(codec=1, coded=megabyte, raw_len=1_000_000)
    bad("inflate", "bomb-declared-big", big, "INFLATE_LIMIT")
    ratio = parcel(codec=1, coded=b"\x03\x00", raw_len=60_000)
    bad("inflate", "bomb-ratio", ratio, "INFLATE_LIMIT")
    above = parcel(codec=1, coded=b"\x03\x00", raw_len=2 * 1032 + 65)
    bad("inflate", "ratio-above", above, "INFLATE_LIMIT")
    at = parcel(codec=1, coded=b"\x03\x00", raw_len=2 * 1032 + 64)
    bad("inflate", "ratio-at", at, "INFLATE_FAILED")
    over = parcel(bytes(1001), codec=1)
    bad("inflate", "max-payload-above", over, "INFLATE_LIMIT", max_payload=1000)
    text = b"hello hello hello"
    good = deflate(text)
    recipes = {
        "deflate-one-byte-more": (good, len(text) - 1, "INFLATE_LIMIT"),
        "deflate-all-more": (good, 0, "INFLATE_LIMIT"),
        "deflate-short-output": (good, len(text) + 1, "INFLATE_FAILED"),
        "deflate-trailing": (good + b"\x00", len(text), "INFLATE_FAILED"),
        "deflate-second-stream": (good + good, len(text), "INFLATE_FAILED"),
        "deflate-truncated": (good[:-1], len(text), "INFLATE_FAILED"),
        "deflate-no-final-block": (deflate_unfinished(text), len(text), "INFLATE_FAILED"),
        "deflate-bad-block": (b"\x07\x00", len(text), "INFLATE_FAILED"),
        "deflate-nothing": (b"", 0, "INFLATE_FAILED"),
        "deflate-nothing-claimed-17": (b"", len(text), "INFLATE_FAILED"),
        "deflate-zlib-header": (zlib.compress(text), len(text), "INFLATE_FAILED"),
        "deflate-gzip-header": (gzip_stream(text), len(text), "INFLATE_FAILED"),
        "deflate-stored-length-lies": (b"\x01\x05\x00\xfa\xfehello", 5, "INFLATE_FAILED"),
        "deflate-distance-too-far": (deflate(text, b"hello hello hello"), 17, "INFLATE_FAILED"),
        "deflate-wrong-dictionary": (deflate(ALERT, DICTIONARY), len(ALERT), "INFLATE_FAILED"),
    }
    for name, (coded, raw_len, error) in recipes.items():
        bad("inflate", name, parcel(codec=1, coded=coded, raw_len=raw_len), error)
    with_dictionary = deflate(ALERT, DICTIONARY)
    codec2 = {
        "dictionary-trailing": (with_dictionary + b"\x00", len(ALERT), "INFLATE_FAILED"),
        "dictionary-truncated": (with_dictionary[:-1], len(ALERT), "INFLATE_FAILED"),
        "dictionary-one-byte-more": (with_dictionary, len(ALERT) - 1, "INFLATE_LIMIT"),
        "dictionary-short-output": (with_dictionary, len(ALERT) + 1, "INFLATE_FAILED"),
    }
    for name, (coded, raw_len, error) in codec2.items():
        bad("inflate", name, parcel(codec=2, coded=coded, raw_len=raw_len), error)


def deflate_unfinished(payload):
    state = zlib.compressobj(6, zlib.DEFLATED, -13, 6)
    return state.compress(payload) + state.flush(zlib.Z_SYNC_FLUSH)


def gzip_stream(payload):
    state = zlib.compressobj(6, zlib.DEFLATED, 31)
    return state.compress(payload) + state.flush()


def check():
    """Decodes every vector again, by the words of parcels.md, and compares."""
    for vector in VECTORS["parcel"] + VECTORS["inflate"]:
        data = bytes.fromhex(vector["hex"])
        expected = vector.get("entry_error") or vector["expect"]["payload_hex"]
        found = decode(data, vector["limits"]["max_payload"])
        assert found == expected, (vector["name"], found[:80], expected[:80])


def decode(data, max_payload):
    if len(data) < 32:
        return "BAD_PARCEL"
    layout, kind, codec, urgency, flags, content, collapse, _, ttl, raw_len = struct.unpack(
        ">BBBBHBB16sII", data[:32]
    )
    if layout != 1 or kind != 0:
        return "BAD_PARCEL"
    if codec == 3:
        return "DICT_UNKNOWN"
    if codec > 3 or urgency > 3 or flags & 0x00FF & ~0x002D:
        return "BAD_PARCEL"
    if content not in (0, 1, 2, 4, 5, 6) or collapse > 64 or ttl > 2_419_200:
        return "BAD_PARCEL"
    offset = 32 + collapse
    if flags & 1:
        if len(data) < offset + 2:
            return "BAD_PARCEL"
        (length,) = struct.unpack(">H", data[offset : offset + 2])
        offset += 2 + length
        if length > 4096 or not options_fit(data[offset - length : offset], length):
            return "BAD_PARCEL"
    if offset > len(data):
        return "BAD_PARCEL"
    coded = data[offset:]
    if codec == 0:
        if len(coded) != raw_len:
            return "BAD_PARCEL"
        return coded.hex() if raw_len <= max_payload else "INFLATE_LIMIT"
    if raw_len > max_payload or raw_len > 1032 * len(coded) + 64:
        return "INFLATE_LIMIT"
    state = zlib.decompressobj(-15, DICTIONARY) if codec == 2 else zlib.decompressobj(-15)
    try:
        payload = state.decompress(coded, raw_len + 1)
    except zlib.error:
        return "INFLATE_FAILED"
    if len(payload) > raw_len:
        return "INFLATE_LIMIT"
    if not state.eof or state.unused_data or len(payload) != raw_len:
        return "INFLATE_FAILED"
    return payload.hex()


def options_fit(block, length):
    if len(block) != length:
        return False
    previous = -1
    while block:
        if len(block) < 3:
            return False
        number, size = struct.unpack(">BH", block[:3])
        value, block = block[3 : 3 + size], block[3 + size :]
        if number <= previous or len(value) != size:
            return False
        previous = number
        if number < 0x80 or (number == 0x80 and (size != 1 or value[0] > 8)):
            return False
        if number == 0x81 and not headers_fit(value):
            return False
    return True


def headers_fit(value):
    while value:
        for least in (1, 0):
            if not value or len(value) < 1 + value[0] or value[0] < least:
                return False
            text, value = value[1 : 1 + value[0]], value[1 + value[0] :]
            if any(byte < 0x20 or byte == 0x7F for byte in text):
                return False
            try:
                text.decode("utf-8")
            except UnicodeDecodeError:
                return False
    return True


def write_swift():
    text = DICTIONARY.decode("ascii")
    assert "\\" not in text and '"""' not in text
    identifier = hashlib.sha256(DICTIONARY).hexdigest()[:16]
    spelled = "_".join(identifier[start : start + 4] for start in range(0, 16, 4))
    lines = "\\#\n".join(f"        {text[at : at + 80]}" for at in range(0, len(text), 80))
    swift = f'''// Generated from Protocol/dictionary-1.bin by Protocol/vectors/generate_parcels.py.

/// The well-known dictionary 1: frozen, part of the protocol.
///
/// Source: [P-10].
package enum WellKnownDictionary {{
    /// The first eight bytes of the content's SHA-256, big-endian.
    package static let identifier: UInt64 = 0x{spelled}

    /// The content: scaffolding of push payloads, most frequent strings last.
    package static let bytes = [UInt8](text.utf8)

    private static let text = #"""
{lines}
        """#
}}
'''
    (ROOT / "Sources/HubParcel/WellKnownDictionary.swift").write_text(swift)


def write_vectors():
    for name, vectors in VECTORS.items():
        names = [vector["name"] for vector in vectors]
        assert len(set(names)) == len(names), name
        lines = ",\n".join(json.dumps(vector) for vector in vectors)
        (HERE / f"{name}.json").write_text(f"[\n{lines}\n]\n")
        broken = sum("entry_error" in vector for vector in vectors)
        print(f"{name}.json: {len(vectors)} vectors, {broken} malformed")


if __name__ == "__main__":
    valid_parcels()
    broken_parcels()
    valid_streams()
    broken_streams()
    check()
    write_vectors()
    write_swift()
