#!/usr/bin/env python3
"""Memory of `hoga serve` and `hoga watch` over a long time.

500 frames a second of a simulated exchange. Streams of random documents come and go, some with
readers that take a kilobyte a second, beside random questions; all within the limits of 32
addresses. Prints the resident memory of each third of the run, and the slope of the last two.
Ninety minutes unless HOGA_BENCH_SOAK_MINUTES says otherwise.
"""

import os
import random
import socket
import statistics
import threading
import time

import processes
from processes import Exchange, Screen, Service

MINUTES = float(os.environ.get("HOGA_BENCH_SOAK_MINUTES", "90"))
RATE = 500
STREAMS, SLOW_STREAMS, QUESTIONERS = 16, 8, 4
QUESTIONS_PER_SECOND = 3
SAMPLE_SECONDS = 10
INTERVALS = ["1m", "3m", "5m", "10m", "30m", "1h", "6h", "12h", "24h"]


def path(rng, markets):
    """The path of a random document."""
    market = rng.choice(markets)
    language = rng.choice(["", "&lang=en"])
    return rng.choice([
        f"/v1/markets?tab={rng.choice(['markets', 'popular'])}{language}",
        f"/v1/markets?period={rng.choice(['24H', 'MID', '12H', '1H', '30M'])}&sort=changeRate",
        f"/v1/markets?limit={rng.randrange(1, 200)}&offset={rng.randrange(200)}{language}",
        "/v1/markets?markets=" + ",".join(rng.sample(markets, rng.randrange(1, 20))),
        f"/v1/markets/{market}?interval={rng.choice(INTERVALS)}{language}",
        f"/v1/markets/{market}/candles?interval={rng.choice(INTERVALS)}"
        f"&count={rng.randrange(1, 3000)}",
        f"/v1/markets/{market}/orderbook?depth={rng.randrange(1, 30)}",
        f"/v1/markets/{market}/trades?limit={rng.randrange(1, 200)}",
        "/v1/assets", "/v1/about",
    ])


def stream_path(rng, markets):
    """The path of the stream of a random document."""
    market = rng.choice(markets)
    return rng.choice([
        "/v1/stream?tab=popular", "/v1/stream?period=1H&sort=changeRate",
        "/v1/stream?markets=" + ",".join(rng.sample(markets, 10)),
        f"/v1/stream?documents=market-detail&market={market}&interval={rng.choice(INTERVALS)}",
        f"/v1/stream?documents=candles&market={market}&count={rng.randrange(1, 1000)}",
        f"/v1/stream?documents=order-book&market={market}", "/v1/stream?documents=assets",
    ])


class Soak:
    """The load, until it is stopped."""

    def __init__(self, service, markets):
        self.service, self.markets = service, markets
        self.done = threading.Event()
        self.streams = self.questions = 0
        self.statuses = {}
        self.threads = [threading.Thread(target=work, args=(number,), daemon=True)
                        for number, work in enumerate([self.stream] * STREAMS
                                                      + [self.slow] * SLOW_STREAMS
                                                      + [self.ask] * QUESTIONERS)]
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.done.set()
        for thread in self.threads:
            thread.join()

    def read(self, rng, client, seconds, bytes_per_second):
        """One stream for so long, at most so fast."""
        connection = processes.connected(self.service.port, client)
        if bytes_per_second:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        coding = rng.choice(["identity", "gzip"])
        connection.sendall((f"GET {stream_path(rng, self.markets)} HTTP/1.1\r\nHost: h\r\n"
                            f"Accept-Encoding: {coding}\r\n\r\n").encode())
        connection.settimeout(2)
        end = time.monotonic() + seconds
        first = True
        while time.monotonic() < end and not self.done.is_set():
            try:
                data = connection.recv(bytes_per_second or 1 << 16)
            except TimeoutError:
                continue
            if not data:
                break
            if first:
                self.count(data[9:12].decode())
                first = False
            if bytes_per_second:
                self.done.wait(1)
        connection.close()
        self.streams += 1

    def count(self, status):
        self.statuses[status] = self.statuses.get(status, 0) + 1

    def stream(self, number):
        rng = random.Random(number)
        while not self.done.is_set():
            self.read(rng, rng.randrange(32), rng.uniform(1, 30), None)

    def slow(self, number):
        rng = random.Random(number)
        while not self.done.is_set():
            self.read(rng, rng.randrange(32), rng.uniform(20, 180), 1_024)

    def ask(self, number):
        rng = random.Random(number)
        while not self.done.wait(1 / QUESTIONS_PER_SECOND):
            client = processes.http_client(self.service.port, rng.randrange(32))
            headers = {"Accept-Encoding": "gzip"} if rng.random() < 0.5 else {}
            client.request("GET", path(rng, self.markets), headers=headers)
            answer = client.getresponse()
            answer.read()
            client.close()
            self.count(str(answer.status))
            self.questions += 1


def slope(samples):
    """MiB an hour by least squares."""
    times = [at for at, _ in samples]
    values = [value for _, value in samples]
    mean = statistics.fmean(times)
    spread = sum((at - mean) ** 2 for at in times)
    top = sum((at - mean) * value for at, value in samples)
    return top / spread * 3600 if spread else 0.0


def report(name, samples):
    third = len(samples) // 3
    means = [statistics.fmean(value for _, value in samples[part * third:(part + 1) * third])
             for part in range(3)]
    print(f"{name}: {means[0]:.1f}, {means[1]:.1f}, {means[2]:.1f} MiB resident in the thirds; "
          f"the last {100 * (means[2] / means[1] - 1):+.1f} % (at most 5 %), "
          f"slope of the last two {slope(samples[third:]):+.1f} MiB an hour, "
          f"peak {max(value for _, value in samples):.0f}", flush=True)


def main():
    exchange = Exchange(rate=RATE)
    service = Service(exchange, options=["--access-log", "off"])
    screen = Screen(exchange)
    drained = threading.Thread(target=lambda: screen.read(MINUTES * 60 + 30), daemon=True)
    drained.start()
    processes.wait_for("a list", lambda: service.list()["state"]["rows"])
    soak = Soak(service, [row["market"] for row in service.list("?limit=1000")["state"]["rows"]])
    serve, watch = [], []
    start = time.monotonic()
    while (passed := time.monotonic() - start) < MINUTES * 60:
        serve.append((passed, processes.resident_megabytes(service.process.pid)[1]))
        watch.append((passed, processes.resident_megabytes(screen.pid)[1]))
        if len(serve) % (600 // SAMPLE_SECONDS) == 1:
            metrics = service.metrics()
            cached = metrics['hoga_document_bytes{use="cache"}'] / (1 << 20)
            print(f"{passed / 60:.0f} min: serve {serve[-1][1]:.0f} MiB, cached {cached:.0f}, "
                  f"watch {watch[-1][1]:.0f}; {soak.streams} streams, {soak.questions} questions",
                  flush=True)
        time.sleep(SAMPLE_SECONDS)
    soak.stop()
    print(f"{soak.streams} streams, {soak.questions} questions, answers {soak.statuses}")
    report("serve", serve)
    report("watch", watch)
    screen.end()
    service.end()
    exchange.kill()


if __name__ == "__main__":
    main()
