#!/usr/bin/env python3
"""A TLS client made of Python's `ssl`, whose records this script cuts, changes and withholds.

    records.py PORT CA SEED echo      random texts in random fragments, read back; close_notify
    records.py PORT CA SEED tamper    the same, until one bit of a record is changed
    records.py PORT CA SEED truncate  the same, until the stream ends in the middle of a record

The other side echoes. Prints one line, `ok`, the alert that it got, or `nothing` when the other side
only ended the stream; exits with 0 unless what was read back is something else.
"""
import random
import socket
import ssl
import sys

port, authority, seed, mode = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
dice = random.Random(seed)
context = ssl.create_default_context(cafile=authority)
context.minimum_version = ssl.TLSVersion.TLSv1_3
context.set_alpn_protocols(["belfry/1"])
plain = socket.create_connection(("127.0.0.1", port), timeout=20)
plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
received, sealed = ssl.MemoryBIO(), ssl.MemoryBIO()
session = context.wrap_bio(received, sealed, server_hostname="localhost")


def send(data):
    while data:
        count = dice.choice([1, 2, 5, 6, 21, 22, 100, 1000, 20000])
        plain.sendall(data[:count])
        data = data[count:]


def step(action):
    """Repeats an action of the session until it needs nothing more from the other side."""
    while True:
        try:
            result = action()
            send(sealed.read())
            return result
        except ssl.SSLWantReadError:
            send(sealed.read())
            data = plain.recv(dice.choice([1, 7, 300, 65536]))
            if data:
                received.write(data)
            else:
                received.write_eof()


def handshake():
    """Leaves the last flight with what is sealed next, so that both arrive together."""
    while True:
        try:
            return session.do_handshake()
        except ssl.SSLWantReadError:
            plain.sendall(sealed.read())
            received.write(plain.recv(65536) or sys.exit("the other side ended the handshake"))


def echo():
    text = dice.randbytes(dice.choice([1, 3, 200, 4000, 16384, 16385, 40000]))
    step(lambda: session.write(text[:16384]))
    step(lambda: session.write(text[16384:32768]) if text[16384:] else 0)
    text, back = text[:32768], b""
    while len(back) < len(text):
        back += step(lambda: session.read(65536))
    if back != text:
        sys.exit("what came back is something else")


handshake()
for _ in range(12):
    echo()
if mode == "echo":
    step(session.unwrap)
    print("ok")
else:
    session.write(dice.randbytes(dice.randrange(1, 3000)))
    record = bytearray(sealed.read())
    if mode == "tamper":
        record[dice.randrange(5, len(record))] ^= 1 << dice.randrange(8)
        send(bytes(record))
    else:
        send(bytes(record[: dice.randrange(1, len(record))]))
        plain.shutdown(socket.SHUT_WR)
    try:
        step(lambda: session.read(65536))
        print("nothing")
    except ssl.SSLError as error:
        print(error.reason)
