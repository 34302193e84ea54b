#!/usr/bin/env python3
"""Finds the highest rate of book frames that one core receives over a socket without loss.

The simulator has one core, `hoga serve` the other. Each rate runs for some seconds. It is sustained
if every sent frame is counted, the rate was reached, and the book equals the exchange's own.
"""

import os
import sys
import time

from processes import Exchange, Service, cpu_seconds, get, post, resident_megabytes, wait_for

SECONDS = int(os.environ.get("HOGA_BENCH_SECONDS_BOOKS", "8"))
RATES = [int(rate) for rate in os.environ.get(
    "HOGA_BENCH_BOOK_RATES", "5000,10000,20000,30000,40000,50000,60000").split(",")]
MARKETS = ["BTC_KRW"]


def frames_sent(exchange):
    """Frames of the book connection, which is the newest one."""
    return exchange.report()["connections"][-1]["frames"]


def run(rate):
    """Runs one rate; returns (frames sent a second, frames counted, CPU share of hoga, MiB)."""
    cores = sorted(os.sched_getaffinity(0))
    exchange = Exchange(rate=100, options=["--book-rate", str(rate)], core=cores[-1])
    try:
        service = Service(exchange, core=cores[0])
        try:
            for market in MARKETS:
                get(f"http://127.0.0.1:{service.port}/v1/markets/{market}/orderbook")
            wait_for("books", lambda: service.ready()["details"]["comparisons"] > 20)
            time.sleep(1)
            sent, cpu, start = frames_sent(exchange), cpu_seconds(service.process.pid), \
                time.monotonic()
            time.sleep(SECONDS)
            passed = time.monotonic() - start
            achieved = (frames_sent(exchange) - sent) / passed
            share = (cpu_seconds(service.process.pid) - cpu) / passed
            post(exchange.rest + "/simulator/pause")
            wait_for("rest", lambda: exchange.report()["isAtRest"], seconds=60)
            total = frames_sent(exchange)
            try:
                wait_for("the last frame",
                         lambda: service.ready()["details"]["framesReceived"] >= total, seconds=20)
            except SystemExit:
                pass
            details = service.ready()["details"]
            peak, _ = resident_megabytes(service.process.pid)
            return {
                "achieved": achieved, "sent": total, "counted": details["framesReceived"],
                "cpu": share, "peak": peak, "heals": details["heals"],
                "reconnects": details["reconnects"],
            }
        finally:
            service.end()
    finally:
        exchange.kill()


def main():
    best = 0
    for rate in RATES:
        figures = run(rate)
        lost = figures["sent"] - figures["counted"]
        is_carried = lost == 0 and figures["achieved"] >= rate * 0.97 \
            and figures["reconnects"] == 0
        if is_carried:
            best = max(best, figures["achieved"])
        print(f"book frames: {rate}/s wanted, {figures['achieved']:.0f}/s sent, "
              f"{figures['counted']} of {figures['sent']} counted, "
              f"{figures['cpu'] * 100:.0f} % of a core, peak {figures['peak']:.0f} MiB, "
              f"{figures['heals']} heals: {'carried' if is_carried else 'not carried'}")
        sys.stdout.flush()
        if not is_carried:
            break
    print(f"highest rate of book frames that one core carried: {best:.0f}/s (aim 50,000)")


if __name__ == "__main__":
    main()
