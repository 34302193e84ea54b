#!/usr/bin/env python3
"""Measures how long prices and books stop when a generation of the exchange's API ends in mid-run."""

import time

from processes import Exchange, Service, get, post

# The busiest markets: each changes several times a second.
MARKETS = 5
SETTLING, WINDOW, REPEATS = 3, 8, 5


class Changes:
    """The longest time without a change, of several observed values."""

    def __init__(self):
        self.last = {}
        self.longest = {}

    def note(self, name, value):
        now = time.monotonic()
        before = self.last.get(name)
        if before is None or before[0] != value:
            self.last[name] = (value, now)
        self.longest[name] = max(
            self.longest.get(name, 0), now - (before[1] if before else now))

    def end(self):
        """Counts the time since the last change, too; returns the longest time of each value."""
        for name, (value, _) in list(self.last.items()):
            self.note(name, value)
        return dict(self.longest)


def observe(service, names, seconds):
    changes = Changes()
    apis = []
    base = f"http://127.0.0.1:{service.port}/v1"
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        document = get(f"{base}/markets?markets={','.join(names)}&limit={MARKETS}")
        if apis[-1:] != [document["source"]["api"]]:
            apis.append(document["source"]["api"])
        for row in document["state"]["rows"]:
            changes.note(row["market"], row["priceAt"])
        book = get(f"{base}/markets/{names[0]}/orderbook?depth=10")
        changes.note("book", book["state"]["health"]["at"])
        time.sleep(0.01)
    return changes.end(), apis


def handover(fault):
    exchange = Exchange(rate=2_000)
    service = Service(exchange, options=["--requests-per-client", "1000000"])
    try:
        time.sleep(SETTLING)
        rows = service.list(f"?limit={MARKETS}")["state"]["rows"]
        names = [row["market"] for row in rows]
        observe(service, names, SETTLING)
        before, _ = observe(service, names, WINDOW)
        post(f"{exchange.rest}/simulator/faults?kind={fault}")
        after, apis = observe(service, names, WINDOW)
        return before, after, apis
    finally:
        service.end()
        exchange.kill()


def main():
    for fault in ("api1Off", "api2Off"):
        for _ in range(REPEATS):
            before, after, apis = handover(fault)
            price = [max(v for k, v in each.items() if k != "book") for each in (before, after)]
            print(f"{fault}: the longest time without a change, before and after: "
                  f"prices {price[0]:.2f} and {price[1]:.2f} s, "
                  f"book {before['book']:.2f} and {after['book']:.2f} s "
                  f"(at most 2 s); source.api {' then '.join(apis)}", flush=True)


if __name__ == "__main__":
    main()
