#!/usr/bin/env python3
"""Measures the way of a trade to webhooks, alone and beside thousands of dead receivers.

usage: webhooks.py [DEAD]   number of dead receivers (10000); HOGA_BENCH_BINARY is the program

One instance on PostgreSQL follows 493 simulated markets at 2,000 frames a second. Ten users with
200 price rules each have receivers that answer. Then as many users as DEAD join, whose receivers
refuse connections, never answer, never end an answer, answer with status 500, or accept after nine
seconds.
"""

import base64
import concurrent.futures
import datetime
import hashlib
import os
import random
import sys
import time
from decimal import Decimal

import failover
from failover import Database
from processes import Exchange, Service, cpu_seconds, get, resident_megabytes
from webhook_receivers import OtherReceivers, Receivers, set_webhook

LIVE = 10
RULES = 200
SECONDS = 60
KINDS = ("refused", "slow", "endless", "fail", "late")


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


class Trial:
    """A service with users whose rules fire, and the receivers of their alerts."""

    # The distance of levels from prices, in thousandths of a per cent.
    spread = 100

    def __init__(self, dead):
        self.dead = dead
        self.database = Database()
        self.receivers = Receivers(self.database.folder)
        self.others = OtherReceivers(self.receivers)
        self.exchange = Exchange(rate=2_000)
        url = f"{self.database.url('hoga_app_login')}?application_name=webhooks"
        self.service = Service(
            self.exchange, variables={"HOGA_DATABASE_URL": url} | self.receivers.variables,
            options=["--requests-per-client", "1000000", "--requests-per-token", "1000000"])
        self.generator = random.Random(1)
        self.prices = {}
        for quote in ("KRW", "BTC"):
            data = get(f"{self.exchange.rest}/public/ticker/ALL_{quote}")["data"]
            self.prices |= {f"{coin}_{quote}": Decimal(row["closing_price"])
                            for coin, row in data.items() if coin != "date"}

    def token(self, user):
        return "hoga_" + base64.urlsafe_b64encode(
            hashlib.sha256(f"user {user}".encode()).digest()).decode().rstrip("=")

    def add_users(self, first, count, rules):
        """Adds users with tokens and price rules that fire again after a second."""
        users = range(first, first + count)
        markets, rows = sorted(self.prices), []
        for user in users:
            for number in range(1, rules + 1):
                market = self.generator.choice(markets)
                factor = 1 + Decimal(self.generator.randint(-self.spread, self.spread)) / 100_000
                level = self.prices[market] * factor
                text = f"{market} {self.generator.choice('<>')} {level.normalize():f} again 1s"
                rows.append(f"({user}, {number}, '{text}', 'simulated', NULL, clock_timestamp())")
        names = ", ".join(f"({n}, 'user{n}', clock_timestamp(), 1)" for n in users)
        tokens = ", ".join(
            f"({n}, '\\x{hashlib.sha256(self.token(n).encode()).hexdigest()}', 'write', "
            "clock_timestamp())" for n in users)
        self.database.execute(
            self.database.url("postgres"),
            "INSERT INTO hoga.users (id, name, added_at, alerts_revision) OVERRIDING SYSTEM VALUE "
            f"VALUES {names};\n"
            f"INSERT INTO hoga.api_tokens (user_id, token_sha256, scope, made_at) VALUES {tokens};\n"
            "INSERT INTO hoga.alert_rules (user_id, number, text, feed, books, created_at) VALUES "
            f"{', '.join(rows)};\n"
            "INSERT INTO hoga.journal (user_id, number, at, kind) SELECT id, 1, clock_timestamp(), "
            f"'alert.add' FROM hoga.users WHERE id >= {first};\n")

    def set_webhook(self, user, url):
        return set_webhook(self.service.port, user, self.token(user), url)

    def start(self):
        self.add_users(1, LIVE, RULES)
        for user in range(1, LIVE + 1):
            path = f"/ok/{user}"
            self.receivers.secrets[path] = self.set_webhook(user, self.receivers.url(path))
        time.sleep(5)

    def measure(self, what):
        """Returns the times from trade to receiver of alerts in a period."""
        begin = {path: len(rows) for path, rows in self.receivers.received.items()}
        cpu, start = cpu_seconds(self.service.process.pid), time.time()
        time.sleep(SECONDS)
        spent = cpu_seconds(self.service.process.pid) - cpu
        delays, late = [], 0
        for path, rows in self.receivers.received.items():
            for _, arrived, alert in rows[begin.get(path, 0):]:
                if alert["late"]:
                    late += 1
                    continue
                delays.append(arrived - parsed(alert["at"]))
        ids = sum(len(rows) for rows in self.receivers.received.values())
        doubles = ids - sum(len({row[0] for row in rows})
                            for rows in self.receivers.received.values())
        if not delays:
            raise SystemExit(f"{what}: no alert arrived")
        print(f"{what}: {len(delays)} alerts in {time.time() - start:.0f} s, trade to receiver "
              f"{percentile(delays, 0.5) * 1e3:.0f} ms (median), "
              f"{percentile(delays, 0.99) * 1e3:.0f} ms (p99), {max(delays) * 1e3:.0f} ms "
              f"(longest); {late} late, {doubles} doubles in all, {self.receivers.forged} with a "
              f"wrong signature; CPU {spent / SECONDS * 100:.0f} %", flush=True)
        return percentile(delays, 0.99)

    def kill_receivers(self):
        """Adds the users whose receivers are dead, with a rule each that fires soon."""
        closed = failover.free_port()
        first = LIVE + 1
        self.add_users(first, self.dead, 3)

        def set_dead(user):
            kind = KINDS[user % len(KINDS)]
            url = (f"https://127.0.0.1:{closed}/" if kind == "refused"
                   else self.others.url(f"/{kind}/{user}"))
            self.set_webhook(user, url)
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(set_dead, range(first, first + self.dead)))
        print(f"{self.dead} dead receivers set in {time.monotonic() - start:.0f} s", flush=True)

    def tell_dead(self):
        metrics = self.service.metrics()
        names = [name for name in metrics if name.startswith("hoga_webhook")]
        print("  " + ", ".join(f"{name} {metrics[name]:.0f}" for name in names)
              + f"; memory {resident_megabytes(self.service.process.pid)[1]:.0f} MiB, "
              f"{len(os.listdir(f'/proc/{self.service.process.pid}/fd'))} descriptors", flush=True)

    def end(self):
        self.service.end()
        self.others.end()
        self.exchange.kill()
        self.database.remove()


def parsed(text):
    """Returns the Unix time of 2026-01-02T03:04:05.678901+09:00."""
    return datetime.datetime.fromisoformat(text).timestamp()


def main():
    trial = Trial(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    failures = []
    try:
        trial.start()
        alone = trial.measure("alone")
        trial.tell_dead()
        if trial.dead:
            trial.kill_receivers()
            for number in range(1, 4):
                beside = trial.measure(f"beside {trial.dead} dead receivers, minute {number}")
                trial.tell_dead()
                if beside > 0.5:
                    failures.append(f"p99 of {beside * 1e3:.0f} ms beside dead receivers")
        if alone > 0.5:
            failures.append(f"p99 of {alone * 1e3:.0f} ms")
        if trial.receivers.forged:
            failures.append("wrong signatures")
    finally:
        trial.end()
    for failure in failures:
        print(f"FAILED: {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
