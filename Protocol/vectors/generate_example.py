"""Writes example.md beside this folder: a session in bytes, by README.md alone.

    python3 Protocol/vectors/generate_example.py
"""
import hashlib, hmac, os

from encoder import *

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "example.md")
RETURN = dict(return_spread_ms=1000, return_max_ms=2000)
EPOCH, CHECK = 0xA1B2C3D4E5F60718, 0x33445566
FIRST, SECOND = h("0192f3a1b2c37d4e9f00112233445566"), h("0192f3a1c0007d4e9f001122aabbccdd")
EXPORTER = bytes(range(32))
TOKEN = b"SharedAccessSignature sr=sb%3a%2f%2flocalhost%2fmain&sig=c2ln&se=1900003600&skn=listen"

HEADER = [(1, "type"), (1, "flags"), (2, "ref"), (4, "length of the body")]
ENTRY = [(4, "seq_delta"), (2, "slot"), (1, "eflags"), (3, "parcel_len")]
PARCEL = [(1, "layout"), (1, "kind"), (1, "codec"), (1, "urgency"), (2, "flags"),
          (1, "content_type: JSON"), (1, "collapse_len"), (16, "id; its last four bytes are the check"),
          (4, "ttl"), (4, "raw_len")]
FIELDS = dict(
    HELLO=[(4, "magic: BLF1"), (2, "minor_min, minor_max"), (1, "net_type: wifi"), (1, "zero"),
           (8, "capabilities: 0, 1, 3, 7"), (16, "device_id"), (8, "instance"), (8, "epoch"),
           (8, "seq"), (4, "check"), (4, "max_frame"), (8, "etag"), (4, "max_payload"),
           (4, "window_bytes"), (2, "window_msgs"), (4, "keepalive_min, keepalive_max"),
           (1, "auth_method"), (1, "dict_count"), (5, "hub: main"), (2, "length of auth"),
           (None, "auth")],
    WELCOME=[(1, "minor"), (1, "resume"), (2, "zero, dict"), (4, "lost"), (8, "capabilities"),
             (16, "device_id"), (8, "epoch"), (8, "seq"), (4, "check"), (4, "max_frame"),
             (8, "server_time_ms"), (8, "etag"), (4, "auth_expires"), (4, "retention_s"),
             (4, "keepalive, grace"), (4, "max_regs, max_tags"), (1, "max_tag_len"),
             (1, "ack_delay: 2 s"), (2, "max_receipts"), (4, "return_max_ms"),
             (4, "return_spread_ms"), (8, "dict_id"), (32, "handle"),
             (None, "device_key and trace, each behind its length")],
    REGISTER=[(2, "slot"), (1, "kind: native"), (1, "platform: apns"), (4, "ttl_s"), (8, "if_etag"),
              (2, "tags: count"), (2, "tags: total"), (None, "tags, each behind its length")],
    RESULT=[(2, "status: success"), (2, "slot"), (4, "retry_after_ms"), (8, "etag"), (4, "expires"),
            (2, "applied"), (2, "zero"), (1, "handle: empty"), (1, "detail: empty")],
    DELIVER=[(8, "prev_seq"), (2, "count"), (2, "zero"), (4, "backlog")] + ENTRY + PARCEL
            + [(None, "payload")],
    ACK=[(8, "seq")],
    PING=[(2, "next_s"), (1, "net_type: wifi"), (1, "zero"), (4, "token"), (8, "ack: none")],
    PONG=[(4, "token"), (2, "hint_s: none"), (2, "zero"), (8, "server_time_ms")],
    UNREGISTER=[(2, "slot: all"), (2, "zero")],
    BYE=[(1, "reason: logout"), (3, "zero"), (4, "expected_return_s: unknown")],
)
lines = []
count = 0


def say(text):
    lines.append(text + "\n")


def step(who, type, body, ref=0, note=""):
    global count
    count += 1
    data, place = frame(type, body, ref), 0
    say("\n### %d. %s: %s\n" % (count, who, type))
    if note:
        say(note + "\n")
    say("```")
    fields = HEADER + FIELDS[type]
    for size, name in fields:
        size = len(data) - place if size is None else size
        say("%s  %s" % (data[place:place + size].hex(), name))
        place += size
    assert place == len(data), (type, place, len(data))
    say("```")


def proven():
    fields = dict(auth_method=2, device_id=ID, epoch=EPOCH, seq=42, check=CHECK, etag=17,
                  window_msgs=256, hub="main")
    prefix = hello(auth=b"", **fields)[0][:-2]
    proof = hmac.new(KEY, b"BLF1 auth" + EXPORTER + prefix, hashlib.sha256).digest()
    return hello(auth=proof, **fields)[0]


def main():
    say("# A session in bytes\n")
    say("A new phone comes, registers, gets a notification, loses its connection, comes back and logs"
        " out. Each line is a field: its bytes in hex, and its name in `README.md`. All frames"
        " together are what travels inside TLS. `vectors/generate_example.py` writes this page, and"
        " a test reads it.\n")
    say("## The first connection\n")
    say("The device has a token and nothing else. Its TLS handshake is done.")
    step("Device", "HELLO", hello(auth=TOKEN, window_msgs=256)[0],
         note="Method 1, no device_id, no position.")
    step("Hub", "WELCOME", welcome(resume=0, seq=41, check=0x22334455, etag=0, device_key=KEY,
                                   trace="0-7", auth_expires=0, retention_s=604800, keepalive=240,
                                   ack_delay=200, epoch=EPOCH, **RETURN)[0],
         note="FRESH at 41. The device stores device_id, device_key, handle and position.")
    step("Device", "REGISTER", register(tags=("news",))[0], ref=1,
         note="The etags are both 0, so the device sends its registration ([T-7]).")
    step("Hub", "RESULT", result(expires=0, applied=1)[0], ref=1,
         note="The device stores etag 17 with the registration that it confirms.")
    step("Hub", "DELIVER", deliver([(1, 0, 0, parcel(b'{"aps":{"alert":"Hello"}}', FIRST))])[0],
         note="Number 42 = 41 + 1. The device stores payload and position (42, check 0x33445566).")
    step("Device", "ACK", ack(42)[0], note="Within two seconds, when it is stored.")
    step("Device", "PING", ping(next_s=240, net_type=2, ack=0)[0],
         note="Nothing was sent for 240 s. The hub need not worry for 240 × 1.25 + 60 s.")
    step("Hub", "PONG", pong(hint_s=0)[0])
    say("\n## The second connection\n")
    say("The Wi-Fi is gone. The device waits uniform(0, 1 s), as WELCOME said ([C-4]), and connects again. The exporter"
        " value of the new TLS connection is `%s`." % EXPORTER.hex())
    step("Device", "HELLO", proven(),
         note="Method 2. auth is HMAC-SHA256 of `BLF1 auth`, exporter and HELLO up to `hub` ([A-3]).")
    step("Hub", "WELCOME", welcome(resume=1, seq=42, check=CHECK, etag=17, trace="1-8",
                                   auth_expires=0, retention_s=604800, keepalive=240,
                                   ack_delay=200, epoch=EPOCH, **RETURN)[0],
         note="RESUMED at 42, with the check that the device sent. The etags are equal: it registers"
              " nothing.")
    step("Hub", "DELIVER", deliver([(3, 0, 0, parcel(b'{"aps":{"alert":"Again"}}', SECOND))], 42)[0],
         note="Number 45 = 42 + 3. Numbers 43 and 44 match no registration of this device.")
    say("\nThe user logs out. The device sends the next three frames in one write ([C-1]).")
    step("Device", "ACK", ack(45)[0])
    step("Device", "UNREGISTER", unregister()[0], ref=1)
    step("Device", "BYE", bye(reason=3, expected_return_s=0)[0])
    step("Hub", "RESULT", result(slot=0xFFFF, etag=0, expires=0, applied=0)[0], ref=1,
         note="No slot is left: etag 0. The hub closes behind it.")
    with open(PATH, "w") as f:
        f.write("".join(lines))
    print(count, "frames in example.md")


main()
