"""Compares hoga's indicators with TA-Lib: compare.py HOGA MEASURE SEED.

Candles come from `hoga serve` of the simulated exchange, hoga's values from `Measure indicators`.
TA-Lib's MACD begins its fast average late; the reference is made of its EMA instead, whose start
is hoga's. See docs/indicators.md.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from decimal import Decimal

import numpy
import talib

CANDLES = 5_000
# Digits behind those of the price that must agree; the index has two.
MORE_DIGITS = 2
# Binary fractions have about 15 digits: a reference may lie this far from a rounding border.
BORDER = 1e-6


def get(address, target):
    with urllib.request.urlopen(address + target, timeout=60) as answer:
        return json.load(answer)["state"]["candles"]


def closes(hoga, seed):
    """The closes of the newest candles, oldest first, as texts."""
    with tempfile.TemporaryDirectory() as folder:
        homes = {f"XDG_{name}_HOME": folder for name in ("DATA", "CONFIG", "STATE", "CACHE")}
        command = [hoga, "serve", "--exchange", "simulated", "--seed", str(seed),
                   "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True,
                              env=os.environ | homes) as service:
            try:
                address = None
                for line in service.stderr:
                    if found := re.search(r"serving (http://\S+) ", line):
                        address = found[1]
                        break
                if address is None:
                    sys.exit("compare: hoga serve did not start")
                target = "/v1/markets/BTC_KRW/candles?interval=1m&averages=none&count=3000"
                rows, asked = [], 0
                while len(rows) < CANDLES and asked < 8:
                    before = f"&before={rows[0]['openTime']}".replace("+", "%2B") if rows else ""
                    rows = get(address, target + before) + rows
                    asked += 1
            finally:
                service.terminate()
                service.stderr.close()
        if len(rows) < CANDLES:
            sys.exit(f"compare: only {len(rows)} candles")
        return [row["close"] for row in rows[-CANDLES:]]


def reference(prices):
    fast, slow = talib.EMA(prices, 12), talib.EMA(prices, 26)
    line = fast - slow
    signal = numpy.full(len(prices), numpy.nan)
    signal[25:] = talib.EMA(line[25:], 9)
    upper, _, lower = talib.BBANDS(prices, 20, 2, 2)
    return {
        "sma20": talib.SMA(prices, 20), "ema12": fast, "ema26": slow,
        "rsi14": talib.RSI(prices, 14), "macd": line, "signal": signal,
        "histogram": line - signal, "upper": upper, "lower": lower,
    }


def agrees(text, value, digits):
    if text == "" or numpy.isnan(value):
        return text == "" and bool(numpy.isnan(value))
    step = Decimal(1).scaleb(-digits)
    one, other = Decimal(text).quantize(step), Decimal(float(value)).quantize(step)
    return one == other or (
        abs(one - other) <= step and abs(Decimal(text) - Decimal(float(value))) < Decimal(BORDER))


def main():
    hoga, measure, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    texts = closes(hoga, seed)
    printed = subprocess.run([measure, "indicators"], input="\n".join(texts) + "\n", text=True,
                             capture_output=True, check=True).stdout.splitlines()
    names, lines = printed[0].split(","), [line.split(",") for line in printed[1:]]
    expected = reference(numpy.array([float(text) for text in texts]))
    if set(names) != set(expected) or len(lines) != len(texts):
        sys.exit("compare: Measure indicators printed another table")
    digits = max(len(text.partition(".")[2]) for text in texts) + MORE_DIGITS
    different = 0
    for column, name in enumerate(names):
        for row, line in enumerate(lines):
            value = expected[name][row]
            if not agrees(line[column], value, 2 if name == "rsi14" else digits):
                different += 1
                if different <= 10:
                    print(f"candle {row}: {name} is {line[column]}, TA-Lib has {value}")
    print(f"seed {seed}: {len(lines)} candles, {len(names)} columns, {different} differences")
    sys.exit(1 if different else 0)


main()
