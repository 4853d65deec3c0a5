#!/usr/bin/env python3
"""Writes the seeds in Fuzz/corpus from Protocol/vectors and the examples below.

Run it after the vectors changed: python3 Fuzz/seed.py. Files that a fuzzer added stay; those named
seed-* are written anew.
"""

import json
import pathlib
import re

FUZZ = pathlib.Path(__file__).resolve().parent
VECTORS = FUZZ.parent / "Protocol" / "vectors"
STATES = {"WAIT_HELLO": 0, "WAIT_WELCOME": 1, "READY": 2}
SEED_BYTES_MAX = 1024

EXPRESSIONS = """
World
follows_RedSox && !locale:fr
(World || Politics) && (locale:en || locale:mandarin) && !username:mara
a||b||c||d||e||f||g||h||i||j||k||l||m||n||o||p||q||r||s||t
!(a && !(b || !c))
$InstallationId:{5b0c6f0e-9d2a-4b62-8f35-0f6a2f6a7d11} || $UserId:{mara, jones=}
((((((((((((((((a))))))))))))))))
caf\u00e9 && \u043d\u043e\u0432\u043e\u0441\u0442\u0438
a && || b
(a
""".strip().splitlines()

JSON_TEMPLATES = [
    ('{"aps":{"alert":"$(messageParam)"}}', '{"messageParam":"Hello"}'),
    ('{"data":{"msg":"{$(a) + \': \' + .(b, 10)}"}}', '{"a":"one","b":"a long text indeed"}'),
    ('{"aps":{"alert":"%(title)","badge":"#(n)"},"x":[1,-2.5e3,null,true]}', '{"n":7,"title":"\\u00e9"}'),
    ('{"a":"$(title):{none}","b":"{\'$\' + $(n)}","c":"\\ud83d\\udcf0\\n"}', '{"title":null}'),
    ('{"a":{"b":{"c":["$(a)","plain",{"d":"$(b, 3)"}]}}}', '{"A":"x\\"y","b":{"c":1}}'),
    ('{"a":"$(b"}', "{}"),
    ("{", "["),
]

XML_TEMPLATES = [
    (
        '<toast><visual><binding template="ToastText01"><text id="1">$(messageParam)</text>'
        "</binding></visual></toast>",
        '{"messageParam":"<Hello> & goodbye"}',
    ),
    (
        '<?xml version="1.0" encoding="utf-8"?><wp:Notification xmlns:wp="WPNotification"><wp:Toast>'
        "<wp:Text1>{'News: ' + $(title)}</wp:Text1></wp:Toast></wp:Notification>",
        '{"title":"]]>"}',
    ),
    ('<tile a="$(a)" b=\'.(b, 4)\'><!-- x --><![CDATA[ $(c) ]]>&amp;&#65;</tile>', '{"a":"\'\\""}'),
    ("<badge value=\"#(n)\"/>", '{"n":3}'),
    ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "{}"),
    ("<a><b></a></b>", "{}"),
]

SIGNATURE = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA%3d"
TOKENS = [
    f"SharedAccessSignature sr=https%3a%2f%2fhubs.example.net%2fnews&sig={SIGNATURE}&se=1800000000&skn=Full",
    f"sharedaccesssignature  skn=Listen&se=1&SIG={SIGNATURE}&sr=sb://h/&x=y ",
    "SharedAccessSignature sr=a&sig=AA&se=-1&skn=%",
    "SharedAccessSignature sr=a&sr=b",
    "Bearer abc",
]
AUDIENCES = [
    "https://hubs.example.net/news",
    "sb://HUBS.example.net:443/news/messages/",
    "hubs.example.net/ne%77s?api-version=1",
    "https://[::1]:8443/",
    "https://hubs.example.net/tags/a%2540b/registrations",
]

SENDS = [
    (0, "servicebusnotification-format: template\nservicebusnotification-tags: World || a\n", '{"a":1}'),
    (0, "servicebusnotification-format: apple\napns-expiration: 0\napns-collapse-id: x\n"
        "apns-priority: 5\n", '{"aps":{"content-available":1}}'),
    (0, "servicebusnotification-format: gcm\n", '{"time_to_live":60,"collapse_key":"k","priority":"high"}'),
    (0, "servicebusnotification-format: fcmv1\n", '{"message":{"android":{"ttl":"3.5s"}}}'),
    (0, "servicebusnotification-format: windows\nx-wns-type: wns/toast\nx-wns-ttl: 60\nx-wns-tag: t\n"
        "x-wns-group: g\nx-wns-priority: low\n", "<toast/>"),
    (0, "servicebusnotification-format: windowsphone\ncontent-type: text/xml\n", "<a/>"),
    (1, "servicebusnotification-format: apple\nservicebusnotification-devicehandle: 00FF\n"
        "belfry-receipts: true\n", '{"aps":{"alert":"x"}}'),
    (1, "servicebusnotification-format: browser\nservicebusnotification-devicehandle: https://a.b/c\n", "x"),
    (0, "servicebusnotification-format: nothing\n", ""),
    (2, "servicebusnotification-scheduletime: 2023-11-15'T'00:00:00\nidempotency-key: k-1\n"
        "servicebusnotification-tags: World\n", '{"a":"b"}'),
]


def batch(boundary, devices, payload, disposition="inline; name=%s", end="\r\n", last="--"):
    parts = [("notification", payload), ("devices", devices)]
    lines = []
    for name, content in parts:
        lines += [f"--{boundary}", "Content-Type: application/json"]
        lines += [f"Content-Disposition: {disposition % name}", "", content]
    return end.join([*lines, f"--{boundary}{last}", ""])


BATCHES = [
    ('multipart/mixed; boundary="nh-boundary"', batch("nh-boundary", '["A1B2","C3D4"]', '{"aps":{}}')),
    ('multipart/mixed; boundary = "other"', batch("mine", '["a"]', "<toast/>", end="\n")),
    ("multipart/form-data; boundary=b", batch("b", '["\\u00e9"]', "x", 'form-data; name="%s"', last="")),
    ("multipart/mixed; boundary=b", "--b\n\n--b--\n"),
    ("text/plain", "[]"),
]


def number(value, size):
    return value.to_bytes(size, "big")


def field(text, size):
    return number(len(text.encode()), size) + text.encode()


def pairs(*values):
    return number(len(values), 1) + b"".join(field(n, 2) + field(v, 2) for n, v in values)


def tags(*names):
    return number(len(names), 2) + b"".join(field(n, 1) for n in names)


def registration(platform, handle, template=None, parts=0):
    record = b"\x01" + number(parts | (1 if template else 0), 1) + number(9, 4) + number(2, 8)
    record += field("7001-22-1", 1) + number(platform, 1) + field(handle, 2)
    record += tags("World", "locale:fr") + tags("username:mara")
    if template:
        body, headers = template
        record += field("name", 2) + field(body, 2) + field("0", 2) + field("", 2) + pairs(*headers)
    record += pairs(("name", "value")) + field("", 2) + pairs()
    record += number(1, 8) + number(2, 8) + number(3, 2) if parts & 2 else b""
    record += number(1, 8) + number(5, 8) + number(1, 8) + number(6, 8)
    record += number(1, 1) + tags("World") + number(1, 8) + number(6, 8)
    record += number(1, 8) + number(4, 8) if parts & 4 else b""
    record += number(1_800_000_000_000, 8) if parts & 8 else b""
    return record + number(1_700_000_000_000, 8) + number(1_700_000_000_001, 8)


REGISTRATIONS = [
    registration(0, "A1B2" * 16),
    registration(0, "A1B2" * 16, ('{"aps":{"alert":"$(a)"}}', [("apns-priority", "5")]), 14),
    registration(1, "gcm-id", ('{"data":{"a":"#(n)"}}', []), 2),
    registration(3, "https://a.b/c", ("<toast><a>$(x)</a></toast>", []), 8),
    registration(4, "https://a.b/c", ("<Notification><Toast/></Notification>", [("X-A", "b")])),
    registration(6, "user-channel", None, 4),
]


def notification(format, target, body, headers=(), anchors=()):
    record = b"\x02" + number(0x0192F3A1B2C37D4E, 8) + number(0x9F00112233445566, 8)
    record += number(format, 1) + number(target[0], 1) + number(2, 1) + number(1, 1)
    record += number(3600, 4) + field("key", 1) + field("application/json", 1) + pairs(*headers)
    record += target[1] + number(len(anchors), 2) + b"".join(number(a, 8) for a in anchors)
    return record + field(body, 4)


SEND_LINES = [
    '{"format":"gcm","tags":"a && !b","body":{"data":{"a":"b"}},"idempotencyKey":"k"}\n',
    '{"tags":"a","body":"{\\"a\\":\\"\\u00e9\\"}"}\n\n{"tag":"a"}\n{"body":[]}\n',
    '{"format":"windows","headers":{"X-WNS-Type":"wns/raw","X-WNS-TTL":60},"bodyBase64":"AP8K"}',
    '{"format":"apple","handle":"a1b2","body":{"aps":{"alert":["x",{"y":1}]}},"headers":{}}\r\n',
]

INSTALLATIONS = [
    (
        '{"installationId":"i-1","platform":"apns","pushChannel":"A1B2","userId":"mara",'
        '"tags":["World"],"pushVariables":{"nick":"M"},"templates":{"Daily news":{"body":'
        '"{\\"a\\":\\"$(b)\\"}","headers":{"apns-priority":"5"},"expiry":"0"}}}',
        '[{"op":"add","path":"/tags","value":"a,b"},{"op":"remove","path":"/userId"},'
        '{"op":"replace","path":"/templates/Daily news/tags/x","value":"y"}]',
    ),
    (
        '{"installationId":"i-1","platform":"wns","pushChannel":"https://a.b/c","expirationTime":'
        '"2026-08-02T11:12+0200","secondaryTiles":{"t":{"pushChannel":"https://a.b/d",'
        '"templates":{"n":{"body":"<toast/>"}}}}}',
        '[{"op":"add","path":"/secondaryTiles/t/templates/n/headers/X-A","value":"b"},'
        '{"op":"add","path":"/templates/m","value":"{\\"body\\":\\"<toast/>\\"}"}]',
    ),
    (
        '{"installationId":"i-1","platform":"browser","pushChannel":'
        '"{\\"endpoint\\":\\"https://a.b\\",\\"p256dh\\":\\"AQ\\",\\"auth\\":\\"Ag\\"}"}',
        '[{"op":"replace","path":"/pushChannel/auth","value":"BA"},'
        '{"op":"add","path":"/pushVariables/a~1b","value":"c"}]',
    ),
]

# Steps: 0 data, 1 padded data, 2 handshake, 3 alert, 4 any type, 5 key update, 6 long data,
# 7 changed or no record; the upper five bits of a step's byte are its argument.
def step(number, argument=0, content=b""):
    return bytes([number | argument << 3]) + content


RECORDS = [
    b"\x00" + step(0, 5, b"hello") + step(1, 9, b"\x03abc") + step(3, 0, b"\x01\x00"),
    b"\x15" + step(5, 1) + step(0, 2, b"ab") + step(5, 6) + step(5, 3) + step(0, 1, b"c"),
    b"\x2a" + step(0, 4, b"same") + step(7, 6, b"abcdef\x03"),
    b"\x02" + step(2, 3, b"\x18\x00\x00") + step(2, 2, b"\x01\x02"),
    b"\x04" + step(2, 5, b"\x18\x00\x00\x01\x00") + step(0, 1, b"x"),
    b"\x07" + step(6, 1, b"\x40\x00\x07") + step(6, 0, b"\x40\x00\x00") + step(4, 2, b"ab\x17"),
    b"\x0c" + step(0, 0) * 33 + step(3, 0, b"\x01\x5a") * 5,
    b"\xfd" + step(0, 1, b"x") + step(7, 21, b"\x17\x03\x03\x00\x12abcdefgh"),
]

NOTIFICATIONS = [
    notification(255, (1, field("World && !a", 2)), '{"a":"b"}', anchors=[4, 9]),
    notification(0, (0, b""), '{"aps":{}}', [("apns-push-type", "alert")], [0]),
    notification(3, (2, number(2, 2) + field("https://a.b", 2) + field("x", 2)), "<toast/>"),
    notification(0, (3, number(1, 2) + number(7, 8) + number(8, 8) + number(3, 2)), "{}", (), [5]),
]


def records(*rows):
    # The end of the id that `notification` gives all of them.
    check = number(0x33445566, 4)
    part = b"\x01" + number(len(rows), 4) + number(7, 4) + check
    return b"\x00" + part + b"".join(number(len(row), 4) + row + more for row, more in rows)


def change(kind, value, more=b""):
    return number(kind, 1) + number(len(value), 4) + value + more


def changes(*rows):
    return b"\x01\x01" + number(len(rows), 4) + number(7, 4) + b"".join(rows)


GROUPS = [
    records((NOTIFICATIONS[0], b"\x00"), (NOTIFICATIONS[3], b"\x03" + bytes(range(48)))),
    records((NOTIFICATIONS[1], b"\x01" + bytes(16))),
    changes(change(1, REGISTRATIONS[1]), change(2, REGISTRATIONS[0])),
    changes(
        number(6, 1) + bytes(16), number(9, 1) + bytes(15) + b"\x02" + number(3, 4),
        change(10, b"\x01" + number(60, 4) + number(99, 4) + number(9, 4) + bytes(16)),
        change(13, b"\x01\x02\x00" + field("AB01", 2) + field("1-1-1", 2) + field("", 2), number(4, 8) * 2),
    ),
    changes(
        change(5, b"\x01" + number(9, 8) * 2 + number(len(NOTIFICATIONS[2]), 4) + NOTIFICATIONS[2], b"\x01" + bytes(32)),
        change(3, b"\x01\x01" + number(4, 4) + b"\x00" + field("I-1", 1) + number(2, 4) + b"{}"),
    ),
]


def bundle(*sends):
    return b"\x00\x01" + number(len(sends), 2) + b"".join(
        field(client, 1) + field(authority, 2) + field(target, 2) + pairs(*headers) + field(body, 4)
        for client, authority, target, headers, body in sends
    )


def answers(*rows):
    return b"\x01\x01" + number(len(rows), 2) + b"".join(
        number(status, 2) + pairs(*headers) + field(body, 4) for status, headers, body in rows
    )


BUNDLES = [
    bundle(
        ("192.0.2.7", "hub.example:8443", "/news/messages?direct", [("idempotency-key", "k")], "{}"),
        ("", "", "/", [], ""),
    ),
    bundle(),
    answers((201, [("Location", "https://hub.example/news/messages/1")], ""), (400, [], "<Error/>")),
]


def from_hex(text):
    """The bytes of a vector; `(XX*N)` stands for a byte N times."""
    text = re.sub(r"\(([0-9a-fA-F]{2})\*(\d+)\)", lambda m: m[1] * int(m[2]), text)
    return bytes.fromhex(text)


def vectors(pattern):
    for path in sorted(VECTORS.glob(pattern)):
        content = json.loads(path.read_text())
        for vector in content if isinstance(content, list) else []:
            if isinstance(vector, dict) and "hex" in vector:
                yield f"{path.stem}-{vector['name']}", vector


def frame_seeds():
    stream = {0: b"", 1: b""}
    for name, vector in vectors("*.json"):
        if "dir" not in vector:
            continue
        direction = 0 if vector["dir"] == "d2h" else 1
        frame = from_hex(vector["hex"])
        first = direction | STATES[vector["state"]] << 1
        yield name, bytes([first]) + frame
        if "expect" in vector and vector["state"] == "READY" and len(frame) < 200:
            stream[direction] += frame
    for direction, frames in stream.items():
        yield f"stream-{direction}", bytes([direction | STATES["READY"] << 1]) + frames


def parcel_seeds():
    for name, vector in vectors("*.json"):
        if "dir" not in vector:
            yield name, b"\x03" + from_hex(vector["hex"])


def template_seeds(examples):
    for number, (template, bag) in enumerate(examples):
        body = template.encode()
        yield f"{number}", len(body).to_bytes(2, "big") + body + bag.encode()


def record_streams():
    """Streams whose cipher hides nothing: text and type behind a header, then a tag of zeroes."""

    def record(text, kind, padding=0, tag=0):
        sealed = text + bytes([kind]) + bytes(padding) + bytes([tag]) + bytes(15)
        return b"\x17\x03\x03" + len(sealed).to_bytes(2, "big") + sealed

    update = bytes([24, 0, 0, 1])
    yield b"\x00" + record(b"abc", 23) + record(b"", 23, padding=3) + record(b"\x01\x00", 21)
    yield b"\x41" + record(update + b"\x01", 22) + record(b"abc", 23) + record(b"\x02\x28", 21)
    yield b"\x82" + record(update, 22) + record(b"\x00", 22) + record(b"\x01\x5a", 21)
    yield b"\x10" + record(update + b"\x00", 22) * 9
    yield b"\x20" + record(b"", 23) * 33
    yield b"\x30" + record(b"abc", 23, tag=255) + b"\x17\x03\x03\x41\x01"


PROXY = bytes.fromhex("0d0a0d0a000d0a515549540a")
PROXY_HEADERS = [
    PROXY + bytes.fromhex("2111000ccb0071077f000001d43124e3160301"),
    PROXY + bytes.fromhex("21210024" + "20010db8" + "00" * 11 + "07" + "fd" + "00" * 14 + "01" + "d43124e3"),
    PROXY + bytes.fromhex("21110017cb0071077f000001d43124e3040002" + "0000" + "e00003616263"),
    PROXY + bytes.fromhex("20000000160301"),
    PROXY + bytes.fromhex("2111000ecb0071077f000001d43124e30400"),
    b"PROXY TCP4 203.0.113.7 127.0.0.1 54321 9443\r\n",
]


def service_frames():
    """What a push service sends, behind two bytes that say where it is cut."""

    def frame(kind, flags, stream, content=b""):
        return number(len(content), 3) + bytes([kind, flags]) + number(stream, 4) + content

    def literal(name, value):
        return b"\x00" + field(name, 1) + field(value, 1)

    settings = frame(4, 0, 0, b"\x00\x03" + number(1000, 4) + b"\x00\x04" + number(65536, 4))
    end = frame(7, 0, 0, number(5, 4) + number(0, 4) + b'{"reason":"Shutdown"}')
    refused = b"\x08\x03410" + literal("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b")
    # RFC 7541, C.6.1: Huffman's code and entries for a table.
    coded = bytes.fromhex(
        "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff"
        "6e919d29ad171863c78f0b97c8e9ae82ae43d3"
    )
    yield b"\x00\x05" + settings + frame(4, 1, 0) + frame(1, 5, 1, b"\x88") + end
    yield b"\x00\x20" + frame(1, 4, 3, refused) + frame(0, 1, 3, b'{"reason":"Unregistered"}')
    yield b"\x00\x0b" + frame(1, 1, 5, coded[:9]) + frame(9, 4, 5, coded[9:]) + frame(6, 0, 0, bytes(8))
    yield b"\x00\x01" + frame(1, 0x2C, 7, b"\x01" + number(0, 4) + b"\x09\x88\x00") + (
        frame(0, 9, 7, b"\x02\x07\x00\x00") + frame(3, 0, 9, number(7, 4))
        + frame(8, 0, 0, number(70000, 4)) + frame(2, 0, 1, bytes(5)) + frame(0x42, 7, 9, b"\x01")
    )
    yield b"\x00\x00" + frame(5, 4, 1, number(2, 4) + b"\x88")
    yield b"\x00\x02" + frame(1, 4, 1, b"\x08\x03103") + frame(1, 5, 1, b"\x08\x03503" + literal("retry-after", "9"))


def main():
    seeds = {
        "FrameDecoder": frame_seeds(),
        "Parcel": parcel_seeds(),
        "TagExpression": ((f"{n}", text.encode()) for n, text in enumerate(EXPRESSIONS)),
        "TagIndex": ((f"{n}", bytes((n * i * i + i * 7) & 255 for i in range(300))) for n in range(4)),
        "JSONTemplate": template_seeds(JSON_TEMPLATES),
        "XMLTemplate": template_seeds(XML_TEMPLATES),
        "SASToken": [
            *((f"token-{n}", b"\x00" + text.encode()) for n, text in enumerate(TOKENS)),
            *((f"audience-{n}", b"\x01" + text.encode()) for n, text in enumerate(AUDIENCES)),
        ],
        "Send": (
            (f"{n}", bytes([first]) + (headers + "\n" + body).encode())
            for n, (first, headers, body) in enumerate(SENDS)
        ),
        "Batch": ((f"{n}", (kind + "\n" + body).encode()) for n, (kind, body) in enumerate(BATCHES)),
        "SendLines": ((f"{n}", text.encode()) for n, text in enumerate(SEND_LINES)),
        "Installation": (
            (f"{n}", (document + "\n" + patch).encode())
            for n, (document, patch) in enumerate(INSTALLATIONS)
        ),
        "RegistrationRecord": ((f"{n}", record) for n, record in enumerate(REGISTRATIONS)),
        "NotificationRecord": ((f"{n}", record) for n, record in enumerate(NOTIFICATIONS)),
        "Group": ((f"{n}", group) for n, group in enumerate(GROUPS)),
        "Bundle": ((f"{n}", content) for n, content in enumerate(BUNDLES)),
        "ProxyHeader": ((f"{n}", header) for n, header in enumerate(PROXY_HEADERS)),
        "ServiceFrames": ((f"{n}", stream) for n, stream in enumerate(service_frames())),
        "RecordOpener": ((f"{n}", record) for n, record in enumerate(RECORDS)),
        "RecordStream": ((f"{n}", stream) for n, stream in enumerate(record_streams())),
    }
    for target, inputs in seeds.items():
        folder = FUZZ / "corpus" / target
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("seed-*"):
            old.unlink()
        count = 0
        for name, content in inputs:
            if len(content) <= SEED_BYTES_MAX:
                (folder / f"seed-{name}").write_bytes(content)
                count += 1
        print(f"{target}: {count} seeds")


main()
