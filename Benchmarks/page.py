#!/usr/bin/env python3
"""Measures the list of all markets in Chromium: 2,000 frames a second, for ten minutes.

usage: Benchmarks/page.py [MINUTES]

Prints the share of a core that the page takes, the tasks over 50 ms, the heap after garbage
collections and the number of DOM nodes, beside their bounds. Exits with 0 if all are within, else
with 1. Run it with the Python of scripts/check-page, which has selenium, on two idle cores. Takes
HOGA_BENCH_BINARY as the other benchmarks do.
"""

import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PYTHON = os.path.join(ROOT, ".build", "page", "bin", "python")
sys.path.append(os.path.join(ROOT, "scripts", "page"))

try:
    from browser import Browser
except ImportError:
    # Installed by scripts/check-page.
    if os.path.exists(PYTHON) and sys.executable != PYTHON:
        os.execv(PYTHON, [PYTHON, "-B", *sys.argv])
    raise SystemExit("selenium is missing: run scripts/check-page once") from None
from processes import Exchange, HOGA, Service  # noqa: E402

MINUTES = 10
RATE = 2_000
# Long tasks of the start do not count.
START_SECONDS = 5
SETTLE_SECONDS = 20
SAMPLE_SECONDS = 60
# The bound on scripting holds for all tasks of the page, which contain style and layout, too.
TASK_SHARE_MAX = 0.30
ROWS = "return document.querySelector('.rows').textContent"
LONG_TASK_MILLISECONDS = 50
# A flat heap: caches may fill, but nothing grows with time.
HEAP_GROWTH_BYTES_MAX = 1_000_000
NODES_GROWTH_MAX = 200
WATCH = """
window.longTasks = [];
new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });"""


class Page:
    """The open page: its counters."""

    def __init__(self, browser):
        self._browser = browser
        self._collections = []

    def counters(self):
        metrics = self._browser.command("Performance.getMetrics")["metrics"]
        return {metric["name"]: metric["value"] for metric in metrics} | {
            "time": time.monotonic()}

    def heap(self):
        """Used bytes and DOM nodes behind a garbage collection."""
        start = self._browser.run("return performance.now()")
        self._browser.command("HeapProfiler.collectGarbage")
        self._collections.append((start, self._browser.run("return performance.now()")))
        values = self.counters()
        return values["JSHeapUsedSize"], values["Nodes"]

    def long_tasks(self):
        """Durations of the tasks over 50 ms after the start, without forced collections."""
        return [duration for start, duration in self._browser.run("return longTasks")
                if start > START_SECONDS * 1_000
                and not any(begin - duration <= start <= end for begin, end in self._collections)]


def measure(browser, address, minutes):
    """Returns whether all figures are within their bounds."""
    browser.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    browser.command("Performance.enable")
    browser.open(f"{address}/?tab=popular")
    browser.wait_rows()
    browser.wait_live()
    page = Page(browser)
    count = browser.text("#count")
    # The list shows its columns, and the compiler has its code.
    time.sleep(SETTLE_SECONDS)
    heap, nodes = page.heap()
    rows, first = browser.run(ROWS), page.counters()
    end = time.monotonic() + minutes * 60
    while (rest := end - time.monotonic()) > 0:
        time.sleep(min(SAMPLE_SECONDS, rest))
        now = page.counters()
        print(f"  {(now['time'] - first['time']) / 60:4.1f} min: tasks "
              f"{share(first, now, 'TaskDuration'):.1%}, heap before a collection "
              f"{now['JSHeapUsedSize'] / 1e6:.1f} MB", flush=True)
    last = page.counters()
    heap_now, nodes_now = page.heap()
    long_tasks = page.long_tasks()
    tasks, script = (share(first, last, name) for name in ("TaskDuration", "ScriptDuration"))
    print(f"list of {count} at {RATE} frames/s for {last['time'] - first['time']:.0f} s:")
    return all([
        report("prices changed", "of a live list", browser.run(ROWS) != rows),
        report(f"tasks {tasks:.1%} of a core, {script:.1%} counted as scripts",
               f"under {TASK_SHARE_MAX:.0%}", tasks < TASK_SHARE_MAX),
        report(f"{len(long_tasks)} tasks over {LONG_TASK_MILLISECONDS} ms after the first "
               f"{START_SECONDS} s, longest {max(long_tasks, default=0):.0f} ms", "none",
               not long_tasks),
        report(f"heap {heap / 1e6:.2f} MB, then {heap_now / 1e6:.2f} MB",
               f"growth under {HEAP_GROWTH_BYTES_MAX / 1e6:.0f} MB",
               heap_now - heap < HEAP_GROWTH_BYTES_MAX),
        report(f"DOM nodes {nodes:.0f}, then {nodes_now:.0f}",
               f"growth under {NODES_GROWTH_MAX}", nodes_now - nodes < NODES_GROWTH_MAX),
    ])


def share(first, last, name):
    """The share of a core between two readings of the counters."""
    return (last[name] - first[name]) / (last["time"] - first["time"])


def report(figure, bound, is_within):
    print(f"  {figure} ({bound}){'' if is_within else '  OVER'}")
    return is_within


def main(arguments):
    try:
        minutes = float(arguments[0]) if arguments else MINUTES
    except ValueError:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 64
    print(f"{HOGA}, {minutes:g} minutes")
    exchange = Exchange(RATE)
    try:
        service = Service(exchange)
        try:
            browser = Browser(logs_requests=False)
            try:
                is_within = measure(browser, f"http://127.0.0.1:{service.port}", minutes)
            finally:
                browser.close()
        finally:
            service.end()
    finally:
        exchange.kill()
    return 0 if is_within else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
