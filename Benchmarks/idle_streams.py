#!/usr/bin/env python3
"""Measures what the idle streams of many users cost the database, and changes beside them.

usage: idle_streams.py [N]   streams, each of another user (10,000)

Two instances share one database and hold half of the streams each. For a minute nothing happens;
then 50 other users change their favorites, each as fast as it is answered, half on each instance.
"""

import base64
import hashlib
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time

from failover import cluster
from processes import HOGA, Exchange, Service, address, cpu_seconds, environment, wait_for

STREAMS = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
SECONDS = 60
CLIENTS = 50
CHANGE_SECONDS = 20
# Between the first state of the last stream and the measurement.
QUIET = 5.0


def token(number):
    text = base64.urlsafe_b64encode(hashlib.sha256(b"bench %d" % number).digest())
    return "hoga_" + text.decode().rstrip("=")


class Database:
    """A private cluster with users who have a token each."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="hoga-idle-")
        os.chmod(self.folder, 0o755)
        self.port = int(cluster("make", self.folder))
        self.sql("postgres", "CREATE ROLE hoga_owner LOGIN CREATEROLE;\n"
                 "CREATE ROLE hoga_app_login LOGIN;\nCREATE DATABASE hoga OWNER hoga_owner;\n")
        subprocess.run([HOGA, "migrate", "up"], check=True, stdout=subprocess.DEVNULL,
                       env=environment() | {"HOGA_DATABASE_URL": self.url("hoga_owner")})
        rows = "".join(f"{number}\t\\\\x{hashlib.sha256(token(number).encode()).hexdigest()}\n"
                       for number in range(STREAMS + CLIENTS))
        self.sql("hoga", "GRANT hoga_app TO hoga_app_login;\n"
                 "CREATE TEMPORARY TABLE given (number bigint, hash bytea);\n"
                 f"COPY given FROM STDIN;\n{rows}\\.\n"
                 "INSERT INTO hoga.users (name, added_at)\n"
                 "SELECT 'user' || number, now() FROM given;\n"
                 "INSERT INTO hoga.api_tokens (user_id, token_sha256, scope, made_at)\n"
                 "SELECT id, hash, 'write', now() FROM given JOIN hoga.users ON\n"
                 "name = 'user' || number; ANALYZE")

    def url(self, role, database="hoga"):
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}"

    def sql(self, database, text):
        subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", self.url("postgres", database)],
                       input=text, text=True, check=True)

    def cpu(self):
        """Seconds of all processes of the cluster so far, the ended ones too."""
        with open(os.path.join(self.folder, "data", "postmaster.pid"), encoding="ascii") as file:
            first = int(file.readline())
        with open(f"/proc/{first}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        total = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        with open(f"/proc/{first}/task/{first}/children", encoding="ascii") as file:
            return total + sum(cpu_seconds(int(child)) for child in file.read().split())

    def transactions(self):
        found = subprocess.run(
            ["psql", "-XqtA", "-c", "SELECT sum(xact_commit + xact_rollback)::bigint "
             "FROM pg_stat_database WHERE datname = 'hoga'", self.url("postgres", "postgres")],
            check=True, text=True, stdout=subprocess.PIPE)
        return int(found.stdout)


class Streams:
    """Open streams; a thread reads and counts what they get."""

    def __init__(self, services):
        self.poll = select.epoll()
        self.sockets = {}
        self.bytes, self.closed = 0, 0
        self.begun = set()
        self.is_over = threading.Event()
        threading.Thread(target=self.read, daemon=True).start()
        for number in range(STREAMS):
            service = services[number % len(services)]
            stream = socket.socket()
            stream.bind((address(number % 1_000), 0))
            stream.connect(("127.0.0.1", service.port))
            stream.sendall((
                "GET /v1/me/stream?documents=portfolio HTTP/1.1\r\nHost: localhost\r\n"
                f"Authorization: Bearer {token(number)}\r\n\r\n").encode())
            self.sockets[stream.fileno()] = stream
            self.poll.register(stream, select.EPOLLIN)
            if number % 50 == 49:
                # New tokens have a quota, per client and in all.
                time.sleep(0.1)

    def read(self):
        while not self.is_over.is_set():
            for descriptor, _ in self.poll.poll(0.2):
                data = self.sockets[descriptor].recv(1 << 16)
                self.bytes += len(data)
                self.begun.add(descriptor)
                if not data or data.startswith(b"HTTP/1.1 4") or data.startswith(b"HTTP/1.1 5"):
                    if not self.closed:
                        print(data[:400], flush=True)
                    self.closed += 1
                    self.poll.unregister(descriptor)

    def wait(self):
        wait_for("a state of each stream", lambda: len(self.begun) == STREAMS, 120)
        time.sleep(QUIET)


SCRIPT = """
local tokens = {%s}
local count = 0
function request()
    count = count + 1
    local token = tokens[count %% #tokens + 1]
    local method = math.floor(count / #tokens) %% 2 == 0 and "PUT" or "DELETE"
    return wrk.format(method, "/v1/me/favorites/BTC_KRW", {Authorization = "Bearer " .. token})
end
function done(summary, latency, requests)
    print(string.format("%%d %%d %%.2f %%.2f %%.2f", summary.requests,
        summary.errors.status + summary.errors.timeout, latency:percentile(50) / 1000,
        latency:percentile(99) / 1000, latency.max / 1000))
end
"""


class Changes:
    """Clients who change their lists, each as fast as it is answered."""

    def __init__(self, service, numbers):
        self.script = tempfile.NamedTemporaryFile("w", suffix=".lua")
        self.script.write(SCRIPT % ", ".join(f'"{token(number)}"' for number in numbers))
        self.script.flush()
        self.process = subprocess.Popen(
            ["wrk", "-t1", f"-c{len(numbers)}", f"-d{CHANGE_SECONDS}", "-s", self.script.name,
             f"http://127.0.0.1:{service.port}"], stdout=subprocess.PIPE, text=True)

    def figures(self):
        text, _ = self.process.communicate()
        return [float(word) for word in text.splitlines()[-1].split()]


def change(services):
    """Lets 50 other users change their favorites, half of them on each instance."""
    numbers = range(STREAMS, STREAMS + CLIENTS)
    loads = [Changes(service, numbers[half::2]) for half, service in enumerate(services)]
    for figures in [load.figures() for load in loads]:
        print("{:.0f} changes of {} clients in {} s beside them, {:.0f} of them refused: p50 "
              "{:.1f} ms, p99 {:.1f} ms, worst {:.0f} ms".format(
                  figures[0], CLIENTS // 2, CHANGE_SECONDS, *figures[1:]), flush=True)


def main():
    database = Database()
    exchange = Exchange(rate=400)
    try:
        services = [Service(
            exchange, variables=dict.fromkeys(
                ["HOGA_DATABASE_URL", "HOGA_DATABASE_SESSION_URL"], database.url("hoga_app_login")),
            options=[
                "--max-connections", "8192", "--connections-per-client", "8192",
                "--requests-per-client", "1000000", "--requests-per-token", "1000000",
                "--topics", "20000", "--user-mb", "256"])
            for _ in range(2)]
        streams = Streams(services)
        streams.wait()
        pids = [service.process.pid for service in services]
        before = (database.cpu(), [cpu_seconds(pid) for pid in pids], database.transactions(),
                  streams.bytes, time.monotonic())
        time.sleep(SECONDS)
        after = (database.cpu(), [cpu_seconds(pid) for pid in pids], database.transactions(),
                 streams.bytes, time.monotonic())
        time_passed = after[4] - before[4]
        print(f"{len(streams.sockets) - streams.closed:,} idle streams on 2 instances: database "
              f"{100 * (after[0] - before[0]) / time_passed:.1f} % of a core, "
              f"{(after[2] - before[2]) / time_passed:.0f} transactions a second; instances "
              + " and ".join(f"{100 * (b - a) / time_passed:.1f} %"
                             for a, b in zip(before[1], after[1]))
              + f"; {(after[3] - before[3]) / time_passed / 1_000:.1f} kB/s", flush=True)
        change(services)
        streams.is_over.set()
        for service in services:
            service.end()
    finally:
        exchange.kill()
        cluster("remove", database.folder)


if __name__ == "__main__":
    main()
