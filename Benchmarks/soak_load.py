"""The load of a long run: people, programs and screens that come and go at one service.

Streams of random documents, some with readers that take a kilobyte a second, beside random
questions, all within the limits of 32 addresses; users who change their lists; terminals; and
programs that follow a list with the Python client and rebuild it from patches.
"""

import http.client
import os
import random
import socket
import sys
import threading
import time

import processes
from faults import Writer
from processes import ROOT, Screen

sys.path.insert(0, os.path.join(ROOT, "clients", "python"))

# pylint: disable=wrong-import-position
import hoga  # noqa: E402

STREAMS, SLOW_STREAMS, QUESTIONERS, FOLLOWERS, WRITERS, TERMINALS = 16, 8, 4, 2, 4, 2
QUESTIONS_PER_SECOND = 3
CHANGES_PER_SECOND = 1
# The markets whose candles are read: so few that the store soon has all that are asked for. Charts
# begin with stored candles, and would grow with them.
CHARTS = 40
# What can be asked of the list and of a market.
INTERVALS = ["1m", "3m", "5m", "10m", "30m", "1h", "6h", "12h", "24h"]
PERIODS = ["24H", "MID", "12H", "1H", "30M"]
# What a person presses: rows down and up, a market, its tabs, back, a search.
KEYS = [b"j", b"j", b"j", b"k", b"\r", b"\t", b"\x1b", b"/bt\x1b", b"s", b"p"]


def path(rng, markets):
    """The path of a random document."""
    market = rng.choice(markets)
    chart = rng.choice(markets[:CHARTS])
    language = rng.choice(["", "&lang=en"])
    return rng.choice([
        f"/v1/markets?tab={rng.choice(['markets', 'popular'])}{language}",
        f"/v1/markets?period={rng.choice(PERIODS)}&sort=changeRate",
        f"/v1/markets?limit={rng.randrange(1, 200)}&offset={rng.randrange(200)}{language}",
        "/v1/markets?markets=" + ",".join(rng.sample(markets, rng.randrange(1, 20))),
        f"/v1/markets/{chart}?interval={rng.choice(INTERVALS)}{language}",
        f"/v1/markets/{chart}/candles?interval={rng.choice(INTERVALS)}"
        f"&count={rng.randrange(1, 3000)}",
        f"/v1/markets/{market}/orderbook?depth={rng.randrange(1, 30)}",
        f"/v1/markets/{market}/trades?limit={rng.randrange(1, 200)}",
        "/v1/assets", "/v1/about",
    ])


def stream_path(rng, markets):
    """The path of the stream of a random document."""
    market = rng.choice(markets)
    chart = rng.choice(markets[:CHARTS])
    return rng.choice([
        "/v1/stream?tab=popular", "/v1/stream?period=1H&sort=changeRate",
        "/v1/stream?markets=" + ",".join(rng.sample(markets, 10)),
        f"/v1/stream?documents=market-detail&market={chart}&interval={rng.choice(INTERVALS)}",
        f"/v1/stream?documents=candles&market={chart}&count={rng.randrange(1, 1000)}",
        f"/v1/stream?documents=order-book&market={market}", "/v1/stream?documents=assets",
    ])


class CalmWriter(Writer):
    """A writer that leaves time between its changes."""

    def step(self, instance):
        super().step(instance)
        self.is_over.wait(1 / CHANGES_PER_SECOND)


class Load:
    """The load, until it is stopped."""

    def __init__(self, service, markets, tokens):
        self.service, self.markets = service, markets
        self.instances = [service]
        self.done = threading.Event()
        self.lock = threading.Lock()
        self.counts = {"streams": 0, "questions": 0, "events": 0, "terminals": 0}
        self.statuses = {}
        self.seconds = []
        self.faults = []
        work = ([self.stream] * STREAMS + [self.slow] * SLOW_STREAMS + [self.ask] * QUESTIONERS
                + [self.follow] * FOLLOWERS + [self.watch] * TERMINALS)
        self.threads = [threading.Thread(target=self.run, args=(each, number), daemon=True)
                        for number, each in enumerate(work)]
        self.writers = [CalmWriter(self, name, token) for name, token in tokens.items()]
        for thread in [*self.threads, *(writer.thread for writer in self.writers)]:
            thread.start()

    def stop(self):
        self.done.set()
        for writer in self.writers:
            writer.is_over.set()
        for thread in [*self.threads, *(writer.thread for writer in self.writers)]:
            thread.join(30)

    def run(self, work, number):
        """Does one piece of work again and again; what it raises is a fault."""
        rng = random.Random(number)
        while not self.done.is_set():
            try:
                work(rng)
            except (OSError, http.client.HTTPException, hoga.PatchMismatch, hoga.Problem,
                    SystemExit) as error:
                self.note(f"{work.__name__}: {error!r:.200}")
                self.done.wait(1)

    def note(self, fault):
        with self.lock:
            self.faults.append(fault)

    def count(self, name, number=1):
        with self.lock:
            self.counts[name] += number

    def answered(self, status, where):
        """Counts an answer. No request of this load may be refused."""
        with self.lock:
            self.statuses[status] = self.statuses.get(status, 0) + 1
        if not 200 <= status < 300:
            self.note(f"{status} for {where}")

    def take_seconds(self):
        """The durations of the questions since the last call."""
        with self.lock:
            taken, self.seconds = self.seconds, []
        return taken

    def changes(self):
        return sum(writer.counts["acknowledged"] for writer in self.writers)

    # Pieces of work.

    def read(self, rng, seconds, bytes_per_second):
        """One stream for so long, at most so fast."""
        where = stream_path(rng, self.markets)
        connection = processes.connected(self.service.port, rng.randrange(32))
        if bytes_per_second:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        coding = rng.choice(["identity", "gzip"])
        connection.sendall((f"GET {where} HTTP/1.1\r\nHost: h\r\n"
                            f"Accept-Encoding: {coding}\r\n\r\n").encode())
        connection.settimeout(2)
        end = time.monotonic() + seconds
        is_first = True
        while time.monotonic() < end and not self.done.is_set():
            try:
                data = connection.recv(bytes_per_second or 1 << 16)
            except TimeoutError:
                continue
            if not data:
                break
            if is_first:
                self.answered(int(data[9:12]), where)
                is_first = False
            if bytes_per_second:
                self.done.wait(1)
        connection.close()
        self.count("streams")

    def stream(self, rng):
        self.read(rng, rng.uniform(1, 30), None)

    def slow(self, rng):
        self.read(rng, rng.uniform(20, 180), 1_024)

    def ask(self, rng):
        client = processes.http_client(self.service.port, rng.randrange(32))
        headers = {"Accept-Encoding": "gzip"} if rng.random() < 0.5 else {}
        where = path(rng, self.markets)
        start = time.monotonic()
        client.request("GET", where, headers=headers)
        answer = client.getresponse()
        answer.read()
        with self.lock:
            self.seconds.append(time.monotonic() - start)
        client.close()
        self.answered(answer.status, where)
        self.count("questions")
        self.done.wait(1 / QUESTIONS_PER_SECOND)

    def follow(self, rng):
        """A program that rebuilds a list from patches for a minute or two."""
        client = hoga.Client(f"http://127.0.0.1:{self.service.port}")
        end = time.monotonic() + rng.uniform(30, 120)
        stream = client.follow("/v1/stream", period=rng.choice(PERIODS))
        try:
            for _ in stream:
                self.count("events")
                if time.monotonic() > end or self.done.is_set():
                    break
        finally:
            stream.close()

    def watch(self, rng):
        """A person's terminal: some keys, then `q`."""
        screen = Screen(None, options=["--server", f"http://127.0.0.1:{self.service.port}"])
        end = time.monotonic() + rng.uniform(10, 60)
        try:
            screen.time_until("BTC", 20)
            while time.monotonic() < end and not self.done.is_set():
                screen.read(rng.uniform(0.2, 2))
                os.write(screen.master, rng.choice(KEYS))
        finally:
            screen.end()
        self.count("terminals")
