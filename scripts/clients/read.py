"""Reads a simulated exchange with ccxt and pybithumb, and compares what they read with its REST.

usage: read.py PORT

The market is held still while they read, so every number must agree. What a client cannot read, or
reads differently, ends the program with exit status 1 and the reason.
"""

import json
import sys
import urllib.request

import ccxt
import pybithumb
import pybithumb.core

LEVELS = 10
TRADES = 100
COIN = "BTC"
# The names that ccxt gives to intervals, and the exchange's.
CCXT_INTERVALS = {
    "1m": "1m", "3m": "3m", "5m": "5m", "10m": "10m", "30m": "30m", "1h": "1h",
    "6h": "6h", "12h": "12h", "1d": "24h",
}


class Exchange:
    """The simulator's own REST and control."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}"

    def data(self, path):
        """The data of a public answer."""
        with urllib.request.urlopen(f"{self.url}/public/{path}", timeout=10) as answer:
            body = json.load(answer)
        if body["status"] != "0000":
            raise AssertionError(f"{path} was answered with {body}")
        return body["data"]

    def pause(self):
        """Holds the market still, and waits until nothing is on its way."""
        request = urllib.request.Request(f"{self.url}/simulator/pause", data=b"", method="POST")
        urllib.request.urlopen(request, timeout=10).read()
        while True:
            with urllib.request.urlopen(f"{self.url}/simulator/report", timeout=10) as answer:
                if json.load(answer)["isAtRest"]:
                    return


def same(what, read, sent):
    """Fails unless a client read what was sent."""
    if read != sent:
        raise AssertionError(f"{what}: read {read!r}, sent {sent!r}")


def numbers(rows):
    """Rows of texts as the binary fractions that the clients make of them."""
    return [[float(value) for value in row] for row in rows]


def show(client, what, text):
    print(f"{client:<10} {what:<11} {text}")


def sent_candles(exchange, interval):
    """Candles in the order that both clients use: time, open, high, low, close, volume."""
    rows = exchange.data(f"candlestick/{COIN}_KRW/{interval}")
    return [[row[0], *numbers([[row[1], row[3], row[4], row[2], row[5]]])[0]] for row in rows]


def sent_trades(exchange, count):
    rows = exchange.data(f"transaction_history/{COIN}_KRW?count={count}")
    return [
        (row["type"], float(row["price"]), float(row["units_traded"]), float(row["total"]))
        for row in rows
    ]


def read_with_ccxt(exchange):
    """ccxt takes its addresses and the API's generation as options."""
    client = ccxt.bithumb({"options": {"generation": 1}, "enableRateLimit": True})
    client.urls["api"] = {"public": exchange.url, "private": exchange.url}
    symbol = f"{COIN}/KRW"

    markets = client.load_markets()
    tickers = {quote: exchange.data(f"ticker/ALL_{quote}") for quote in ("KRW", "BTC")}
    same("ccxt markets", len(markets), sum(len(data) - 1 for data in tickers.values()))
    show("ccxt", "markets", f"{len(markets)}, {symbol} among them: {symbol in markets}")

    ticker = client.fetch_ticker(symbol)
    sent = tickers["KRW"][COIN]
    for key, field in (
        ("last", "closing_price"), ("high", "max_price"), ("low", "min_price"),
        ("open", "opening_price"), ("baseVolume", "units_traded_24H"),
        ("quoteVolume", "acc_trade_value_24H"),
    ):
        same(f"ccxt ticker {key}", ticker[key], float(sent[field]))
    show("ccxt", "ticker", f"last {ticker['last']:,.0f}, 24 h {ticker['quoteVolume']:,.0f} KRW")

    book = client.fetch_order_book(symbol, limit=LEVELS)
    sent = exchange.data(f"orderbook/{COIN}_KRW?count={LEVELS}")
    for side in ("bids", "asks"):
        pairs = numbers((level["price"], level["quantity"]) for level in sent[side])
        same(f"ccxt {side}", [list(level[:2]) for level in book[side]], pairs)
    same("ccxt book time", book["timestamp"], int(sent["timestamp"]))
    show("ccxt", "order book", f"bid {book['bids'][0][:2]}, ask {book['asks'][0][:2]}")

    trades = client.fetch_trades(symbol, limit=TRADES)
    read = [
        ({"buy": "bid", "sell": "ask"}[trade["side"]], trade["price"], trade["amount"],
         trade["cost"])
        for trade in trades
    ]
    same("ccxt trades", sorted(read), sorted(sent_trades(exchange, TRADES)))
    last = trades[-1]
    show("ccxt", "trades", f"{len(trades)}, the last {last['side']} {last['amount']} "
                           f"at {last['price']:,.0f} on {last['datetime']}")

    for name, interval in CCXT_INTERVALS.items():
        rows = client.fetch_ohlcv(symbol, name)
        same(f"ccxt candles {name}", rows, sent_candles(exchange, interval))
        show("ccxt", f"candles {name}", f"{len(rows)}, the last {rows[-1]}")


def read_with_pybithumb(exchange):
    """pybithumb has no option for its address: the property that tells it is replaced."""
    pybithumb.core.BithumbHttp.base_url = property(lambda _: exchange.url)
    client = pybithumb.Bithumb

    names = client.get_tickers()
    tickers = exchange.data("ticker/ALL_KRW")
    same("pybithumb markets", names, [key for key, v in tickers.items() if isinstance(v, dict)])
    show("pybithumb", "markets", f"{len(names)}, {COIN} among them: {COIN in names}")

    price = client.get_current_price(COIN)
    detail = client.get_market_detail(COIN)
    fields = ("opening_price", "max_price", "min_price", "closing_price", "units_traded")
    same("pybithumb price", price, float(tickers[COIN]["closing_price"]))
    same("pybithumb detail", detail, tuple(float(tickers[COIN][field]) for field in fields))
    show("pybithumb", "ticker", f"last {price:,.0f}, open, high, low, close, volume {detail}")

    book = client.get_orderbook(COIN, limit=LEVELS)
    sent = exchange.data(f"orderbook/{COIN}_KRW?count={LEVELS}")
    for side in ("bids", "asks"):
        levels = [{key: float(value) for key, value in level.items()} for level in sent[side]]
        same(f"pybithumb {side}", book[side], levels)
    show("pybithumb", "order book", f"bid {book['bids'][0]}, ask {book['asks'][0]}")

    trades = client.get_transaction_history(COIN, limit=TRADES)
    read = [(row["type"], row["price"], row["units_traded"], row["total"]) for row in trades]
    same("pybithumb trades", read, sent_trades(exchange, TRADES))
    show("pybithumb", "trades", f"{len(trades)}, the last {trades[-1]}")

    for interval in CCXT_INTERVALS.values():
        frame = client.get_candlestick(COIN, chart_intervals=interval)
        if frame is None:
            raise AssertionError(f"pybithumb cannot read candles of {interval}")
        sent = sent_candles(exchange, interval)
        same(f"pybithumb candles {interval}", frame.values.tolist(), [row[1:] for row in sent])
        same(
            f"pybithumb times {interval}",
            [int(time.timestamp() * 1_000) for time in frame.index.tz_localize("Asia/Seoul")],
            [row[0] for row in sent],
        )
        show("pybithumb", f"candles {interval}", f"{len(frame)}, the last "
                                                 f"{frame.index[-1]} {frame.values[-1].tolist()}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    exchange = Exchange(int(sys.argv[1]))
    exchange.pause()
    try:
        read_with_ccxt(exchange)
        read_with_pybithumb(exchange)
    except (AssertionError, ccxt.BaseError, KeyError, IndexError, TypeError) as error:
        sys.exit(f"clients: {type(error).__name__}: {error}")
    print("clients: every number that ccxt and pybithumb read is the one that was sent")


if __name__ == "__main__":
    main()
