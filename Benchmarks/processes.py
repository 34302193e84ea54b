"""Starts programs, and reads their resource usage from the kernel."""

import http.client
import json
import os
import pty
import select
import signal
import socket
import struct
import fcntl
import subprocess
import tempfile
import termios
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOGA = os.environ.get("HOGA_BENCH_BINARY", os.path.join(ROOT, "dist", "hoga"))
# `1`: API 1.x alone, for binaries that know no other.
API = os.environ.get("HOGA_BENCH_API", "auto")
TICKS = os.sysconf("SC_CLK_TCK")
# Files of the measured programs, removed at the end.
KEPT = tempfile.TemporaryDirectory(prefix="hoga-bench-")


def free_port():
    """Returns a currently free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(url, timeout=5):
    """Returns the JSON document at an address."""
    with urllib.request.urlopen(url, timeout=timeout) as answer:
        return json.load(answer)


def post(url, timeout=5):
    """Sends a POST without a body."""
    request = urllib.request.Request(url, data=b"", method="POST")
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        return answer.read()


def address(client):
    """Returns the loopback address of a client, by its number."""
    return f"127.0.{1 + client // 200}.{1 + client % 200}"


def connected(port, client):
    """Opens a connection of a client."""
    connection = socket.socket()
    connection.bind((address(client), 0))
    connection.connect(("127.0.0.1", port))
    return connection


def http_client(port, client):
    """Returns a client that keeps one connection to a port."""
    return http.client.HTTPConnection("127.0.0.1", port, timeout=30,
                                      source_address=(address(client), 0))


def wait_for(what, condition, seconds=20):
    """Polls until the condition holds; returns how long that took."""
    start = time.monotonic()
    while True:
        try:
            if condition():
                return time.monotonic() - start
        except OSError:
            pass
        if time.monotonic() - start > seconds:
            raise SystemExit(f"{what}: not within {seconds} s")
        time.sleep(0.01)


def environment():
    """Returns an environment without the user's settings."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HOGA_")}
    clean["XDG_CONFIG_HOME"] = "/nonexistent"
    clean["XDG_DATA_HOME"] = os.environ.get("HOGA_BENCH_DATA", KEPT.name)
    clean["TERM"] = "xterm-256color"
    clean["LC_ALL"] = "C.UTF-8"
    return clean


def pinned(core):
    """Returns a function that pins a child to one core; None does not pin."""
    return None if core is None else lambda: os.sched_setaffinity(0, {core})


def cpu_seconds(pid):
    """Returns user and system time of a process so far."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident_megabytes(pid):
    """Returns peak and current resident memory in MiB."""
    values = {}
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        for line in file:
            name, _, rest = line.partition(":")
            if name in ("VmHWM", "VmRSS"):
                values[name] = int(rest.split()[0]) / 1024
    return values["VmHWM"], values["VmRSS"]


def frames_of_prices(report):
    """Returns the frames sent on the connection that hoga's prices come from."""
    connections = report["connections"]
    newest = [each for each in connections if each.get("api") == "2.x"]
    return (newest or connections)[-1]["frames"]


class Exchange:
    """A simulated exchange in its own process."""

    def __init__(self, rate, seed=7, options=(), core=None):
        self.port = free_port()
        self.rate = rate
        self.seed = seed
        self.options = list(options)
        self.core = core
        self.process = None
        self.start()

    @property
    def rest(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def stream(self):
        return f"ws://127.0.0.1:{self.port}/pub/ws"

    @property
    def addresses(self):
        """Both generations of the API, as hoga reads them by default."""
        newest = f"ws://127.0.0.1:{self.port}/websocket/v1"
        both = ["--ws2-url", newest] if API == "auto" else []
        return ["--rest-url", self.rest, "--ws-url", self.stream, *both]

    def start(self):
        self.process = subprocess.Popen(
            [HOGA, "exchange", "simulate", "--listen", f"127.0.0.1:{self.port}",
             "--rate", str(self.rate), "--seed", str(self.seed), *self.options],
            env=environment(), stderr=subprocess.DEVNULL, preexec_fn=pinned(self.core))
        wait_for("simulator", lambda: get(self.rest + "/public/ticker/BTC_KRW"))

    def report(self):
        return get(self.rest + "/simulator/report")

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Service:
    """`hoga serve` in its own process."""

    def __init__(self, exchange, core=None, options=(), log=subprocess.DEVNULL, variables=None):
        self.port, self.admin = free_port(), free_port()
        self.process = subprocess.Popen(
            [HOGA, "serve", "--listen", f"127.0.0.1:{self.port}",
             "--admin-listen", f"127.0.0.1:{self.admin}", *exchange.addresses, *options],
            env=environment() | (variables or {}), stderr=log, preexec_fn=pinned(core))
        wait_for("hoga serve", lambda: self.ready()["feed"]["connection"] == "live")

    def ready(self):
        return get(f"http://127.0.0.1:{self.admin}/readyz")

    def metrics(self):
        """Returns the values of /metrics by name and labels, as they are written there."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.admin}/metrics", timeout=5) as answer:
            lines = answer.read().decode().splitlines()
        samples = (line.rpartition(" ") for line in lines if not line.startswith("#"))
        return {name: float(value) for name, _, value in samples}

    def list(self, query=""):
        return get(f"http://127.0.0.1:{self.port}/v1/markets{query}")

    def end(self):
        self.process.terminate()
        self.process.wait(20)


class Screen:
    """`hoga watch` on its own terminal, whose output is read and discarded."""

    def __init__(self, exchange, columns=120, rows=40, options=None):
        self.started = time.monotonic()
        self.bytes = 0
        words = [HOGA, "watch", *(exchange.addresses if options is None else options)]
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execve(HOGA, words, environment())
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)

    def read(self, seconds):
        """Reads for that long; returns the bytes."""
        end = time.monotonic() + seconds
        data = b""
        while (rest := end - time.monotonic()) > 0:
            readable, _, _ = select.select([self.master], [], [], rest)
            if readable:
                try:
                    data += os.read(self.master, 1 << 16)
                except OSError:
                    break
        self.bytes += len(data)
        return data

    def time_until(self, text, seconds=10):
        """Returns the time from the start until the text was drawn."""
        seen = b""
        while text.encode() not in seen:
            if time.monotonic() - self.started > seconds:
                raise SystemExit(f"{text} was not drawn within {seconds} s")
            readable, _, _ = select.select([self.master], [], [], 0.5)
            if readable:
                seen += os.read(self.master, 1 << 16)
        self.bytes += len(seen)
        return time.monotonic() - self.started

    def end(self):
        os.kill(self.pid, signal.SIGTERM)
        self.read(1)
        os.waitpid(self.pid, 0)
        os.close(self.master)
