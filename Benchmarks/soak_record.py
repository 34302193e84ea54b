"""What a long run showed, minute by minute: a CSV file, its drawing, and a verdict on slopes."""

import csv
import os
import statistics
import subprocess

# Caches and tapes of trades fill, and threads start, meanwhile.
START_MINUTES = 30
# Allowed growth from the first half to the second.
GROWTH_MAX = 0.05
# Smaller differences are measurement noise, in the unit of the column.
NOISE = {"serveFiles": 2, "watchFiles": 2, "pageNodes": 200, "p50Milliseconds": 0.3,
         "p99Milliseconds": 3}
# Columns that must not grow, with the titles of their diagrams.
FLAT = {
    "serveMegabytes": "resident memory of serve, MiB",
    "serveFiles": "open files of serve",
    "watchMegabytes": "resident memory of watch, MiB",
    "watchFiles": "open files of watch",
    "pageMegabytes": "heap of the page behind a collection, MB",
    "pageNodes": "DOM nodes of the page",
    "p50Milliseconds": "median time of an answer, ms",
    "p99Milliseconds": "99 % of answers within, ms",
}
# Latencies are judged as ratios to the time of the same work in the same minutes: the machine may
# be slower in one half than in the other.
LATENCIES = ["p50Milliseconds", "p99Milliseconds"]
REFERENCE = "referenceMilliseconds"
DRAWN = FLAT | {REFERENCE: "processor time of the same work, ms"}
COLUMNS = ["minute", *FLAT, REFERENCE, "exchangeMegabytes", "drift", "faults", "questions",
           "streams", "events", "changes", "terminals"]


class Record:
    """The rows of a run, written as they come."""

    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.csv = os.path.join(folder, "soak.csv")
        self.svg = os.path.join(folder, "soak.svg")
        self.rows = []
        with open(self.csv, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerow(COLUMNS)

    def add(self, row):
        self.rows.append(row)
        with open(self.csv, "a", encoding="utf-8", newline="") as file:
            csv.writer(file).writerow([row[name] for name in COLUMNS])

    def draw(self):
        """Draws each flat column and the reference over the minutes as SVG."""
        plots = "\n".join(
            f"set title '{title}'\nplot [0:][0:] '{self.csv}' using 'minute':'{name}' with lines"
            for name, title in DRAWN.items())
        script = (f"set terminal svg size 1000,{200 * ((len(DRAWN) + 1) // 2)} font 'sans,11'\n"
                  f"set output '{self.svg}'\nset datafile separator ','\nunset key\nset grid\n"
                  f"set multiplot layout {(len(DRAWN) + 1) // 2},2\n{plots}\nunset multiplot\n")
        subprocess.run(["gnuplot"], input=script, text=True, check=True)

    def verdict(self):
        """Prints each column's halves; returns whether all are flat and nothing was wrong."""
        settled = [row for row in self.rows if row["minute"] > START_MINUTES] or self.rows
        half = len(settled) // 2
        halves = settled[:half], settled[half:]
        first, second = (mean(rows, REFERENCE) for rows in halves)
        slowdown = second / first if first else 1.0
        print(f"{DRAWN[REFERENCE]}: {first:.2f}, then {second:.2f} ({slowdown - 1:+.1%})")
        is_good = True
        for name, title in FLAT.items():
            first, second = (mean(rows, name) for rows in halves)
            expected = first * (slowdown if name in LATENCIES else 1)
            growth = second / expected - 1 if expected else 0.0
            is_flat = growth <= GROWTH_MAX or second - expected <= NOISE.get(name, 0)
            is_good = is_good and is_flat
            print(f"{title}: {first:.2f}, then {second:.2f} ({growth:+.1%})"
                  f"{'' if is_flat else '  GROWS'}")
        for name in ("drift", "faults"):
            total = sum(row[name] for row in self.rows)
            is_good = is_good and total == 0
            print(f"{name}: {total}{'' if total == 0 else '  WRONG'}")
        last = self.rows[-1]
        print(", ".join(f"{last[name]} {name}" for name in
                        ("questions", "streams", "events", "changes", "terminals")))
        return is_good


def mean(rows, name):
    return statistics.fmean(row[name] for row in rows) if rows else 0.0
