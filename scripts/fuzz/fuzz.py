#!/usr/bin/env python3
"""Runs the fuzzer that `make fuzz` builds, or measures what it covers.

usage: scripts/fuzz/fuzz.py run MINUTES [seed=N] [TARGET...]
       scripts/fuzz/fuzz.py coverage
  run        fuzzes each target for MINUTES, as many at a time as there are processors. Inputs that
             reach new code are kept in .build-fuzz/finds, failing ones in .build-fuzz/failures;
             prints each of those with the command that replays it. N is the seed of the random
             inputs, which the summary prints; without it a run takes one at random.
  coverage   replays the corpus and .build-fuzz/finds, and prints the lines and branches of the
             parsers that they reach; .build-fuzz/coverage.txt has the lines that they do not

Needs the fuzzer that `make fuzz` or `make fuzz-coverage` builds.

Exit status: 0 nothing found, 1 a finding, or less coverage than the limit, 64 wrong usage.
"""

import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import comparisons
import coverage

ROOT = Path(__file__).resolve().parents[2]
SEEDS = ROOT / "Tests/Fuzzing"
BUILD = ROOT / ".build-fuzz"
FUZZER = BUILD / "release/Fuzzer"
FAILURES = BUILD / "failures"
# Larger inputs are slower and reach no more: limits of the parsers are parameters of the targets.
INPUT_BYTES_MAX = 4096
# Longer documents, as the patches of the contract's examples.
LONG_INPUTS = {"patches": 16384}


def environment(target):
    # With its own backtraces the runtime hangs when it ends inside of libFuzzer's handlers.
    return os.environ | {"HOGA_FUZZ_TARGET": target, "SWIFT_BACKTRACE": "enable=no"}


def folders(target):
    finds = BUILD / "finds" / target
    finds.mkdir(parents=True, exist_ok=True)
    return [str(finds), str(SEEDS / "Corpus" / target)]


def fuzz(target, seconds, seed):
    """Fuzzes a target; returns its line of the summary, and whether it found nothing."""
    FAILURES.mkdir(parents=True, exist_ok=True)
    log = BUILD / f"{target}.log"
    command = [
        str(FUZZER),
        f"-max_total_time={seconds}",
        f"-seed={seed}",
        f"-max_len={LONG_INPUTS.get(target, INPUT_BYTES_MAX)}",
        "-timeout=20",
        "-rss_limit_mb=3000",
        "-use_value_profile=1",
        "-print_final_stats=1",
        f"-artifact_prefix={FAILURES}/{target}-",
        f"-dict={SEEDS}/Dictionaries/{target}.dict",
        *folders(target),
    ]
    with open(log, "wb") as output:
        status = subprocess.run(
            command, env=environment(target), stdout=output, stderr=subprocess.STDOUT
        ).returncode
    text = log.read_text(errors="replace")
    count = re.search(r"number_of_executed_units: (\d+)", text)
    edges = re.findall(r" cov: (\d+)", text)
    line = f"{target}: {count[1] if count else '?'} runs in {seconds} s, seed {seed}, " \
        f"{edges[-1] if edges else '?'} edges"
    if status == 0:
        return line, True
    return f"{line}, FAILED\n{finding(target, log, text)}", False


def finding(target, log, text):
    reasons = re.findall(r"Fatal error: .*|ERROR: .*|runtime error: .*", text)
    kept = re.search(r"Test unit written to (\S+)", text)
    lines = [f"  {reason}" for reason in reasons[:3]]
    lines.append(f"  log: {log.relative_to(ROOT)}")
    if kept:
        path = Path(kept[1]).relative_to(ROOT)
        replay = f"SWIFT_BACKTRACE=enable=no HOGA_FUZZ_TARGET={target} .build-fuzz/release/Fuzzer"
        lines.append(f"  replay: {replay} {path}")
    return "\n".join(lines)


def run(minutes, seed, chosen):
    names = subprocess.run([str(FUZZER), "targets"], capture_output=True, text=True, check=True)
    targets = names.stdout.split()
    compared = list(comparisons.COMPARISONS)
    wrong = [name for name in chosen if name not in targets + compared]
    if wrong:
        known = " ".join(targets + compared)
        sys.exit(f"scripts/fuzz/fuzz.py: no target {wrong[0]}; targets: {known}")
    seconds = round(minutes * 60)

    def job(name):
        if name in compared:
            line, is_clean = comparisons.compare(name, FUZZER, seconds, seed)
        else:
            line, is_clean = fuzz(name, seconds, seed)
        print(line, flush=True)
        return is_clean

    with ThreadPoolExecutor(os.cpu_count()) as workers:
        results = list(workers.map(job, chosen or targets + compared))
    if not all(results):
        print(f"{results.count(False)} of {len(results)} have findings")
        sys.exit(1)


def main():
    match sys.argv[1:]:
        case ["run", minutes, *chosen] if re.fullmatch(r"\d+(\.\d+)?", minutes):
            # Zero would mean one at random to libFuzzer.
            seed = random.randrange(1, 1 << 32)
            if chosen and (given := re.fullmatch(r"seed=([1-9]\d*)", chosen[0])):
                seed, chosen = int(given[1]), chosen[1:]
            run(float(minutes), seed, chosen)
        case ["coverage"]:
            sys.exit(coverage.report(ROOT, folders, environment))
        case _:
            print(__doc__, file=sys.stderr)
            sys.exit(64)


if __name__ == "__main__":
    main()
