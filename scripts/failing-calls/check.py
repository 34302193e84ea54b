#!/usr/bin/python3 -B
"""Fails each fallible call of hoga once, and checks that hoga ends with an error or carries on.

usage: scripts/with-postgresql scripts/failing-calls/check.py HOGA [OPTIONS] [SCENARIO …]

  --occurrences N   fails the first N (3) calls of each call site, in a run each
  --depth N         a call site is N (1) return addresses
  --call CALL       only this call, FUNCTION@SITE:N, as a finding names it; keeps the run's folder
  --limits          runs the scenarios at the edge of memory and descriptors instead
  --workers N       so many runs side by side (3)

HOGA is a built binary with symbols. Without scenarios all are run; those that need PostgreSQL are
skipped outside of scripts/with-postgresql. Tests/FailingCalls holds the library that makes calls
fail. Exits with 0, or with 1 if there are findings.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

from limits import try_limits
from runs import Run
from scenarios import NEEDS_POSTGRESQL, SCENARIOS
from world import World

# Runs whose thread timing differed did not reach their call; they are repeated so often.
ATTEMPTS = 3


class Trial:
    """All runs of one scenario."""

    def __init__(self, world, name, arguments):
        self.world = world
        self.name = name
        self.arguments = arguments
        self.calls = []
        self.attempts = {}
        self.runs = 0
        self.findings = []
        self.missed = []

    def hook(self, call=None):
        variables = {
            "FAILING_CALLS_DEPTH": str(self.arguments.depth),
            "FAILING_CALLS_COUNT": str(self.arguments.occurrences),
        }
        return variables | ({"FAILING_CALL": call} if call else {})

    def one(self, call):
        """One run, with a failing call or, as a measure, without one."""
        run = Run(self.world, self.hook(call))
        try:
            SCENARIOS[self.name](run)
        except subprocess.TimeoutExpired as error:
            run.find(f"an unfailed program hangs afterwards: {error}")
        return run

    def measure(self):
        """Unfailed runs tell the calls and the number of open descriptors."""
        self.world.allowed_descriptors = None
        descriptors = []
        for _ in range(2):
            run = self.one(None)
            self.runs += 1
            self.add_calls(run)
            descriptors.append(run.descriptors)
            if run.findings or run.status != 0:
                self.findings += [(None, text) for text in run.findings]
                self.findings.append((None, f"status {run.status}: {run.errors()[-300:]}"))
            run.remove()
        if None not in descriptors:
            self.world.allowed_descriptors = tuple(map(max, zip(*descriptors)))

    def add_calls(self, run):
        for call in run.calls()[0]:
            if call not in self.attempts and not self.world.symbols.is_swift_memory(call):
                self.attempts[call] = 0
                self.calls.append(call)

    def all(self):
        """Runs until no call is left that has not failed."""
        self.measure()
        if self.arguments.call:
            self.calls = self.arguments.call
            self.attempts = {call: 0 for call in self.calls}
        begun = 0
        with ThreadPoolExecutor(self.arguments.workers) as workers:
            pending = {}
            while pending or begun < len(self.calls):
                while begun < len(self.calls) and len(pending) < self.arguments.workers:
                    call = self.calls[begun]
                    pending[workers.submit(self.one, call)] = call
                    begun += 1
                for done in wait(pending, return_when=FIRST_COMPLETED).done:
                    self.take(pending.pop(done), done.result())

    def take(self, call, run):
        """The outcome of one run."""
        self.runs += 1
        self.attempts[call] += 1
        for text in run.findings:
            self.findings.append((call, text))
            print(f"  {call} {self.world.symbols.describe(call)}\n    {text}", flush=True)
        if self.arguments.call:
            print(f"  {call}: status {run.status}, {run.folder}\n{run.errors()[-2000:]}")
            return
        self.add_calls(run)
        if run.calls()[1] is None:
            if self.attempts[call] < ATTEMPTS:
                self.calls.append(call)
            else:
                self.missed.append(call)
        run.remove()

    def report(self, seconds):
        sites = {call.rpartition(":")[0] for call in self.attempts}
        print(f"{self.name}: {len(sites)} call sites, {len(self.attempts)} calls, "
              f"{self.runs} runs, {len(self.findings)} findings, {seconds:.0f} s", flush=True)
        for call in self.missed:
            print(f"  not reached in {ATTEMPTS} runs: {call}")
        for call, text in self.findings:
            if call is None:
                print(f"  without a failure: {text}")


def parse(words):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("hoga", type=Path)
    parser.add_argument("scenario", nargs="*")
    parser.add_argument("--occurrences", type=int, default=3)
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--call", action="append")
    parser.add_argument("--limits", action="store_true")
    arguments = parser.parse_intermixed_args(words)
    for name in arguments.scenario:
        if name not in SCENARIOS:
            parser.error(f"unknown scenario '{name}', known are {' '.join(SCENARIOS)}")
    return arguments


def main(words):
    arguments = parse(words)
    findings = 0
    with tempfile.TemporaryDirectory(prefix="hoga-failing-") as folder:
        if arguments.call:
            folder = tempfile.mkdtemp(prefix="hoga-failing-")
        with World(arguments.hoga.resolve(), Path(folder)) as world:
            for name in arguments.scenario or SCENARIOS:
                if name in NEEDS_POSTGRESQL and world.database is None:
                    print(f"{name}: skipped, there is no PostgreSQL")
                    continue
                begin = time.monotonic()
                if arguments.limits:
                    findings += try_limits(world, name)
                    continue
                trial = Trial(world, name, arguments)
                trial.all()
                trial.report(time.monotonic() - begin)
                findings += len(trial.findings)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
