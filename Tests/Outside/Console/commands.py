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
    shown = run(hub, "device", "show", known["device"])
    assert "connected" in shown and "behind" in shown, shown


def healthy(hub, known):
    """A warning about the test's own folder or machine is no error of the hub."""
    done = subprocess.run([hub.belfry, "doctor", "--data", hub.data, "--json"],
                          capture_output=True, text=True, timeout=60)
    findings = {finding["id"] for finding in json.loads(done.stdout)}
    assert not findings & {"E24", "W25"}, findings


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
    assert "alice" in run(hub, "audit"), "who did it"


def scheduled(hub, known):
    waiting = json.loads(run(hub, "schedule", "list", "--json"))["schedules"]
    assert "cancelled" in run(hub, "schedule", "cancel", waiting[-1]["id"])
    left = json.loads(run(hub, "schedule", "list", "--json"))["schedules"]
    assert len(left) == len(waiting) - 1, left


def behind(hub, known):
    lines = run(hub, "device", "list", "--behind").splitlines()
    assert len(lines) >= 4 and "behind" in lines[0], lines


ANSWERS = [arrived, why, whom, known_device, healthy, load, test, preview, keys, happened,
           scheduled, behind]
ALL = [(text, seconds, answer)
       for (text, seconds, _), answer in zip(questions.ALL, ANSWERS, strict=True)]
