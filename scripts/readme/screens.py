#!/usr/bin/python3
"""Takes the screens that README.md shows from a run of hoga, or looks whether they have its form.

usage: scripts/readme/screens.py [--check] HOGA

HOGA is a built binary. A screen in the page is a fenced block behind a mark that says how it is
taken: the size of the terminal, the keys that are pressed (as tmux calls them), and what is kept
before the start, commands of hoga with semicolons between them:

    <!-- screen 80x14 keys="Tab" kept="favorites add BTC_KRW" -->

Each key changes the form of the screen, which is how its picture is told from the one before.
Every run is of the simulated exchange with one seed and a store of its own. Prices depend on the
time of day, so --check compares form alone: size, and the words of titles, headings and keys.
Ends with 0 if all is well, else with 1 and what is not.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "README.md"
MARK = re.compile(
    r'(<!-- screen (\d+)x(\d+)(?: keys="([^"]*)")?(?: kept="([^"]*)")? -->\n```\n)(.*?)(\n```\n)',
    re.DOTALL,
)
SIMULATED = ["--exchange", "simulated", "--seed", "7", "--rate", "200"]
# The lines whose words are the form of a screen.
FORM = (0, 1, -1)
# What a screen says while it is not yet what it will be.
UNREADY = re.compile(r"불러오는 중|[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]")
# Whether a coin can be moved is decided anew each day on the simulated exchange.
DEPOSITS = re.compile(r"[●○] (?:입출금|입금|출금) (?:가능|중단)")
# Only a screen that hangs takes so long.
SECONDS_MAX = 120


def columns(text):
    """How many columns a terminal needs for a text."""
    drawn = [letter for letter in text if not unicodedata.combining(letter)]
    return sum(1 + (unicodedata.east_asian_width(letter) in ("W", "F")) for letter in drawn)


class Terminal:
    """A real terminal of a given size with hoga in it, over a folder of its own."""

    def __init__(self, hoga, width, height, kept):
        self.folder = tempfile.mkdtemp(prefix="hoga-readme-")
        self.socket = os.path.join(self.folder, "tmux")
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("HOGA_")
        } | {
            "XDG_DATA_HOME": self.folder, "XDG_CONFIG_HOME": self.folder,
            "XDG_STATE_HOME": self.folder, "LC_ALL": "C.UTF-8", "TMUX": "",
        }
        for command in filter(None, (kept or "").split(";")):
            subprocess.run(
                [hoga, *shlex.split(command)], env=self.environment, check=True,
                stdout=subprocess.DEVNULL,
            )
        words = shlex.join([str(hoga), "watch", *SIMULATED])
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), words
        )

    def tmux(self, *words):
        """Runs tmux on a server of this terminal alone."""
        answer = subprocess.run(
            ["tmux", "-S", self.socket, *words], env=self.environment, check=True,
            capture_output=True, text=True,
        )
        return answer.stdout

    def lines(self):
        """What the terminal shows, without blanks at the ends of lines."""
        return [line.rstrip() for line in self.tmux("capture-pane", "-p").split("\n")][:-1]

    def settle(self, before=None):
        """The lines once everything is there that the screen loads, in another form than before."""
        deadline = time.monotonic() + SECONDS_MAX
        while time.monotonic() < deadline:
            lines = self.lines()
            is_ready = any(lines) and "실시간" in lines[0] and not UNREADY.search("\n".join(lines))
            if is_ready and form(lines) != before:
                return lines
            time.sleep(0.2)
        raise SystemExit("scripts/readme/screens.py: no picture came:\n" + "\n".join(self.lines()))

    def end(self):
        """Ends hoga and leaves nothing."""
        subprocess.run(
            ["tmux", "-S", self.socket, "kill-server"], env=self.environment, check=False,
            capture_output=True,
        )
        shutil.rmtree(self.folder, ignore_errors=True)


def screen(hoga, width, height, keys, kept):
    """The lines of a screen after some keys."""
    terminal = Terminal(hoga, width, height, kept)
    try:
        lines = terminal.settle()
        for key in (keys or "").split():
            terminal.tmux("send-keys", key)
            lines = terminal.settle(before=form(lines))
        # Trades and candles come after the first picture.
        time.sleep(2)
        return terminal.settle()
    finally:
        terminal.end()


def words(line):
    """What of a line does not depend on prices and the time."""
    return re.findall(r"[가-힣A-Za-z\[\]]{2,}", DEPOSITS.sub("", line))


def form(lines):
    """The title, the line below it, and the keys: everything else depends on the market."""
    return [words(lines[place]) for place in FORM]


def problems(shown, taken, width, height):
    """What of the form differs between a block of the page and a screen just taken."""
    found = []
    if len(shown) != len(taken):
        found.append(f"{len(shown)} lines, and not {len(taken)} of {height}")
    for line in shown:
        if columns(line) > width:
            found.append(f"wider than {width} columns: {line}")
    for place in FORM:
        if shown and taken and words(shown[place]) != words(taken[place]):
            found.append(f"'{shown[place]}', where now stands '{taken[place]}'")
    return found


def main(arguments):
    is_check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + is_check:
        print(__doc__, file=sys.stderr)
        return 64
    hoga = Path(arguments[-1]).resolve()
    page = PAGE.read_text(encoding="utf-8")
    marks = list(MARK.finditer(page))
    if not marks:
        print("scripts/readme/screens.py: README.md has no mark of a screen", file=sys.stderr)
        return 1
    failures = 0
    for mark in reversed(marks):
        head, width, height, keys, kept, shown, tail = mark.groups()
        taken = screen(hoga, int(width), int(height), keys, kept)
        if is_check:
            for problem in problems(shown.split("\n"), taken, int(width), int(height)):
                failures += 1
                print(f"README.md, screen {width}x{height}: {problem}", file=sys.stderr)
        else:
            block = head + "\n".join(taken) + tail
            page = page[: mark.start()] + block + page[mark.end():]
    if is_check:
        if failures:
            print("scripts/readme/screens.py: `make readme` takes them anew", file=sys.stderr)
    else:
        PAGE.write_text(page, encoding="utf-8")
    print(f"scripts/readme/screens.py: {len(marks)} screens")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
