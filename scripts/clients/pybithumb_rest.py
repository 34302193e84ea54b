"""Reads API 1.x over REST with pybithumb."""

import pybithumb
import pybithumb.core

from generation1 import COIN, INTERVALS, LEVELS, TRADES, sent_candles, sent_trades
from simulated import same, show


def read(exchange):
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
    rows = [(row["type"], row["price"], row["units_traded"], row["total"]) for row in trades]
    same("pybithumb trades", rows, sent_trades(exchange))
    show("pybithumb", "trades", f"{len(trades)}, the last {trades[-1]}")

    for interval in INTERVALS.values():
        read_candles(client, exchange, interval)


def read_candles(client, exchange, interval):
    frame = client.get_candlestick(COIN, chart_intervals=interval)
    if frame is None:
        raise AssertionError(f"pybithumb cannot read candles of {interval}")
    sent = sent_candles(exchange, interval)
    same(f"pybithumb candles {interval}", frame.values.tolist(), [row[1:] for row in sent])
    times = frame.index.tz_localize("Asia/Seoul")
    same(
        f"pybithumb times {interval}",
        [int(time.timestamp() * 1_000) for time in times],
        [row[0] for row in sent],
    )
    show("pybithumb", f"candles {interval}",
         f"{len(frame)}, the last {frame.index[-1]} {frame.values[-1].tolist()}")
