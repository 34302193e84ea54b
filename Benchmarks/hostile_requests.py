"""Attacks with requests that cost more than they should; see `hostile.py`.

Services have their default limits.
"""

import base64
import collections
import http.client
import itertools
import json
import multiprocessing
import os
import statistics
import time

import processes
from processes import Exchange, Service

SECONDS = int(os.environ.get("HOGA_BENCH_HOSTILE_SECONDS", "20"))
# A minute, because the bound is one of a minute.
TOKEN_SECONDS = int(os.environ.get("HOGA_BENCH_HOSTILE_TOKEN_SECONDS", "60"))
# Unknown tokens per second: below a client's quota of 1,200 requests per minute.
TOKEN_RATE = 15
RATE = 200
PATH = "/v1/markets?limit=20"
# An ordinary reader's requests come from so many addresses that none is beyond its quota.
READERS = 20
ATTACKER = 900
CONNECTIONS = 4


def waits(port, seconds, readers=1):
    """Returns the duration of each request at a steady rate, in milliseconds.

    Readers of different addresses take turns.
    """
    clients = [processes.http_client(port, 100 + number) for number in range(readers)]
    start, times, failures = time.monotonic(), [], 0
    for number in range(seconds * RATE):
        client = clients[number % readers]
        due = start + number / RATE
        time.sleep(max(0, due - time.monotonic()))
        try:
            client.request("GET", PATH)
            answer = client.getresponse()
            failures += answer.status != 200
            json.loads(answer.read())
        except (OSError, ValueError, http.client.HTTPException):
            failures += 1
            client.close()
        # From its due time: a slow answer delays the next requests.
        times.append((time.monotonic() - due) * 1000)
    for client in clients:
        client.close()
    return statistics.quantiles(times, n=100), max(times), failures


def dear_paths():
    """Paths of the dearest documents, each another one."""
    for number in itertools.count():
        interval = ["1m", "3m", "5m", "10m"][number // 2 % 4]
        count = 3000 - number // 8 % 1000
        if number % 2:
            yield f"/v1/markets/BTC_KRW/candles?interval={interval}&count={count}"
        else:
            yield ("/v1/snapshot?documents=market-list,market-detail,assets&market=BTC_KRW"
                   f"&market-detail.interval={interval}&market-detail.count={count}"
                   "&market-detail.limit=200")


def ask(client, path, headers):
    """Makes a request; returns status, header and body, or 0 if there was no answer."""
    try:
        client.request("GET", path, headers=headers)
        answer = client.getresponse()
        return answer.status, answer.headers, answer.read()
    except (OSError, http.client.HTTPException):
        client.close()
        return 0, {}, b""


def core_share(pid, seconds=5):
    """Returns the share of a core that a process uses now."""
    start = processes.cpu_seconds(pid)
    time.sleep(seconds)
    return (processes.cpu_seconds(pid) - start) / seconds


def refused():
    """Conditional requests for dear documents from an address that is beyond its limit."""
    exchange = Exchange(rate=500)
    service = Service(exchange)
    pid = service.process.pid
    try:
        time.sleep(5)
        idle = core_share(pid)
        client = processes.http_client(service.port, ATTACKER)
        headers = {"If-None-Match": '"x"', "Accept-Encoding": "gzip"}
        paths = dear_paths()
        while ask(client, PATH, {})[0] == 200:
            pass
        statuses, small = collections.Counter(), collections.Counter()
        start, cpu = time.monotonic(), processes.cpu_seconds(pid)
        while (elapsed := time.monotonic() - start) < SECONDS:
            for path in itertools.islice(paths, 10):
                statuses[ask(client, path, headers)[0]] += 1
            # Takes the units that have come back, so that no dear request is within the limit.
            small[ask(client, PATH, headers)[0]] += 1
        cpu = processes.cpu_seconds(pid) - cpu - idle * elapsed
        count = statuses.total() + small.total()
        print(f"{statuses[429]} of {statuses.total()} conditional requests for dear documents and "
              f"{small[429]} of {small.total()} for small ones refused beyond the limit, "
              f"{count / elapsed:.0f}/s: {cpu / count * 1000:.3f} ms of CPU each (at most 0.1)")
    finally:
        service.end()
        exchange.kill()


def random_token():
    """A token of the right form."""
    return "hoga_" + base64.urlsafe_b64encode(os.urandom(32)).decode().rstrip("=")


def unknown_tokens():
    """Random tokens from one client at a rate within its other limits."""
    exchange = Exchange(rate=500)
    service = Service(exchange)
    try:
        client = processes.http_client(service.port, ATTACKER)
        statuses = collections.Counter()
        start = time.monotonic()
        for number in range(TOKEN_SECONDS * TOKEN_RATE):
            time.sleep(max(0, start + number / TOKEN_RATE - time.monotonic()))
            headers = {"Authorization": f"Bearer {random_token()}"}
            statuses[ask(client, "/v1/me", headers)[0]] += 1
        others = statuses.total() - statuses[401] - statuses[429]
        print(f"{statuses.total()} unknown tokens of one client in {TOKEN_SECONDS} s: "
              f"{statuses[401]} looked up in the store (at most 60 a minute), "
              f"{statuses[429]} refused before, {others} others")
    finally:
        service.end()
        exchange.kill()


def ask_dear(port, number, end, statuses):
    """Asks the dearest questions over one of the attacker's connections."""
    client = processes.http_client(port, ATTACKER)
    total = collections.Counter()
    paths = itertools.islice(dear_paths(), number, None, CONNECTIONS)
    while not end.is_set():
        status, _, _ = ask(client, next(paths), {"Accept-Encoding": "gzip"})
        total[status] += 1
        if status != 200:
            # Refused requests are another attack's; here they would only take this script's CPU.
            time.sleep(0.01)
    statuses.put(total)


def dear():
    """The dearest questions over four connections, beside ordinary requests of others."""
    exchange = Exchange(rate=500)
    service = Service(exchange)
    pid = service.process.pid
    try:
        # The past candles that the questions need are read once before.
        client = processes.http_client(service.port, ATTACKER + 1)
        for path in itertools.islice(dear_paths(), 8):
            ask(client, path, {})
        waits(service.port, 5, READERS)
        cpu = processes.cpu_seconds(pid)
        alone, worst, failures = waits(service.port, SECONDS, READERS)
        cpu = processes.cpu_seconds(pid) - cpu
        print(f"alone: p50 {alone[49]:.2f} ms, p99 {alone[98]:.2f} ms, worst {worst:.1f} ms, "
              f"{failures} failed, {cpu / SECONDS:.2f} of a core")
        context = multiprocessing.get_context("fork")
        end, statuses = context.Event(), context.Queue()
        hostile = [context.Process(target=ask_dear, args=(service.port, number, end, statuses))
                   for number in range(CONNECTIONS)]
        cpu = processes.cpu_seconds(pid)
        for process in hostile:
            process.start()
        beside, worst, failures = waits(service.port, SECONDS, READERS)
        cpu = processes.cpu_seconds(pid) - cpu
        end.set()
        total = sum((statuses.get() for _ in hostile), collections.Counter())
        for process in hostile:
            process.join()
        print(f"beside {total[200]} of the dearest questions over {CONNECTIONS} connections "
              f"({total.total() - total[200]} refused): p50 {beside[49]:.2f} ms, "
              f"p99 {beside[98]:.2f} ms, worst {worst:.1f} ms, {failures} failed, "
              f"{cpu / SECONDS:.2f} of a core; ratio {beside[98] / alone[98]:.2f} (at most 3)")
    finally:
        service.end()
        exchange.kill()
