#!/usr/bin/env python3
"""Measures what 100,000 price rules cost a service: 493 markets at 2,000 frames a second.

usage: alert_rules.py [RULES]   number of rules (100000); HOGA_BENCH_BINARY is the program

One instance on PostgreSQL. Its processor time is measured without rules, and with rules of users
who have 200 each, within 10 % of the prices. The difference includes all that follows from rules:
observing the board, evaluating, storing alerts and reading users again.
"""

import sys
import time

from processes import cpu_seconds, resident_megabytes
from webhooks import RULES, Trial

SECONDS = 60
USERS_AT_ONCE = 50
SHARE_MAX = 0.10


class RuleTrial(Trial):
    """A service with many rules."""

    spread = 10_000

    def add_rules(self, count):
        for first in range(1, count // RULES + 1, USERS_AT_ONCE):
            self.add_users(first, min(USERS_AT_ONCE, count // RULES + 1 - first), RULES)

    def share(self):
        """Returns the processor time of the service, as a share of a core."""
        process = self.service.process.pid
        cpu, start = cpu_seconds(process), time.monotonic()
        time.sleep(SECONDS)
        return (cpu_seconds(process) - cpu) / (time.monotonic() - start)

    def alerts(self):
        rows = self.service.metrics()
        return rows.get("hoga_alert_rules", 0)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    trial = RuleTrial(0)
    try:
        time.sleep(20)
        before, memory = trial.share(), resident_megabytes(trial.service.process.pid)[0]
        trial.add_rules(count)
        time.sleep(20)
        rules = trial.alerts()
        after, more = trial.share(), resident_megabytes(trial.service.process.pid)[0]
        again = trial.alerts()
    finally:
        trial.end()
    print(f"{rules:.0f} rules: {before * 100:.1f} % of a core without, {after * 100:.1f} % with, "
          f"{(after - before) * 100:.1f} % more (under {SHARE_MAX * 100:.0f}); "
          f"{memory:.0f} and {more:.0f} MiB", flush=True)
    sys.exit(0 if rules == again == count and after - before < SHARE_MAX else 1)


if __name__ == "__main__":
    main()
