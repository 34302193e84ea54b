#!/usr/bin/env python3
"""Ten faults of a deployment beside twenty writers, and what became of their changes.

Three instances share one database. Each writer replaces its list of favorites with If-Match on
random instances; the list is a number that no other attempt has. A checker of its own compares
every answer with what was acknowledged. After each fault the stored lists must be the last
acknowledged ones, or attempts whose outcome nobody was told. /readyz must tell a fault within two
seconds, and its end within five.

The disk that becomes full is a file system in memory, which only root can mount.
"""

import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time

import failover
from failover import Database, Trial, cluster
from processes import environment, wait_for

WRITERS = 20
FAULT_SECONDS = 8.0
TOLD_MAX, CLEARED_MAX = 2.0, 5.0
DISK_MEGABYTES = 400
MARKETS = 24


class Writer:
    """One user, who changes one list again and again, and remembers each outcome."""

    def __init__(self, trial, name, token):
        self.trial, self.name = trial, name
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.random = random.Random(name)
        self.number = 0
        # The newest acknowledged list and revision, and the attempts since without an answer.
        self.acknowledged, self.revision, self.unknown = (), 0, []
        self.counts = {"acknowledged": 0, "conflicts": 0, "refused": 0, "unanswered": 0}
        self.wrong = []
        self.slowest = 0.0
        self.is_over = threading.Event()
        self.is_paused = False
        self.tag = None
        self.thread = threading.Thread(target=self.run, daemon=True)

    def ask(self, instance, method, body=None, tag=None):
        """Returns status, headers and document; raises OSError or HTTPException."""
        connection = http.client.HTTPConnection("127.0.0.1", instance.port, timeout=10)
        try:
            headers = self.headers | ({"If-Match": tag} if tag else {})
            connection.request(method, "/v1/me/favorites", body=body, headers=headers)
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, answer.headers, json.loads(text) if text else None
        finally:
            connection.close()

    def run(self):
        while not self.is_over.is_set():
            if self.is_paused:
                time.sleep(0.01)
                continue
            try:
                self.step(self.random.choice(self.trial.instances))
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)
            time.sleep(0.02)

    def step(self, instance):
        if self.tag is None:
            self.read(instance)
            return
        self.number += 1
        markets = [market for bit, market in enumerate(self.trial.markets)
                   if self.number >> bit & 1]
        # Unknown until an answer says otherwise.
        self.unknown.append(tuple(markets))
        start = time.monotonic()
        try:
            status, headers, document = self.ask(
                instance, "PUT", json.dumps({"rows": markets}), self.tag)
        except (OSError, http.client.HTTPException):
            self.counts["unanswered"] += 1
            self.tag = None
            raise
        self.slowest = max(self.slowest, time.monotonic() - start)
        if status == 200:
            self.counts["acknowledged"] += 1
            self.take(document)
            self.tag = headers["ETag"]
            return
        self.tag = None
        self.counts["conflicts" if status == 412 else "refused"] += 1
        if status == 412:
            self.unknown.remove(tuple(markets))
        elif status != 503:
            self.wrong.append(f"{self.name}: {status} {document}")

    def read(self, instance):
        status, headers, document = self.ask(instance, "GET")
        # An answer from memory says so, and may lack what another instance has acknowledged.
        if status != 200 or "Age" in headers:
            return
        listed, revision = self.content(document)
        if revision < self.revision:
            # Another instance may be a second behind.
            return
        if self.acknowledged is not None and listed != self.acknowledged \
                and listed not in self.unknown:
            self.wrong.append(f"{self.name}: {listed} was neither acknowledged nor tried")
        # An attempt without an answer may still be under way at the same revision.
        unknown = self.unknown if revision == self.revision else []
        self.take(document)
        self.unknown = unknown
        self.tag = headers["ETag"]

    def forget(self):
        """Takes what is stored now as acknowledged: a promotion has lost changes."""
        self.acknowledged, self.revision, self.unknown, self.tag = None, 0, [], None

    @staticmethod
    def content(document):
        rows = tuple(row["market"] for row in document["state"]["rows"])
        return rows, int(document["revision"].rpartition("-")[2])

    def take(self, document):
        self.acknowledged, self.revision = self.content(document)
        self.unknown = []

    def differs(self, instance):
        """Why the list of an instance is not what was acknowledged; None if it is."""
        status, headers, document = self.ask(instance, "GET")
        if status != 200 or "Age" in headers:
            return f"{self.name}: {instance.name} answers {status}, {headers.get('Age')} s old"
        listed, revision = self.content(document)
        if revision < self.revision or (
                listed != self.acknowledged and listed not in self.unknown):
            return f"{self.name}: {instance.name} has {revision}, {self.revision} acknowledged"
        return None


class Readiness:
    """Looks at /readyz of every instance twenty times a second."""

    def __init__(self, trial):
        self.trial = trial
        self.states = {}
        self.is_over = threading.Event()
        for place in range(len(trial.instances)):
            threading.Thread(target=self.look, args=(place,), daemon=True).start()

    def look(self, place):
        while not self.is_over.is_set():
            instance = self.trial.instances[place]
            try:
                connection = http.client.HTTPConnection("127.0.0.1", instance.admin, timeout=1)
                connection.request("GET", "/readyz")
                store = json.load(connection.getresponse())["store"]
                connection.close()
                news = store["newsFailure"]
                self.states[place] = store["failure"] or (news and f"news {news}") or (
                    "" if store["state"] == "ready" else store["state"])
            except (OSError, http.client.HTTPException, ValueError):
                self.states[place] = "no answer"
            time.sleep(0.05)

    def told(self, places=None):
        return any(self.states.get(place) for place in places or self.states)

    def cleared(self):
        return not any(self.states.values())


class Faults(Trial):
    """The deployment, its writers and the ten faults."""

    disk_megabytes = DISK_MEGABYTES

    def __init__(self):
        super().__init__(1)
        self.markets = self.market_names("KRW")[:MARKETS]
        self.writers = [Writer(self, f"writer{n}", self.database.token(f"writer{n}"))
                        for n in range(WRITERS)]
        self.readiness = Readiness(self)
        self.failures = []

    def unsaved(self):
        return sum(writer.counts["refused"] + writer.counts["unanswered"]
                   for writer in self.writers)

    def fault(self, name, begin, end, seconds=FAULT_SECONDS, is_creeping=False):
        """Causes a fault, ends it, and checks what the instances told and kept."""
        wait_for(f"{name}: all is well before", self.readiness.cleared, 60)
        refused = self.unsaved()
        places = begin()
        if is_creeping:
            # Until a change is refused nothing is wrong.
            wait_for(f"{name}: a change is refused", lambda: self.unsaved() > refused, 60)
        start = time.monotonic()
        told = self.time_of(lambda: self.readiness.told(places), start, seconds)
        time.sleep(max(0.0, seconds - (time.monotonic() - start)))
        words = sorted({str(state) for state in self.readiness.states.values() if state})
        end()
        start = time.monotonic()
        cleared = self.time_of(self.readiness.cleared, start, CLEARED_MAX)
        if cleared is None:
            left = dict(self.readiness.states)
            cleared = self.time_of(self.readiness.cleared, start, 60)
            print(f"  left {CLEARED_MAX:.0f} s after its end: {left}", flush=True)
        lost = self.lost()
        print(f"{name}: told after {self.text(told)} ({', '.join(words)}), cleared "
              f"{self.text(cleared)} after its end, {len(lost)} of {len(self.writers)} lists "
              "are not what was acknowledged", flush=True)
        self.failures += [f"{name}: {text}" for text in lost]
        if told is None or told > TOLD_MAX:
            self.failures.append(f"{name}: told after {self.text(told)}")
        if cleared is None or cleared > CLEARED_MAX:
            self.failures.append(f"{name}: cleared after {self.text(cleared)}")

    @staticmethod
    def time_of(condition, start, seconds):
        while time.monotonic() - start < seconds:
            if condition():
                return time.monotonic() - start
            time.sleep(0.01)
        return None

    @staticmethod
    def text(seconds):
        return "-" if seconds is None else f"{seconds:.2f} s"

    def lost(self):
        """Compares all lists on all instances, while nobody writes."""
        for writer in self.writers:
            writer.is_paused = True
        time.sleep(2.5)
        found = []
        for writer in self.writers:
            for instance in self.instances:
                try:
                    reason = writer.differs(instance)
                except (OSError, http.client.HTTPException) as error:
                    reason = f"{writer.name}: {instance.name}: {error}"
                if reason:
                    found.append(reason)
        for writer in self.writers:
            writer.is_paused = False
        return found

    # The faults, in order.

    def kill_leader(self):
        leader, _ = self.leader()
        place = [self.instances.index(leader)]

        def begin():
            leader.kill()
            return place
        self.fault("leader killed", begin, leader.start)

    def stop_leader(self):
        leader, _ = self.leader()
        place = [self.instances.index(leader)]

        def begin():
            leader.process.send_signal(signal.SIGSTOP)
            return place
        self.fault("leader stopped", begin,
                   lambda: leader.process.send_signal(signal.SIGCONT))

    def stop_database(self):
        self.session.end()

        def begin():
            cluster("stop", self.database.primary)

        def end():
            cluster("start", self.database.primary)
            self.session = failover.Session(self.database.url("postgres"))
        self.fault("PostgreSQL stopped", begin, end)

    def cut_relays(self):
        def begin():
            for instance in self.instances:
                instance.relay.cut()

        def end():
            for instance in self.instances:
                instance.relay.melt()
        self.fault("relays cut", begin, end)

    def freeze_relays(self):
        def begin():
            for instance in self.instances:
                instance.relay.freeze()

        def end():
            for instance in self.instances:
                instance.relay.melt()
        self.fault("relays frozen", begin, end)

    def lock_tables(self):
        def begin():
            self.session.rows("BEGIN; LOCK TABLE hoga.users, hoga.candles IN ACCESS EXCLUSIVE MODE")

        def end():
            self.session.rows("ROLLBACK")
        self.fault("tables locked", begin, end)

    def limit_connections(self):
        def begin():
            self.session.rows(
                "ALTER ROLE hoga_app_login CONNECTION LIMIT 0; SELECT count(*) FROM (SELECT "
                "pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = "
                "'hoga_app_login') AS ended")

        def end():
            self.session.rows("ALTER ROLE hoga_app_login CONNECTION LIMIT -1")
        self.fault("connection limit", begin, end)

    def fill_disk(self):
        if os.path.ismount(self.database.primary):
            filler = os.path.join(self.database.primary, "filler")
            is_over = threading.Event()

            def fill():
                # Takes what the server frees as well, such as old segments of its journal.
                with open(filler, "wb", buffering=0) as file:
                    while not is_over.wait(0.01):
                        try:
                            while True:
                                file.write(bytes(1 << 12))
                        except OSError:
                            pass

            thread = threading.Thread(target=fill)

            def end():
                is_over.set()
                thread.join()
                os.unlink(filler)
                if subprocess.run([failover.CLUSTER, "start", self.database.primary],
                                  stderr=subprocess.DEVNULL, check=False).returncode == 0:
                    print("  the server had ended and was started again", flush=True)
                self.session = failover.Session(self.database.url("postgres"))
            self.session.end()
            self.fault("disk full", thread.start, end, is_creeping=True)
        else:
            print("disk full: not tried, because only root can mount a file system", flush=True)

    def promote_synchronous(self):
        self.session.rows("ALTER SYSTEM SET synchronous_standby_names = '*'; "
                          "SELECT pg_reload_conf()")
        wait_for("a synchronous standby", lambda: self.session.rows(
            "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == [["1"]])
        time.sleep(2)
        self.session.end()

        def begin():
            cluster("kill", self.database.primary)

        def end():
            cluster("promote", self.database.standby)
            self.database.port = self.database.standby_port
            self.session = failover.Session(self.database.url("postgres"))
        self.fault("primary killed, synchronous standby promoted", begin, end, 4.0)

    def promote_asynchronous(self):
        """The primary is killed while its standby is behind, and comes back writable."""
        third = os.path.join(self.database.folder, "third")
        os.mkdir(third)
        port = int(cluster("standby", third, self.database.standby))
        for instance in self.instances:
            instance.relay.freeze()
            instance.relay.target = port
            instance.relay.melt()
        time.sleep(3)
        self.session.end()
        self.session = failover.Session(f"postgresql://postgres@127.0.0.1:{port}/hoga")
        self.session.rows("ALTER SYSTEM SET primary_conninfo = ''; SELECT pg_reload_conf()")
        time.sleep(3)
        cluster("kill", self.database.standby)
        cluster("promote", third)
        start = time.monotonic()
        cleared = self.time_of(self.readiness.cleared, start, 60)
        before = {writer.name for writer in self.writers}
        lost = {text.partition(":")[0] for text in self.lost()} & before
        time.sleep(1)
        told = {re.search(r"user (\d+):", line)[1] for line in self.log_lines("an older record")}
        numbers = dict(self.session.rows("SELECT id::text, name FROM hoga.users"))
        named = {numbers[number] for number in told if number in numbers}
        print(f"standby that was behind promoted: cleared after {self.text(cleared)}, "
              f"{len(lost)} lists lost acknowledged changes, {len(lost & named)} of them named "
              "in the log", flush=True)
        if not lost or not lost <= named:
            self.failures.append(f"lost and not told: {sorted(lost - named)}")
        self.former_primary(port)

    def former_primary(self, port):
        """The old primary is the only one that can be reached for a while."""
        cluster("start", self.database.standby)
        old = failover.Session(self.database.url("postgres"))
        count = "SELECT count(*), max(change::text::bigint) FROM hoga.journal"
        before = old.rows(count)
        for writer in self.writers:
            writer.forget()
        for instance in self.instances:
            instance.relay.cut()
        time.sleep(FAULT_SECONDS)
        states = sorted({str(state) for state in self.readiness.states.values()})
        for instance in self.instances:
            instance.relay.melt()
        start = time.monotonic()
        cleared = self.time_of(self.readiness.cleared, start, 60)
        time.sleep(2)
        lost = self.lost()
        after = old.rows(count)
        old.end()
        print(f"former primary alone reachable: told {states}, cleared {self.text(cleared)} after "
              f"its end, it took {int(after[0][0]) - int(before[0][0])} changes, {len(lost)} lists "
              "are not what was acknowledged", flush=True)
        self.failures += lost
        if after != before:
            self.failures.append("a former primary was written to")
        self.database.port = port

    def end_writers(self, writers):
        """Ends the writers, prints their outcomes, and returns the slowest answer in seconds."""
        for writer in writers:
            writer.is_over.set()
        for writer in writers:
            writer.thread.join()
            self.failures += writer.wrong
        total = {key: sum(writer.counts[key] for writer in writers) for key in writers[0].counts}
        slowest = max(writer.slowest for writer in writers)
        print(f"changes: {total}, slowest answer {slowest:.2f} s", flush=True)
        return slowest

    def exit(self):
        """Prints the failures and ends the program."""
        for failure in self.failures[:40]:
            print(f"FAILED: {failure}")
        sys.exit(1 if self.failures else 0)

    def log_lines(self, text):
        lines = []
        for instance in self.instances:
            instance.log.flush()
            with open(instance.log.name, encoding="utf-8") as file:
                lines += [line for line in file if text in line]
        return lines


def main():
    trial = Faults()
    try:
        trial.settle()
        for writer in trial.writers:
            writer.thread.start()
        for fault in (trial.kill_leader, trial.stop_leader, trial.stop_database, trial.cut_relays,
                      trial.freeze_relays, trial.lock_tables, trial.limit_connections,
                      trial.fill_disk, trial.promote_synchronous):
            fault()
            trial.settle()
        trial.wait_for_healing()
        trial.failures += trial.compare()
        trial.promote_asynchronous()
        trial.end_writers(trial.writers)
    finally:
        trial.readiness.is_over.set()
        trial.end()
    trial.exit()


if __name__ == "__main__":
    main()
