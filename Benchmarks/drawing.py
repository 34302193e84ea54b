#!/usr/bin/env python3
"""Measures the screen of `hoga watch` while 480 markets change at 2,000 frames a second.

For a terminal of 80 × 24 and one of 200 × 60: pictures a second from data alone (10 at most), bytes
of a picture, delay from a key to its picture, and the CPU for drawing, which is the CPU of
`hoga watch` minus that of a `hoga serve` that follows the same exchange. Then the same for
`hoga watch --server`, with the bytes it receives from the service.
"""

import os
import select
import socket
import sys
import threading
import time

from processes import Exchange, Screen, Service, cpu_seconds

SECONDS = int(os.environ.get("HOGA_BENCH_DRAWING_SECONDS", "30"))
RATE = 2_000
MARKETS = 480
KEYS = 100
# The bytes of one picture arrive together; data causes the next one after 100 ms.
SILENCE = 0.02
# The title of the help, which `?` opens and Esc closes.
HELP = "도움말".encode()


class WatchedScreen(Screen):
    """A screen that records when something was drawn."""

    def __init__(self, source, columns, rows):
        super().__init__(source, columns, rows)
        self.time_until("비트코인")
        self.read(1)
        # Answers the questions of a first start, which a second start does not ask.
        os.write(self.master, b"\x1b")
        self.read(2)

    def pictures(self, seconds):
        """Returns the sizes of the pictures drawn in that time, in bytes."""
        end, sizes, last = time.monotonic() + seconds, [], 0.0
        while (rest := end - time.monotonic()) > 0:
            if not select.select([self.master], [], [], rest)[0]:
                break
            size = len(os.read(self.master, 1 << 16))
            now = time.monotonic()
            if now - last > SILENCE:
                sizes.append(0)
            sizes[-1] += size
            last = now
        return sizes

    def time_to(self, key, text):
        """Returns the delay from a key to its text on the screen, in seconds."""
        seen, start = b"", time.monotonic()
        os.write(self.master, key)
        while text not in seen:
            if not select.select([self.master], [], [], 5)[0]:
                raise SystemExit(f"{text.decode()} was not drawn within 5 s of its key")
            seen += os.read(self.master, 1 << 16)
        return time.monotonic() - start


class Relay:
    """A relay to another port that counts the bytes it returns."""

    def __init__(self, port):
        self.bytes = 0
        self.behind = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.behind))
            for source, target, counts in [(client, server, False), (server, client, True)]:
                threading.Thread(target=self.copy, args=(source, target, counts),
                                 daemon=True).start()

    def copy(self, source, target, counts):
        try:
            while data := source.recv(1 << 16):
                self.bytes += len(data) if counts else 0
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            # One side has closed: close the other.
            source.close()
            target.close()


class Remote:
    """Arguments that make a screen read from a service."""

    def __init__(self, port):
        self.addresses = ["--server", f"http://127.0.0.1:{port}"]


def percentile(values, share):
    """Returns the value that a share of all do not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def cpu_share(pid, action):
    """Returns the CPU share of a process during an action, and the action's result."""
    before, start = cpu_seconds(pid), time.monotonic()
    result = action()
    return (cpu_seconds(pid) - before) / (time.monotonic() - start), result


def measure(exchange, columns, rows, undrawn):
    """Returns the figures of one terminal size as a line."""
    screen = WatchedScreen(exchange, columns, rows)
    try:
        cpu, sizes = cpu_share(screen.pid, lambda: screen.pictures(SECONDS))
        keys = []
        for turn in range(KEYS):
            # Not in phase with the pictures caused by data.
            screen.read(0.03 + 0.1 * (turn * 7 % 10) / 10)
            keys.append(screen.time_to(b"?", HELP) * 1_000)
            os.write(screen.master, b"\x1b")
            screen.read(0.2)
    finally:
        screen.end()
    print(f"{columns} × {rows}: {len(sizes) / SECONDS:.1f} pictures/s (10 at most), "
          f"{sum(sizes) / len(sizes):.0f} bytes each, at most {max(sizes)}; "
          f"key to picture median {percentile(keys, 0.5):.1f} ms, "
          f"p99 {percentile(keys, 0.99):.1f} ms of {KEYS} (under 50); "
          f"CPU {cpu:.1%} of a core, {cpu - undrawn:.1%} of it for drawing (under 10 %)")


def measure_remote(service, columns, rows):
    """Returns the figures of a screen with data from a service as a line."""
    relay = Relay(service.port)
    screen = WatchedScreen(Remote(relay.port), columns, rows)
    try:
        before = relay.bytes
        cpu, sizes = cpu_share(screen.pid, lambda: screen.pictures(SECONDS))
        came = (relay.bytes - before) / SECONDS
    finally:
        screen.end()
    print(f"{columns} × {rows} of a service: {len(sizes) / SECONDS:.1f} pictures/s, "
          f"{came / 1e3:.0f} kB/s from there, CPU {cpu:.1%} of a core")


def main():
    exchange = Exchange(rate=RATE, options=["--krw-markets", str(MARKETS)])
    try:
        service = Service(exchange)
        time.sleep(3)
        undrawn, _ = cpu_share(service.process.pid, lambda: time.sleep(SECONDS))
        print(f"{MARKETS} markets at {RATE} frames/s for {SECONDS} s: {undrawn:.1%} of a core "
              "without a screen")
        for columns, rows in [(80, 24), (200, 60)]:
            measure(exchange, columns, rows, undrawn)
            measure_remote(service, columns, rows)
        service.end()
    finally:
        exchange.kill()


if __name__ == "__main__":
    sys.exit(main())
