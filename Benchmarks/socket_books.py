#!/usr/bin/env python3
"""Order books over a real socket: what they cost hoga, for both generations of the API.

A sender in a process of its own prepares frames and writes them to a local socket; `Measure socket`
on another core receives, decodes and applies them. First both generations at the highest rate that
the receiver reaches, in turns, then API 2.x with all markets at the rate of a busy minute of the
exchange.
"""

import base64
import hashlib
import json
import multiprocessing
import os
import random
import socket
import struct
import subprocess
import time
import zlib

from processes import ROOT

MEASURE = os.environ.get(
    "HOGA_BENCH_MEASURE", os.path.join(ROOT, ".build", "release", "Measure"))
MARKETS = 493
UNITS = 15
RATE = 1_700
SECONDS = int(os.environ.get("HOGA_BENCH_SECONDS_SOCKET", "10"))
FRAMES = int(os.environ.get("HOGA_BENCH_FRAMES_SOCKET", "100000"))
ROUNDS = int(os.environ.get("HOGA_BENCH_ROUNDS_SOCKET", "5"))
START = 1_790_133_914_965_948
# As many levels as a frame of changes and one of a whole book of API 1.x have.
CHANGES = 20
SNAPSHOT_UNITS = 30
TEXT, BINARY = 1, 2


COMPRESSED = 0x40


def framed(text, opcode, packer=None):
    """One message as an unmasked frame, compressed if there is a packer."""
    payload = text.encode()
    if packer is not None:
        payload = packer(payload)
        opcode |= COMPRESSED
    if len(payload) < 126:
        head = struct.pack("!BB", 0x80 | opcode, len(payload))
    elif len(payload) < 65_536:
        head = struct.pack("!BBH", 0x80 | opcode, 126, len(payload))
    else:
        head = struct.pack("!BBQ", 0x80 | opcode, 127, len(payload))
    return head + payload


def packer(keeps_context):
    """Compresses messages as permessage-deflate, each on its own or after the ones before."""
    kept = zlib.compressobj(1, zlib.DEFLATED, -15)

    def pack(payload):
        deflater = kept if keeps_context else zlib.compressobj(1, zlib.DEFLATED, -15)
        return (deflater.compress(payload) + deflater.flush(zlib.Z_SYNC_FLUSH))[:-4]

    return pack


class Books:
    """Random frames of markets in all ranges of prices."""

    def __init__(self, seed, pack=None):
        self.pack = pack
        self.random = random.Random(seed)
        self.count = 0

    def size(self):
        return f"{self.random.randrange(5_000)}.{self.random.randrange(1, 10_000):04}" \
            .rstrip("0").rstrip(".")

    def next(self):
        """The market, the time in microseconds, and a function of distance that gives prices."""
        market = self.random.randrange(MARKETS)
        self.count += 1
        tick, middle = ((1_000, 116_500), (1, 1_210), (100, 2_104), (5, 1_742))[market % 4]
        return market, START + self.count * 600, lambda step: (middle + step) * tick

    def book2(self):
        market, at, price = self.next()
        units = [
            {"ask_price": price(1 + n), "bid_price": price(-n), "ask_size": self.size(),
             "bid_size": self.size()}
            for n in range(UNITS)
        ]
        rows = ",".join(
            "{" + ",".join(f'"{key}":{value}' for key, value in unit.items()) + "}"
            for unit in units
        )
        return framed(
            f'{{"type":"orderbook","code":"KRW-COIN{market}","total_ask_size":{self.size()},'
            f'"total_bid_size":{self.size()},"orderbook_units":[{rows}],"level":1,'
            f'"timestamp":{at},"stream_type":"REALTIME"}}', BINARY, self.pack)

    def side(self, price, step):
        return [[str(price(step * (n + 1))), self.size()] for n in range(SNAPSHOT_UNITS)]

    def book1(self, market=None):
        number, at, price = self.next()
        number = number if market is None else market
        content = {
            "symbol": f"COIN{number}_KRW", "datetime": str(at),
            "asks": self.side(price, 1), "bids": self.side(price, -1),
        }
        text = {"type": "orderbooksnapshot", "content": content}
        return framed(json.dumps(text, separators=(",", ":")), TEXT)

    def changes1(self):
        market, at, price = self.next()
        changes = [
            {"symbol": f"COIN{market}_KRW", "orderType": kind, "price": str(price(step * n)),
             "quantity": self.size() if self.random.randrange(3) else "0",
             "total": str(self.random.randrange(30))}
            for kind, step in (("ask", 1), ("bid", -1))
            for n in sorted(self.random.sample(range(1, 30), CHANGES // 2))
        ]
        text = {"type": "orderbookdepth", "content": {"list": changes, "datetime": str(at)}}
        return framed(json.dumps(text, separators=(",", ":")), TEXT)


def made(kind, count, seed, pack=None):
    """The greeting and the first frames, then the measured ones."""
    books = Books(seed, pack)
    if kind == "book2":
        return b"", [books.book2() for _ in range(MARKETS)], \
            [books.book2() for _ in range(count)]
    greeting = framed('{"status":"0000","resmsg":"Connected Successfully"}', TEXT)
    first = [books.book1(market) for market in range(MARKETS)]
    return greeting, first, [getattr(books, kind)() for _ in range(count)]


def serve(listener, frames, rate, extension):
    """Answers one handshake and sends the frames, `rate` a second or as fast as they are read."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    greeting, first, rest = frames
    connection, _ = listener.accept()
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(4_096)
    key = next(line.split(b": ")[1] for line in head.split(b"\r\n")
               if line.lower().startswith(b"sec-websocket-key"))
    digest = hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
    connection.sendall(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + extension + b"\r\n\r\n" + greeting)
    # The request of the client; the answer waits for it.
    connection.recv(65_536)
    connection.sendall(b"".join(first))
    time.sleep(0.5)
    if rate is None:
        connection.sendall(b"".join(rest))
    else:
        pace(connection, rest, rate)
    # Until the client closes.
    while connection.recv(4_096):
        pass


def pace(connection, frames, rate):
    start = time.monotonic()
    sent = 0
    while sent < len(frames):
        due = min(int((time.monotonic() - start) * rate), len(frames))
        if due > sent:
            connection.sendall(b"".join(frames[sent:due]))
            sent = due
        time.sleep(0.001)


def measured(frames, generation, rate, extension=b""):
    """Runs one measurement; returns frames lost, frames a second and a second of CPU time."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        sender = multiprocessing.get_context("fork").Process(
            target=serve, args=(listener, frames, rate, extension))
        sender.start()
        try:
            done = subprocess.run(
                [MEASURE, "socket", f"ws://127.0.0.1:{port}/", generation, str(MARKETS),
                 str(len(frames[1])), str(len(frames[2])), *(["deflate"] if extension else [])],
                capture_output=True, text=True, check=True, timeout=120,
                preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))
        finally:
            sender.terminate()
            sender.join()
    applied, skipped, count, milliseconds, microseconds = map(int, done.stdout.split())
    if skipped > 0:
        raise SystemExit(f"{skipped} entries were skipped")
    return len(frames[2]) - applied, count / milliseconds * 1e3, count / microseconds * 1e6


def main():
    kinds = {
        kind: made(kind, FRAMES, seed=1) for kind in ("changes1", "book1", "book2")
    }
    best = {}
    for number in range(ROUNDS):
        for kind, frames in kinds.items():
            lost, a_second, a_core_second = measured(frames, kind[-1], None)
            best[kind] = max(best.get(kind, 0), a_core_second)
            print(f"socket {number + 1}: {kind}, {sum(map(len, frames[2])) // FRAMES} bytes each: "
                  f"{lost} of {FRAMES} lost, {a_core_second:.0f} a second of CPU time, "
                  f"{a_second:.0f}/s", flush=True)
    for kind in ("changes1", "book1"):
        print(f"socket to book, API 2.x in proportion to {kind} of 1.x: "
              f"{best['book2'] / best[kind]:.2f} (aim 0.8)")

    header = b"\r\nSec-WebSocket-Extensions: permessage-deflate"
    count = RATE * SECONDS
    kinds = {
        "plain": (made("book2", count, 2), b""),
        "compressed": (made("book2", count, 2, packer(False)), header),
        "compressed with context": (made("book2", count, 2, packer(True)), header),
    }
    for number in range(ROUNDS):
        for kind, (frames, extension) in kinds.items():
            lost, a_second, a_core_second = measured(frames, "2", RATE, extension)
            print(f"socket {number + 1}: {MARKETS} books of 2.x, {kind}, "
                  f"{sum(map(len, frames[2])) // count} bytes each, at {a_second:.0f} frames/s: "
                  f"{lost} lost, {a_second / a_core_second * 100:.2f} % of a core (aim 5)",
                  flush=True)


if __name__ == "__main__":
    main()
