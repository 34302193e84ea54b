"""Runs scenarios at the edge of their descriptor and memory limits."""

import signal
import subprocess

from runs import Run
from scenarios import SCENARIOS

# hoga refuses to run with fewer than 64 descriptors.
DESCRIPTORS = (16, 63, 64, 72, 96)
# Megabytes of address space; the debug program needs 150 to start and up to 700 for its threads.
MEGABYTES = range(100, 721, 40)
# The program ended or stood still without memory, which the limit is there for.
OF_RUNTIME = ("ended by ", "does not end", "the service never", "the service no longer")


def one(world, name, option, value):
    """A run without failing calls whose program has a limit."""
    run = Run(world, limit=["prlimit", f"--{option}={value}:{value}"])
    run.hook = {"LD_PRELOAD": ""}
    try:
        SCENARIOS[name](run)
    except subprocess.TimeoutExpired as error:
        run.find(f"an unfailed program hangs afterwards: {error}")
    return run


def outcome(run):
    """How a run ended, in words."""
    words = run.errors().strip().splitlines()[-1:]
    if run.status is None:
        return "stands still: no thread can be started"
    if run.status < 0:
        return f"Swift's runtime ends it: {signal.Signals(-run.status).name}"
    return f"status {run.status} {words[0] if words and run.status else ''}"


def try_limits(world, name):
    """Prints one line a limit; the number of findings.

    Without memory the runtimes of Swift and C++ end the process, or wait for a thread. Only what
    such an end leaves behind is judged: stores and acknowledged changes.
    """
    findings = 0
    world.allowed_descriptors = None
    limits = [("nofile", "descriptor limit", count, count) for count in DESCRIPTORS]
    limits += [("as", "memory limit", f"{count} MiB", count << 20) for count in MEGABYTES]
    for option, title, shown, value in limits:
        run = one(world, name, option, value)
        print(f"{name}: {title} {shown}: {outcome(run)}", flush=True)
        for text in run.findings:
            if option == "as" and text.startswith(OF_RUNTIME):
                continue
            findings += 1
            print(f"    {text}", flush=True)
        run.remove()
    return findings
