"""Fifty clients that read and write through an upgrade, and what they were answered."""

import collections
import http.client
import sys
import threading
import time
from dataclasses import dataclass

from images import ROOT

sys.path[:0] = [str(ROOT / "Benchmarks"), str(ROOT / "clients/python")]

# pylint: disable=wrong-import-position
import hoga  # noqa: E402
from faults import Writer  # noqa: E402

WRITERS = 40
READERS = 10
MARKETS = 24
# The end of the message about an instance that cannot be reached. A connection from a port that was
# used before the instance was replaced may still be sent to the address of its former container.
UNREACHED = ": no answer"


@dataclass(frozen=True)
class Instance:
    """An instance's published port."""

    port: int

    @property
    def name(self):
        return f"port {self.port}"


class Client(Writer):
    """A user who changes his list and reads it and a market, over any of the instances."""

    def __init__(self, trial, name, token):
        super().__init__(trial, name, token)
        self.answers = collections.Counter()

    def ask(self, instance, method, body=None, tag=None):
        status, headers, document = super().ask(instance, method, body, tag)
        self.answers[status, (document or {}).get("code") if status >= 400 else None] += 1
        return status, headers, document

    def differs(self, instance):
        try:
            return super().differs(instance)
        except (OSError, http.client.HTTPException) as error:
            return f"{self.name}: {instance.name}, {error}{UNREACHED}"

    def step(self, instance):
        super().step(instance)
        connection = http.client.HTTPConnection("127.0.0.1", instance.port, timeout=10)
        try:
            connection.request("GET", "/v1/markets/BTC_KRW/orderbook")
            answer = connection.getresponse()
            answer.read()
            self.answers[answer.status, None if answer.status < 400 else "market"] += 1
        finally:
            connection.close()
        time.sleep(0.3)


class Reader:
    """Follows the market list of one instance by the Python client, over all its restarts."""

    def __init__(self, port):
        self.client = hoga.Client(f"http://127.0.0.1:{port}")
        self.events = 0
        self.problems = collections.Counter()
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                for _ in self.client.follow("/v1/stream", documents="market-list"):
                    self.events += 1
            except hoga.Problem as problem:
                self.problems[problem.status, problem.document.get("code")] += 1
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.2)


class Crowd:
    """Forty writers and ten readers over both instances."""

    def __init__(self, tokens, ports):
        self.instances = [Instance(port) for port in ports]
        listing = hoga.Client(f"http://127.0.0.1:{ports[0]}").get("/v1/markets", limit=MARKETS)
        self.markets = [row["market"] for row in listing["state"]["rows"]]
        self.writers = [Client(self, name, token) for name, token in tokens.items()]
        self.readers = [Reader(ports[number % len(ports)]) for number in range(READERS)]
        self.events = [0] * READERS
        for writer in self.writers:
            writer.thread.start()

    def lost(self):
        """What every instance shows differently from the acknowledged changes, writers paused."""
        for writer in self.writers:
            writer.is_paused = True
        time.sleep(2)
        end = time.monotonic() + 20
        while True:
            found = [text for writer in self.writers for instance in self.instances
                     if (text := writer.differs(instance))]
            # An answer with an age comes from memory: the instance has not reached its store again.
            if time.monotonic() > end or not any(text.endswith(("s old", UNREACHED))
                                                 for text in found):
                break
            time.sleep(1)
        for writer in self.writers:
            writer.is_paused = False
        return found + [text for writer in self.writers for text in writer.wrong]

    def idle_readers(self):
        """How many readers have received no event since the last call."""
        counts = [reader.events for reader in self.readers]
        idle = sum(now <= before for now, before in zip(counts, self.events))
        self.events = counts
        return idle

    def acknowledged(self):
        return sum(writer.counts["acknowledged"] for writer in self.writers)

    def answers(self):
        """Statuses of 400 and more with the problem's code, and how often."""
        total = collections.Counter()
        for writer in self.writers:
            total += writer.answers
        for reader in self.readers:
            total += reader.problems
        return {key: count for key, count in total.items() if key[0] >= 400}

    def end(self):
        for writer in self.writers:
            writer.is_over.set()
        for writer in self.writers:
            writer.thread.join(20)
