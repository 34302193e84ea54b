"""Attacks on memory and time of event streams; see `hostile.py`.

Every client has an address of its own and stays within the default limits.
"""

import collections
import http.client
import os
import threading
import time

import processes
from processes import Exchange, Service

ABANDONED = int(os.environ.get("HOGA_BENCH_HOSTILE_ABANDONED", "4096"))
UNREAD = int(os.environ.get("HOGA_BENCH_HOSTILE_UNREAD", "64"))
SECONDS = int(os.environ.get("HOGA_BENCH_HOSTILE_SECONDS", "20"))
# The default limit.
STREAMS_PER_CLIENT = 16
INTERVALS = ["1m", "3m", "5m", "10m"]
# Four ordinary readers, each of the whole list in an order of its own: all change at each cut.
ORDERS = ["popularity", "name", "price", "changeRate"]
MEGABYTE = 1 << 20


def candles(number):
    """The path of a stream of about 3,000 candles, another one for each number."""
    interval = INTERVALS[number % len(INTERVALS)]
    count = 3000 - number // len(INTERVALS)
    return f"/v1/stream?documents=candles&market=BTC_KRW&interval={interval}&count={count}"


def snapshot(number):
    """The path of a stream of three big documents, another one for each number."""
    return ("/v1/stream?documents=market-list,market-detail,assets&market=BTC_KRW"
            f"&market-detail.interval={INTERVALS[number % len(INTERVALS)]}"
            f"&market-detail.count={3000 - number // len(INTERVALS)}")


def read_event(response):
    """Reads one event; returns its name, or nothing at the end of the stream."""
    name = None
    for line in response:
        if line.startswith(b"event:"):
            name = line.split(b":", 1)[1].strip().decode()
        elif line == b"\n" and name:
            return name
    return None


def stored_candles(service):
    """Waits until the exchange's past candles were read, so that documents have their full size."""
    client = processes.http_client(service.port, 1000)

    def known():
        sizes = []
        for interval in INTERVALS:
            client.request("GET", f"/v1/markets/BTC_KRW/candles?interval={interval}&count=3000"
                           "&averages=none")
            answer = client.getresponse()
            sizes.append(len(answer.read()) if answer.status == 200 else 0)
        time.sleep(1)
        grown = sizes != known.sizes
        known.sizes = sizes
        return not grown

    known.sizes = None
    processes.wait_for("past candles", known, seconds=120)


def open_and_leave(port, number):
    """Opens a stream and leaves it after one event; returns whether there was one."""
    client = processes.http_client(port, number // STREAMS_PER_CLIENT)
    try:
        client.request("GET", candles(number))
        response = client.getresponse()
        return response.status == 200 and read_event(response) == "snapshot"
    except (OSError, http.client.HTTPException):
        return False
    finally:
        client.close()


def abandoned():
    """Streams of different documents, each left after its first event."""
    exchange = Exchange(rate=500)
    service = Service(exchange)
    pid = service.process.pid
    try:
        stored_candles(service)
        before = processes.resident_megabytes(pid)[1]
        start, cpu = time.monotonic(), processes.cpu_seconds(pid)
        opened = sum(open_and_leave(service.port, number) for number in range(ABANDONED))
        took, cpu = time.monotonic() - start, processes.cpu_seconds(pid) - cpu
        peak, after = processes.resident_megabytes(pid)
        metrics = service.metrics()
        cached = metrics['hoga_document_bytes{use="cache"}'] / MEGABYTE
        cached_max = metrics['hoga_document_bytes_max{use="cache"}'] / MEGABYTE
        streamed = metrics['hoga_document_bytes{use="streams"}'] / MEGABYTE
        print(f"{opened} of {ABANDONED} streams of different candles opened, one after another, "
              f"and left after an event, in {took:.0f} s with {cpu:.0f} CPU seconds: resident "
              f"memory {before:.0f} MiB before, {after:.0f} MiB after, {peak:.0f} MiB at most "
              f"(under 256); documents {cached:.0f} MiB cached (at most {cached_max:.0f}), "
              f"{streamed:.0f} MiB streamed, {metrics['hoga_stream_topics']:.0f} topics")
    finally:
        service.end()
        exchange.kill()


class Reader(threading.Thread):
    """Reads a stream of the list until its service ends, and notes when each patch arrived."""

    def __init__(self, port, client, order):
        super().__init__(daemon=True)
        self.connection = processes.http_client(port, client)
        self.path = f"/v1/stream?sort={order}"
        self.times = []
        self.start()

    def run(self):
        try:
            self.connection.request("GET", self.path)
            response = self.connection.getresponse()
            while name := read_event(response):
                if name == "patch":
                    self.times.append(time.monotonic())
        except (OSError, http.client.HTTPException):
            pass


def patches(readers, pid):
    """Returns the fewest patches per second of a reader, the longest wait of any, and the CPU."""
    start, cpu = time.monotonic(), processes.cpu_seconds(pid)
    time.sleep(SECONDS)
    end, cpu = time.monotonic(), processes.cpu_seconds(pid) - cpu
    rates, waits = [], []
    for reader in readers:
        times = [start, *(at for at in list(reader.times) if start <= at <= end), end]
        rates.append((len(times) - 2) / (end - start))
        waits += [after - before for before, after in zip(times, times[1:])]
    return (f"{min(rates):.1f} patches/s of the slowest (at least 9), "
            f"longest wait {max(waits) * 1000:.0f} ms, {cpu / (end - start):.2f} of a core")


def open_unread(port, documents, per_client, connections, statuses):
    """Opens streams of so many big documents, all of a client at once.

    Nothing is read of them but the status.
    """
    for first in range(0, UNREAD, per_client):
        opened = [processes.connected(port, first // per_client) for _ in range(per_client)]
        connections += opened
        for number, connection in enumerate(opened, first):
            document = number % documents
            path = candles(document) if document % 2 else snapshot(document)
            connection.settimeout(30)
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        # "HTTP/1.1 200"
        statuses.update(connection.recv(12)[9:] for connection in opened)


def unread():
    """Streams of big documents that nobody reads, beside ordinary readers.

    First four of each document by many clients, which all fit into the memory for streams, then
    one of each by few clients.
    """
    unread_beside_readers(UNREAD // 4, STREAMS_PER_CLIENT // 4)
    unread_beside_readers(UNREAD, STREAMS_PER_CLIENT)


def unread_beside_readers(documents, per_client):
    exchange = Exchange(rate=500)
    service = Service(exchange)
    pid = service.process.pid
    connections, statuses = [], collections.Counter()
    try:
        stored_candles(service)
        readers = [Reader(service.port, 200 + number, order)
                   for number, order in enumerate(ORDERS)]
        time.sleep(2)
        print(f"{len(ORDERS)} streams of the list alone: {patches(readers, pid)}")
        opening = threading.Thread(
            target=open_unread,
            args=(service.port, documents, per_client, connections, statuses))
        opening.start()
        print(f"beside unread streams that open: {patches(readers, pid)}")
        opening.join()
        print(f"beside {statuses[b'200']} unread streams, {len(connections)} tried by "
              f"{UNREAD // per_client} clients, of {documents} big documents: "
              f"{patches(readers, pid)}, "
              f"{sum(not reader.is_alive() for reader in readers)} of the readers' streams ended")
        client = processes.http_client(service.port, 300)
        client.request("GET", "/v1/stream?sort=tradeValue")
        metrics = service.metrics()
        streamed = metrics['hoga_document_bytes{use="streams"}'] / MEGABYTE
        streamed_max = metrics['hoga_document_bytes_max{use="streams"}'] / MEGABYTE
        peak = processes.resident_megabytes(pid)[0]
        print(f"a new reader gets {client.getresponse().status} (200); documents {streamed:.0f} "
              f"MiB streamed (at most {streamed_max:.0f}), resident memory {peak:.0f} MiB at most")
    finally:
        for connection in connections:
            connection.close()
        service.end()
        exchange.kill()
