#!/usr/bin/env python3
"""Measures how long a hub with many registrations takes to go on at another node.

    takeover.py BELFRY [--registrations N] [--rounds N] [--store-bench PROGRAM] [--lease SECONDS]

It starts a PostgreSQL of Debian's package in a temporary folder, fills a hub by bulk jobs, or with
--store-bench by StoreBench, whose registrations have devices with cursors, and moves it there. Two
nodes run then. In each round the leader is ended by kill -9 while a sender sends one notification
after another through the other node, and is started again. Prints one JSON object for each round.
"""
import argparse, http.client, json, os, pathlib, random, re, shutil, signal, ssl, subprocess, sys
import tempfile, threading, time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from postgres import Postgres  # noqa: E402
from sender import token  # noqa: E402

LINES_PER_JOB = 100_000
CONNECT = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
LINE = (
    f'<AppleRegistrationDescription xmlns="{CONNECT}"><Tags>World,{{tags}}</Tags>'
    "<DeviceToken>{number:064X}</DeviceToken></AppleRegistrationDescription>\n"
)
JOB = (
    '<entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">'
    f'<NotificationHubJob xmlns="{CONNECT}"><Type>ImportCreateRegistrations</Type>'
    "<OutputContainerUri>file:///out</OutputContainerUri><ImportFileUri>file:///in.txt</ImportFileUri>"
    "</NotificationHubJob></content></entry>"
)


class Node:
    def __init__(self, rig, name):
        self.rig, self.name, self.data = rig, name, rig.folder / name
        self.rest = random.randrange(10_000, 16_000) * 2
        self.data.mkdir(mode=0o700, exist_ok=True)

    def start(self, *more):
        environment = dict(os.environ, BELFRY_DATABASE_LEASE_SECONDS=str(self.rig.lease))
        line = [self.rig.belfry, "serve", "--data", self.data, "--rest-port", str(self.rest)]
        line += ["--device-port", str(self.rest + 1), "--until-stdin-closes", *more]
        self.errors = open(self.rig.folder / f"{self.name}.log", "ab")
        self.told, self.news = [], threading.Condition()
        self.program = subprocess.Popen(
            list(map(str, line)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            text=True, env=environment,
        )
        threading.Thread(target=self.read, args=(self.program,), daemon=True).start()

    def read(self, program):
        for line in program.stdout:
            with self.news:
                self.told.append((time.monotonic(), line))
                self.news.notify_all()
        with self.news:
            self.told.append((time.monotonic(), ""))
            self.news.notify_all()

    def wait(self, words, seconds=900):
        """When it said a line that begins with these words."""
        end = time.monotonic() + seconds
        with self.news:
            while True:
                for at, line in self.told:
                    if line.startswith(words):
                        return at
                    if not line:
                        sys.exit(f"{self.name} ended before it said '{words}': see {self.errors.name}")
                if not self.news.wait(end - time.monotonic()):
                    sys.exit(f"{self.name} did not say '{words}': see {self.errors.name}")

    def connection(self):
        return json.loads((self.data / "connection.json").read_text())

    def megabytes(self):
        text = pathlib.Path(f"/proc/{self.program.pid}/status").read_text()
        return {key: int(re.search(rf"{key}:\s+(\d+)", text)[1]) // 1024 for key in ("RssAnon", "VmHWM")}

    def end(self, how=signal.SIGTERM):
        self.program.send_signal(how)
        self.program.wait()
        self.errors.close()


class Caller:
    def __init__(self, connection, port):
        self.connection, self.port, self.link = connection, port, None
        self.context = ssl.create_default_context(cafile=connection["ca"])
        self.authorization = token(connection)

    def ask(self, method, path, body=None, **headers):
        if self.link is None:
            self.link = http.client.HTTPSConnection("localhost", self.port, context=self.context, timeout=60)
        try:
            self.link.request(
                method, f"/{self.connection['hub']}/{path}?api-version=2020-06", body,
                {"Authorization": self.authorization, **headers},
            )
            answer = self.link.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException):
            self.link.close()
            self.link = None
            raise


class Rig:
    def __init__(self, options, folder):
        self.belfry, self.lease, self.folder = options.belfry, options.lease, folder
        self.nodes = [Node(self, "one"), Node(self, "two")]
        self.postgres = None

    def prepare(self, options):
        self.postgres = Postgres()
        began = time.monotonic()
        self.fill(options)
        filled = time.monotonic()
        self.belfry_run("migrate", "--data", self.nodes[0].data, "--database", self.postgres.url)
        print(json.dumps({
            "registrations": options.registrations, "filled_s": round(filled - began, 1),
            "moved_s": round(time.monotonic() - filled, 1),
        }), flush=True)

    def belfry_run(self, *arguments):
        return subprocess.run(
            list(map(str, [self.belfry, *arguments])), check=True, stdout=subprocess.PIPE, text=True,
        ).stdout

    def fill(self, options):
        node = self.nodes[0]
        node.start()
        node.wait("belfry: REST on ")
        hub = node.connection()["hub"]
        if options.store_bench:
            node.end()
            place = node.data / "hubs" / hub
            return subprocess.run(
                [options.store_bench, place, "fill", str(options.registrations)],
                check=True, stdout=subprocess.DEVNULL,
            )
        jobs = node.data / "hubs" / hub / "jobs"
        jobs.mkdir(exist_ok=True)
        caller = Caller(node.connection(), node.rest)
        for first in range(0, options.registrations, LINES_PER_JOB):
            with open(jobs / "in.txt", "w") as file:
                for number in range(first, min(first + LINES_PER_JOB, options.registrations)):
                    tags = ",".join(f"tag-{n}-{number * (n + 7) % 66_000}" for n in range(10))
                    file.write(LINE.format(tags=tags, number=number + 1))
            status, text = caller.ask("POST", "jobs", JOB)
            if status != 201:
                sys.exit(f"the job was answered {status}: {text}")
            name = re.search(r"<JobId>(.*?)</JobId>", text)[1]
            while "<Status>Completed<" not in (text := caller.ask("GET", f"jobs/{name}")[1]):
                if "<Status>Failed<" in text:
                    sys.exit(f"the job failed: {text}")
                time.sleep(0.2)
        node.end()

    def begin(self):
        one, two = self.nodes
        one.start("--database", self.postgres.url)
        one.wait("belfry: REST on ")
        shutil.copy(one.data / "cluster.key", two.data / "cluster.key")
        two.start("--database", self.postgres.url)
        two.wait("belfry: standby on ")

    def settle(self, node):
        """Waits until the node's copies are level and warm, where its release tells that."""
        end = time.monotonic() + 900
        while time.monotonic() < end:
            text = self.belfry_run("cluster", "status", "--data", node.data, "--database", self.postgres.url, "--json")
            found = [n for n in json.loads(text)["nodes"] if n["address"].endswith(f":{node.rest}")]
            if not any("isWarm" in n for n in found):
                time.sleep(10)
                return "not told"
            if any(n["isWarm"] and n.get("groupsBehind") == 0 for n in found):
                return "warm"
            time.sleep(0.5)
        return "not warm"

    def round(self, leader, waiting):
        state = self.settle(waiting)
        before, told = waiting.megabytes(), os.path.getsize(waiting.errors.name)
        answers, over = [], threading.Event()
        caller = Caller(leader.connection(), waiting.rest)

        def send():
            while not over.is_set():
                began = time.monotonic()
                try:
                    status, _ = caller.ask(
                        "POST", "messages/", '{"aps":{"alert":"x"}}',
                        **{"Content-Type": "application/json", "ServiceBusNotification-Format": "apple",
                           "ServiceBusNotification-Tags": "nobody"},
                    )
                except (OSError, http.client.HTTPException) as error:
                    status = repr(error)
                answers.append((began, time.monotonic(), status))
                time.sleep(0.01)

        sender = threading.Thread(target=send)
        sender.start()
        time.sleep(2)
        killed = time.monotonic()
        leader.end(signal.SIGKILL)
        serves = waiting.wait("belfry: REST on ")
        time.sleep(3)
        over.set()
        sender.join()
        behind = [answer for answer in answers if answer[1] > killed]
        stored = [answer for answer in behind if answer[2] == 201]
        log = pathlib.Path(waiting.errors.name).read_bytes()[told:].decode()
        starts = re.findall(r"the hub is led here .*start=(\w+)", log)
        loads = re.findall(r"hub loaded .*milliseconds=(\d+)", log)
        print(json.dumps({
            "waited": state, "start": starts[-1:], "loaded_ms": loads[-1:],
            "serves_s": round(serves - killed, 2),
            "first_201_s": round(min(end for _, end, _ in stored) - killed, 2),
            "slowest_201_s": round(max(end - began for began, end, _ in stored), 2),
            "sends": len(answers), "not_201": [str(a[2]) for a in answers if a[2] != 201][:5],
            "waiting_MB": before, "leading_MB": waiting.megabytes(),
        }), flush=True)
        leader.start("--database", self.postgres.url)
        leader.wait("belfry: standby on ")

    def end(self):
        for node in self.nodes:
            if getattr(node, "program", None) and node.program.poll() is None:
                node.end()
        if self.postgres:
            self.postgres.stop()


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("belfry")
    words.add_argument("--registrations", type=int, default=100_000)
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--store-bench")
    words.add_argument("--lease", type=int, default=3)
    options = words.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="takeover-"))
    folder.chmod(0o755)
    rig = Rig(options, folder)
    try:
        rig.prepare(options)
        rig.begin()
        nodes = list(rig.nodes)
        for _ in range(options.rounds):
            rig.round(*nodes)
            nodes.reverse()
    finally:
        rig.end()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
