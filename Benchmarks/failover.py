#!/usr/bin/env python3
"""Kills, stops and disconnects the candle writer, and compares the store with the exchange.

usage: failover.py [N]   number of rounds (20); HOGA_BENCH_BINARY is the program
"""

import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
from decimal import Decimal

from processes import (HOGA, ROOT, Exchange, environment, free_port, get, resident_megabytes,
                       wait_for)

CLUSTER = os.path.join(ROOT, "scripts", "postgresql-cluster")
TAKEOVER_MAX = 5.0
OUTAGE = 10.0
# How long a failure waits until new instances have received a whole minute.
PATIENCE = 20.0
MINUTE = 60_000_000
# Records the sender and the lease holder of each statement that writes market data. The
# transaction has locked the lease by then, so the holder is the one that was checked.
AUDIT = """
CREATE SCHEMA audit;
CREATE TABLE audit.writes (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(), kind text, application text,
    epoch bigint, holder text);
CREATE FUNCTION audit.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    INSERT INTO audit.writes (kind, application, epoch, holder)
    SELECT TG_TABLE_NAME, current_setting('application_name'), epoch, holder
    FROM hoga.instance_lease WHERE name = 'candles-simulated';
    RETURN NULL;
END $$;
CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON hoga.candles
    FOR EACH STATEMENT EXECUTE FUNCTION audit.note();
CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON hoga.closes
    FOR EACH STATEMENT EXECUTE FUNCTION audit.note();
"""


def cluster(*words):
    """Runs a cluster command; returns its output."""
    return subprocess.run([CLUSTER, *map(str, words)], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


class Session:
    """A psql session for queries."""

    def __init__(self, url):
        self.process = subprocess.Popen(
            ["psql", "-XqtA", "-F", "|", "-v", "ON_ERROR_STOP=0", url], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)

    def rows(self, query):
        self.process.stdin.write(query + "\n;\n\\echo ----\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()).rstrip("\n") != "----":
            if not line:
                raise SystemExit(f"psql ended: {lines}")
            if "ERROR" in line or "FATAL" in line:
                raise SystemExit(f"psql: {line}")
            if line.strip():
                lines.append(line.rstrip("\n").split("|"))
        return lines

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)


class Relay:
    """A relay to the database.

    Frozen, it passes no byte and closes no connection; cut, it closes each at once.
    """

    def __init__(self, target):
        self.target, self.frozen, self.is_cut = target, False, False
        self.pairs = {}
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.listener.setblocking(False)
        self.port = self.listener.getsockname()[1]
        self.lock = threading.Lock()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            if self.frozen:
                time.sleep(0.005)
                continue
            with self.lock:
                ready, _, _ = select.select([self.listener, *self.pairs], [], [], 0.02)
                for end in ready:
                    if self.frozen:
                        break
                    self.accept() if end is self.listener else self.move(end)

    def accept(self):
        client, _ = self.listener.accept()
        if self.is_cut:
            client.close()
            return
        try:
            server = socket.create_connection(("127.0.0.1", self.target), timeout=5)
        except OSError:
            client.close()
            return
        for end in (client, server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.pairs[client], self.pairs[server] = server, client

    def move(self, end):
        if end not in self.pairs:
            return
        try:
            data = end.recv(1 << 16)
            if data:
                self.pairs[end].sendall(data)
                return
        except OSError:
            pass
        self.drop(end)

    def drop(self, end):
        other = self.pairs.pop(end)
        self.pairs.pop(other, None)
        end.close()
        other.close()

    def freeze(self):
        self.frozen = True

    def cut(self):
        with self.lock:
            self.is_cut = True
            self.drop_all()

    def melt(self):
        """Passes new bytes again; frozen connections are lost, as after a real disconnection."""
        with self.lock:
            self.drop_all()
            self.frozen = self.is_cut = False

    def drop_all(self):
        for end in list(self.pairs):
            if end in self.pairs:
                self.drop(end)


class Instance:
    """`hoga serve` on a database behind its own relay."""

    # More of the environment.
    variables = {}

    def __init__(self, name, exchange, database, binary=HOGA):
        self.name, self.exchange, self.database = name, exchange, database
        self.binary = binary
        self.relay = Relay(database.port)
        self.log = open(os.path.join(database.folder, f"{name}.log"), "a", encoding="utf-8")
        self.start()

    def start(self):
        self.port, self.admin = free_port(), free_port()
        self.began = time.monotonic()
        url = (f"postgresql://hoga_app_login@127.0.0.1:{self.relay.port},127.0.0.1:"
               f"{self.database.standby_port}/hoga?application_name={self.name}")
        self.process = subprocess.Popen(
            [self.binary, "serve", "--listen", f"127.0.0.1:{self.port}",
             "--admin-listen", f"127.0.0.1:{self.admin}", *self.addresses(),
             "--requests-per-client", "1000000", "--requests-per-token", "1000000"],
            env=environment() | {"HOGA_DATABASE_URL": url} | self.variables, stderr=self.log)
        wait_for(self.name, lambda: self.ready()["feed"]["connection"] == "live")

    def addresses(self):
        """The exchange's; 0.1.0 knows its API 1.x alone."""
        return self.exchange.addresses if self.binary == HOGA else self.exchange.addresses[:4]

    def age(self):
        """Upper bound of how long it has received trades."""
        return time.monotonic() - self.began

    def ready(self):
        """Returns the readiness document, whatever its HTTP status."""
        try:
            return get(f"http://127.0.0.1:{self.admin}/readyz", timeout=30)
        except urllib.error.HTTPError as error:
            return json.load(error)

    @property
    def candles(self):
        return self.ready()["store"]["candles"]

    def revision(self):
        return get(f"http://127.0.0.1:{self.port}/v1/markets?limit=1", timeout=30)["revision"]

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.terminate()
        self.process.wait(30)


class Database:
    """A private cluster with a migrated database that records each writer.

    With `disk_megabytes` its data lie on a file system of that size, if root runs this.
    """

    audit = AUDIT
    has_standby = True

    def __init__(self, disk_megabytes=None, binary=HOGA):
        self.binary = binary
        self.folder = tempfile.mkdtemp(prefix="hoga-failover-")
        os.chmod(self.folder, 0o755)
        self.primary = os.path.join(self.folder, "primary")
        os.mkdir(self.primary)
        if disk_megabytes and os.getuid() == 0:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={disk_megabytes}m", "tmpfs",
                            self.primary], check=False)
        self.port = int(cluster("make", self.primary))
        self.migrate()
        if not self.has_standby:
            return
        self.standby = os.path.join(self.folder, "standby")
        os.mkdir(self.standby)
        self.standby_port = int(cluster("standby", self.standby, self.primary))

    def url(self, role, database="hoga"):
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}"

    def execute(self, url, text):
        subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", url], input=text, text=True,
                       check=True)

    def migrate(self):
        self.execute(self.url("postgres", "postgres"),
                     "CREATE ROLE hoga_owner LOGIN CREATEROLE;\n"
                     "CREATE ROLE hoga_app_login LOGIN;\nCREATE DATABASE hoga OWNER hoga_owner;\n")
        self.migrate_up(self.binary)
        self.execute(self.url("postgres"), "GRANT hoga_app TO hoga_app_login;\n" + self.audit)

    def migrate_up(self, binary):
        subprocess.run([binary, "migrate", "up"], check=True, stdout=subprocess.DEVNULL,
                       env=environment() | {"HOGA_DATABASE_URL": self.url("hoga_owner")})

    def token(self, name):
        """Adds a user; returns a token that may change its data."""
        owner = environment() | {"HOGA_DATABASE_URL": self.url("hoga_owner")}
        subprocess.run([self.binary, "user", "add", name], env=owner, check=True,
                       stdout=subprocess.DEVNULL)
        return subprocess.run([self.binary, "user", "token", "new", name], env=owner, check=True,
                              text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout.strip()

    def remove(self):
        for folder in pathlib.Path(self.folder).iterdir():
            if folder.is_mount():
                cluster("kill", folder)
                subprocess.run(["umount", "--lazy", folder], check=True)
            if folder.is_dir():
                cluster("remove", folder)
        subprocess.run(["rm", "-rf", self.folder], check=True)


class Trial:
    """A sequence of failures and their outcomes."""

    disk_megabytes = None
    binary = HOGA

    def __init__(self, count):
        self.count = count
        self.database = Database(self.disk_megabytes, self.binary)
        self.exchange = Exchange(
            rate=400, options=["--krw-markets", "30", "--btc-markets", "6"])
        self.session = Session(self.database.url("postgres"))
        self.started = time.time()
        self.instances = [Instance(f"instance-{n}", self.exchange, self.database, self.binary)
                          for n in range(3)]

    def leader(self):
        """Returns the instance that holds the lease, and its epoch."""
        rows = self.session.rows("SELECT epoch, split_part(holder, ':', 2) FROM "
                                 "hoga.instance_lease WHERE name = 'candles-simulated' "
                                 "AND expires_at > clock_timestamp()")
        for epoch, process in rows:
            for instance in self.instances:
                if str(instance.process.pid) == process:
                    return instance, int(epoch)
        return None, 0

    def settle(self):
        """Waits until an instance leads, and until the others have received a whole minute."""
        patience = time.monotonic() + PATIENCE

        def is_settled():
            leader, _ = self.leader()
            return leader and (time.monotonic() > patience or all(
                other is leader or other.age() > 125 for other in self.instances))
        wait_for("a leader", is_settled, 300)

    def trouble(self, kind):
        """Causes a failure; returns when another instance held the lease, wrote, and wrote candles.

        The last is None if the other had just started and no minute had ended.
        """
        leader, epoch = self.leader()
        start = time.monotonic()
        if kind == "killed":
            leader.kill()
        elif kind == "stopped":
            leader.process.send_signal(signal.SIGSTOP)
        else:
            leader.relay.freeze()
        taken = wait_for(f"{kind}: another leads", lambda: self.leader()[1] > epoch, 30)
        query = f"SELECT count(*) FROM audit.writes WHERE epoch > {epoch}"
        wait_for(f"{kind}: another writes", lambda: self.session.rows(query) != [["0"]], 30)
        written, candles = time.monotonic() - start, None
        query += " AND kind = 'candles'"
        while candles is None and time.monotonic() - start < TAKEOVER_MAX:
            if self.session.rows(query) != [["0"]]:
                candles = time.monotonic() - start
        if kind == "killed":
            leader.start()
        else:
            time.sleep(max(0, OUTAGE - (time.monotonic() - start)))
            if kind == "stopped":
                leader.process.send_signal(signal.SIGCONT)
            else:
                leader.relay.melt()
            time.sleep(1.5)
            assert not leader.candles["leader"], f"{kind}: two lead"
        return taken, written, candles

    def troubles(self, kind):
        figures = []
        for number in range(self.count):
            self.settle()
            figures.append(self.trouble(kind))
            print(f"  {kind} {number + 1}: " + ", ".join(
                "-" if figure is None else f"{figure:.2f} s" for figure in figures[-1]), flush=True)
        longest = []
        for name, place in (("lease taken", 0), ("written", 1), ("candles written", 2)):
            values = sorted(figure[place] for figure in figures if figure[place] is not None)
            if values:
                longest.append(values[-1])
                print(f"{kind}: {name} after {values[len(values) // 2]:.2f} s (median), "
                      f"{values[-1]:.2f} s (longest of {len(values)}, under "
                      f"{TAKEOVER_MAX:.0f})", flush=True)
        return [] if max(longest) < TAKEOVER_MAX else [f"{kind}: {max(longest):.2f} s"]

    def wait_for_healing(self):
        def is_whole():
            leader, _ = self.leader()
            figures = leader.candles if leader else {}
            if not leader or figures["healingLeft"] or figures["bufferedRows"]:
                return False
            spans = self.session.rows(
                "SELECT from_time, to_time FROM hoga.candle_coverage WHERE feed = 'simulated'"
                f" AND to_time > to_timestamp({self.started})")
            age = self.session.rows(
                "SELECT clock_timestamp() - max(to_time) < interval '80 s' "
                "FROM hoga.candle_coverage")
            first = self.session.rows(
                "SELECT min(from_time) <= to_timestamp("
                f"{int(self.started // 60) * 60}) FROM hoga.candle_coverage")
            return len(spans) == 1 and age == first == [["t"]]
        return wait_for("everything heard or healed", is_whole, 420)

    def compare(self):
        """Compares every minute since the start with the exchange's REST answer."""
        failures, compared = [], 0
        first = int(self.started // 60) * MINUTE
        names = [name for quote in ("KRW", "BTC")
                 for name in self.market_names(quote)]
        end = int((time.time() - 20) // 60) * MINUTE
        for name in names:
            answer = get(f"{self.exchange.rest}/public/candlestick/{name}/1m")["data"]
            told = {int(row[0]) * 1_000: [Decimal(row[1]), Decimal(row[3]), Decimal(row[4]),
                                          Decimal(row[2]), Decimal(row[5])]
                    for row in answer if first <= int(row[0]) * 1_000 < end}
            rows = self.session.rows(
                "SELECT (extract(epoch FROM open_time) * 1000000)::bigint, open, high, low, "
                f"close, volume FROM hoga.candles WHERE market = '{name}' AND "
                f"\"interval\" = '1m' AND feed = 'simulated' AND open_time >= "
                f"to_timestamp({first // 1_000_000}) AND open_time < "
                f"to_timestamp({end // 1_000_000})")
            stored = {int(row[0]): [Decimal(number) for number in row[1:]] for row in rows}
            if len(rows) != len(stored):
                failures.append(f"{name}: a minute stands twice")
            for minute in sorted(told.keys() | stored.keys()):
                compared += 1
                if told.get(minute) != stored.get(minute):
                    failures.append(f"{name} {minute}: {told.get(minute)} over REST, "
                                    f"{stored.get(minute)} stored")
        print(f"compared {compared} candles of {len(names)} markets with REST: "
              f"{len(failures)} differ", flush=True)
        return failures

    def market_names(self, quote):
        data = get(f"{self.exchange.rest}/public/ticker/ALL_{quote}")["data"]
        return [f"{coin}_{quote}" for coin in data if coin != "date"]

    def audit(self):
        """Returns whether every write belongs to the lease holder, in order of epochs."""
        late = self.session.rows(
            "SELECT count(*) FROM (SELECT epoch, max(epoch) OVER (ORDER BY number) AS newest "
            "FROM audit.writes) AS write WHERE epoch < newest")
        foreign = self.session.rows(
            "SELECT count(*) FROM (SELECT FROM audit.writes GROUP BY epoch "
            "HAVING count(DISTINCT application) > 1) AS shared")
        figures = self.session.rows("SELECT count(*), count(DISTINCT epoch) FROM audit.writes")[0]
        print(f"{figures[0]} writing statements in {figures[1]} epochs: {late[0][0]} of an epoch "
              f"that was over, {foreign[0][0]} epochs with two writers", flush=True)
        return [] if late == foreign == [["0"]] else ["writes without the lease"]

    def watch(self, seconds, what):
        """Observes the instances while the database is down; their readiness must report it."""
        before = [instance.revision() for instance in self.instances]
        end = time.monotonic() + seconds
        changes, asked_count, slowest, states = 0, 0, 0.0, set()
        while time.monotonic() < end:
            time.sleep(1)
            for place, instance in enumerate(self.instances):
                asked = time.monotonic()
                revision = instance.revision()
                slowest = max(slowest, time.monotonic() - asked)
                changes += revision != before[place]
                asked_count += 1
                before[place] = revision
                store = instance.ready()["store"]
                states.add((store["state"], store["failure"], store["candles"]["leader"]))
        share = changes / asked_count
        buffered = max(instance.candles["bufferedRows"] for instance in self.instances)
        print(f"{what}: prices changed between {share:.0%} of the looks, the slowest answer took "
              f"{slowest * 1000:.0f} ms, stores {sorted(map(str, states))}, "
              f"{buffered} candles wait", flush=True)
        return [] if share > 0.8 else [f"{what}: prices stood still"]

    def memory(self):
        return [resident_megabytes(instance.process.pid)[1] for instance in self.instances]

    def back(self, what, start):
        """Waits until candles are written again."""
        number = self.session.rows("SELECT coalesce(max(number), 0) FROM audit.writes")[0][0]
        wait_for(f"{what}: candles", lambda: self.session.rows(
            f"SELECT count(*) FROM audit.writes WHERE number > {number} AND kind = 'candles'")
            != [["0"]], 90)
        print(f"{what}: candles are written {time.monotonic() - start:.2f} s after its return",
              flush=True)

    def outage(self, seconds):
        """Stops and restarts the database."""
        before = self.memory()
        self.session.end()
        cluster("stop", self.database.primary)
        failures = self.watch(seconds, f"stopped for {seconds} s")
        cluster("start", self.database.primary)
        start = time.monotonic()
        self.session = Session(self.database.url("postgres"))
        self.back("restarted", start)
        after = self.memory()
        print("resident memory in MiB before and after: "
              + ", ".join(f"{a:.0f} {b:.0f}" for a, b in zip(before, after)), flush=True)
        growth = max(b - a for a, b in zip(before, after))
        return failures + ([f"memory grew by {growth:.0f} MiB"] if growth > 64 else [])

    def fail_over(self):
        """Kills the primary and promotes the standby."""
        self.session.end()
        cluster("kill", self.database.primary)
        failures = self.watch(10, "the primary is dead")
        cluster("promote", self.database.standby)
        start = time.monotonic()
        self.database.port = self.database.standby_port
        self.session = Session(self.database.url("postgres"))
        self.back("failed over", start)
        return failures

    def end(self):
        for instance in self.instances:
            instance.end()
        self.session.end()
        self.exchange.kill()
        self.database.remove()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    trial = Trial(count)
    failures = []
    try:
        for kind in ("killed", "stopped", "cut off"):
            failures += trial.troubles(kind)
        trial.wait_for_healing()
        failures += trial.compare() + trial.audit()
        failures += trial.outage(60)
        trial.wait_for_healing()
        failures += trial.compare()
        failures += trial.fail_over()
        trial.wait_for_healing()
        failures += trial.compare() + trial.audit()
    finally:
        trial.end()
    for failure in failures[:40]:
        print(f"FAILED: {failure}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
