#!/usr/bin/env python3
"""Measures the way of a trade to the screen of `hoga watch`: from the exchange time of a trade that
fires a rule to the bytes of its notification, which are written with the line on the screen.

usage: alert_screen.py [SECONDS]   (60); HOGA_BENCH_BINARY is the program

493 simulated markets at 2,000 frames a second, and 200 price rules that fire again after a second.
"""

import datetime
import fcntl
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from decimal import Decimal

from processes import HOGA, Exchange, environment, get
from webhooks import percentile

RULES = 200
NOTICE = re.compile(rb"\x1b\]9;hoga: (.*?)\x1b\\")


def add_rules(exchange, variables):
    """Adds rules at levels near the prices."""
    generator, prices = random.Random(1), {}
    data = get(f"{exchange.rest}/public/ticker/ALL_KRW")["data"]
    prices = {f"{coin}_KRW": Decimal(row["closing_price"])
              for coin, row in data.items() if coin != "date"}
    for _ in range(RULES):
        market = generator.choice(sorted(prices))
        level = prices[market] * Decimal(generator.randint(99_900, 100_100)) / 100_000
        text = f"{market} {generator.choice('<>')} {level.normalize():f} again 1s"
        subprocess.run([HOGA, "alert", "add", "--exchange", "simulated", text], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=variables)


def watch(exchange, variables, seconds):
    """Returns the notifications of a screen with the times at which they arrived."""
    pid, master = pty.fork()
    if pid == 0:
        os.execve(HOGA, [HOGA, "watch", "--notify", "osc9", "--lang", "en", *exchange.addresses],
                  variables)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))
    end, rest, notices = time.monotonic() + seconds, b"", []
    while (left := end - time.monotonic()) > 0:
        if not select.select([master], [], [], left)[0]:
            continue
        rest += os.read(master, 1 << 16)
        now = time.time()
        ended = 0
        for match in NOTICE.finditer(rest):
            notices.append((now, match.group(1).decode()))
            ended = match.end()
        # A notification may be cut in two.
        rest = rest[max(ended, len(rest) - 2_000):]
    os.kill(pid, signal.SIGTERM)
    os.waitpid(pid, 0)
    os.close(master)
    return notices


def main():
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    exchange = Exchange(rate=2_000)
    with tempfile.TemporaryDirectory() as folder:
        variables = environment() | {"XDG_DATA_HOME": folder}
        add_rules(exchange, variables)
        notices = watch(exchange, variables, seconds)
        # Number, time, market, value, lateness and sentence, newest first.
        log = subprocess.run([HOGA, "alert", "log", "--lang", "en"],
                             check=True, text=True, stdout=subprocess.PIPE, env=variables).stdout
    exchange.kill()
    times = {}
    for line in log.splitlines():
        fields = line.split("\t")
        at = datetime.datetime.fromisoformat(fields[1])
        times.setdefault((at.strftime("%H:%M:%S"), fields[-1]), at.timestamp())
    delays = []
    for arrived, text in notices:
        match = re.match(r"alert (\S+) (?:\(late\) )?(.*?) \([^()]*\)(?: and \d+ more)?$", text)
        at = match and times.get((match.group(1), match.group(2)))
        if at:
            delays.append(arrived - at)
    if not delays:
        raise SystemExit(f"no alert was drawn: {notices[:3]} {list(times)[:3]}")
    print(f"{len(delays)} of {len(notices)} notifications found in the log: trade to screen "
          f"{percentile(delays, 0.5) * 1e3:.0f} ms (median), {percentile(delays, 0.99) * 1e3:.0f} "
          f"ms (p99), {max(delays) * 1e3:.0f} ms (longest)", flush=True)
    sys.exit(0 if percentile(delays, 0.99) < 0.25 else 1)


if __name__ == "__main__":
    main()
