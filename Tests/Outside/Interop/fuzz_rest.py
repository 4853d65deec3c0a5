#!/usr/bin/env python3
"""Checks the OpenAPI document of a new hub, then asks the hub everything that the document allows.

    fuzz_rest.py BELFRY [--seconds N] [--seed N]

Needs `openapi-spec-validator` and `schemathesis` beside its interpreter. Starts BELFRY with an
empty data folder and ends it. Fails when the document is not valid, when an answer is a server
error, or when an answer is not in the document.
"""
import argparse, collections, json, os, pathlib, random, ssl, subprocess, sys, tempfile, time, urllib.request

import sas

# What refused input looks like is the hub's own matter as long as the answer is documented.
CHECKS = ",".join((
    "not_a_server_error", "status_code_conformance", "content_type_conformance",
    "response_headers_conformance", "response_schema_conformance", "unsupported_method",
    "allow_header_conformance", "ignored_auth",
))


def tool(name):
    return str(pathlib.Path(sys.executable).with_name(name))


def start(belfry, folder):
    """A hub that ends with this process, and its connection file once it listens."""
    hub = subprocess.Popen(
        [belfry, "serve", "--data", folder, "--rest-port", "0", "--device-port", "0", "--until-stdin-closes"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    for line in hub.stdout:
        if line.startswith("belfry: REST on "):
            break
    else:
        sys.exit("the hub did not start")
    with open(os.path.join(folder, "connection.json"), encoding="utf-8") as file:
        return hub, json.load(file)


def check(belfry, folder, seconds, seed):
    hub, connection = start(belfry, folder)
    try:
        origin = f"https://localhost:{connection['rest']['port']}"
        address = f"{origin}/$belfry/openapi.json"
        context = ssl.create_default_context(cafile=connection["ca"])
        with urllib.request.urlopen(address, context=context) as answer:
            document = answer.read()
        file = os.path.join(folder, "openapi.json")
        with open(file, "wb") as copy:
            copy.write(document)
        print(f"{len(json.loads(document)['paths'])} paths", flush=True)
        code = subprocess.call([tool("openapi-spec-validator"), file])
        return code or fuzz(origin, file, connection, folder, seconds, seed)
    finally:
        hub.stdin.close()
        if hub.wait(timeout=60) != 0:
            sys.exit(f"the hub ended with {hub.returncode}")


def fuzz(origin, document, connection, folder, seconds, seed):
    name, key = next(rule for rule in sas.strings_of(connection) if "Full" in rule[0])
    token = sas.sign(random.Random(seed), name, key, "https://localhost/", int(time.time()) + 86_400, 4)
    settings = os.path.join(folder, "schemathesis.toml")
    with open(settings, "w", encoding="utf-8") as file:
        # Requests to hubs that are not there would be most of them.
        file.write(f'[parameters]\n"path.hub" = "{connection["hub"]}"\n')
    # Many sends are lines of text under a media type that the fuzzer has not heard of.
    with open(os.path.join(folder, "lines.py"), "w", encoding="utf-8") as file:
        file.write("import schemathesis\n")
        file.write('schemathesis.serializer.alias("application/x-ndjson", "text/plain")\n')
    report = os.path.join(folder, "report.har")
    code = subprocess.call([
        tool("schemathesis"), "--config-file", settings, "run", document, "--url", origin,
        "--tls-verify", connection["ca"], "-H", f"Authorization: {token.decode()}",
        "--checks", CHECKS, "--max-time", str(seconds), "--seed", str(seed),
        "--continue-on-failure", "--warnings", "off", "--no-color", "--report-har-path", report,
    ], cwd=folder, env=dict(os.environ, SCHEMATHESIS_HOOKS="lines", PYTHONPATH=folder))
    print_statuses(report)
    return code


def print_statuses(report):
    """How often each status was answered: many refusals are wanted, only refusals are not."""
    with open(report, encoding="utf-8") as file:
        entries = json.load(file)["log"]["entries"]
    counts = collections.Counter(entry["response"]["status"] for entry in entries)
    print("answers:", ", ".join(f"{count} x {status}" for status, count in sorted(counts.items())))
    if not any(200 <= status < 300 for status in counts):
        sys.exit("nothing was ever answered but refusals")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("belfry")
    options.add_argument("--seconds", type=int, default=60)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(check(os.path.abspath(options.belfry), folder, options.seconds, options.seed))


if __name__ == "__main__":
    main()
