#!/usr/bin/python3
"""Takes the pictures of the terminal in docs/pictures from a run of hoga, or checks them.

usage: scripts/screenshots.py [--check] HOGA

HOGA is a built binary. Each picture is a PNG of a tmux pane that runs `hoga watch` on a
simulated exchange, with a fixed seed and a store of its own. Prices depend on the time of day and
warnings on the day, so --check compares only the size and the words of titles, headings and key
hints with a new run; bitcoin, which titles name, has no warning.
Exits with 0, or with 1 after naming each difference.
"""

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import terminal_png

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIMULATED = ["--seed", "7", "--rate", "200", "--listen", "127.0.0.1:0"]
# The lines whose words are compared.
COMPARED_LINES = (0, 1, -1)
# A block that still loads, and the spinner in the title. A chart draws with the same dots.
LOADING, SPINNER = "불러오는 중", re.compile("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]")
# The simulated exchange suspends deposits and withdrawals at random, once a day.
DEPOSITS = re.compile(r"[●○] (?:입출금|입금|출금) (?:가능|중단)")
SECONDS_MAX = 120


@dataclass(frozen=True)
class Picture:
    name: str
    width: int
    height: int
    # Sent at once, as tmux names them.
    keys: str = ""
    # A pattern that the screen has in the end.
    shows: str = ""
    setup: tuple = ("cash 1500000",)
    arguments: tuple = ()
    palette: terminal_png.Palette = terminal_png.DARK


def variants(name, width, height, *arguments, **more):
    """A screen on a dark and a light ground, and with sixteen colors."""
    dark, light = (("--theme", theme, *arguments) for theme in ("dark", "light"))
    return [
        Picture(name, width, height, arguments=dark, **more),
        Picture(f"{name}-light", width, height, arguments=light, palette=terminal_png.LIGHT, **more),
        Picture(f"{name}-16-colors", width, height, arguments=(*dark, "--color-depth", "16"), **more),
    ]


FAVORITES = ("cash 1500000", "favorites add XRP_KRW")
# The chart alone, without three of its averages, with Bollinger bands, RSI and MACD, and ETH over it.
STUDIES = "m Enter Down Enter Down Down Down Enter Down Down Enter Down Enter Down Enter Escape"
PICTURES = (
    *variants("market-list", 120, 36, setup=FAVORITES),
    *variants("market-detail", 160, 45, keys="Enter", shows="호가차"),
    *variants("chart", 160, 45, keys=f"Enter Tab z {STUDIES} o E T H Enter",
              shows=r"BTC [-+].* ETH [-+](.|\n)*MACD 12"),
    *variants("compact-list", 40, 12, "--compact", setup=FAVORITES),
    Picture("portfolio", 100, 14, keys="3", shows="보유", arguments=("--theme", "dark"),
            setup=("holdings put ETH 2 5000000", "cash 1500000")),
)


def environment():
    """The variables of this script without settings of hoga."""
    return {name: value for name, value in os.environ.items() if not name.startswith("HOGA_")}


class Exchange:
    """The simulated exchange that every picture shows."""

    def __init__(self, hoga):
        # pylint: disable-next=consider-using-with
        self.program = subprocess.Popen(
            [hoga, "exchange", "simulate", *SIMULATED], env=environment(),
            stderr=subprocess.PIPE, text=True,
        )
        try:
            line = next((line for line in self.program.stderr if "rest=" in line), "")
            words = dict(word.split("=", 1) for word in line.split() if "=" in word)
            if not words:
                raise SystemExit("scripts/screenshots.py: the simulated exchange did not start")
            for change in ("warning", "alert"):
                address = f"{words['rest']}/simulator/{change}?market=BTC_KRW&on=false"
                urllib.request.urlopen(address, data=b"", timeout=SECONDS_MAX).close()
            self.arguments = ["--rest-url", words["rest"], "--ws-url", words["stream"]]
        except BaseException:
            self.close()
            raise

    def close(self):
        self.program.terminate()
        self.program.communicate()


class Terminal:
    """A tmux pane of a given size that runs hoga over a folder of its own."""

    def __init__(self, hoga, exchange, picture):
        self.folder = tempfile.mkdtemp(prefix="hoga-screenshots-")
        self.socket = os.path.join(self.folder, "tmux")
        self.environment = environment() | {
            "XDG_DATA_HOME": self.folder, "XDG_CONFIG_HOME": self.folder,
            "XDG_STATE_HOME": self.folder, "LC_ALL": "C.UTF-8", "TMUX": "", "COLORTERM": "truecolor",
        }
        for command in picture.setup:
            subprocess.run(
                [hoga, *shlex.split(command)], env=self.environment, check=True,
                stdout=subprocess.DEVNULL,
            )
        configuration = os.path.join(self.folder, "tmux.conf")
        Path(configuration).write_text(
            'set -g default-terminal "tmux-256color"\nset -g status off\n'
            'set -ga terminal-overrides ",*:Tc"\n', encoding="utf-8",
        )
        self.tmux(
            "-f", configuration, "new-session", "-d", "-x", str(picture.width),
            "-y", str(picture.height),
            shlex.join([str(hoga), "watch", *exchange.arguments, *picture.arguments]),
        )

    def tmux(self, *arguments):
        """Runs tmux on a server that only this terminal uses."""
        result = subprocess.run(
            ["tmux", "-S", self.socket, *arguments], env=self.environment, check=True,
            capture_output=True, text=True,
        )
        return result.stdout

    def lines(self):
        """The lines of the screen without trailing blanks."""
        return [line.rstrip() for line in self.tmux("capture-pane", "-p").split("\n")][:-1]

    def settle(self, shows=""):
        """Waits until everything is loaded and the screen has a pattern."""
        deadline = time.monotonic() + SECONDS_MAX
        while time.monotonic() < deadline:
            lines = self.lines()
            # A compact list has no room for the word.
            is_live = any(lines) and ("실시간" in lines[0] or "●" in lines[0])
            is_ready = is_live and not SPINNER.search(lines[0])
            text = "\n".join(lines)
            if is_ready and LOADING not in text and re.search(shows, text):
                return
            time.sleep(0.2)
        raise SystemExit("scripts/screenshots.py: the screen did not load:\n" + "\n".join(self.lines()))

    def close(self):
        subprocess.run(
            ["tmux", "-S", self.socket, "kill-server"], env=self.environment, check=False,
            capture_output=True,
        )
        shutil.rmtree(self.folder, ignore_errors=True)


def words(lines):
    """The words of a screen that do not depend on prices."""
    chosen = [DEPOSITS.sub("", lines[index]) for index in COMPARED_LINES if lines]
    return [re.findall(r"[^\W\d_]+", line) for line in chosen]


def take(hoga, exchange, picture):
    """The text of a picture's screen with escape sequences."""
    terminal = Terminal(hoga, exchange, picture)
    try:
        terminal.settle()
        if picture.keys:
            terminal.tmux("send-keys", *picture.keys.split())
        terminal.settle(picture.shows)
        # Trades and candles arrive after the first complete screen.
        time.sleep(2)
        terminal.settle(picture.shows)
        return terminal.tmux("capture-pane", "-e", "-p")
    finally:
        terminal.close()


def differences(picture, taken):
    """The lines whose words in the stored picture differ from a new run."""
    path = FOLDER / f"{picture.name}.png"
    if not path.exists():
        return [f"{path.name} is missing: run make pictures"]
    stored, plain = terminal_png.description(path), terminal_png.plain(taken)
    old, new = (
        [line.rstrip() for line in text.split("\n")] for text in (stored, plain)
    )
    if len(old) != len(new):
        return [f"{path.name} has {len(old)} lines, a run has {len(new)}: run make pictures"]
    return [
        f"{path.name}: {' '.join(before)} is now {' '.join(after)}: run make pictures"
        for before, after in zip(words(old), words(new)) if before != after
    ]


def main(arguments):
    is_check = arguments[:1] == ["--check"]
    if len(arguments) != 1 + is_check:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 64
    hoga = str(Path(arguments[-1]).resolve())
    problems = []
    FOLDER.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(Exchange(hoga)) as exchange:
        for picture in PICTURES:
            taken = take(hoga, exchange, picture)
            if is_check:
                problems += differences(picture, taken)
            else:
                terminal_png.write(
                    FOLDER / f"{picture.name}.png", taken, picture.width, picture.height,
                    picture.palette,
                )
    for problem in problems:
        print(f"scripts/screenshots.py: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
