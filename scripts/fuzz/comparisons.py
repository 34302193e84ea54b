"""Compares hoga's parsers with other implementations on random inputs: decimals and JSON with
Python, heads of HTTP with nginx. The same seed gives the same inputs."""

import decimal
import json
import random
import re
import subprocess
import time
from decimal import Decimal

import heads

# A batch is written before its answers are read, so it has to fit into the pipes.
BATCH = 50


class Hoga:
    """The process that answers inputs by hoga's parsers."""

    def __init__(self, fuzzer, name):
        self.process = subprocess.Popen(
            [str(fuzzer), "compare", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def lines(self, inputs):
        text = "".join(data.hex() + "\n" for data in inputs)
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()
        return [self.process.stdout.readline()[:-1].decode() for _ in inputs]

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


# Decimals

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
ROUNDINGS = ["ROUND_HALF_EVEN", "ROUND_HALF_UP", "ROUND_DOWN", "ROUND_UP"]
UNIT = Decimal("1e-18")
MAX_UNITS = (1 << 127) - 1
# Enough for products of any two numbers.
EXACT = decimal.Context(prec=500, Emax=999999, Emin=-999999)


def decimal_input(source):
    if source.random() < 0.5:
        operator = source.choice("+-*/")
        return f"{number(source)} {operator} {number(source)} {source.choice(ROUNDINGS)}".encode()
    text = number(source)
    for _ in range(source.choice([0, 0, 0, 1, 2])):
        place = source.randint(0, len(text))
        text = text[:place] + source.choice("0123456789.eE+-, _x\u0663") + text[place:]
    return text.encode()


def number(source):
    def digits(most):
        kind = source.random()
        count = source.randint(0, most)
        if kind < 0.2:
            return source.choice("0599") * count
        return "".join(source.choice("0123456789") for _ in range(count))

    text = source.choice(["", "", "-", "+"]) + digits(source.choice([3, 12, 21, 40]))
    if source.random() < 0.7:
        text += "." + digits(source.choice([3, 9, 18, 22, 40]))
    if source.random() < 0.3:
        text += source.choice("eE") + source.choice(["", "-", "+"]) + str(source.randint(0, 45))
    return text


def rounded(value, rounding):
    """What a value is with 18 fraction digits; None beyond 128 bits."""
    units = int(EXACT.multiply(value, Decimal(10) ** 18).to_integral_value(rounding))
    if not -MAX_UNITS - 1 <= units <= MAX_UNITS:
        return None
    return units


def decimal_opinion(data):
    words = data.decode().split(" ")
    if len(words) != 4 or words[3] not in ROUNDINGS:
        return parsed_decimal(data.decode())
    left, right = parsed_decimal(words[0]), parsed_decimal(words[2])
    for side in (left, right):
        if isinstance(side, str):
            return side
    left, right = (Decimal(side).scaleb(-18, EXACT) for side in (left, right))
    if words[1] == "/" and right == 0:
        return "zero"
    if words[1] == "/":
        # Exact: the quotient in units, rounded once as a fraction of integers.
        return within(quotient(left, right, words[3]))
    operation = {"+": EXACT.add, "-": EXACT.subtract, "*": EXACT.multiply}[words[1]]
    return within(rounded(operation(left, right), words[3]))


def quotient(left, right, rounding):
    top, bottom = (int(EXACT.scaleb(side, 18)) for side in (left, right))
    whole, rest = divmod(abs(top) * 10**18, abs(bottom))
    is_up = {
        "ROUND_HALF_EVEN": 2 * rest > abs(bottom) or (2 * rest == abs(bottom) and whole % 2 == 1),
        "ROUND_HALF_UP": rest > 0 and 2 * rest >= abs(bottom),
        "ROUND_DOWN": False,
        "ROUND_UP": rest > 0,
    }[rounding]
    units = whole + is_up
    return -units if (top < 0) != (bottom < 0) else units


def within(units):
    if units is None or not -MAX_UNITS - 1 <= units <= MAX_UNITS:
        return "overflow"
    return units


def parsed_decimal(text):
    if not NUMBER.fullmatch(text):
        return "refused"
    mantissa = int(re.sub(r"[eE].*|[^0-9]", "", text))
    # Documented: up to 38 digits fit, not counting leading zeros; more if 128 bits hold them.
    if mantissa >= 1 << 128:
        return "overflow"
    exponent = int((re.search(r"[eE](.*)", text) or "e0")[1])
    if mantissa == 0 or exponent < -1000:
        return 0
    if exponent > 1000:
        return "overflow"
    return within(rounded(EXACT.create_decimal(text), "ROUND_HALF_EVEN"))


def decimal_difference(data, line):
    expected = decimal_opinion(data)
    if isinstance(expected, str):
        # Too many digits are noticed before a wrong character behind them.
        is_early = expected == "refused" and re.search(rb"([0-9][.]?){39}", data)
        is_same = line == expected or (is_early and line == "overflow")
        return None if is_same else f"Python: {expected}"
    if not line.startswith("ok "):
        return f"Python: {Decimal(expected).scaleb(-18, EXACT):f}"
    found = EXACT.create_decimal(line[3:])
    is_canonical = re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?", line[3:]) and line != "ok -0"
    if int(EXACT.scaleb(found, 18)) != expected or not is_canonical:
        return f"Python: {Decimal(expected).scaleb(-18, EXACT):f}"
    return None


# JSON

PIECES = [
    "{", "}", "[", "]", ",", ":", '"', '"a"', '"b"', "1", "-0", "0.5", "1e5", "1E-7", "true",
    "false", "null", " ", "\t", "\n", "\\u00e9", "\\ud83d\\ude80", "\\ud800", "\\n", "\\/", "가",
    "\u00e9", "e\u0301", "\x7f", "\x01", "NaN", "Infinity", "01", "+1", ".5", "1.", "\ufeff", "'",
]
IN_STRINGS = [*"abcé가 /", '\\"', "\\\\", "\\u00e9", "\\ud83d\\ude80", "\\ud800", "\\n", "\\/"]


def json_input(source):
    if source.random() < 0.2:
        return "".join(source.choices(PIECES, k=source.randint(0, 12))).encode()
    text = written(source, source.randint(0, 5))
    for _ in range(source.choice([0, 0, 1, 1, 2])):
        place = source.randint(0, len(text))
        cut = source.choice([0, 0, 1, 3])
        text = text[:place] + source.choice(["", source.choice(PIECES)]) + text[place + cut :]
    data = bytearray(text.encode())
    if data and source.random() < 0.1:
        data[source.randrange(len(data))] = source.randrange(256)
    return bytes(data)


def written(source, depth):
    kind = source.randrange(6 if depth else 4)
    blank = source.choice(["", "", " ", "\n"])
    if kind == 0:
        return blank + source.choice(["true", "false", "null", "-0.0", "12", "1e-9", "7E+2"])
    if kind == 1:
        return f"{source.choice(['', '-'])}{source.randint(0, 10**source.randint(0, 30))}{blank}"
    if kind in (2, 3):
        return '"' + "".join(source.choices(IN_STRINGS, k=3)) + '"'
    count = source.randint(0, 4)
    if kind == 4:
        return "[" + ",".join(written(source, depth - 1) for _ in range(count)) + blank + "]"
    names = [source.choice(["a", "b", "\u00e9", "e\u0301", "c" * 9, ""]) for _ in range(count)]
    members = [f'"{name}"{blank}:{written(source, depth - 1)}' for name in names]
    return "{" + ",".join(members) + "}"


class Refused(ValueError):
    """A text that Python reads and hoga refuses on purpose."""


def members(pairs):
    # On purpose: which of two equal members counts differs between readers.
    if len({name for name, _ in pairs}) < len(pairs):
        raise Refused("repeated")
    return {"members": pairs}


def constant(word):
    # Not of RFC 8259: Python's extension.
    raise Refused("syntax")


def read_json(data):
    text = data.decode("utf-8")
    value = json.loads(
        text,
        object_pairs_hook=members,
        parse_constant=constant,
        parse_float=lambda word: ("number", word),
        parse_int=lambda word: ("number", word),
    )
    # On purpose: half of a surrogate pair is no character.
    if re.search(r"[\ud800-\udfff]", repr_text(value)):
        raise Refused("encoding")
    return value


def repr_text(value):
    if isinstance(value, dict):
        return "".join(name + repr_text(inner) for name, inner in value["members"])
    if isinstance(value, list):
        return "".join(map(repr_text, value))
    return value if isinstance(value, str) else ""


def json_difference(data, line):
    try:
        value = read_json(data)
    except Refused as reason:
        # Another fault may come first.
        return None if line.startswith("refused") else f"expected: refused {reason}"
    except ValueError:
        return None if line.startswith("refused") else "Python: refused"
    if not line.startswith("ok "):
        return f"Python: {value!r}"
    try:
        again = read_json(line[3:].encode())
    except ValueError as error:
        return f"Python refuses what hoga writes: {error}"
    return None if again == value else f"Python: {value!r}"


# All of them

COMPARISONS = {
    "compare-decimals": (decimal_input, decimal_difference),
    "compare-json": (json_input, json_difference),
    "compare-heads": None,
}


def compare(name, fuzzer, seconds, seed):
    """Compares for a time; returns a line of the summary, and whether nothing differs."""
    end = time.monotonic() + seconds
    if name == "compare-heads":
        return heads.compare(name, fuzzer, seed, end)
    make, difference = COMPARISONS[name]
    source = random.Random(seed)
    hoga = Hoga(fuzzer, name.removeprefix("compare-"))
    count = 0
    while time.monotonic() < end:
        inputs = [make(source) for _ in range(BATCH)]
        for data, line in zip(inputs, hoga.lines(inputs)):
            count += 1
            if wrong := difference(data, line):
                text = f"{name}: FAILED after {count} inputs of seed {seed}"
                return f"{text}\n  input: {data!r}\n  hoga: {line}\n  {wrong}", False
    hoga.close()
    return f"{name}: {count} inputs, seed {seed}, no difference", True
