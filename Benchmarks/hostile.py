#!/usr/bin/env python3
"""Measures the effect of hostile clients on others, and checks hoga's log.

Each attack has a service of its own and states its figure beside its bound. Arguments select
attacks by the names of ATTACKS; all of them run otherwise. The attacks of `hostile_streams.py` and
`hostile_requests.py` stay within the default limits of one client, or have clients that do.
"""

import multiprocessing
import os
import resource
import sys
import tempfile
import time

import hostile_requests
import hostile_streams
import processes
from hostile_requests import waits
from processes import Exchange, Service

SECONDS = int(os.environ.get("HOGA_BENCH_HOSTILE_SECONDS", "20"))
ADDRESSES, IDLE = 160, int(os.environ.get("HOGA_BENCH_IDLE", "10000"))
TRICKLING = 300
SIGN = "s3cret-of-a-hostile-client"

HEAD = b"GET /v1/about HTTP/1.1\r\nHost: x\r\n"
BROKEN = [
    b"GET /v1/markets HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET /v1/markets HTTP/1.1\r\n\r\n",
    b"POST /v1/me/cash HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"PUT /v1/me/cash HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
    HEAD + b"X-Long: " + SIGN.encode() * 700 + b"\r\n\r\n",
    HEAD + b"Authorization: Bearer " + SIGN.encode() + b"\r\n\r\n",
    b"GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + SIGN.encode() + b"\r\n\r\n",
    b"GET /v1/markets?q=" + SIGN.encode() * 20 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /v1/%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /v1/markets/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET //v1//markets HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + SIGN.encode(),
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    (HEAD + b"\r\n") * 50,
    b"PUT /v1/me/cash HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n" + b"a" * 70000,
]


def idle(port, ready, end):
    resource.setrlimit(resource.RLIMIT_NOFILE, (IDLE + 100, IDLE + 100))
    clients = []
    for number in range(IDLE):
        try:
            clients.append(processes.connected(port, number % ADDRESSES))
        except OSError:
            break
    ready.put(("idle", len(clients)))
    end.wait()


def trickle(port, ready, end):
    """Sends headers and bodies repeatedly, one byte each half second."""
    body = b"PUT /v1/me/cash HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n"
    clients = [None] * TRICKLING
    ready.put(("trickles", 0))
    closed = 0
    while not end.wait(0.5):
        for number, client in enumerate(clients):
            try:
                if client is None:
                    client = clients[number] = processes.connected(port, 200 + number % 100)
                    client.sendall(body if number % 2 else b"GET / HTTP/1.1\r\nX-Slow: ")
                client.send(b"a")
            except OSError:
                closed += 1
                clients[number] = None
    ready.put(("trickles", closed))


def break_things(port, ready, end):
    ready.put(("broken", 0))
    sent = 0
    while not end.wait(0.005):
        try:
            with processes.connected(port, 400 + sent % 100) as client:
                client.settimeout(1)
                client.sendall(BROKEN[sent % len(BROKEN)])
                client.recv(65536)
        except OSError:
            pass
        sent += 1
    ready.put(("broken", sent))


def noise():
    """Malformed and slow requests beside a reader, whose 99th percentile may at most double.

    The reader makes requests at a steady rate, first alone, then beside 10,000 idle connections
    from 160 addresses, slow headers and bodies, too long headers and bodies, and malformed,
    repeated, pipelined or smuggled requests. hoga's log must have no text of those.
    """
    exchange = Exchange(rate=500)
    log = tempfile.TemporaryFile()
    service = Service(exchange, log=log,
                      options=["--requests-per-client", "1000000", "--access-log", "all"])
    try:
        time.sleep(2)
        waits(service.port, SECONDS)
        alone, worst, failures = waits(service.port, SECONDS)
        print(f"alone: p50 {alone[49]:.2f} ms, p99 {alone[98]:.2f} ms, worst {worst:.1f} ms, "
              f"{failures} failed")
        context = multiprocessing.get_context("fork")
        end, ready = context.Event(), context.Queue()
        hostile = [context.Process(target=job, args=(service.port, ready, end))
                   for job in (idle, trickle, break_things)]
        for process in hostile:
            process.start()
        counts = dict(ready.get() for _ in hostile)
        time.sleep(2)
        beside, worst, failures = waits(service.port, SECONDS)
        end.set()
        counts |= dict(ready.get() for _ in hostile[1:])
        for process in hostile:
            process.join()
        ratio = beside[98] / alone[98]
        print(f"beside {counts['idle']} idle connections, {counts['trickles']} trickles ended, "
              f"{counts['broken']} broken requests: p50 {beside[49]:.2f} ms, "
              f"p99 {beside[98]:.2f} ms, worst {worst:.1f} ms, {failures} failed; "
              f"ratio {ratio:.2f} (at most 2)")
        peak = processes.resident_megabytes(service.process.pid)[0]
        print(f"resident memory: {peak:.0f} MiB at most")
        log.seek(0)
        text = log.read()
        print(f"{len(text.splitlines())} log lines, {text.count(SIGN.encode())} of them with what "
              "hostile clients sent")
    finally:
        service.end()
        exchange.kill()


ATTACKS = {
    "noise": noise,
    "abandoned-streams": hostile_streams.abandoned,
    "unread-streams": hostile_streams.unread,
    "refused-requests": hostile_requests.refused,
    "unknown-tokens": hostile_requests.unknown_tokens,
    "dear-requests": hostile_requests.dear,
}


def main():
    names = sys.argv[1:] or list(ATTACKS)
    if unknown := [name for name in names if name not in ATTACKS]:
        raise SystemExit(f"no attack '{unknown[0]}'. Choose from {', '.join(ATTACKS)}")
    for name in names:
        ATTACKS[name]()


if __name__ == "__main__":
    main()
