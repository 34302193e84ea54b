"""Reads API 1.x over REST with ccxt."""

import ccxt

from simulated import numbers, same, show

CLIENT = "ccxt 1.x"
LEVELS = 10
TRADES = 100
COIN = "BTC"
# The names that ccxt gives to intervals, and the exchange's.
INTERVALS = {
    "1m": "1m", "3m": "3m", "5m": "5m", "10m": "10m", "30m": "30m", "1h": "1h",
    "6h": "6h", "12h": "12h", "1d": "24h",
}
TICKER_FIELDS = (
    ("last", "closing_price"), ("high", "max_price"), ("low", "min_price"),
    ("open", "opening_price"), ("previousClose", "prev_closing_price"),
    ("baseVolume", "units_traded_24H"), ("quoteVolume", "acc_trade_value_24H"),
)
# Figures of the day since 00:00 in Seoul.
DAY_KEYS = ("high", "low", "open", "previousClose")


def sent_tickers(exchange):
    return {quote: exchange.data(f"ticker/ALL_{quote}") for quote in ("KRW", "BTC")}


def sent_candles(exchange, interval):
    """Candles in the order that both clients use: time, open, high, low, close, volume."""
    rows = exchange.data(f"candlestick/{COIN}_KRW/{interval}")
    return [
        [int(row[0]), *numbers([[row[1], row[3], row[4], row[2], row[5]]])[0]] for row in rows
    ]


def sent_trades(exchange):
    rows = exchange.data(f"transaction_history/{COIN}_KRW?count={TRADES}")
    return [
        (row["type"], float(row["price"]), float(row["units_traded"]), float(row["total"]))
        for row in rows
    ]


def read(exchange):
    """ccxt takes its addresses and the API's generation as options."""
    client = ccxt.bithumb({"options": {"generation": 1}, "enableRateLimit": True})
    client.urls["api"] = {"public": exchange.url, "private": exchange.url}
    symbol = f"{COIN}/KRW"

    markets = client.load_markets()
    sent = sent_tickers(exchange)
    same("ccxt 1.x markets", len(markets), sum(len(data) - 1 for data in sent.values()))
    show(CLIENT, "markets", f"{len(markets)}, {symbol} among them: {symbol in markets}")

    tickers = client.fetch_tickers()
    later = sent_tickers(exchange)
    same("ccxt 1.x tickers", set(tickers), set(markets))
    for name, ticker in tickers.items():
        quote, base = markets[name]["quoteId"], markets[name]["baseId"]
        read_ticker(name, ticker, sent[quote][base])
        # The clock goes on while the market is held still.
        if not int(sent[quote]["date"]) <= ticker["timestamp"] <= int(later[quote]["date"]):
            raise AssertionError(f"{name} was read at {ticker['timestamp']}")
    ticker = client.fetch_ticker(symbol)
    read_ticker(symbol, ticker, sent["KRW"][COIN])
    show(CLIENT, "tickers", f"{len(tickers)}, {symbol} last {ticker['last']:,.0f}, "
                            f"24 h {ticker['quoteVolume']:,.0f} KRW")
    # The exchange's rate is the one of the last 24 hours; ccxt counts from 00:00 in Seoul.
    own = sent["KRW"][COIN]["fluctate_rate_24H"]
    show(CLIENT, "percentage", f"{ticker['percentage']:.2f} since 00:00, {own} in 24 hours")

    book = client.fetch_order_book(symbol, limit=LEVELS)
    levels = exchange.data(f"orderbook/{COIN}_KRW?count={LEVELS}")
    for side in ("bids", "asks"):
        pairs = numbers((level["price"], level["quantity"]) for level in levels[side])
        same(f"ccxt 1.x {side}", [list(level[:2]) for level in book[side]], pairs)
    same("ccxt 1.x book time", book["timestamp"], int(levels["timestamp"]))
    show(CLIENT, "order book", f"bid {book['bids'][0][:2]}, ask {book['asks'][0][:2]}")

    trades = client.fetch_trades(symbol, limit=TRADES)
    rows = [
        ({"buy": "bid", "sell": "ask"}[trade["side"]], trade["price"], trade["amount"],
         trade["cost"])
        for trade in trades
    ]
    same("ccxt 1.x trades", sorted(rows), sorted(sent_trades(exchange)))
    last = trades[-1]
    show(CLIENT, "trades", f"{len(trades)}, the last {last['side']} {last['amount']} "
                           f"at {last['price']:,.0f} on {last['datetime']}")

    for name, interval in INTERVALS.items():
        rows = client.fetch_ohlcv(symbol, name)
        same(f"ccxt 1.x candles {name}", rows, sent_candles(exchange, interval))
        show(CLIENT, f"candles {name}", f"{len(rows)}, the last {rows[-1]}")


def read_ticker(symbol, ticker, sent):
    for key, field in TICKER_FIELDS:
        # A market without a trade today has a price, and zeros where the day's prices would be,
        # from which ccxt makes other figures.
        if key in DAY_KEYS and float(sent[field]) == 0:
            continue
        same(f"{symbol} {key}", ticker[key], float(sent[field]))
