#!/usr/bin/python3
"""Takes the pictures of the terminal in docs/pictures from a run of hoga, or checks them.

usage: scripts/screenshots.py [--check] HOGA

HOGA is a built binary. Each picture is an SVG of a tmux pane that runs `hoga watch` on the
simulated exchange, with a fixed seed and a store of its own. Prices depend on the time of day, so
--check compares only the size and the words of titles, headings and key hints with a new run.
Exits with 0, or with 1 after naming each difference.
"""

import html
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIMULATED = ["--exchange", "simulated", "--seed", "7", "--rate", "200", "--theme", "dark"]
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
    keys: tuple = ()
    setup: tuple = ()


PICTURES = (
    Picture("market-list", 100, 26, setup=("cash 1500000", "favorites add XRP_KRW")),
    Picture("market-detail", 140, 36, keys=("Enter",), setup=("cash 1500000",)),
    Picture("portfolio", 100, 14, keys=("3",), setup=("holdings put ETH 2 5000000", "cash 1500000")),
)

# Cell size in pixels, and the colors of an unstyled cell.
CELL_WIDTH, CELL_HEIGHT, FONT_SIZE = 8, 17, 13
FOREGROUND, BACKGROUND = "#d8dee9", "#101418"
BASIC = (
    "#000000", "#cd3131", "#0dbc79", "#e5e510", "#3b8eea", "#bc3fbc", "#11a8cd", "#e5e5e5",
    "#666666", "#f14c4c", "#23d18b", "#f5f543", "#6ca8ff", "#d670d6", "#29b8db", "#ffffff",
)


class Terminal:
    """A tmux pane of a given size that runs hoga over a folder of its own."""

    def __init__(self, hoga, picture):
        self.folder = tempfile.mkdtemp(prefix="hoga-screenshots-")
        self.socket = os.path.join(self.folder, "tmux")
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("HOGA_")
        } | {
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
            "-y", str(picture.height), shlex.join([str(hoga), "watch", *SIMULATED]),
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

    def settle(self, before=None):
        """Waits until everything is loaded and the words differ from `before`."""
        deadline = time.monotonic() + SECONDS_MAX
        while time.monotonic() < deadline:
            lines = self.lines()
            is_ready = any(lines) and "실시간" in lines[0] and not SPINNER.search(lines[0])
            if is_ready and LOADING not in "\n".join(lines) and words(lines) != before:
                return lines
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


def columns(character):
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def color(number):
    """The color of an index of the 256-color palette."""
    if number < 16:
        return BASIC[number]
    if number < 232:
        steps = (0, 95, 135, 175, 215, 255)
        number -= 16
        return "#%02x%02x%02x" % (steps[number // 36], steps[number // 6 % 6], steps[number % 6])
    return "#%02x%02x%02x" % ((8 + 10 * (number - 232),) * 3)


class Style:
    """The state of a terminal's SGR attributes."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.foreground = self.background = None
        self.bold = self.dim = self.underlined = self.reversed = False

    def apply(self, codes):
        codes = [int(code or 0) for code in re.split("[;:]", codes)] or [0]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.reset()
            elif code in (1, 2, 4, 7):
                setattr(self, {1: "bold", 2: "dim", 4: "underlined", 7: "reversed"}[code], True)
            elif code == 22:
                self.bold = self.dim = False
            elif code == 24:
                self.underlined = False
            elif code == 27:
                self.reversed = False
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.foreground = BASIC[code - 30 if code < 90 else code - 82]
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.background = BASIC[code - 40 if code < 100 else code - 92]
            elif code in (38, 48):
                kind = codes.pop(0)
                value = color(codes.pop(0)) if kind == 5 else "#%02x%02x%02x" % tuple(codes[:3])
                if kind == 2:
                    del codes[:3]
                setattr(self, "foreground" if code == 38 else "background", value)
            elif code == 39:
                self.foreground = None
            elif code == 49:
                self.background = None

    def colors(self):
        front, back = self.foreground or FOREGROUND, self.background or BACKGROUND
        return (back, front) if self.reversed else (front, back)


def svg(picture, text):
    """The SVG of a pane from its text with escape sequences."""
    width, height = picture.width * CELL_WIDTH + 16, picture.height * CELL_HEIGHT + 16
    shapes, style = [], Style()
    for row, line in enumerate(text.split("\n")[: picture.height]):
        column = 0
        for part in re.split(r"(\x1b\[[0-9;:]*m)", line):
            if part.startswith("\x1b"):
                style.apply(part[2:-1])
                continue
            for run in re.findall(r"[\x20-\x7e]+|[^\x20-\x7e]", part):
                cells = sum(columns(character) for character in run)
                shapes.append(shape(run, row, column, cells, style))
                column += cells
    plain = html.escape(re.sub(r"\x1b\[[0-9;:]*m", "", text).rstrip("\n"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="\'DejaVu Sans Mono\', \'D2Coding\', '
        f'\'Noto Sans Mono CJK KR\', monospace" font-size="{FONT_SIZE}">\n'
        f"<desc>{plain}</desc>\n"
        f'<rect width="100%" height="100%" rx="6" fill="{BACKGROUND}"/>\n'
        + "".join(part + "\n" for part in shapes if part) + "</svg>\n"
    )


def shape(run, row, column, cells, style):
    front, back = style.colors()
    x, y = 8 + column * CELL_WIDTH, 8 + row * CELL_HEIGHT
    parts = []
    if back != BACKGROUND:
        parts.append(
            f'<rect x="{x}" y="{y}" width="{cells * CELL_WIDTH}" height="{CELL_HEIGHT}" '
            f'fill="{back}"/>'
        )
    if run.strip():
        attributes = ' font-weight="bold"' if style.bold else ""
        attributes += ' opacity="0.6"' if style.dim else ""
        attributes += ' text-decoration="underline"' if style.underlined else ""
        parts.append(
            f'<text x="{x}" y="{y + 13}" fill="{front}" xml:space="preserve" '
            f'textLength="{cells * CELL_WIDTH}" lengthAdjust="spacingAndGlyphs"{attributes}>'
            f"{html.escape(run)}</text>"
        )
    return "".join(parts)


def take(hoga, picture):
    """The text of a picture's screen with escape sequences."""
    terminal = Terminal(hoga, picture)
    try:
        lines = terminal.settle()
        for key in picture.keys:
            terminal.tmux("send-keys", key)
            lines = terminal.settle(before=words(lines))
        # Trades and candles arrive after the first complete screen.
        time.sleep(2)
        terminal.settle()
        return terminal.tmux("capture-pane", "-e", "-p")
    finally:
        terminal.close()


def differences(picture, taken):
    """The lines whose words in the stored picture differ from a new run."""
    path = FOLDER / f"{picture.name}.svg"
    if not path.exists():
        return [f"{path.name} is missing: run make pictures"]
    stored = html.unescape(re.search(r"<desc>(.*?)</desc>", path.read_text("utf-8"), re.S)[1])
    plain = re.sub(r"\x1b\[[0-9;:]*m", "", taken).rstrip("\n")
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
    for picture in PICTURES:
        taken = take(hoga, picture)
        if is_check:
            problems += differences(picture, taken)
        else:
            (FOLDER / f"{picture.name}.svg").write_text(svg(picture, taken), encoding="utf-8")
    for problem in problems:
        print(f"scripts/screenshots.py: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
