"""Checks what HubRelay signs and encrypts with packages that are not ours.

Usage: relay_samples.py FILE, which the suite HubRelayTests has written (`make relay-samples`).
Needs PyJWT, cryptography, http-ece and py-vapid.
"""

import base64
import json
import sys
from urllib.parse import parse_qs

import http_ece
import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from py_vapid import Vapid02


def raw(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def check(what, condition):
    if not condition:
        sys.exit(f"relay samples: {what} is wrong")
    print(f"ok: {what}")


def apple(sample):
    key = load_pem_private_key(sample["key"].encode(), None)
    header = jwt.get_unverified_header(sample["token"])
    claims = jwt.decode(sample["token"], key.public_key(), algorithms=["ES256"],
                        options={"verify_iat": False})
    check("Apple's header", header == {"alg": "ES256", "kid": "ABC1234567"})
    check("Apple's claims", claims == {"iss": "TEAM123456", "iat": sample["time"]})
    signature = raw(sample["token"].split(".")[2])
    check("Apple's signature is 64 bytes", len(signature) == 64)
    check("no padding", "=" not in sample["token"])


def firebase(sample):
    key = load_pem_private_key(sample["key"].encode(), None)
    form = parse_qs(sample["form"], strict_parsing=True)
    check("the grant", form["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"])
    claims = jwt.decode(form["assertion"][0], key.public_key(), algorithms=["RS256"],
                        audience="https://oauth2.googleapis.com/token",
                        options={"verify_iat": False, "verify_exp": False})
    check("Google's claims", claims == {
        "iss": "push@demo-project.iam.gserviceaccount.com",
        "scope": "https://www.googleapis.com/auth/firebase.messaging",
        "aud": "https://oauth2.googleapis.com/token",
        "iat": sample["time"], "exp": sample["time"] + 3600,
    })


def browser(sample):
    check("the Web Push token, by py-vapid", Vapid02.verify(sample["authorization"]))
    token = sample["authorization"].split("t=")[1].split(",")[0]
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(sample["public"]))
    claims = jwt.decode(token, public, algorithms=["ES256"], audience=sample["origin"],
                        options={"verify_exp": False})
    check("the Web Push claims", claims == {
        "aud": sample["origin"], "sub": "mailto:ops@example.com",
        "exp": sample["time"] + 12 * 3600,
    })


def messages(samples):
    seen = set()
    for sample in samples:
        number = int.from_bytes(raw(sample["private"]), "big")
        key = ec.derive_private_key(number, ec.SECP256R1())
        body = raw(sample["body"])
        text = http_ece.decrypt(body, private_key=key, auth_secret=raw(sample["secret"]),
                                version="aes128gcm")
        if text != raw(sample["text"]):
            sys.exit("relay samples: a message decrypts to another text")
        seen.add(body[:16])
        seen.add(body[21:86])
    check("no salt and no key twice", len(seen) == 2 * len(samples))
    check(f"{len(samples)} messages, by http-ece", len(samples) >= 1000)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        samples = json.load(file)
    apple(samples["apple"])
    firebase(samples["firebase"])
    browser(samples["browser"])
    messages(samples["messages"])


main()
