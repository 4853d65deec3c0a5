"""A PostgreSQL of Debian's programs in a folder of its own: a Unix socket, and no service.

It refuses to run as root; the user `postgres` runs it then. It ends with the program that made it.
"""
import os, pathlib, pwd, random, shutil, signal, subprocess, tempfile, time

RELEASES = pathlib.Path("/usr/lib/postgresql")
USER, DATABASE, PATIENCE = "belfry", "hubs", 60


class Postgres:
    """A primary with a database, or another's standby; settings of its own are what Debian has."""

    def __init__(self, primary=None):
        found = [name for name in os.listdir(RELEASES) if name.isdigit()] if RELEASES.is_dir() else []
        if not found:
            raise SystemExit("there is no PostgreSQL here: apt-get install postgresql")
        self.programs = RELEASES / max(found, key=int) / "bin"
        self.folder = tempfile.mkdtemp(prefix="belfry-pg-")
        self.data, self.port = f"{self.folder}/data", random.randrange(10_000, 32_000)
        self.process = None
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        if primary:
            self.run("pg_basebackup", "-D", self.data, "-R", "-c", "fast", "-d",
                     f"host={primary.folder} port={primary.port} user={USER}")
        else:
            self.run("initdb", "-D", self.data, "-U", USER, "--auth=trust", "-E", "UTF8",
                     "--locale=C", "--no-sync")
        self.start()
        if not primary:
            self.query(f"CREATE DATABASE {DATABASE}", "postgres")

    @property
    def url(self):
        return f"postgres:///{DATABASE}?user={USER}&host={self.folder}&port={self.port}"

    def line(self, *words):
        """A command as the user that may run it; it ends with this program."""
        user = ["--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
        return ["setpriv", "--pdeathsig=INT", *user, f"{self.programs}/{words[0]}", *words[1:]]

    def run(self, *words):
        done = subprocess.run(self.line(*words), cwd="/", capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode != 0:
            raise SystemExit(f"{words[0]}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def start(self):
        settings = [f"port={self.port}", "listen_addresses=", f"unix_socket_directories={self.folder}"]
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen(
                self.line("postgres", "-D", self.data, *(word for one in settings for word in ("-c", one))),
                cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + PATIENCE
        ready = [f"{self.programs}/pg_isready", "-q", "-h", self.folder, "-p", str(self.port)]
        while subprocess.run(ready, check=False).returncode != 0:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise SystemExit(f"PostgreSQL does not start: {self.folder}/log")
            time.sleep(0.1)

    def query(self, sql, database=DATABASE):
        return self.run("psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p",
                        str(self.port), "-U", USER, "-d", database, "-c", sql)

    def require_standby(self):
        """Has commits wait for the standby that is connected, and waits until they do."""
        self.query("ALTER SYSTEM SET synchronous_standby_names = '*'", "postgres")
        self.query("SELECT pg_reload_conf()", "postgres")
        deadline = time.monotonic() + PATIENCE
        while self.query("SELECT sync_state FROM pg_stat_replication") != "sync":
            if time.monotonic() > deadline:
                raise SystemExit("PostgreSQL's standby does not follow")
            time.sleep(0.1)

    def cpu(self):
        """Seconds of processor time of all its processes, those that have ended among them."""
        first, sum = self.process.pid, 0
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                    fields = file.read().rsplit(") ", 1)[1].split()
            except OSError:
                continue  # It ended meanwhile.
            if int(name) == first:
                sum += int(fields[13]) + int(fields[14])  # of children that have ended
            if first in (int(name), int(fields[1])):
                sum += int(fields[11]) + int(fields[12])
        return sum / os.sysconf("SC_CLK_TCK")

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
