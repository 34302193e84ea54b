#!/usr/bin/env python3
"""A deployment under load for hours: memory, open files, latency and drift must stay flat.

usage: Benchmarks/soak.py [HOURS]     (2, after 30 minutes that do not count)

`hoga serve` on PostgreSQL, 200 frames a second of a simulated exchange, a terminal and the page
that stay open, and the people and programs of soak_load.py that come and go. Each minute becomes a
row of dist/soak.csv, drawn as dist/soak.svg: the exchange is paused, and prices, previous closes
and order books of the service are compared with the exchange's; a difference that stays is drift.

In the first minutes tapes and caches of fixed size fill, so that their growth is no slope: the
exchange sends more than later, and the cache of documents is small. Exits with 1 if the mean of a
column grows by more than 5 % and its tolerance from the first half of the other minutes to the
second, or if anything drifted, was refused or was lost; with 64 for wrong usage. How fast the
machine is in each half counts as well: latencies are compared as ratios to the processor time of
the same work. Run it with the Python of scripts/check-page, which has selenium, on two idle cores.
"""

import os
import statistics
import sys
import threading
import time
import zlib
from decimal import Decimal

from page import Browser, Page
import processes
from failover import Database
from processes import Exchange, Screen, Service, get, post
from soak_load import WRITERS, Load
from soak_record import REFERENCE, START_MINUTES, Record

HOURS = 2.0
# Leaves time on two cores: a latency shall not be the length of queues.
RATE = 200
# Before the minutes that count, so that the tapes of most markets are full: 500 trades each.
START_RATE = 5_000
# How long before the minutes that count the rate falls.
SETTLING_MINUTES = 5
# The default would fill for an hour.
CACHE_MEGABYTES = "8"
# The books that are compared; each is asked for before, so that it is followed.
BOOKS = 5
# How long a difference may stay while the exchange is paused.
REST_SECONDS = 5
# What `Reference` packs, and how often.
REFERENCE_TEXT = b" ".join(b"%d" % (number * number) for number in range(20_000))
REFERENCE_SECONDS = 2


class Reference:
    """How fast the machine is: the processor time of the same work, every two seconds."""

    def __init__(self):
        self.seconds = []
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            start = time.thread_time()
            zlib.compress(REFERENCE_TEXT)
            self.seconds.append(time.thread_time() - start)
            time.sleep(REFERENCE_SECONDS)

    def take_mean(self):
        """The mean since the last call."""
        taken, self.seconds = self.seconds, []
        return statistics.fmean(taken or [0.0])


class SoakDatabase(Database):
    """A database without standby, and without the triggers that record each writer."""

    audit = ""
    has_standby = False


class Soak:
    """The deployment and its minutes."""

    def __init__(self, folder):
        self.record = Record(folder)
        self.reference = Reference()
        self.database = SoakDatabase()
        self.exchange = Exchange(rate=START_RATE)
        self.service = Service(
            self.exchange, variables={"HOGA_DATABASE_URL": self.database.url("hoga_app_login")},
            options=["--access-log", "off", "--requests-per-client", "100000",
                     "--cache-mb", CACHE_MEGABYTES])
        self.screen = Screen(self.exchange)
        threading.Thread(target=self.drain, daemon=True).start()
        processes.wait_for("a list", lambda: self.service.list()["state"]["rows"])
        rows = self.service.list("?limit=1000")["state"]["rows"]
        self.markets = [row["market"] for row in rows]
        self.page = self.open_page()
        names = [f"user{number}" for number in range(WRITERS)]
        self.load = Load(self.service, self.markets,
                         {name: self.database.token(name) for name in names})

    def drain(self):
        while self.screen.read(60):
            pass

    def open_page(self):
        self.browser = Browser(logs_requests=False)
        self.browser.command("Performance.enable")
        self.browser.open(f"http://127.0.0.1:{self.service.port}/")
        self.browser.wait_rows()
        self.browser.wait_live()
        return Page(self.browser)

    def run(self, hours):
        start = time.monotonic()
        for minute in range(1, START_MINUTES + round(hours * 60) + 1):
            if minute == START_MINUTES - SETTLING_MINUTES:
                post(f"{self.exchange.rest}/simulator/rate?frames={RATE}")
            self.load.done.wait(max(0, start + minute * 60 - time.monotonic()))
            row = self.measure(minute)
            self.record.add(row)
            if minute % 10 == 1:
                print(", ".join(f"{name} {value:g}" for name, value in row.items()), flush=True)
        self.load.stop()
        for writer in self.load.writers:
            for fault in [*writer.wrong, writer.differs(self.service)]:
                if fault:
                    self.load.note(fault)
                    self.record.rows[-1]["faults"] += 1
        for fault in self.load.faults[:20]:
            print(fault)

    def measure(self, minute):
        """The row of a minute."""
        seconds = sorted(self.load.take_seconds()) or [0.0]
        heap, nodes = self.page.heap()
        drift = self.drift()
        before = sum(row["faults"] for row in self.record.rows)
        return {
            "minute": minute,
            "serveMegabytes": processes.resident_megabytes(self.service.process.pid)[1],
            "serveFiles": open_files(self.service.process.pid),
            "watchMegabytes": processes.resident_megabytes(self.screen.pid)[1],
            "watchFiles": open_files(self.screen.pid),
            "pageMegabytes": heap / 1e6,
            "pageNodes": nodes,
            "p50Milliseconds": statistics.median(seconds) * 1_000,
            "p99Milliseconds": seconds[int(len(seconds) * 0.99)] * 1_000,
            REFERENCE: self.reference.take_mean() * 1_000,
            "exchangeMegabytes": processes.resident_megabytes(self.exchange.process.pid)[1],
            "drift": len(drift),
            "faults": len(self.load.faults) - before,
            "changes": self.load.changes(),
            **self.load.counts,
        }

    # Drift.

    def drift(self):
        """The values that differ from the exchange's while it rests."""
        books = self.markets[:BOOKS]
        for market in books:
            self.book(market)
        post(f"{self.exchange.rest}/simulator/pause")
        try:
            end = time.monotonic() + REST_SECONDS
            while (found := self.differences(books)) and time.monotonic() < end:
                time.sleep(0.2)
        finally:
            post(f"{self.exchange.rest}/simulator/resume")
        for text in found[:5]:
            print(text, flush=True)
        return found

    def differences(self, books):
        report = self.exchange.report()
        if not report["isAtRest"]:
            return ["the exchange does not rest"]
        lists = [self.service.list(f"?quote={quote}&period=MID&limit=1000")
                 for quote in ("KRW", "BTC")]
        shown = {row["market"]: row for each in lists for row in each["state"]["rows"]}
        found = []
        for market in report["markets"]:
            row = shown.get(market["market"])
            if row is None:
                found.append(f"{market['market']} is not listed")
                continue
            price = Decimal(row["price"])
            base = price - Decimal(row["changeAmount"])
            wanted = Decimal(market["price"]), Decimal(market["previousClose"])
            if (price, base) != wanted:
                found.append(f"{market['market']}: {price}, from {base}, not {wanted}")
        for market in books:
            pairs = zip(self.book(market), self.exchange_book(market))
            if levels := [set(shown) ^ set(wanted) for shown, wanted in pairs if shown != wanted]:
                found.append(f"{market}: {', '.join(map(str, levels))}")
        return found

    def book(self, market):
        """The best 20 levels of each side as the service shows them."""
        state = get(f"http://127.0.0.1:{self.service.port}/v1/markets/{market}/orderbook?depth=20"
                    )["state"]
        return [[(Decimal(level["price"]), Decimal(level["quantity"])) for level in state[side]]
                for side in ("asks", "bids")]

    def exchange_book(self, market):
        """The same of the exchange, which may name levels that have no quantity any more."""
        symbol, quote = market.split("_")
        data = get(f"{self.exchange.rest}/public/orderbook/{symbol}_{quote}")["data"]
        sides = [[(Decimal(level["price"]), Decimal(level["quantity"])) for level in data[side]]
                 for side in ("asks", "bids")]
        return [[level for level in levels if level[1]][:20] for levels in sides]

    def end(self):
        self.browser.close()
        self.screen.end()
        self.service.end()
        self.exchange.kill()
        self.database.remove()


def open_files(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def main(arguments):
    try:
        hours = float(arguments[0]) if arguments else HOURS
    except ValueError:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 64
    soak = Soak(os.path.join(processes.ROOT, "dist"))
    try:
        soak.run(hours)
    finally:
        soak.end()
    soak.record.draw()
    print(f"{soak.record.csv}\n{soak.record.svg}")
    return 0 if soak.record.verdict() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
