"""How each side of Tests/Benchmarks/peers is started, measured and ended.

Every function measures once and returns figures by name: CPU in microseconds, memory in bytes.
Servers run on CPU 0, the devices on CPU 1. All that a step starts has ended when it
returns, fails or takes too long.
"""
import json, os, signal, socket, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = os.path.join(os.path.dirname(HERE), "Limit")
running = []


class StepFailed(Exception):
    """A step that gave no figures; the others go on."""


def start(arguments, **more):
    """A process in a group of its own, so that it and its children can be ended together."""
    process = subprocess.Popen(arguments, start_new_session=True, **more)
    running.append(process)
    return process


def end(process):
    """Ends a process of ours and its children; kills what does not end within 10 s."""
    for signal_number, patience in ((signal.SIGTERM, 10), (signal.SIGKILL, 10)):
        try:
            os.killpg(process.pid, signal_number)
            process.wait(patience)
            break
        except (ProcessLookupError, PermissionError):
            process.wait()
            break
        except subprocess.TimeoutExpired:
            continue
    if process in running:
        running.remove(process)


def end_all():
    for process in list(running):
        end(process)


def pinned(cpu, arguments):
    return ["taskset", "-c", str(cpu)] + arguments if os.cpu_count() > 1 else arguments


def answer(name, arguments, deadline, **more):
    """What a program prints; it must end well and in time."""
    process = start(arguments, text=True, stdout=subprocess.PIPE, **more)
    try:
        text, _ = process.communicate(timeout=deadline)
    except subprocess.TimeoutExpired:
        raise StepFailed(f"{name} took more than {deadline} s") from None
    finally:
        end(process)
    if process.returncode != 0:
        raise StepFailed(f"{name} ended with {process.returncode}: {text.strip()[-400:]}")
    return text


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    """Whether a socket listens there, without connecting to it."""
    wanted = f"0100007F:{port:04X}"
    with open("/proc/net/tcp") as table:
        rows = [line.split() for line in list(table)[1:]]
    return any(row[1] == wanted and row[3] == "0A" for row in rows)


def wait_until_it_listens(name, server, port):
    deadline = time.monotonic() + 20
    while not listens(port):
        if server.poll() is not None or time.monotonic() > deadline:
            raise StepFailed(f"{name} does not listen")
        time.sleep(0.05)


# The limit program


def limit(devices, rounds, gap, payload, in_a_record, mode):
    """The least that C can do: one record for each device and round."""
    port = free_port()
    server = start(
        pinned(0, [f"{LIMIT}/limit_server", "-p", str(port), "-m", mode, "-n", str(devices),
                   "-r", str(rounds), "-s", str(payload), "-g", str(gap), "-k", str(in_a_record)]),
        text=True, stdout=subprocess.PIPE)
    sink = None
    try:
        wait_until_it_listens("the limit program", server, port)
        sink = start(pinned(1, [f"{LIMIT}/sink", "-p", str(port), "-n", str(devices), "-w", "20",
                                "-T", "200"]), stdout=subprocess.DEVNULL)
        text, _ = server.communicate(timeout=240)
    except subprocess.TimeoutExpired:
        raise StepFailed("the limit program took more than 240 s") from None
    finally:
        end(server)
        if sink:
            end(sink)
    fields = dict(part.split("=", 1) for part in text.replace("|", " ").split() if "=" in part)
    if server.returncode != 0 or "us/frame med=" not in text or int(fields["failed"]) > 0:
        raise StepFailed(f"the limit program failed: {text.strip()[-400:]}")
    return {"delivery": float(fields["mean"]), "connection": float(fields["us"]),
            "bytes": float(fields["idle"])}


# The peers


def certificate(folder):
    """A self-signed certificate for as long as the measurement; devices do not check it."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", f"{folder}/key.pem",
         "-out", f"{folder}/cert.pem"], check=True, capture_output=True, timeout=30)


PEERS = {  # the package's name: program, its argument, protocol, what its configuration lacks
    "redis-server": (
        "redis-server", [], "resp", "redis.conf",
        "tls-port {port}\ntls-cert-file {folder}/cert.pem\ntls-key-file {folder}/key.pem\n"
        "tls-ca-cert-file {folder}/cert.pem\ndir {folder}\nmaxclients {connections}\n"),
    "mosquitto": (
        "mosquitto", ["-c"], "mqtt", "mosquitto.conf",
        "user {user}\nlistener {port} 127.0.0.1\ncertfile {folder}/cert.pem\n"
        "keyfile {folder}/key.pem\n"),
    "nats-server": (
        "nats-server", ["-c"], "nats", "nats.conf",
        "port: {port}\nmax_connections: {connections}\n"
        "tls {{ cert_file: \"{folder}/cert.pem\", key_file: \"{folder}/key.pem\",\n"
        "       timeout: 30 }}\n"),
}


def program_of(peer):
    """Where it is; Debian puts servers into sbin, which is not in every PATH."""
    name = PEERS[peer][0]
    for folder in os.environ.get("PATH", "").split(":") + ["/usr/sbin", "/usr/bin"]:
        if folder and os.access(f"{folder}/{name}", os.X_OK):
            return f"{folder}/{name}"
    return None


def peer(name, devices, options, deadline):
    """A run of `load` with these options against a server of its own; its JSON."""
    _, arguments, protocol, configuration, lacks = PEERS[name]
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="belfry-peers-") as folder:
        certificate(folder)
        with open(f"{HERE}/{configuration}") as file:
            text = file.read()
        path = f"{folder}/{configuration}"
        with open(path, "w") as file:
            user = "root" if os.getuid() == 0 else "nobody"  # only root may change to another
            file.write(text + "\n" + lacks.format(
                port=port, folder=folder, user=user, connections=devices + devices // 100 + 200))
        with open(f"{folder}/log", "w+") as log:
            server = start(pinned(0, [program_of(name)] + arguments + [path]), cwd=folder,
                           stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            try:
                wait_until_it_listens(name, server, port)
                return json.loads(answer(
                    f"load for {name}",
                    pinned(1, [f"{HERE}/load", "-P", protocol, "-p", str(port), "-S",
                               str(server.pid), "-n", str(devices), "-T", "120"]
                           + [str(option) for option in options]), deadline))
            except StepFailed as failure:
                log.seek(0)
                raise StepFailed(f"{failure}; {name} says: {log.read().strip()[-600:]}") from None
            finally:
                end(server)


# Belfry


class Belfry:
    """`belfry bench` of one build."""

    def __init__(self, program):
        self.program = program

    def run(self, command, wanted, records, deadline):
        """One run; the report it prints with --json. `wanted` is by the option's name."""
        arguments = [self.program, "bench", command]
        for name, value in dict(wanted, records=records).items():
            arguments += [f"--{name}"] + ([] if value is True else [str(value)])
        return json.loads(answer(f"belfry bench {command}", pinned(1, arguments), deadline))


def figure(report, name):
    """The median of the metric with that name; None where the report has none."""
    metrics = {metric["name"]: metric["median"] for metric in report["metrics"]}
    return metrics.get(name)


def tell(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
