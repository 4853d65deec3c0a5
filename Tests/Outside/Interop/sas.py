#!/usr/bin/env python3
"""Signs, changes and judges tokens of the REST API, and compares its verdicts with a hub's.

    sas.py --connection DIR/connection.json [--seed N] [--count N]

Written from the documented rules alone, in Python's standard library. Every token goes to the hub
over HTTPS; what the hub says must be what this says. Prints one JSON object and ends with 0 when
the two never differ.
"""
import argparse, base64, binascii, hashlib, hmac, http.client, json, random, re, ssl, sys, time
from urllib.parse import quote, unquote_to_bytes

SKEW = 60  # seconds that an expiry may lie back
NAMES = {b"localhost", b"127.0.0.1", b"[::1]"}


# ------------------------------------------------------------------------------------- judging
def escapes_are_whole(text):
    return not re.search(rb"%(?![0-9A-Fa-f]{2})", text)


def parts_of(header):
    """The parts of a token by name, raw; None when it is none."""
    match = re.fullmatch(rb"[ \t]*sharedaccesssignature[ \t]+(.*?)[ \t]*", header, re.I | re.S)
    if not match:
        return None
    parts = {}
    for piece in match[1].split(b"&"):
        name, equals, value = piece.partition(b"=")
        name = name.lower()
        if not equals or (name in (b"sr", b"sig", b"se", b"skn") and (name in parts or not value)):
            return None
        parts[name] = value
    return parts if {b"sr", b"sig", b"se", b"skn"} <= parts.keys() else None


def covers(resource, path):
    """Whether an audience, still encoded, covers a path of this server."""
    if not escapes_are_whole(resource):
        return False
    text = unquote_to_bytes(resource).lower()
    text = re.sub(rb"^(https|http|sb)://", b"", text)
    text = re.split(rb"[?#]", text)[0].rstrip(b"/")
    host, _, rest = text.partition(b"/")
    if re.sub(rb":[0-9]*$", b"", host) not in NAMES:
        return False
    wanted = path.lower().strip(b"/").split(b"/")
    given = rest.split(b"/") if rest else []
    return given == wanted[: len(given)]


def is_valid(header, path, keys, now):
    """Whether a token opens a path, by the documented rules."""
    parts = parts_of(header)
    if parts is None or not re.fullmatch(rb"[0-9]{1,19}", parts[b"se"]):
        return False
    if not (escapes_are_whole(parts[b"skn"]) and escapes_are_whole(parts[b"sig"])):
        return False
    text = unquote_to_bytes(parts[b"sig"]).replace(b" ", b"+")
    try:
        given = base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        return False
    if not base64.b64encode(given).startswith(text):  # another spelling of the same bytes
        return False
    signed = parts[b"sr"] + b"\n" + parts[b"se"]
    codes = [
        hmac.digest(key, signed, hashlib.sha256)
        for name, key in keys
        if name.encode() == unquote_to_bytes(parts[b"skn"])
    ]
    if not any(hmac.compare_digest(code, given) for code in codes):
        return False
    return now < int(parts[b"se"]) + SKEW and covers(parts[b"sr"], path)


# ------------------------------------------------------------------------------------- signing
def lower_escapes(text):
    return re.sub(r"%[0-9A-F]{2}", lambda match: match[0].lower(), text)


def sign(dice, name, key, resource, expiry, style=None):
    """A token in the spelling of one of the clients."""
    style = style if style is not None else dice.randrange(5)
    audience = quote(resource, safe="")
    if style in (0, 1):
        audience = lower_escapes(audience.lower())
    code = hmac.digest(key, f"{audience}\n{expiry}".encode(), hashlib.sha256)
    signature = base64.b64encode(code).decode()
    escaped = signature if style == 2 else quote(signature, safe="/" if style == 3 else "")
    if style == 0:
        escaped = lower_escapes(escaped)
    parts = [f"sr={audience}", f"sig={escaped}", f"se={expiry}", f"skn={quote(name, safe='')}"]
    if style != 4:
        dice.shuffle(parts)
    return f"SharedAccessSignature {'&'.join(parts)}".encode()


def resources(host, port, hub, path):
    """Audiences as clients write them, and what comes near to them."""
    return [
        f"https://{host}/", f"https://{host}", f"http://{host}/{hub}/", f"sb://{host}:{port}/{hub}",
        f"https://{host}:{port}{path}?api-version=2020-06", f"HTTPS://{host.upper()}{path.upper()}/",
        f"{host}/{hub}", f"https://{host}{path}#x", f"https://{host}//", f"https://{host}:/{hub}",
        # None of these covers the path.
        f"https://{host}/{hub}room", f"https://{host}/{hub[:-1]}", f"https://{host}.evil.net/{hub}",
        f"https://evil.net/{hub}", f"https://{host}@evil.net/{hub}", f"https://evil.net@{host}/{hub}",
        f"https://{host}{path}/deeper", f"https://{host}//{hub}", f"ftp://{host}/{hub}", "", "/",
        f"https://{host}\\{hub}", f"https:///{host}/{hub}", f"https://{host}:8o/{hub}", f"*.{host}",
        f"https://{host}/./{hub}", f"https://{host}/{hub}/../{hub}", f"https://{host}/{hub}%2Fx",
    ]


def change(dice, token):
    """The token with one thing changed."""
    body = bytearray(token)
    where = dice.randrange(len(body))
    kind = dice.randrange(8)
    if kind == 0:
        body[where] = dice.randrange(0x21, 0x7F)
    elif kind == 1:
        del body[where]
    elif kind == 2:
        body.insert(where, dice.randrange(0x21, 0x7F))
    elif kind == 3:
        body[where] ^= 0x20
        if not 0x20 <= body[where] < 0x7F:
            body[where] = 0x5F
    elif kind == 4:
        body = body[:where] or bytearray(b"S")
    elif kind == 5:
        end = where + dice.randrange(1, 12)
        body[end:end] = body[where:end]
    elif kind == 6:
        other = dice.randrange(len(body))
        body[where], body[other] = body[other], body[where]
    else:
        return swap_parts(dice, token)
    return bytes(body).strip() or b"S"


def swap_parts(dice, token):
    """The token with a part doubled, dropped, emptied or added."""
    scheme, _, rest = token.partition(b" ")
    parts = rest.split(b"&")
    where = dice.randrange(len(parts))
    choice = dice.randrange(5)
    if choice == 0:
        parts.append(parts[where])
    elif choice == 1:
        del parts[where]
    elif choice == 2:
        parts[where] = parts[where].partition(b"=")[0] + b"="
    elif choice == 3:
        parts.insert(where, b"x=y")
    else:
        parts[where] = parts[where].partition(b"=")[2]
    return scheme + b" " + b"&".join(parts)


# --------------------------------------------------------------------------------------- asking
class Hub:
    def __init__(self, connection):
        self.host, self.port = "localhost", connection["rest"]["port"]
        context = ssl.create_default_context(cafile=connection["ca"])
        self.link = http.client.HTTPSConnection(self.host, self.port, context=context, timeout=60)

    def accepts(self, token, path):
        self.link.putrequest("GET", path)
        self.link.putheader("Authorization", token)
        self.link.endheaders()
        answer = self.link.getresponse()
        answer.read()
        if answer.status not in (401, 404):
            raise SystemExit(f"{answer.status} for {token!r}")
        return answer.status == 404  # a registration that is not there


def strings_of(connection):
    """Name and key of each connection string."""
    rules = []
    for text in connection["connectionStrings"].values():
        fields = dict(part.split("=", 1) for part in text.split(";"))
        rules.append((fields["SharedAccessKeyName"], fields["SharedAccessKey"].encode()))
    return rules


def tokens(dice, rules, places, count, now):
    """What is tried, each with what it is."""
    may_listen = [rule for rule in rules if "Send" not in rule[0]]
    for name, key in may_listen:
        for resource in places:
            for style in range(5):
                yield "signed", sign(dice, name, key, resource, now + 600, style)
    name, key = may_listen[0]
    for expiry in (now - 3600, now - SKEW - 5, now - SKEW + 30, 10**18, 10**19 - 1, 0, -1, "",
                   f"{now + 600}.0", f"0{now + 600}", f"+{now + 600}", f" {now + 600}", 10**30, "0x7fffffff"):
        yield "signed", sign(dice, name, key, places[0], expiry)
    yield "signed", sign(dice, name, base64.b64decode(key), places[0], now + 600)
    yield "signed", sign(dice, "nobody", key, places[0], now + 600)
    yield "signed", sign(dice, may_listen[1][0], key, places[0], now + 600)
    for _ in range(count):
        name, key = dice.choice(may_listen)
        token = sign(dice, name, key, dice.choice(places[:8]), now + 600)
        for _ in range(dice.choice((1, 1, 1, 2, 3))):
            token = change(dice, token)
        yield "changed", token


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--connection", required=True)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=2000)
    options = options.parse_args()
    with open(options.connection, encoding="utf-8") as file:
        connection = json.load(file)
    dice = random.Random(options.seed)
    hub, rules, now = Hub(connection), strings_of(connection), int(time.time())
    path = f"/{connection['hub']}/registrations/1-2-3"
    places = resources(hub.host, hub.port, connection["hub"], path)
    said = {"seed": options.seed, "checked": 0, "valid": 0, "wronglyAccepted": [], "wronglyRefused": []}
    for kind, token in tokens(dice, rules, places, options.count, now):
        mine, its = is_valid(token, path.encode(), rules, now), hub.accepts(token, path)
        said["checked"] += 1
        said["valid"] += mine
        if mine != its:
            said["wronglyAccepted" if its else "wronglyRefused"].append(f"{kind} {token.decode('latin-1')}")
    print(json.dumps(said))
    sys.exit(1 if said["wronglyAccepted"] or said["wronglyRefused"] else 0)


if __name__ == "__main__":
    main()
