#!/usr/bin/python3 -B
"""Follows five documents of a running service with clients/python/hoga.py, over connections that
are cut after random bytes, and compares each revision with a GET of the same revision.

usage: scripts/check-clients-live.py HOGA [SEED]

HOGA is a built binary; it runs as `hoga exchange simulate` and `hoga serve`. Takes
HOGA_CLIENT_SECONDS (60). Exits with 0 if every compared document is equal and every patch fitted,
else with 1.
"""

import json
import os
import random
import socket
import sys
import threading
import time
from collections import OrderedDict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "clients/python"), str(ROOT / "Benchmarks")]

import hoga  # noqa: E402

# Path and parameters of each document; the stream has those of the GET and `documents`.
QUESTIONS = {
    "market-list": ("/v1/markets", {"sort": "changeRate"}),
    "market-detail": ("/v1/markets/BTC_KRW", {"interval": "1m"}),
    "order-book": ("/v1/markets/BTC_KRW/orderbook", {"depth": 15}),
    "trades": ("/v1/markets/BTC_KRW/trades", {"limit": 50}),
    "candles": ("/v1/markets/BTC_KRW/candles", {"interval": "1m", "count": 100}),
}
FRAMES_PER_SECOND = 500
# Documents kept for comparison, of each kind and side.
REVISIONS_MAX = 300
GET_PAUSE_SECONDS = 0.05
# A connection is cut after so many bytes up to a few documents, each magnitude as often.
CUT_BYTES_MIN = 100
CUT_DOCUMENTS_MAX = 10
COMPARISONS_MIN = 10


class Relay:
    """A TCP relay that closes each connection after a random number of bytes of its answers."""

    def __init__(self, port, bytes_max, generator):
        self.cuts = 0
        self._bytes_max = bytes_max
        self._target = ("127.0.0.1", port)
        self._generator = generator
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self._listener.accept()
            magnitude = (self._bytes_max / CUT_BYTES_MIN) ** self._generator.random()
            count = int(CUT_BYTES_MIN * magnitude)
            threading.Thread(target=self._relay, args=(client, count), daemon=True).start()

    def _relay(self, client, count):
        with client, socket.create_connection(self._target) as server:
            threading.Thread(target=self._forward, args=(client, server), daemon=True).start()
            self._forward(server, client, count)
            self.cuts += 1
            for each in (client, server):
                try:
                    each.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # Closed by its other side.

    @staticmethod
    def _forward(source, sink, count=sys.maxsize):
        """Forwards so many bytes, or until one side is closed."""
        try:
            while count > 0 and (piece := source.recv(min(count, 1 << 16))):
                sink.sendall(piece)
                count -= len(piece)
        except OSError:
            pass


class Comparison:
    """Compares the documents of a stream with those of GETs, by revision."""

    def __init__(self):
        self.count = 0
        self.differences = []
        self._lock = threading.Lock()
        self._sides = {"stream": OrderedDict(), "get": OrderedDict()}
        self._compared = OrderedDict()

    def add(self, side, document):
        revision = document["revision"]
        with self._lock:
            self._keep(self._sides[side], revision, document)
            if revision in self._compared or not all(
                    revision in each for each in self._sides.values()):
                return
            self._keep(self._compared, revision, True)
            streamed, read = (each[revision] for each in self._sides.values())
        self.count += 1
        if streamed != read:
            self.differences.append(f"{revision}{difference(streamed, read)}")

    @staticmethod
    def _keep(kept, revision, value):
        kept[revision] = value
        if len(kept) > REVISIONS_MAX:
            kept.popitem(last=False)


def difference(streamed, read, path=""):
    """The first place at which two documents differ."""
    if isinstance(streamed, dict) and isinstance(read, dict) and streamed.keys() == read.keys():
        pairs = [(f".{name}", streamed[name], read[name]) for name in read]
    elif isinstance(streamed, list) and isinstance(read, list) and len(streamed) == len(read):
        pairs = [(f"[{place}]", *pair) for place, pair in enumerate(zip(streamed, read))]
    else:
        return f"{path}: {str(streamed)[:200]} in the stream, {str(read)[:200]} in the GET"
    name, one, other = next(pair for pair in pairs if pair[1] != pair[2])
    return difference(one, other, path + name)


class Follower:
    """Follows one document until it is closed."""

    def __init__(self, name, service, is_begun, generator):
        self.path, self.parameters = QUESTIONS[name]
        self.name = name
        self.comparison = Comparison()
        self.events = {}
        self.failure = None
        market = {} if name == "market-list" else {"market": "BTC_KRW"}
        self.reader = hoga.Client(f"http://127.0.0.1:{service.port}")
        document = self.read()
        size = len(json.dumps(document, ensure_ascii=False).encode())
        self.relay = Relay(service.port, CUT_DOCUMENTS_MAX * size, generator)
        client = hoga.Client(
            f"http://127.0.0.1:{self.relay.port}",
            # Sooner than the server asks: the time is for cuts.
            wait=lambda closed, seconds: closed.wait(min(seconds, 0.05)))
        self.stream = client.follow(
            "/v1/stream", start=document if is_begun else None, documents=name, **market,
            **self.parameters)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        try:
            for event in self.stream:
                self.events[event.type] = self.events.get(event.type, 0) + 1
                if event.document:
                    self.comparison.add("stream", event.document)
        except Exception as error:  # pylint: disable=broad-except
            # Reported by the main thread.
            self.failure = error

    def read(self):
        """Reads the document with a GET."""
        document = self.reader.get(self.path, **self.parameters)
        self.comparison.add("get", document)
        return document

    def end(self):
        """Ends the stream; returns why the check fails, empty if it does not."""
        self.stream.close()
        self._thread.join()
        counts = ", ".join(f"{count} {name}" for name, count in sorted(self.events.items()))
        print(f"{self.name:<14} {self.comparison.count:>5} compared, "
              f"{len(self.comparison.differences)} differ; "
              f"{self.stream.connections} connections, {self.relay.cuts} cut; {counts}")
        failures = self.comparison.differences[:3]
        if self.failure:
            failures.append(f"the stream ended: {self.failure}")
        if self.stream.mismatches:
            failures.append(f"{self.stream.mismatches} patches did not fit")
        if self.comparison.count < COMPARISONS_MIN:
            failures.append(f"fewer than {COMPARISONS_MIN} comparisons")
        return [f"{self.name}: {failure}" for failure in failures]


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 64
    os.environ["HOGA_BENCH_BINARY"] = str(Path(arguments[0]).resolve())
    from processes import Exchange, Service  # pylint: disable=import-outside-toplevel

    seed = int(arguments[1]) if len(arguments) == 2 else random.randrange(1 << 32)
    print(f"seed {seed}")
    limits = ["--requests-per-client", "1000000", "--streams-per-user", "1000"]
    exchange = Exchange(FRAMES_PER_SECOND, seed=1)
    try:
        service = Service(exchange, options=limits)
        try:
            generator = random.Random(seed)
            # Every second one continues a document that a GET returned.
            followers = [Follower(name, service, place % 2 == 1, generator)
                         for place, name in enumerate(QUESTIONS)]
            end = time.monotonic() + float(os.environ.get("HOGA_CLIENT_SECONDS", "60"))
            while time.monotonic() < end:
                for follower in followers:
                    follower.read()
                time.sleep(GET_PAUSE_SECONDS)
            failures = [failure for follower in followers for failure in follower.end()]
        finally:
            service.end()
    finally:
        exchange.kill()
    total = sum(follower.comparison.count for follower in followers)
    print(f"{total} comparisons, {len(failures)} failures")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
