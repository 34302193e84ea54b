"""Draws a terminal's screen as a PNG: text with SGR sequences in, pixels out.

Box drawings, blocks and braille patterns are drawn as exact shapes that join across cells, as
terminals do; all other characters come from DejaVu Sans Mono and, for Hangul, NanumGothicCoding.
The plain text of the screen is kept in the image, under the key ``Description``.
"""

import re
import unicodedata
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont, PngImagePlugin

FONTS = "/usr/share/fonts/truetype/"
# Pixels of a cell; a letter of 20 pixels is 12 wide.
CELL_WIDTH, CELL_HEIGHT, MARGIN = 12, 26, 12
LATIN_SIZE, HANGUL_SIZE, BASELINE = 20, 23, 19
BASIC = (
    "#000000", "#cd3131", "#0dbc79", "#c4a000", "#3b8eea", "#bc3fbc", "#11a8cd", "#e5e5e5",
    "#666666", "#f14c4c", "#23d18b", "#f5f543", "#6ca8ff", "#d670d6", "#29b8db", "#ffffff",
)
DESCRIPTION = "Description"


@dataclass(frozen=True)
class Palette:
    """The colors of cells without a color of their own."""

    foreground: str
    background: str


DARK = Palette("#d8dee9", "#101418")
LIGHT = Palette("#24292f", "#ffffff")


def columns(character):
    """The number of cells of a character."""
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

    def __init__(self, palette):
        self.palette = palette
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
        front = self.foreground or self.palette.foreground
        back = self.background or self.palette.background
        if self.reversed:
            front, back = back, front
        return (mixed(front, back, 0.6) if self.dim else front), back


def mixed(front, back, share):
    """The color of `share` of one color over another."""
    pairs = zip(*(bytes.fromhex(value[1:]) for value in (front, back)))
    return "#%02x%02x%02x" % tuple(round(share * a + (1 - share) * b) for a, b in pairs)


# The eighths and quadrants of a cell that a block element fills: left, top, right, bottom.
BLOCKS = {0x2580: [(0, 0, 8, 4)], 0x2590: [(4, 0, 8, 8)], 0x2594: [(0, 0, 8, 1)],
          0x2595: [(7, 0, 8, 8)]}
BLOCKS |= {0x2580 + n: [(0, 8 - n, 8, 8)] for n in range(1, 9)}
BLOCKS |= {0x2590 - n: [(0, 0, n, 8)] for n in range(1, 8)}
QUADRANTS = {"UPPER LEFT": (0, 0, 4, 4), "UPPER RIGHT": (4, 0, 8, 4),
             "LOWER LEFT": (0, 4, 4, 8), "LOWER RIGHT": (4, 4, 8, 8)}
SHADES = {0x2591: 0.25, 0x2592: 0.5, 0x2593: 0.75}
# The dots of a braille pattern by bit: column and row.
BRAILLE = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]


def arms(name):
    """The arms of a box drawing: direction to width, 1 light, 2 heavy, 3 double."""
    found, width = {}, 1
    pending = []
    for word in name.removeprefix("BOX DRAWINGS ").split():
        if word in ("LIGHT", "SINGLE"):
            width = 1
        elif word == "HEAVY":
            width = 2
        elif word == "DOUBLE" and "DASH" not in name:
            width = 3
        pending += {"HORIZONTAL": ["LEFT", "RIGHT"], "VERTICAL": ["UP", "DOWN"]}.get(
            word, [word] if word in ("LEFT", "RIGHT", "UP", "DOWN") else [])
        for arm in pending:
            found[arm] = width
        pending = []
    # "VERTICAL LIGHT AND RIGHT HEAVY" names the width after the arm.
    for arm, names in {"UP": "UP|VERTICAL", "DOWN": "DOWN|VERTICAL", "LEFT": "LEFT|HORIZONTAL",
                       "RIGHT": "RIGHT|HORIZONTAL"}.items():
        match = re.search(rf"\b(?:{names}) (LIGHT|SINGLE|HEAVY|DOUBLE)\b", name)
        if match and "DASH" not in name:
            found[arm] = {"HEAVY": 2, "DOUBLE": 3}.get(match[1], 1)
    return found


class Canvas:
    """The pixels of a screen of so many columns and rows."""

    def __init__(self, width, height, palette):
        self.palette = palette
        size = (width * CELL_WIDTH + 2 * MARGIN, height * CELL_HEIGHT + 2 * MARGIN)
        self.image = Image.new("RGB", size, palette.background)
        self.draw = ImageDraw.Draw(self.image)
        self.fonts = {
            (is_bold, is_wide): ImageFont.truetype(FONTS + (
                f"nanum/NanumGothicCoding{'Bold' if is_bold else ''}.ttf" if is_wide
                else f"dejavu/DejaVuSansMono{'-Bold' if is_bold else ''}.ttf"
            ), HANGUL_SIZE if is_wide else LATIN_SIZE)
            for is_bold in (False, True) for is_wide in (False, True)
        }

    def put(self, character, column, row, style):
        """Draws a character into its cells."""
        x, y = MARGIN + column * CELL_WIDTH, MARGIN + row * CELL_HEIGHT
        cells = columns(character)
        front, back = style.colors()
        self.draw.rectangle((x, y, x + cells * CELL_WIDTH - 1, y + CELL_HEIGHT - 1), back)
        if not (character == " " or self.shape(ord(character), x, y, front, back)):
            font = self.fonts[style.bold, cells == 2]
            left = x + (cells * CELL_WIDTH - font.getlength(character)) / 2
            self.draw.text((left, y + BASELINE), character, front, font, anchor="ls")
        if style.underlined:
            self.fill((0, 0, 8 * cells, 8), x, y, front, top=CELL_HEIGHT - 4, bottom=CELL_HEIGHT - 2)

    def fill(self, part, x, y, front, top=None, bottom=None):
        """Fills a part of a cell, given in eighths."""
        left, upper, right, lower = part
        upper = round(upper * CELL_HEIGHT / 8) if top is None else top
        lower = round(lower * CELL_HEIGHT / 8) if bottom is None else bottom
        self.draw.rectangle((x + left * CELL_WIDTH // 8, y + upper,
                             x + right * CELL_WIDTH // 8 - 1, y + lower - 1), front)

    def shape(self, code, x, y, front, back):
        """Draws a box drawing, block or braille pattern; returns whether it is one."""
        if code in SHADES:
            self.fill((0, 0, 8, 8), x, y, mixed(front, back, SHADES[code]))
        elif code in BLOCKS:
            for part in BLOCKS[code]:
                self.fill(part, x, y, front)
        elif 0x2596 <= code <= 0x259F:
            name = unicodedata.name(chr(code))
            for words, part in QUADRANTS.items():
                if words in name:
                    self.fill(part, x, y, front)
        elif 0x2800 <= code <= 0x28FF:
            for bit, (across, down) in enumerate(BRAILLE):
                if code >> bit & 1:
                    left = x + CELL_WIDTH * (2 * across + 1) // 4
                    top = y + CELL_HEIGHT * (2 * down + 1) // 8
                    self.draw.ellipse((left - 2, top - 2, left + 2, top + 2), front)
        elif 0x2500 <= code <= 0x257F and "DIAGONAL" not in unicodedata.name(chr(code)):
            self.box(unicodedata.name(chr(code)), x, y, front)
        else:
            return False
        return True

    def box(self, name, x, y, front):
        """Draws a box drawing from its arms."""
        middle_x, middle_y = x + CELL_WIDTH // 2, y + CELL_HEIGHT // 2
        dashes = {"DOUBLE DASH": 2, "TRIPLE DASH": 3, "QUADRUPLE DASH": 4}
        count = next((n for words, n in dashes.items() if words in name), 1)
        for arm, width in arms(name).items():
            half = {1: 1, 2: 2, 3: 1}[width]
            for shift in (-3, 3) if width == 3 else (0,):
                if arm in ("LEFT", "RIGHT"):
                    start, end = (x, middle_x + half) if arm == "LEFT" else (
                        middle_x - half, x + CELL_WIDTH)
                    areas = [(a, middle_y - half + shift, b, middle_y + half + shift)
                             for a, b in pieces(start, end, x, CELL_WIDTH, count)]
                else:
                    start, end = (y, middle_y + half) if arm == "UP" else (
                        middle_y - half, y + CELL_HEIGHT)
                    areas = [(middle_x - half + shift, a, middle_x + half + shift, b)
                             for a, b in pieces(start, end, y, CELL_HEIGHT, count)]
                for left, top, right, bottom in areas:
                    self.draw.rectangle((left, top, right - 1, bottom - 1), front)


def pieces(start, end, origin, length, count):
    """The parts of a line that `count` dashes to a cell leave."""
    if count == 1:
        return [(start, end)]
    step = length / count
    found = []
    for index in range(count):
        first = round(origin + index * step + step / 4)
        last = round(origin + (index + 1) * step - step / 4)
        if first < end and last > start:
            found.append((max(start, first), min(end, last)))
    return found


def write(path, text, width, height, palette=DARK):
    """Writes a screen's picture.

    `text` has the lines of the screen with SGR sequences.
    """
    canvas, style = Canvas(width, height, palette), Style(palette)
    for row, line in enumerate(text.split("\n")[:height]):
        column = 0
        for part in re.split(r"(\x1b\[[0-9;:]*m)", line):
            if part.startswith("\x1b"):
                style.apply(part[2:-1])
                continue
            for character in part:
                if columns(character):
                    canvas.put(character, column, row, style)
                column += columns(character)
    notes = PngImagePlugin.PngInfo()
    notes.add_itxt(DESCRIPTION, plain(text), zip=True)
    quantized = canvas.image.quantize(64, dither=Image.Dither.NONE)
    quantized.save(path, optimize=True, pnginfo=notes)


def plain(text):
    """The text of a screen without SGR sequences."""
    return re.sub(r"\x1b\[[0-9;:]*m", "", text).rstrip("\n")


def description(path):
    """The plain text that a picture keeps."""
    with Image.open(path) as image:
        image.load()
        return image.text[DESCRIPTION]
