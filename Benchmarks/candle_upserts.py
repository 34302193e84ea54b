#!/usr/bin/env python3
"""Compares writing candles to PostgreSQL with COPY into an empty table of the same definition.

Runs under scripts/with-postgresql. COPY loads the same rows in the same order into the same
partitions with the same key, as text or binary, whichever is faster, without conflicts. The store
writes all rows in one call of saveMinutes, and then one minute's rows in each call. The variants
take turns.
"""

import os
import statistics
import subprocess
import tempfile
import time

ROWS = int(os.environ.get("HOGA_BENCH_CANDLES", "480000"))
ROUNDS = int(os.environ.get("HOGA_BENCH_CANDLE_ROUNDS", "5"))
MINUTE = 240
MEASURE = os.environ.get("HOGA_BENCH_MEASURE", ".build/release/Measure")

ADMIN = os.environ["HOGA_TEST_DATABASE_URL"]
PROGRAMS = os.environ["HOGA_TEST_POSTGRESQL_BIN"]
SERVER = ADMIN.split("@")[1].split("/")[0]
OWNER_URL = f"postgresql://candle_owner@{SERVER}/candles"
APP_URL = f"postgresql://candle_app@{SERVER}/candles"


def psql(url, *statements):
    words = [word for statement in statements for word in ("--command", statement)]
    subprocess.run([f"{PROGRAMS}/psql", "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1",
                    *words, url], check=True, stdout=subprocess.DEVNULL)


def measure(*words):
    result = subprocess.run([MEASURE, "upserts", *words], check=False, stdout=subprocess.PIPE,
                            text=True)
    if result.returncode != 0:
        raise SystemExit(result.stdout)
    return result.stdout.strip()


def empty():
    psql(OWNER_URL, "TRUNCATE hoga.candles")
    psql(ADMIN, "CHECKPOINT")


def copied(file, form):
    empty()
    start = time.monotonic()
    psql(OWNER_URL, f"\\copy hoga.candles from '{file}' with (format {form})")
    return time.monotonic() - start


def written(call, round_number):
    psql(ADMIN, "CHECKPOINT")
    return float(measure("write", APP_URL, str(ROWS), str(call), str(round_number)))


def main():
    psql(ADMIN, "CREATE ROLE candle_owner LOGIN CREATEROLE")
    psql(ADMIN, "CREATE DATABASE candles OWNER candle_owner")
    measure("prepare", OWNER_URL)
    psql(ADMIN, "CREATE ROLE candle_app LOGIN IN ROLE hoga_app")
    # Autovacuum would run at unpredictable times.
    psql(ADMIN, "ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()")
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        written(ROWS, 0)
        for form in ["text", "binary"]:
            order = "SELECT * FROM hoga.candles ORDER BY feed, market, \"interval\", open_time"
            psql(OWNER_URL, f"\\copy ({order}) to '{folder}/{form}' with (format {form})")
        for _ in range(ROUNDS):
            for form in ["text", "binary"]:
                figures.setdefault(f"copy {form}", []).append(copied(f"{folder}/{form}", form))
            for name, call in [("at once", ROWS), ("by the minute", MINUTE)]:
                empty()
                figures.setdefault(f"new {name}", []).append(written(call, 1))
                figures.setdefault(f"rewritten {name}", []).append(written(call, 2))
    medians = {name: statistics.median(values) for name, values in figures.items()}
    copy = min(medians["copy text"], medians["copy binary"])
    for name, seconds in medians.items():
        wanted = {"new at once": " (wanted: 0.4)", "rewritten at once": " (wanted: 0.25)"}
        print(f"{ROWS:,} candles, {name}: {seconds:.2f} s, {ROWS / seconds:,.0f}/s, "
              f"{copy / seconds:.2f} of COPY{wanted.get(name, '')}")


main()
