"""Reads API 2.x over REST with ccxt.

ccxt is no judge of three things: the rate (it counts from the first price of the day, the exchange
from the last one of the day before), the time of a ticker (nine hours ahead) and the order of a
book with padding. What was sent is judged by the description of the exchange there.
"""

import datetime
from decimal import ROUND_HALF_UP, Decimal

import ccxt

from simulated import numbers, same, show

CLIENT = "ccxt 2.x"
# A market whose prices have fractions, and one that is quoted in won.
SYMBOLS = ("BTC/KRW", "ETH/BTC")
TICKERS_A_CALL = 200
TRADES = 500
CANDLES = 200
# The names that ccxt gives to intervals, and the exchange's paths.
PATHS = {
    "1m": "minutes/1", "3m": "minutes/3", "5m": "minutes/5", "10m": "minutes/10",
    "15m": "minutes/15", "30m": "minutes/30", "1h": "minutes/60", "4h": "minutes/240",
    "1d": "days", "1w": "weeks", "1M": "months",
}
TICKER_FIELDS = (
    ("last", "trade_price"), ("high", "high_price"), ("low", "low_price"),
    ("open", "opening_price"), ("previousClose", "prev_closing_price"),
    ("baseVolume", "acc_trade_volume_24h"), ("quoteVolume", "acc_trade_price_24h"),
)
CANDLE_FIELDS = (
    "opening_price", "high_price", "low_price", "trade_price", "candle_acc_trade_volume"
)
# Tickers of REST tell the wall clock of Seoul as if it were UTC.
SEOUL_MS = 9 * 3_600_000


def utc(date, time):
    """Unix milliseconds of a date and a time of day in UTC, with or without separators."""
    digits = (date + time).translate({ord(sign): None for sign in "-:T"})
    at = datetime.datetime.strptime(digits, "%Y%m%d%H%M%S")
    return int(at.replace(tzinfo=datetime.timezone.utc).timestamp() * 1_000)


def read(exchange):
    client = ccxt.bithumb({"options": {"generation": 2}, "enableRateLimit": True})
    client.urls["api"] = {"public": exchange.url, "private": exchange.url}

    markets = client.load_markets()
    names = exchange.rows("market/all?isDetails=true")
    same("ccxt 2.x markets", {market["id"] for market in markets.values()},
         {row["market"] for row in names})
    warned = sum(row["market_warning"] == "CAUTION" for row in names)
    show(CLIENT, "markets", f"{len(markets)}, {warned} of them with a warning")

    read_tickers(exchange, client, markets)
    for symbol in SYMBOLS:
        read_book(exchange, client, symbol)
        read_trades(exchange, client, symbol)
        for interval, path in PATHS.items():
            read_candles(exchange, client, symbol, interval, path)


def read_tickers(exchange, client, markets):
    """All markets, as many a call as the exchange allows."""
    tickers = client.fetch_tickers()
    same("ccxt 2.x tickers", set(tickers), set(markets))
    ids = [market["id"] for market in markets.values()]
    sent = {}
    for start in range(0, len(ids), TICKERS_A_CALL):
        codes = ",".join(ids[start:start + TICKERS_A_CALL])
        sent.update((row["market"], row) for row in exchange.rows(f"ticker?markets={codes}"))
    for symbol, ticker in tickers.items():
        read_ticker(symbol, ticker, sent[markets[symbol]["id"]])
    for symbol in SYMBOLS:
        ticker = client.fetch_ticker(symbol)
        row = sent[markets[symbol]["id"]]
        read_ticker(symbol, ticker, row)
        show(CLIENT, f"ticker {symbol}", f"{ticker['last']} at {ticker['datetime']}, which is "
                                         f"{row['trade_date']} {row['trade_time']} in UTC")
        show(CLIENT, "percentage", f"{ticker['percentage']:.2f} since 00:00, "
                                   f"{row['signed_change_rate']} of the close before")
    show(CLIENT, "tickers", f"{len(tickers)} of {len(sent)}")


def read_ticker(symbol, ticker, row):
    for key, field in TICKER_FIELDS:
        same(f"{symbol} {key}", ticker[key], float(row[field]))
    same(f"{symbol} time", ticker["timestamp"], int(row["trade_timestamp"]))
    judge_ticker(symbol, row)


def judge_ticker(symbol, row):
    """Time and change by the description of the exchange, not by ccxt."""
    at = int(row["trade_timestamp"]) - SEOUL_MS
    same(f"{symbol} second", at // 1_000 * 1_000, utc(row["trade_date"], row["trade_time"]))
    same(f"{symbol} second in Seoul", utc(row["trade_date_kst"], row["trade_time_kst"]),
         utc(row["trade_date"], row["trade_time"]) + SEOUL_MS)
    same(f"{symbol} times", row["timestamp"], row["trade_timestamp"])
    close = Decimal(row["prev_closing_price"])
    change = Decimal(row["trade_price"]) - close
    same(f"{symbol} change", Decimal(row["signed_change_price"]), change)
    same(f"{symbol} change without sign", Decimal(row["change_price"]), abs(change))
    rate = (change / close).quantize(Decimal("0.0001"), ROUND_HALF_UP)
    same(f"{symbol} rate", Decimal(row["signed_change_rate"]), rate)
    same(f"{symbol} rate without sign", Decimal(row["change_rate"]), abs(rate))
    word = "RISE" if change > 0 else "FALL" if change < 0 else "EVEN"
    same(f"{symbol} direction", row["change"], word)


def read_book(exchange, client, symbol):
    book = client.fetch_order_book(symbol)
    row = exchange.rows(f"orderbook?markets={client.market(symbol)['id']}")[0]
    for side, prefix, factor in (("bids", "bid", -1), ("asks", "ask", 1)):
        pairs = numbers(
            (unit[f"{prefix}_price"], unit[f"{prefix}_size"]) for unit in row["orderbook_units"]
        )
        # ccxt sorts the padding of a short side among the prices.
        pairs.sort(key=lambda pair: pair[0] * factor)
        same(f"ccxt 2.x {symbol} {side}", [list(level[:2]) for level in book[side]], pairs)
    same(f"ccxt 2.x {symbol} book time", book["timestamp"], int(row["timestamp"]))
    show(CLIENT, f"book {symbol}", f"bid {book['bids'][0][:2]}, ask {book['asks'][0][:2]}")


def read_trades(exchange, client, symbol):
    trades = client.fetch_trades(symbol, limit=TRADES)
    rows = exchange.rows(f"trades/ticks?market={client.market(symbol)['id']}&count={TRADES}")
    sent = [
        (row["sequential_id"], int(row["timestamp"]), {"BID": "buy", "ASK": "sell"}[row["ask_bid"]],
         float(row["trade_price"]), float(row["trade_volume"]))
        for row in rows
    ]
    keys = ("id", "timestamp", "side", "price", "amount")
    same(f"ccxt 2.x {symbol} trades",
         sorted(tuple(trade[key] for key in keys) for trade in trades), sorted(sent))
    for row in rows:
        at = int(row["timestamp"])
        same(f"{symbol} trade second", at // 1_000 * 1_000,
             utc(row["trade_date_utc"], row["trade_time_utc"]))
        same(f"{symbol} trade id", int(row["sequential_id"]) // 10_000, at)
    last = trades[-1]
    show(CLIENT, f"trades {symbol}", f"{len(trades)}, the last {last['side']} {last['amount']} "
                                     f"at {last['price']} on {last['datetime']}")


def read_candles(exchange, client, symbol, interval, path):
    rows = client.fetch_ohlcv(symbol, interval, limit=CANDLES)
    sent = exchange.rows(
        f"candles/{path}?market={client.market(symbol)['id']}&count={CANDLES}"
    )
    figures = numbers([row[key] for key in CANDLE_FIELDS] for row in sent)
    times = [utc(row["candle_date_time_utc"], "") for row in sent]
    candles = [[time, *row] for time, row in zip(times, figures)]
    same(f"ccxt 2.x {symbol} candles {interval}", rows, candles[::-1])
    for row in sent:
        same(f"{symbol} {interval} in Seoul", utc(row["candle_date_time_kst"], ""),
             utc(row["candle_date_time_utc"], "") + SEOUL_MS)
    show(CLIENT, f"candles {interval}", f"{symbol} {len(rows)}, the last {rows[-1]}")
