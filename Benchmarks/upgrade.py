#!/usr/bin/env python3
"""Upgrades a deployment from 0.1.0 beside twenty writers, and goes back one step.

usage: upgrade.py OLD   the binary of 0.1.0 (commit 69fff01); HOGA_BENCH_BINARY is the new one

Three instances of OLD run on the schema that OLD made, and twenty users change their lists over all
of them. The new binary migrates the schema; the instances are replaced one by one; one of them goes
back to OLD, takes the lease when the leader is killed, and refuses a token whose user was
disabled. Acknowledged changes are compared after each step, candles at the end.

Exit status: 0 if nothing failed, else 1 with a line for each failure.
"""

import subprocess
import sys
import time

from faults import Faults
from processes import HOGA, environment, wait_for

# What a user feels of a migration or of an instance that is replaced.
ANSWER_MAX = 5.0


class Upgrade(Faults):
    """The deployment, its writers and the steps of an upgrade."""

    disk_megabytes = None

    def __init__(self, old):
        self.binary = old
        super().__init__()

    def migrate(self):
        """Migrates beside the old instances, none of which may feel it."""
        before = self.unsaved()
        start = time.monotonic()
        self.database.migrate_up(HOGA)
        seconds = time.monotonic() - start
        count = self.session.rows("SELECT max(number) FROM hoga.schema_migrations")[0][0]
        time.sleep(5)
        states = {state for state in self.readiness.states.values() if state}
        print(f"schema {count} after {seconds:.2f} s; {self.unsaved() - before} changes were not "
              f"saved, /readyz of 0.1.0 told {sorted(states) or 'nothing'}", flush=True)
        if states:
            self.failures.append(f"instances of 0.1.0 after the migration: {states}")
        self.check("after the migration")

    def replace(self, place, binary, name):
        """Ends an instance as a deployment does, and starts the other binary in its place."""
        instance = self.instances[place]
        instance.end()
        instance.binary = binary
        instance.start()
        wait_for(f"{name}: all is well", self.readiness.cleared, 60)
        self.settle()
        versions = [each.process.args[0] == HOGA for each in self.instances]
        print(f"{name}: {versions.count(True)} new and {versions.count(False)} of 0.1.0",
              flush=True)
        self.check(name)

    def old_leads(self, place):
        """Kills leaders until the instance of 0.1.0 holds the lease and writes candles."""
        while self.leader()[0] is not self.instances[place]:
            leader, epoch = self.leader()
            leader.kill()
            wait_for("another leads", lambda known=epoch: self.leader()[1] > known, 30)
            leader.start()
        epoch = self.leader()[1]
        last = self.session.rows("SELECT coalesce(max(number), 0) FROM audit.writes")[0][0]
        query = (f"SELECT count(*) FROM audit.writes WHERE epoch = {epoch} AND number > {last} "
                 "AND kind = 'candles'")
        seconds = wait_for("0.1.0 writes", lambda: self.session.rows(query) != [["0"]], 150)
        print(f"0.1.0 holds the lease beside new instances, and wrote candles within "
              f"{seconds:.0f} s", flush=True)

    def disable_user(self):
        """Every instance refuses the token of a user whom the new binary has disabled."""
        owner = environment() | {"HOGA_DATABASE_URL": self.database.url("hoga_owner")}

        def hoga(*words):
            return subprocess.run([HOGA, "user", *words], env=owner, check=True, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        hoga("add", "leaver")
        token = hoga("token", "new", "leaver").strip()
        writer = self.writers[0]
        headers, writer.headers = writer.headers, {"Authorization": f"Bearer {token}"}
        statuses = [writer.ask(each, "GET")[0] for each in self.instances]
        hoga("disable", "leaver")
        start = time.monotonic()
        seconds = self.time_of(
            lambda: all(writer.ask(each, "GET")[0] == 401 for each in self.instances), start, 30)
        writer.headers = headers
        print(f"a token of the new binary: {statuses} on all, refused on all "
              f"{self.text(seconds)} after its user was disabled", flush=True)
        if statuses != [200] * len(self.instances) or seconds is None or seconds > 5:
            self.failures.append(f"disabled user: {statuses}, {self.text(seconds)}")

    def check(self, name):
        self.failures += [f"{name}: {text}" for text in self.lost()]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    trial = Upgrade(sys.argv[1])
    try:
        trial.settle()
        for writer in trial.writers[1:]:
            writer.thread.start()
        time.sleep(10)
        trial.migrate()
        trial.replace(0, HOGA, "the first instance is new")
        trial.replace(1, HOGA, "the second instance is new")
        trial.disable_user()
        trial.old_leads(2)
        trial.replace(2, HOGA, "all instances are new")
        trial.replace(0, trial.binary, "one instance went back")
        trial.old_leads(0)
        trial.wait_for_healing()
        trial.failures += trial.compare()
        trial.check("at the end")
        slowest = trial.end_writers(trial.writers[1:])
        if slowest > ANSWER_MAX:
            trial.failures.append(f"an answer took {slowest:.2f} s")
    finally:
        trial.readiness.is_over.set()
        trial.end()
    trial.exit()


if __name__ == "__main__":
    main()
