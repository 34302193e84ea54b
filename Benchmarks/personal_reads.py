#!/usr/bin/env python3
"""Measures reads of user records from PostgreSQL: 1,000 users with 50 favorites each.

Runs under scripts/with-postgresql. First an open loop: reads start at a steady rate, and each
latency counts from the intended start. Then a closed loop beside pgbench with the same statements
in the same protocol, in alternating pairs.
"""

import os
import re
import statistics
import subprocess
import tempfile

from growth_statements import statements

CONNECTIONS = 32
USERS = 1_000
RATE = int(os.environ.get("HOGA_BENCH_READS_RATE", "1000"))
SECONDS = int(os.environ.get("HOGA_BENCH_SECONDS_READS", "10"))
PAIRS = int(os.environ.get("HOGA_BENCH_READS_PAIRS", "5"))
MEASURE = ".build/release/Measure"

ADMIN = os.environ["HOGA_TEST_DATABASE_URL"]
PROGRAMS = os.environ["HOGA_TEST_POSTGRESQL_BIN"]
SERVER = ADMIN.split("@")[1].split("/")[0]
OWNER_URL = f"postgresql://hoga_owner@{SERVER}/bench"
APP_URL = f"postgresql://bench_app@{SERVER}/bench"


def psql(statement):
    subprocess.run([f"{PROGRAMS}/psql", "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1",
                    "--command", statement, ADMIN], check=True, stdout=subprocess.DEVNULL)


def measure(*words):
    result = subprocess.run([MEASURE, "personal", *words], check=True, stdout=subprocess.PIPE,
                            text=True)
    return result.stdout.strip()


def filled(text, values):
    return re.sub(r"\$(\d+)", lambda match: values[int(match.group(1)) - 1], text)


def pgbench(script):
    result = subprocess.run(
        [f"{PROGRAMS}/pgbench", "--no-vacuum", "--protocol", "extended",
         "--client", str(CONNECTIONS), "--jobs", "2", "--time", str(SECONDS), "--file", script,
         APP_URL],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return float(re.search(r"tps = ([\d.]+)", result.stdout).group(1))


def main():
    psql("CREATE ROLE hoga_owner LOGIN CREATEROLE")
    psql("CREATE DATABASE bench OWNER hoga_owner")
    measure("prepare", OWNER_URL)
    psql("CREATE ROLE bench_app LOGIN IN ROLE hoga_app")
    measure("fill", APP_URL)

    median, p99, worst = measure("open", APP_URL, str(RATE), str(SECONDS)).split()
    print(f"personal reads: {RATE:,}/s offered over {CONNECTIONS} connections: "
          f"p50 {median} ms, p99 {p99} ms, worst {worst} ms (wanted: p99 under 5)")

    measure("tokens", OWNER_URL)
    calls, median, p99, worst = measure("served", APP_URL, str(RATE), str(SECONDS)).split()
    print(f"personal documents of one process: {USERS:,} people ask {RATE:,} times a second: "
          f"{calls} calls of the store a second, p50 {median} us, p99 {p99} us, worst {worst} us "
          f"(wanted: far fewer calls than questions)")

    texts = statements()
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write("\n".join([
            f"\\set user random(1, {USERS})",
            "\\startpipeline",
            filled(texts["settle_user"], [":user", "'4000ms'", "'2000ms'", "'2000ms'"]) + ";",
            filled(texts["read_personal"], [":user"]) + ";",
            "\\endpipeline", "",
        ]))
        script.flush()
        pairs = []
        for _ in range(PAIRS):
            own = int(measure("closed", APP_URL, str(SECONDS)))
            theirs = pgbench(script.name)
            pairs.append((own, theirs, own / theirs))
    own, theirs, ratio = (statistics.median(column) for column in zip(*pairs))
    print(f"personal reads, closed loop: {own:,.0f}/s, pgbench {theirs:,.0f}/s, "
          f"ratio {ratio:.2f} (wanted: 0.5)")


if __name__ == "__main__":
    main()
