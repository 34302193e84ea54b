#!/usr/bin/env python3
"""Kills, stops and disconnects the instance that evaluates alerts, and compares its log with that
of an instance on a database of its own that nothing happens to.

usage: alert_failover.py [N]   number of rounds of each kind (20); HOGA_BENCH_BINARY is the program

10,000 rules of 50 users on prices, each firing again after ten seconds. Both databases have the
same rules, and all instances receive the same trades. So each alert of the undisturbed instance
must have exactly one row in the other log, whatever instance stored it. Each user has a webhook,
whose receiver must get each alert at least once.
"""

import random
import subprocess
import sys
import tempfile
import time
from decimal import Decimal

import failover
from failover import Instance, Session, Trial
from processes import HOGA, environment, get, wait_for
from webhook_receivers import Receivers, set_webhook

USERS = 50
RULES = 200
PAUSE = "10s"
# How long a failure waits until the new instance has values of its own.
failover.PATIENCE = 8.0
failover.OUTAGE = 6.0
# Keeps each row of the log, which itself keeps the newest of a user.
LOG = """
CREATE TABLE audit.alerts (
    number bigint GENERATED ALWAYS AS IDENTITY, application text,
    user_id bigint, number_of_user bigint, rule bigint, market text, at timestamptz, value numeric,
    is_rise boolean, lateness text, rule_text text, feed text, stored_at timestamptz);
CREATE FUNCTION audit.note_alert() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO audit.alerts (application, user_id, number_of_user, rule, market, at, value,
        is_rise, lateness, rule_text, feed, stored_at)
    VALUES (current_setting('application_name'), NEW.user_id, NEW.number, NEW.rule, NEW.market,
        NEW.at, NEW.value, NEW.is_rise, NEW.lateness, NEW.rule_text, NEW.feed, NEW.stored_at);
    RETURN NULL;
END $$;
CREATE TRIGGER audit AFTER INSERT ON hoga.alert_log
    FOR EACH ROW EXECUTE FUNCTION audit.note_alert();
"""


class AlertTrial(Trial):
    """Three instances with rules, and the instance that nothing happens to."""

    def __init__(self, count, receivers):
        self.receivers = receivers
        Instance.variables = receivers.variables
        super().__init__(count)
        self.make_oracle()
        self.add_rules()
        for user in range(1, USERS + 1):
            self.set_webhook(user)

    def set_webhook(self, user):
        """Sets the webhook of a user as the user does."""
        owner = environment() | {"HOGA_DATABASE_URL": self.database.url("hoga_owner")}
        token = subprocess.run([HOGA, "user", "token", "new", f"user{user}"], check=True, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               env=owner).stdout.strip()
        path = f"/ok/{user}"
        self.receivers.secrets[path] = set_webhook(
            self.instances[0].port, user, token, self.receivers.url(path))

    def make_oracle(self):
        """Starts an instance on another database of the same server."""
        database = self.database
        database.execute(database.url("postgres", "postgres"),
                         "CREATE DATABASE oracle OWNER hoga_owner;\n")
        owner = environment() | {"HOGA_DATABASE_URL": database.url("hoga_owner", "oracle")}
        subprocess.run([HOGA, "migrate", "up"], check=True, stdout=subprocess.DEVNULL, env=owner)
        database.execute(database.url("postgres", "oracle"), failover.AUDIT + LOG)
        database.execute(database.url("postgres"), LOG)
        self.oracle = Oracle("oracle", self.exchange, database)
        self.oracle_session = Session(database.url("postgres", "oracle"))

    def add_rules(self):
        """Adds the same users and rules to both databases."""
        generator = random.Random(1)
        prices = {}
        for quote in ("KRW", "BTC"):
            data = get(f"{self.exchange.rest}/public/ticker/ALL_{quote}")["data"]
            prices |= {f"{coin}_{quote}": Decimal(row["closing_price"])
                       for coin, row in data.items() if coin != "date"}
        markets, rows = sorted(prices), []
        # Both databases have them by then.
        self.since = time.time() + 8
        created = f"to_timestamp({self.since})"
        for user in range(1, USERS + 1):
            for number in range(1, RULES + 1):
                market = generator.choice(markets)
                level = prices[market] * Decimal(generator.randint(9_900, 10_100)) / 10_000
                test = generator.choice("<>")
                text = f"{market} {test} {level.normalize():f} again {PAUSE}"
                rows.append(f"({user}, {number}, '{text}', 'simulated', NULL, {created})")
        users = ", ".join(f"('user{n}', clock_timestamp(), 1)" for n in range(1, USERS + 1))
        text = (f"INSERT INTO hoga.users (name, added_at, alerts_revision) VALUES {users};\n"
                "INSERT INTO hoga.alert_rules (user_id, number, text, feed, books, created_at) "
                f"VALUES {', '.join(rows)};\n"
                "INSERT INTO hoga.journal (user_id, number, at, kind) "
                "SELECT id, 1, clock_timestamp(), 'alert.add' FROM hoga.users;\n")
        for name in ("hoga", "oracle"):
            self.database.execute(self.database.url("postgres", name), text)
        time.sleep(max(0, self.since - time.time()))

    def trouble(self, kind):
        leader, epoch = self.leader()
        print(f"  {leader.name} {kind} at {time.time():.3f}", flush=True)
        start = time.monotonic()
        if kind == "killed":
            leader.kill()
        elif kind == "stopped":
            leader.process.send_signal(failover.signal.SIGSTOP)
        else:
            leader.relay.freeze()
        taken = wait_for(f"{kind}: another leads", lambda: self.leader()[1] > epoch, 30)
        query = ("SELECT count(*) FROM audit.alerts WHERE stored_at > "
                 f"to_timestamp({time.time()}) - interval '1 s'")
        wait_for(f"{kind}: another stores", lambda: self.session.rows(query) != [["0"]], 60)
        stored = time.monotonic() - start
        if kind == "killed":
            leader.start()
        else:
            time.sleep(max(0, failover.OUTAGE - (time.monotonic() - start)))
            if kind == "stopped":
                leader.process.send_signal(failover.signal.SIGCONT)
            else:
                leader.relay.melt()
            time.sleep(1.5)
        return taken, stored, None

    def rows(self, session, until):
        """Returns the rows of a log by their identity."""
        rows = session.rows(
            "SELECT user_id, rule, market, (extract(epoch FROM at) * 1000000)::bigint, is_rise, "
            "coalesce(lateness, ''), application, value, stored_at::text, rule_text FROM audit.alerts WHERE at >= to_timestamp("
            f"{self.since}) AND at < to_timestamp({until}) ORDER BY number")
        found = {}
        for row in rows:
            found.setdefault(tuple(row[:5]), []).append(row[5:])
        return found

    def compare_logs(self):
        until = time.time()
        time.sleep(15)
        expected, stored = self.rows(self.oracle_session, until), self.rows(self.session, until)
        doubles = sum(len(rows) - 1 for rows in stored.values())
        late = sum(1 for rows in stored.values() if rows[0][0])
        missing = sorted(set(expected) - set(stored))
        extra = sorted(set(stored) - set(expected))
        print(f"{len(expected)} alerts of {USERS * RULES} rules: {len(stored)} stored, {doubles} "
              f"twice, {len(missing)} missing, {len(extra)} more, {late} marked as late; stored by "
              f"{len({rows[0][1] for rows in stored.values()})} instances", flush=True)
        for name, keys in (("missing", missing), ("more", extra)):
            for key in keys[:10]:
                print(f"  {name}: {key}", flush=True)
                for log, rows in (("expected", expected), ("stored", stored)):
                    near = [(other[3], other[4], rows[other]) for other in rows
                            if other[:3] == key[:3]
                            and abs(int(other[3]) - int(key[3])) < 40_000_000]
                    print(f"    {log}: {near}", flush=True)
        return ["the logs differ"] if doubles or missing or extra else []

    def compare_deliveries(self):
        """Compares what the receivers got with the log."""
        first = self.session.rows("SELECT user_id, since FROM hoga.webhooks")
        since = {user: int(number) for user, number in first}
        logged = {}
        for user, number in self.session.rows("SELECT user_id, number_of_user FROM audit.alerts"):
            if int(number) > since[user]:
                logged.setdefault(user, set()).add(f"alert-{number}")
        missing, doubles, requests, unknown = 0, 0, 0, 0
        for user, ids in logged.items():
            got = [row[0] for row in self.receivers.received[f"/ok/{user}"]]
            requests += len(got)
            doubles += len(got) - len(set(got))
            missing += len(ids - set(got))
            unknown += len(set(got) - ids)
        print(f"{sum(len(ids) for ids in logged.values())} alerts for {len(logged)} webhooks: "
              f"{requests} requests, {doubles} doubles, {missing} missing, {unknown} unknown, "
              f"{self.receivers.forged} with a wrong signature", flush=True)
        return ["deliveries differ"] if missing or unknown or self.receivers.forged else []

    def end(self):
        self.oracle.end()
        self.oracle_session.end()
        super().end()


class Oracle(Instance):
    """An instance on the database `oracle`, without a standby."""

    def start(self):
        self.port, self.admin = failover.free_port(), failover.free_port()
        self.began = time.monotonic()
        url = f"postgresql://hoga_app_login@127.0.0.1:{self.relay.port}/oracle"
        self.process = subprocess.Popen(
            [self.binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--admin-listen",
             f"127.0.0.1:{self.admin}", *self.addresses()],
            env=environment() | {"HOGA_DATABASE_URL": url}, stderr=self.log)
        wait_for(self.name, lambda: self.ready()["feed"]["connection"] == "live")


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    trial = AlertTrial(count, Receivers(tempfile.mkdtemp(prefix="hoga-receivers-")))
    failures = []
    try:
        for kind in ("killed", "stopped", "cut off"):
            failures += trial.troubles(kind)
        failures += trial.compare_logs()
        failures += trial.compare_deliveries()
    finally:
        trial.end()
    for failure in failures:
        print(f"FAILED: {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
