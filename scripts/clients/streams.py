"""Reads the streams of both generations with ccxt.

The market moves while ccxt reads, is then held still, and everything read is compared with REST.
ccxt is no judge of two things: the sides of trades of API 1.x (it takes a sale for a purchase), and
the rate. A request of API 2.x replaces the one before, which ccxt does not know: each kind of
message has a client, and a connection, of its own. ccxt offers compression, which the simulator
accepts: messages of API 2.x are compressed.
"""

import asyncio
import collections

import ccxt.pro

from generation2 import SEOUL_MS, utc
from simulated import numbers, same, show

SYMBOL = "BTC/KRW"
CODE = "KRW-BTC"
TRADES_MIN = 20
TRADES_MAX = 500
UNITS = 15
WAIT_SECONDS = 60
ROUNDS = 20
# What ccxt has read once the market is still.
PRICES = (
    ("last", "trade_price"), ("high", "high_price"), ("low", "low_price"),
    ("open", "opening_price"),
)


def read(exchange):
    for generation in (1, 2):
        asyncio.run(asyncio.wait_for(read_generation(exchange, generation), WAIT_SECONDS))


async def read_generation(exchange, generation):
    exchange.resume()
    clients = [made(exchange, generation) for _ in range(3)]
    tickers, trades, books = clients
    tasks = [
        asyncio.create_task(forever(tickers.watch_ticker)),
        asyncio.create_task(forever(trades.watch_trades)),
        asyncio.create_task(forever(books.watch_order_book)),
    ]
    try:
        name = f"ccxt {generation}.x"
        await until(tasks, lambda: len(trades.trades.get(SYMBOL, [])) >= TRADES_MIN
                    and SYMBOL in tickers.tickers and SYMBOL in books.orderbooks)
        await asyncio.to_thread(exchange.pause)
        compare_trades(exchange, name, await settled(tasks, lambda: list(trades.trades[SYMBOL])))
        compare_ticker(exchange, name, await settled(tasks, lambda: tickers.tickers[SYMBOL]))
        await compare_book(exchange, name, tasks, lambda: books.orderbooks[SYMBOL])
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for client in clients:
            await client.close()


def made(exchange, generation):
    client = ccxt.pro.bithumb({"options": {"generation": generation}})
    urls = client.urls["api"]
    urls.update(public=exchange.url, private=exchange.url)
    urls["ws"].update(
        public=f"ws://{exchange.address}/pub/ws",
        publicGen2=f"ws://{exchange.address}/websocket/v1",
    )
    return client


async def forever(watch):
    while True:
        await watch(SYMBOL)


async def until(tasks, is_done):
    """Waits for a condition; a client that fails ends the wait with its error."""
    while not is_done():
        for task in tasks:
            if task.done():
                task.result()
        await asyncio.sleep(0.05)


async def settled(tasks, value):
    """What a client has read, once it has read everything that had been sent."""
    last, unchanged = None, 0

    def is_settled():
        nonlocal last, unchanged
        now = value()
        unchanged = unchanged + 1 if now == last else 0
        last = now
        return unchanged >= 5

    await until(tasks, is_settled)
    return last


def side(trade):
    """The side by the description of the exchange: `1` is a sale."""
    told = trade["info"].get("buySellGb")
    return trade["side"] if told is None else {"1": "sell", "2": "buy"}[told]


def compare_trades(exchange, name, trades):
    rows = exchange.rows(f"trades/ticks?market={CODE}&count={TRADES_MAX}")
    sent = collections.Counter(
        (int(row["timestamp"]), {"BID": "buy", "ASK": "sell"}[row["ask_bid"]],
         float(row["trade_price"]), float(row["trade_volume"]))
        for row in rows
    )
    read = collections.Counter(
        (trade["timestamp"], side(trade), trade["price"], trade["amount"]) for trade in trades
    )
    same(f"{name} trades that nobody sent", read - sent, collections.Counter())
    # From the first one on, none is missing.
    first = min(key[0] for key in read)
    later = collections.Counter({key: n for key, n in sent.items() if key[0] > first})
    same(f"{name} trades that were not read", later - read, collections.Counter())
    wrong = sum(trade["side"] != side(trade) for trade in trades)
    show(name, "stream trades", f"{len(trades)}, {wrong} of them with the wrong side in ccxt")


def compare_ticker(exchange, name, ticker):
    row = exchange.rows(f"ticker?markets={CODE}")[0]
    same(f"{name} stream last", ticker["last"], float(row["trade_price"]))
    info = ticker["info"]
    if "code" in info:
        for key, field in PRICES:
            same(f"{name} stream {key}", ticker[key], float(row[field]))
        same(f"{name} stream close before", ticker["previousClose"],
             float(row["prev_closing_price"]))
        # True here, and nine hours ahead in REST.
        same(f"{name} stream time", ticker["timestamp"], int(row["trade_timestamp"]) - SEOUL_MS)
        same(f"{name} stream second", ticker["timestamp"] // 1_000 * 1_000,
             utc(info["trade_date"], info["trade_time"]) - SEOUL_MS)
        change = round(float(info["signed_change_rate"]), 4)
        same(f"{name} stream rate", change, float(row["signed_change_rate"]))
    else:
        same(f"{name} stream second", ticker["timestamp"],
             utc(info["date"], info["time"]) - SEOUL_MS)
        for key, field in (("open", "openPrice"), ("high", "highPrice"), ("low", "lowPrice"),
                           ("baseVolume", "volume"), ("quoteVolume", "value")):
            same(f"{name} stream {key}", ticker[key], float(info[field]))
    show(name, "stream ticker", f"last {ticker['last']} at {ticker['datetime']}")


def sides(book):
    return {side: [list(level[:2]) for level in book[side]] for side in ("bids", "asks")}


async def compare_book(exchange, name, tasks, book):
    """Changes since the last frame are in REST only: a moment without any is waited for."""
    compare = compare_whole if name == "ccxt 2.x" else compare_changes
    for round_left in reversed(range(ROUNDS)):
        levels = await settled(tasks, lambda: sides(book()))
        try:
            levels_equal = compare(exchange, name, levels)
            show(name, "stream book", f"{levels_equal} levels at {book()['datetime']}")
            return
        except AssertionError:
            if round_left == 0:
                raise
        exchange.resume()
        await asyncio.sleep(0.2)
        await asyncio.to_thread(exchange.pause)


def compare_whole(exchange, name, book):
    row = exchange.rows(f"orderbook?markets={CODE}")[0]
    for side_name, prefix in (("bids", "bid"), ("asks", "ask")):
        levels = numbers(
            (unit[f"{prefix}_price"], unit[f"{prefix}_size"])
            for unit in row["orderbook_units"][:UNITS]
        )
        # ccxt drops levels of less than the sizes can tell, as hoga does.
        same(f"{name} stream {side_name}", book[side_name],
             [level for level in levels if level[1] > 0])
    return len(book["bids"]) + len(book["asks"])


def compare_changes(exchange, name, book):
    """API 1.x tells changes only: each level read must be one of the book."""
    sent = exchange.data("orderbook/BTC_KRW?count=30")
    checked = 0
    for side_name, is_worse in (("bids", float.__lt__), ("asks", float.__gt__)):
        levels = {float(at["price"]): float(at["quantity"]) for at in sent[side_name]}
        worst = list(levels)[-1]
        for price, quantity in book[side_name]:
            if not is_worse(price, worst):
                same(f"{name} stream {side_name} {price}", quantity, levels.get(price))
                checked += 1
    if checked == 0:
        raise AssertionError(f"{name} read no level of the book")
    return checked
