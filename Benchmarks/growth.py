#!/usr/bin/env python3
"""Measures how the time of every statement grows with the data of a deployment.

usage: growth.py [PERCENT ...]   scales to measure (1 10); HOGA_BENCH_BINARY is the program

At 100 % a database has 30 days of 1m candles, 180 days of 3m to 30m and 3 years of longer ones for
493 markets, and 100,000 users with 30 journal rows each: about 26 GB. Other scales have shorter
histories and fewer users. Every statement of the program runs with parameters that find rows, as
the role of the service, and is rolled back.

A statement's time may grow with its result: its exponent, log(time) by log(rows), may be 1.1. If
the result stays the same, the exponent is log(time) by log(scale), and may be 0.2. Growth of less
than 0.1 ms is noise. Then partitions are made and dropped beside a reader, whose waits are printed.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

from failover import Session, cluster
from growth_statements import Parameters, statements
from processes import HOGA

MARKETS = 493
USERS = 100_000
JOURNAL = 30
HISTORY = [(["1m"], 30), (["3m", "5m", "10m", "30m"], 180), (["1h", "6h", "12h", "24h"], 1_096)]
MINUTES = {"1m": 1, "3m": 3, "5m": 5, "10m": 10, "30m": 30, "1h": 60, "6h": 360, "12h": 720,
           "24h": 1_440}
PARTITIONED = {"1m": "candles_1m", "3m": "candles_minutes", "5m": "candles_minutes",
               "10m": "candles_minutes", "30m": "candles_minutes"}
RUNS = 25
NOISE = 0.1
READER_MAX = 50.0
# The server looks at a wait for the first time after so many milliseconds.
LOG_DELAY = 5.0
LOCKED = re.compile(r"acquired AccessShareLock on .* after ([0-9.]+) ms")

PREPARE = """
CREATE FUNCTION pg_temp.market(n bigint) RETURNS text LANGUAGE sql IMMUTABLE
RETURN 'M' || lpad(n::text, 3, '0') || '_KRW';
"""

# Rows lie in the order of time, as a writer leaves them, whole partitions at a time.
CANDLES = """
DO $$
DECLARE
    part record;
    first timestamptz;
    last timestamptz;
BEGIN
    FOR part IN SELECT * FROM hoga.candle_partitions('{kind}') WHERE from_time > '-infinity' LOOP
        first := greatest(part.from_time, timestamptz '{start}');
        last := least(part.to_time, timestamptz '{end}');
        CONTINUE WHEN first >= last;
        EXECUTE format(
            $f$INSERT INTO hoga.%I
            SELECT 'live', market.name, '{interval}', at.t, 1000 + at.n %% 97, 1010 + at.n %% 97,
                990 + at.n %% 97, 1005 + at.n %% 89, 0.125 * (1 + at.n %% 1000),
                at.t + interval '1 minute'
            FROM (
                SELECT t, row_number() OVER () AS n
                FROM generate_series(%L::timestamptz, %L, interval '{minutes} minutes') AS t
                WHERE t < %L
            ) AS at, LATERAL (
                SELECT pg_temp.market(m) AS name FROM generate_series(1, {markets}) AS m
            ) AS market$f$,
            part.name,
            date_bin('{minutes} minutes', first + interval '{minutes} minutes - 1 microsecond',
                timestamptz '0001-01-01 15:00+00'),
            last, last
        );
    END LOOP;
END
$$;
"""

# Each market was read in ten pieces; a day of every interval was built; recording paused daily.
SPANS = """
INSERT INTO hoga.candle_spans
SELECT 'live', pg_temp.market(m), '{interval}', s.start, s.start + s.width * 0.8
FROM generate_series(1, {markets}) AS m, (
    SELECT timestamptz '{start}' + n * width AS start, width
    FROM (SELECT (timestamptz '{end}' - timestamptz '{start}') / 10 AS width) AS w,
        generate_series(0, 9) AS n
) AS s;
"""
COVERAGE = """
INSERT INTO hoga.candle_coverage
SELECT 'live', t, least(t + interval '23 hours', '{end}')
FROM generate_series(timestamptz '{start}', timestamptz '{end}', interval '1 day') AS t
WHERE t < '{end}';
INSERT INTO hoga.candle_rollups
SELECT 'live', '', i, from_time, to_time FROM hoga.candle_coverage,
    unnest('{{3m,5m,10m,30m,1h,6h,12h,24h}}'::text[]) AS i;
"""

PEOPLE = """
INSERT INTO hoga.users (name, display_name, added_at)
SELECT 'user' || n, 'User ' || n, now() FROM generate_series(1, {users}) AS n;
INSERT INTO hoga.favorites
SELECT u.id, pg_temp.market(1 + (u.id * 7 + n * 13) % {markets}), n
FROM hoga.users AS u, generate_series(0, 4) AS n;
INSERT INTO hoga.settings
SELECT id, 'value', 'desc', 'KRW', 'book', true, '24H', '1m', 'candles', '5,20', 15, 'dark',
    'korean', 'ko' FROM hoga.users;
INSERT INTO hoga.holdings
SELECT u.id, 'M' || lpad((1 + (u.id + n) % {markets})::text, 3, '0'), 1.5, 1000
FROM hoga.users AS u, generate_series(1, 3) AS n;
INSERT INTO hoga.cash SELECT id, 1000000 FROM hoga.users;
INSERT INTO hoga.api_tokens (user_id, token_sha256, scope, made_at)
SELECT id, sha256(('token' || id)::bytea), 'write', now() FROM hoga.users;
INSERT INTO hoga.journal (user_id, number, at, kind, subject)
SELECT u.id, n, now(), 'favorite.add', 'M001_KRW'
FROM generate_series(1, {journal}) AS n, hoga.users AS u;
INSERT INTO hoga.alert_rules (user_id, number, text, feed, books, created_at)
SELECT u.id, n, 'M001_KRW > 5', 'live', CASE WHEN u.id % 100 = 0 THEN 'M001_KRW' END,
    '2026-01-01 00:00+00'
FROM hoga.users AS u, generate_series(1, 3) AS n;
INSERT INTO hoga.alert_states (user_id, rule, market, fired_at, state)
SELECT id, 1, 'M002_KRW', '2026-01-02 00:00+00', 'state' FROM hoga.users;
INSERT INTO hoga.alert_log (
    user_id, number, rule, market, at, value, is_rise, rule_text, feed, stored_at
)
SELECT u.id, n, 1, 'M002_KRW', '2026-01-01 00:00+00'::timestamptz + n * interval '1 hour', 5, true,
    'M001_KRW > 5', 'live', now()
FROM hoga.users AS u, generate_series(1, 20) AS n;
UPDATE hoga.users SET alerts_revision = 23, alerts_logged = 20;
INSERT INTO hoga.webhooks (user_id, url, secret, created_at, since)
SELECT id, 'https://example.com', sha256('secret'), '2026-01-01 00:00+00', 0 FROM hoga.users
WHERE id % 10 = 0;
INSERT INTO hoga.webhook_progress (user_id, feed, tried_through, failures)
SELECT user_id, 'live', CASE WHEN user_id % 100 = 0 THEN 19 ELSE 20 END, 0 FROM hoga.webhooks;
INSERT INTO hoga.webhook_failures (
    user_id, number, feed, attempts, retry_at, failed_at, failure
)
SELECT hooks.user_id, n, 'live', 3, CASE WHEN n > 18 THEN now() END, now(), 'status 500'
FROM hoga.webhooks AS hooks, generate_series(16, 19) AS n WHERE hooks.user_id % 50 = 0;
"""

REFERENCE = """
INSERT INTO hoga.closes
SELECT 'live', pg_temp.market(m), 1000, now(), 5e9, true FROM generate_series(1, {markets}) AS m;
INSERT INTO hoga.coin_names
SELECT 'live', 'N' || lpad(m::text, 3, '0'), '코인', 'Coin'
FROM generate_series(1, {markets}) AS m;
INSERT INTO hoga.market_warnings
SELECT 'live', pg_temp.market(m) FROM generate_series(1, 20) AS m;
INSERT INTO hoga.market_alerts
SELECT 'live', m - 1, pg_temp.market(m), 'PRICE', NULL, NULL FROM generate_series(1, 20) AS m;
INSERT INTO hoga.readings VALUES ('live', 'names', now()), ('live', 'marks', now());
INSERT INTO hoga.candle_late
SELECT 'live', pg_temp.market(m), timestamptz '{end}' - interval '2 hours'
FROM generate_series(1, 20) AS m;
INSERT INTO hoga.instance_lease (name, holder, epoch, expires_at)
VALUES ('candles-live', 'bench', 1, now() + interval '1 day');
"""


class Database:
    """A migrated database of one scale in the benchmark's cluster."""

    def __init__(self, port, percent):
        self.percent = percent
        self.name = f"growth_{percent:g}".replace(".", "_")
        self.server = f"127.0.0.1:{port}"
        admin = Session(f"postgresql://postgres@{self.server}/postgres")
        admin.rows(f"CREATE DATABASE {self.name} OWNER hoga_owner")
        self.end = admin.rows("SELECT date_trunc('hour', now())")[0][0]
        admin.end()
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("HOGA_")}
        environment["HOGA_DATABASE_URL"] = self.url("hoga_owner")
        subprocess.run([HOGA, "migrate", "up"], check=True, env=environment,
                       stdout=subprocess.DEVNULL)

    def url(self, role):
        return f"postgresql://{role}@{self.server}/{self.name}"

    def start(self, days):
        """Returns since when candles are kept for so many days at 100 %."""
        return f"{self.end}'::timestamptz - interval '{days * 24 * self.percent / 100:g} hours"

    def fill(self):
        owner = Session(self.url("hoga_owner"))
        owner.rows("SET timezone = 'UTC'")
        owner.rows(PREPARE)
        for intervals, days in HISTORY:
            start = owner.rows(f"SELECT '{self.start(days)}'")[0][0]
            for interval in intervals:
                values = {"kind": PARTITIONED.get(interval, "candles_hours"), "start": start,
                          "end": self.end, "interval": interval, "minutes": MINUTES[interval],
                          "markets": MARKETS}
                owner.rows(CANDLES.format(**values))
                owner.rows(SPANS.format(**values))
            if intervals == ["1m"]:
                owner.rows(COVERAGE.format(start=start, end=self.end))
        for text in [PEOPLE, REFERENCE]:
            owner.rows(text.format(users=max(10, int(USERS * self.percent / 100)),
                                   markets=MARKETS, journal=JOURNAL, end=self.end))
        owner.rows("VACUUM ANALYZE")
        owner.end()

    def sizes(self):
        owner = Session(self.url("hoga_owner"))
        rows = owner.rows("""
            SELECT pg_database_size(current_database()) / 1000000,
                (SELECT count(*) FROM hoga.candles), (SELECT count(*) FROM hoga.users)""")[0]
        owner.end()
        return [int(value) for value in rows]

    def parameters(self):
        owner = Session(self.url("hoga_owner"))
        mark = owner.rows("SELECT mark FROM hoga.news(NULL)")[0][0]
        # News of fifty users, whatever the scale.
        owner.rows("""
            INSERT INTO hoga.journal (user_id, number, at, kind)
            SELECT id, 1000, now(), 'cash.put' FROM hoga.users ORDER BY id LIMIT 50""")
        user = owner.rows("SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) "
                          "FROM hoga.users")[0][0]
        owner.end()
        return Parameters(user=user, mark=mark, end=self.end, markets=MARKETS)


class Runner:
    """Runs the statements of the program on a database, as the role of the service."""

    def __init__(self, database):
        self.session = Session(database.url("hoga_app_login"))
        self.parameters = database.parameters()

    def prepare(self, name, text):
        values = self.parameters.values(name)
        types = ", ".join(kind for kind, _ in values)
        self.session.rows(f"PREPARE growth{'(' + types + ')' if types else ''} AS {text}")
        self.arguments = ", ".join(value for _, value in values)
        self.settings = self.parameters.settings(name)

    def forget(self):
        self.session.rows("DEALLOCATE growth")

    def run(self):
        """Returns plan, rows, buffers and time of the prepared statement."""
        session, arguments = self.session, self.arguments
        for text in ["BEGIN", *self.settings]:
            session.rows(text)
        call = f"EXECUTE growth{'(' + arguments + ')' if arguments else ''}"
        lines = session.rows(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) {call}")
        session.rows("ROLLBACK")
        answer = json.loads("\n".join("|".join(line) for line in lines))[0]
        plan = answer["Plan"]
        source = plan
        while source["Node Type"] == "ModifyTable" and source["Actual Rows"] == 0:
            source = source["Plans"][-1]
        words = [plan["Node Type"]]
        if "Operation" in plan:
            words = [plan["Operation"], "of", source["Node Type"]]
        return {"plan": " ".join(words), "rows": source["Actual Rows"],
                "buffers": plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
                "milliseconds": answer["Planning Time"] + answer["Execution Time"]}


class Reader(threading.Thread):
    """Reads charts without a pause and remembers the longest wait, in milliseconds."""

    def __init__(self, database):
        super().__init__(daemon=True)
        self.session = Session(database.url("hoga_app_login"))
        self.query = f"""
            SELECT count(*) FROM (
                SELECT close FROM hoga.candles WHERE feed = 'live' AND market = 'M007_KRW'
                    AND "interval" = '1m' AND open_time < '{database.end}'
                ORDER BY open_time DESC LIMIT 200) AS read"""
        self.is_ended = False
        self.waits = []
        self.start()

    def run(self):
        while not self.is_ended:
            begun = time.monotonic()
            self.session.rows(self.query)
            self.waits.append(1_000 * (time.monotonic() - begun))

    def stop(self):
        self.is_ended = True
        self.join()
        self.session.end()
        return max(self.waits)


# A partition below the retention, as large as the newest one, up to 28 days of it.
OLD_PARTITION = """
DO $$
DECLARE
    unit interval := (
        SELECT ('1 ' || terms.unit)::interval FROM hoga.candle_terms() AS terms
        WHERE kind = '{kind}'
    );
    edge timestamptz := (SELECT min(to_time) FROM hoga.candle_partitions('{kind}'));
    model record;
BEGIN
    SELECT * INTO model FROM hoga.candle_partitions('{kind}')
    WHERE from_time < '{end}' ORDER BY from_time DESC LIMIT 1;
    ALTER TABLE hoga.{kind} DETACH PARTITION hoga.{kind}_rest;
    EXECUTE format('ALTER TABLE hoga.{kind} ATTACH PARTITION hoga.{kind}_rest
        FOR VALUES FROM (MINVALUE) TO (%L)', edge - unit);
    PERFORM hoga.make_partition('{kind}', '{kind}_old', edge - unit, edge);
    EXECUTE format($f$INSERT INTO hoga.{kind}_old
        SELECT feed, market, "interval", open_time - (%L::timestamptz - %L::timestamptz), open,
            high, low, close, volume, fetched_at
        FROM hoga.%I WHERE open_time < %L::timestamptz + interval '28 days'$f$,
        model.from_time, edge - unit, model.name, model.from_time);
END
$$;
"""


def waits(database, log):
    """Prints the longest wait of a reader alone, and beside partition making and dropping.

    The server logs each wait for a lock of more than 5 ms.
    """
    owner = Session(database.url("hoga_owner"))
    owner.rows("SET timezone = 'UTC'")
    service = Session(database.url("hoga_app_login"))
    results = []

    def beside(label, work):
        reader = Reader(database)
        time.sleep(0.5)
        logged = os.path.getsize(log)
        begun = time.monotonic()
        note = work()
        seconds = time.monotonic() - begun
        time.sleep(0.5)
        longest, count = reader.stop(), len(reader.waits)
        with open(log, encoding="utf-8", errors="replace") as file:
            file.seek(logged)
            locks = [float(wait) for wait in LOCKED.findall(file.read())]
        results.append((label, note, seconds, count, longest, max(locks, default=0.0)))

    def call(text, attempts=60):
        """Calls a function as the leader does, again when it did not get a lock in time."""
        for attempt in range(attempts):
            rows = service.rows(f"""
                DO $$ BEGIN PERFORM set_config('bench.answer', coalesce(({text})::text, 'none'),
                    false);
                EXCEPTION WHEN lock_not_available THEN
                    PERFORM set_config('bench.answer', 'locked', false); END $$;
                SELECT current_setting('bench.answer')""")
            if rows[-1][0] != "locked":
                return f"{rows[-1][0]}, attempt {attempt + 1}"
            time.sleep(0.1)
        return f"no lock in {attempts} attempts"

    beside("alone", lambda: time.sleep(5))
    beside("making 300 days of partitions", lambda: call(
        "SELECT hoga.prepare_partitions('candles-live', 'bench', 1, now() + interval '300 days')"))
    for kind in ["candles_1m", "candles_minutes"]:
        for is_busy in [False, True]:
            owner.rows(OLD_PARTITION.format(kind=kind, end=database.end))
            blocker = Session(database.url("hoga_owner"))
            if is_busy:
                # A long reader holds the parent's lock until the fifth attempt or so.
                blocker.rows(f"BEGIN; SELECT count(*) FROM (SELECT FROM hoga.{kind} LIMIT 1) AS r")
                threading.Timer(0.8, blocker.rows, ["COMMIT"]).start()
            beside(f"dropping a partition of {kind}" + (" beside a long reader" if is_busy else ""),
                   lambda kind=kind: call("SELECT hoga.drop_partition('candles-live', 'bench', 1, "
                                          f"'{kind}', now())"))
            time.sleep(1)
            blocker.end()
    service.end()
    owner.end()
    print(f"\nA reader of charts at {database.percent:g} %:\n\n"
          "| beside | result | time | reads | slowest read | longest wait for a lock |\n"
          "|---|---|---|---|---|---|")
    for label, note, seconds, reads, longest, locked in results:
        mark = " OVER" if locked > READER_MAX + LOG_DELAY else ""
        print(f"| {label} | {note or ''} | {seconds:.2f} s | {reads:,} | {longest:.1f} ms | "
              f"{locked:.1f} ms{mark} |")


def exponent(old, new, scale):
    """Returns the exponent, what it is of, and whether it is too great."""
    growth = math.log(max(new["milliseconds"], 1e-3) / max(old["milliseconds"], 1e-3))
    by_rows = new["rows"] >= 2 * max(1, old["rows"])
    base = math.log(new["rows"] / max(1, old["rows"])) if by_rows else math.log(scale)
    value = growth / base
    is_noise = new["milliseconds"] - old["milliseconds"] < NOISE
    return value, "rows" if by_rows else "scale", value > (1.1 if by_rows else 0.2) and not is_noise


def measure(databases):
    """Returns the fastest of several runs of each statement, by scale.

    Databases take turns, so that load of the machine falls on all of them.
    """
    runners = {database.percent: Runner(database) for database in databases}
    measured = {scale: {} for scale in runners}
    for name, text in statements().items():
        for runner in runners.values():
            runner.prepare(name, text)
        runs = {scale: [] for scale in runners}
        for _ in range(RUNS):
            for scale, runner in runners.items():
                runs[scale].append(runner.run())
        for scale, runner in runners.items():
            measured[scale][name] = min(runs[scale], key=lambda run: run["milliseconds"])
            runner.forget()
    for runner in runners.values():
        runner.session.end()
    return measured


def report(measured):
    scales = sorted(measured)
    heads = [f"{scale:g} %: rows, buffers, ms" for scale in scales]
    print("\n| statement | plan | " + " | ".join(heads) + " | exponent of |")
    print("|---" * (len(heads) + 3) + "|")
    over = []
    for name in measured[scales[-1]]:
        runs = [measured[scale][name] for scale in scales]
        cells = [f"{run['rows']:,.0f}, {run['buffers']:,}, {run['milliseconds']:.3f}"
                 for run in runs]
        grown = ""
        if len(runs) > 1:
            value, base, is_over = exponent(runs[0], runs[-1], scales[-1] / scales[0])
            grown = f"{value:.2f} {base}" + (" OVER" if is_over else "")
            over += [name] if is_over else []
        print(f"| {name} | {runs[-1]['plan']} | " + " | ".join(cells) + f" | {grown} |")
    if len(scales) > 1:
        print(f"\nStatements that grow too fast: {', '.join(over) or 'none'}")


def main():
    scales = sorted(float(word) for word in sys.argv[1:]) or [1.0, 10.0]
    databases = []
    with tempfile.TemporaryDirectory(prefix="hoga-growth-") as outer:
        os.chmod(outer, 0o755)
        folder = os.path.join(outer, "cluster")
        os.mkdir(folder)
        port = cluster("make", folder, "shared_buffers=1GB", "max_wal_size=8GB",
                       "maintenance_work_mem=512MB", "log_lock_waits=on",
                       f"deadlock_timeout={LOG_DELAY:.0f}ms")
        try:
            admin = Session(f"postgresql://postgres@127.0.0.1:{port}/postgres")
            for role in ["hoga_owner LOGIN CREATEROLE", "hoga_app NOLOGIN",
                         "hoga_app_login LOGIN IN ROLE hoga_app"]:
                admin.rows(f"CREATE ROLE {role}")
            admin.end()
            for scale in scales:
                begun = time.monotonic()
                database = Database(port, scale)
                database.fill()
                megabytes, candles, users = database.sizes()
                print(f"{scale:g} %: {candles:,} candles, {users:,} users, {megabytes:,} MB, "
                      f"filled in {time.monotonic() - begun:.0f} s", flush=True)
                databases.append(database)
            report(measure(databases))
            waits(databases[-1], os.path.join(folder, "log"))
        finally:
            cluster("remove", folder)


if __name__ == "__main__":
    main()
