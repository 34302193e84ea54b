#!/usr/bin/env python3
"""Measures many concurrent readers of event streams, on the machine that serves them.

2,000 streams of 20 random markets and 20 of the whole list, a simulated exchange in the same
process, a snapshot each 250 ms. Measures the delay of a trade by the exchange's time, hoga's
resources, and the bytes sent, without and with gzip. Limits for each client are raised by
configuration: all readers have one address.
"""

import os
import random
import subprocess
import threading
import time

import processes

STREAMS = int(os.environ.get("HOGA_BENCH_STREAMS", "2000"))
WHOLE = int(os.environ.get("HOGA_BENCH_STREAMS_WHOLE", "20"))
RATE = int(os.environ.get("HOGA_BENCH_STREAMS_RATE", "780"))
SECONDS = int(os.environ.get("HOGA_BENCH_STREAMS_SECONDS", "30"))
CODINGS = os.environ.get("HOGA_BENCH_STREAMS_CODINGS", "identity,gzip").split(",")
SNAPSHOT_MILLISECONDS = 250
READERS = os.path.join(processes.ROOT, ".build/release/StreamReaders")


def paths(markets):
    rng = random.Random(5)
    lines = ["/v1/stream?markets=" + ",".join(rng.sample(markets, 20)) for _ in range(STREAMS)]
    return lines + ["/v1/stream?tab=popular"] * WHOLE


def serve(port, admin):
    words = [processes.HOGA, "serve", "--exchange", "simulated", "--rate", str(RATE),
             "--store", "none", "--listen", f"127.0.0.1:{port}",
             "--admin-listen", f"127.0.0.1:{admin}", "--cut-interval", f"{SNAPSHOT_MILLISECONDS}ms",
             "--connections-per-client", "5000", "--requests-per-client", "1000000",
             "--streams-per-user", "5000", "--topics", "5000", "--stream-mb", "4096",
             "--access-log", "off"]
    return subprocess.Popen(words, env=processes.environment(), stderr=subprocess.DEVNULL)


def main():
    for coding in CODINGS:
        measure(coding)


def measure(coding):
    port, admin = processes.free_port(), processes.free_port()
    hoga = serve(port, admin)
    try:
        address = f"http://127.0.0.1:{port}/v1/markets?tab=popular"
        processes.wait_for("a list", lambda: processes.get(address)["state"]["rows"])
        time.sleep(2)
        rows = processes.get(address)["state"]["rows"]
        readers = subprocess.Popen([READERS, str(port), str(SECONDS), "5", coding],
                                   text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        resident = []
        done = threading.Event()

        def look():
            while not done.wait(0.5):
                resident.append(processes.resident_megabytes(hoga.pid)[0])

        watcher = threading.Thread(target=look)
        watcher.start()
        before = processes.cpu_seconds(hoga.pid)
        answer, _ = readers.communicate("\n".join(paths([row["market"] for row in rows])) + "\n")
        spent = processes.cpu_seconds(hoga.pid) - before
        done.set()
        watcher.join()
        figures = dict(line.split() for line in answer.splitlines())
        report(coding, figures, len(rows), max(resident), spent)
    finally:
        hoga.terminate()
        hoga.wait()


def report(coding, figures, market_count, resident, spent):
    # Share of one whole-list reader in all received bytes.
    changing = int(figures["rows"]) / SECONDS / (STREAMS * 20 / market_count + WHOLE)
    # Of compressed streams the readers look at each 16th.
    share = 16 if coding == "gzip" else 1
    changing *= share
    bound = SNAPSHOT_MILLISECONDS + 100
    print(f"streams, {coding}: {figures['streams']}, ended early {figures['ended']}, "
          f"{changing:.0f} changing markets/s, a snapshot each {SNAPSHOT_MILLISECONDS} ms")
    print(f"trade to reader: p50 {figures['tick_delay_p50_ms']} ms, "
          f"p99 {figures['tick_delay_p99_ms']} ms (at most {bound}), "
          f"worst {figures['tick_delay_worst_ms']} ms of {figures['tick_delay_count']}")
    print(f"snapshot to reader: p50 {figures['patch_delay_p50_ms']} ms, "
          f"p99 {figures['patch_delay_p99_ms']} ms of {figures['patch_delay_count']} patches")
    print(f"{int(figures['bytes']) / SECONDS / 1e6:.1f} MB/s, "
          f"{share * int(figures['patches']) / SECONDS:.0f} patches/s, "
          f"{share * int(figures['rows']) / SECONDS:.0f} rows/s")
    print(f"hoga with its exchange: {100 * spent / (SECONDS + 5):.0f} % of a core, "
          f"peak {resident:.0f} MiB (at most 256)")


if __name__ == "__main__":
    main()
