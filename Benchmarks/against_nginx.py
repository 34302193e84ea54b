#!/usr/bin/env python3
"""`GET /v1/markets` beside nginx that serves the same bytes as a static file.

A simulated exchange sends 2,000 frames a second the whole time, and hoga keeps following it while
nginx is measured. Each figure is the median of interleaved pairs at one number of connections:
identity at least 0.75 of nginx, gzip at least 0.8 of gzip_static, answers of 304 at least twice
hoga's own 200s. wrk puts the load on, and h2load for the last: wrk takes the length that a 304
tells for a body that is to come. Limits for each client are raised by configuration: all load
comes from one address.
"""

import getpass
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import processes
from processes import Exchange, Service, cpu_seconds, free_port, wait_for

RATE = 2_000
PAIRS = int(os.environ.get("HOGA_BENCH_PAIRS", "5"))
SECONDS = int(os.environ.get("HOGA_BENCH_PAIR_SECONDS", "3"))
CONNECTIONS = [int(n) for n in os.environ.get("HOGA_BENCH_CONNECTIONS", "1,64,512").split(",")]
# One thread cannot use up two cores' worth of answers: then the ratio is that of the load's costs.
LOAD_THREADS = int(os.environ.get("HOGA_BENCH_LOAD_THREADS", "2"))
PATH = "/v1/markets?tab=popular"
TEMPLATE = os.path.join(processes.ROOT, "Benchmarks", "nginx", "nginx.conf")
OPTIONS = ["--access-log", "off", "--connections-per-client", "5000",
           "--requests-per-client", "1000000000", "--not-modified-per-client", "1000000000"]
# A list that changes ten times a second has no 304 for a tag that is kept: this matches each list.
ANY_TAG = ("If-None-Match", "*")
# What is wanted of each ratio.
IDENTITY, GZIP, NOT_MODIFIED = 0.75, 0.8, 2.0


class Nginx:
    """nginx with two workers over a folder with one document and its gzip."""

    def __init__(self, document, compressed):
        self.port = free_port()
        self.folder = tempfile.TemporaryDirectory(prefix="hoga-nginx-")
        # Workers of a root's nginx belong to a user who has to get here.
        os.chmod(self.folder.name, 0o755)
        files = os.path.join(self.folder.name, "files")
        os.mkdir(files)
        for name, data in (("list.json", document), ("list.json.gz", compressed)):
            with open(os.path.join(files, name), "wb") as file:
                file.write(data)
        user = "www-data" if os.geteuid() == 0 else getpass.getuser()
        with open(TEMPLATE, encoding="ascii") as file:
            text = file.read()
        for name, value in (("FOLDER", self.folder.name), ("PORT", str(self.port)),
                            ("USER", user)):
            text = text.replace(f"@{name}@", value)
        configuration = os.path.join(self.folder.name, "nginx.conf")
        with open(configuration, "w", encoding="ascii") as file:
            file.write(text)
        self.process = subprocess.Popen(
            ["nginx", "-c", configuration, "-p", self.folder.name], stderr=subprocess.DEVNULL)
        wait_for("nginx", lambda: fetch(self.address)[0] == 200)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}/list.json"

    def end(self):
        self.process.terminate()
        self.process.wait(20)
        self.folder.cleanup()


def fetch(address, headers=()):
    """Status, headers and body of one answer, as they came."""
    request = urllib.request.Request(address, headers=dict(headers))
    with urllib.request.urlopen(request, timeout=5) as answer:
        return answer.status, answer.headers, answer.read()


def status_of(address, headers):
    """The status of an answer, whatever it is."""
    try:
        return fetch(address, headers)[0]
    except urllib.error.HTTPError as error:
        return error.code


def load(address, connections, headers=()):
    """Requests a second at so many connections; answers that are no success end the run."""
    threads = min(LOAD_THREADS, connections)
    words = ["wrk", "-t", str(threads), "-c", str(connections), "-d", f"{SECONDS}s"]
    for name, value in headers:
        words += ["-H", f"{name}: {value}"]
    text = subprocess.run(words + [address], check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in text:
        raise SystemExit(f"answers that are none:\n{text}")
    return float(re.search(r"Requests/sec:\s+([0-9.]+)", text).group(1))


def load_of_heads(address, connections, headers=()):
    """The same by a client that knows which answers have no body."""
    threads = min(LOAD_THREADS, connections)
    words = ["h2load", "--h1", "-t", str(threads), "-c", str(connections), "-D", str(SECONDS)]
    for name, value in headers:
        words += ["-H", f"{name}: {value}"]
    text = subprocess.run(words + [address], check=True, capture_output=True, text=True).stdout
    # One request of each connection is on its way when time is up.
    failed = re.search(r"(\d+) failed, (\d+) errored, (\d+) timeout", text)
    wrong = re.search(r"(\d+) 4xx, (\d+) 5xx", text)
    if not failed or any(int(n) for match in (failed, wrong) for n in match.groups()):
        raise SystemExit(f"answers that are none:\n{text}")
    return float(re.search(r"finished in .*?([0-9.]+) req/s", text).group(1))


def report(name, connections, pairs, wanted, names):
    """Prints the medians and the range of the ratios; returns whether their median is enough."""
    ratios = sorted(ours / theirs for ours, theirs in pairs)
    ratio = statistics.median(ratios)
    ours, theirs = (statistics.median(side) for side in zip(*pairs))
    verdict = "enough" if ratio >= wanted else "TOO LITTLE"
    print(f"{name}, {connections} connections: {names[0]} {ours:,.0f}/s, {names[1]} "
          f"{theirs:,.0f}/s, ratio {ratio:.2f}, {ratios[0]:.2f} to {ratios[-1]:.2f} "
          f"(at least {wanted}): {verdict}", flush=True)
    return ratio >= wanted


def measure(service, nginx):
    """All figures; returns whether each of them is enough."""
    ours = f"http://127.0.0.1:{service.port}{PATH}"
    gzip = ("Accept-Encoding", "gzip")
    against = ("hoga", "nginx")
    is_enough = True
    for connections in CONNECTIONS:
        for name, headers, wanted in (("identity", [], IDENTITY), ("gzip", [gzip], GZIP)):
            pairs = [(load(ours, connections, headers), load(nginx.address, connections, headers))
                     for _ in range(PAIRS)]
            is_enough &= report(name, connections, pairs, wanted, against)
        pairs = [(load_of_heads(ours, connections, [ANY_TAG]), load_of_heads(ours, connections))
                 for _ in range(PAIRS)]
        is_enough &= report("304", connections, pairs, NOT_MODIFIED, ("304s", "200s"))
    return is_enough


def main():
    exchange = Exchange(rate=RATE)
    service = Service(exchange, options=OPTIONS)
    try:
        time.sleep(2)
        address = f"http://127.0.0.1:{service.port}{PATH}"
        document = fetch(address)[2]
        answer = fetch(address, [("Accept-Encoding", "gzip")])
        if answer[1]["Content-Encoding"] != "gzip":
            raise SystemExit("the list does not come in gzip")
        if status_of(address, [ANY_TAG]) != 304:
            raise SystemExit("a list that is known is sent again")
        print(f"list of {len(document):,} bytes, in gzip {len(answer[2]):,}", flush=True)
        nginx = Nginx(document, answer[2])
        before, start = cpu_seconds(service.process.pid), time.monotonic()
        frames = service.ready()["feed"]["framesReceived"]
        try:
            is_enough = measure(service, nginx)
        finally:
            nginx.end()
        passed = time.monotonic() - start
        followed = (service.ready()["feed"]["framesReceived"] - frames) / passed
        cpu = (cpu_seconds(service.process.pid) - before) / passed
        print(f"meanwhile {followed:,.0f} frames/s were followed; hoga needed {cpu:.0%} of a core")
    finally:
        service.end()
        exchange.kill()
    sys.exit(0 if is_enough else "a ratio is too small")


if __name__ == "__main__":
    main()
