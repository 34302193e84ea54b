#!/usr/bin/env python3
"""Measures the market list under load: 2,000 frames a second for a minute, with a screen."""

import os
import statistics
import sys
import tempfile
import time

from processes import (Exchange, Screen, Service, cpu_seconds, environment, frames_of_prices,
                       post, resident_megabytes, wait_for)

SECONDS = int(os.environ.get("HOGA_BENCH_SECONDS", "60"))
RATE = 2_000


def canonical(text):
    """A decimal without trailing zeros."""
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return text


def first_screen(is_first_start):
    """Returns the time from the start of the program to the first row on the screen.

    A first start has nothing stored; later ones draw stored prices at once.
    """
    exchange = Exchange(rate=RATE)
    try:
        times = []
        for _ in range(11):
            with tempfile.TemporaryDirectory() as folder:
                if is_first_start:
                    os.environ["HOGA_BENCH_DATA"] = folder
                screen = Screen(exchange)
                times.append(screen.time_until("비트코인") * 1_000)
                screen.end()
    finally:
        exchange.kill()
        os.environ.pop("HOGA_BENCH_DATA", None)
    name = "first start" if is_first_start else "later start"
    print(f"first list on the screen, {name}: median {statistics.median(times):.0f} ms, "
          f"worst {max(times):.0f} ms of {len(times)} (within 300)")


def screen_under_load():
    """Prints CPU and memory of `hoga watch` with its screen on."""
    exchange = Exchange(rate=RATE)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        screen = Screen(exchange)
        try:
            screen.time_until("비트코인")
            screen.read(3)
            before, drawn, start = cpu_seconds(screen.pid), screen.bytes, time.monotonic()
            screen.read(SECONDS)
            passed = time.monotonic() - start
            cpu = (cpu_seconds(screen.pid) - before) / passed
            peak, now = resident_megabytes(screen.pid)
            drawn = (screen.bytes - drawn) / passed
            post(exchange.rest + "/simulator/pause")
            wait_for("rest", lambda: exchange.report()["isAtRest"])
            screen.read(1)
            sent = frames_of_prices(exchange.report())
            screen.end()
            with open(os.path.join(folder, "hoga", "hoga.log"), encoding="utf-8") as log:
                counted = int(log.read().rsplit("ended frames=", 1)[1].split()[0])
        finally:
            exchange.kill()
    print(f"hoga watch at {RATE} frames/s for {passed:.0f} s: CPU {cpu:.1%} of a core (under 10 %), "
          f"resident {now:.0f} MiB, peak {peak:.0f} MiB (under 64), {drawn / 1_000:.1f} kB/s drawn")
    print(f"frames sent {sent}, counted {counted}: {'equal' if sent == counted else 'DIFFERENT'}")


def final_board():
    """Compares every market's price with the simulator's, and the frames of both."""
    exchange = Exchange(rate=RATE)
    service = Service(exchange)
    try:
        before, start = cpu_seconds(service.process.pid), time.monotonic()
        time.sleep(SECONDS)
        cpu = (cpu_seconds(service.process.pid) - before) / (time.monotonic() - start)
        post(exchange.rest + "/simulator/pause")
        wait_for("rest", lambda: exchange.report()["isAtRest"])
        time.sleep(0.5)
        report = exchange.report()
        sent = frames_of_prices(report)
        counted = service.ready()["feed"]["framesReceived"]
        rows = {row["market"]: row["price"]
                for query in ("?quote=KRW", "?quote=BTC")
                for row in service.list(query)["state"]["rows"]}
        wrong = [m["market"] for m in report["markets"]
                 if rows.get(m["market"]) != canonical(m["price"])]
        peak, _ = resident_megabytes(service.process.pid)
    finally:
        service.end()
        exchange.kill()
    print(f"hoga serve at {RATE} frames/s for {SECONDS} s: CPU {cpu:.1%}, peak {peak:.0f} MiB")
    print(f"frames sent {sent}, counted {counted}: {'equal' if sent == counted else 'DIFFERENT'}; "
          f"{len(report['markets'])} markets compared, {len(wrong)} different {wrong[:5]}")
    return sent == counted and not wrong


def main():
    first_screen(is_first_start=True)
    first_screen(is_first_start=False)
    screen_under_load()
    if not final_board():
        sys.exit("the boards differ")


if __name__ == "__main__":
    main()
