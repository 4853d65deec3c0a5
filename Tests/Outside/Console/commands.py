"""The same twelve questions, answered by commands: what each prints has the answer."""

import json
import subprocess

import questions


def run(hub, *arguments):
    """What a command about the hub prints."""
    return hub.run(*arguments, "--data", hub.data)


def arrived(hub, known):
    shown = run(hub, "notification", "show", known["notification"])
    assert "acknowledged" in shown.lower(), shown


def why(hub, known):
    told = run(hub, "explain", known["notification"], "--device", known["device"])
    assert "accepted at place" in told, told


def whom(hub, known):
    told = json.loads(run(hub, "audience", "--tags", "World && topic:9", "--json"))
    assert told["registrations"] == 0, told
    told = run(hub, "audience", "--tags", "topic:0 || topic:1")
    assert told.startswith("2 registrations"), told


def known_device(hub, known):
    shown = json.loads(run(hub, "device", "show", known["device"], "--json"))["device"]
    assert (shown["device"], shown["state"]) == (known["device"], "connected"), shown
    assert shown["behind"] + shown["acknowledged"] > 30, shown


def healthy(hub, known):
    """Of a hub that is well the doctor knows no error but the disk of a test."""
    done = subprocess.run([hub.belfry, "doctor", "--data", hub.data, "--json"],
                          capture_output=True, text=True, timeout=60)
    errors = {finding["id"] for finding in json.loads(done.stdout)
              if finding["severity"] == "error"}
    assert errors <= {"E03"} and done.returncode == (1 if errors else 0), (errors, done)


def load(hub, known):
    hubs = json.loads(run(hub, "top", "--once", "--json"))["hubs"]
    assert hubs[0]["numbers"]["connected"] >= 3, hubs


def test(hub, known):
    told = run(hub, "send", "--test", "--tags", "topic:0 || topic:1", "--format", "apple",
               '{"aps":{"alert":"Test"}}')
    assert "2 succeeded, 0 failed" in told, told
    sent = told.rsplit("notification ", 1)[1]
    hub.await_true(lambda: "acknowledged" in run(hub, "notification", "show", sent).lower(),
                   "it arrives")


def preview(hub, known):
    told = run(hub, "preview", "--tags", "locale:fr", '{"title":"Bonjour"}')
    texts = [line for line in told.splitlines() if line.startswith("template ")]
    assert len(texts) == 3 and "Bonjour" in told, told


def keys(hub, known):
    rules = json.loads(run(hub, "key", "list", "--json"))["rules"]
    assert any(rule.get("primaryUsed") for rule in rules), rules


def happened(hub, known):
    events = run(hub, "tail", "--since", "1h", "--until", "0s", "--kinds", "accepted")
    assert "accepted" in events, events
    assert "alice" in run(hub, "audit", "--since", "1h"), "who did it"


def scheduled(hub, known):
    waiting = json.loads(run(hub, "schedule", "list", "--json"))["schedules"]
    assert "cancelled" in run(hub, "schedule", "cancel", waiting[-1]["id"])
    left = json.loads(run(hub, "schedule", "list", "--json"))["schedules"]
    assert len(left) == len(waiting) - 1, left


def behind(hub, known):
    found = json.loads(run(hub, "device", "list", "--behind", "--json"))["devices"]
    places = [device["behind"] for device in found]
    assert len(places) >= 3 and places == sorted(places, reverse=True), places


ANSWERS = [arrived, why, whom, known_device, healthy, load, test, preview, keys, happened,
           scheduled, behind]
ALL = [(text, seconds, answer)
       for (text, seconds, _), answer in zip(questions.ALL, ANSWERS, strict=True)]
