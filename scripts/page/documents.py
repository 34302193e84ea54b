"""What the page shows of documents, read in one step, and what it has to show."""

import threading
import time
from collections import OrderedDict

from browser import Failure, expect

UNKNOWN = "–"
REVISIONS_MAX = 400
GET_PAUSE_SECONDS = 0.02

READ_ROWS = """return [...document.querySelectorAll(".rows .row[data-market]")]
    .sort((one, other) => one.ariaRowIndex - other.ariaRowIndex)
    .map((row) => [row.dataset.market,
        ...["rank", "price", "changeRate", "changeAmount", "tradeValue"]
            .map((name) => row.querySelector(`.${name}`).textContent),
        row.querySelector(".main").textContent, row.dataset.direction ?? null])"""

# Asks are in the document from the best on, in the page from the worst on.
READ_MARKET = """
const text = (selector, root = document) => root.querySelector(selector).textContent;
const levels = (side) => [...document.querySelectorAll(`.level.${side}:not([hidden])`)]
    .map((row) => [row.dataset.price, row.dataset.direction ?? null,
        row.dataset.lastTrade === "true",
        ...["price", "change", "quantity", "cumulative"].map((name) => text(`.level-${name}`, row)),
        row.style.getPropertyValue("--ratio")]);
const legend = document.querySelector("#chart-legend");
return {
    revision: document.querySelector("section.market").dataset.revision ?? null,
    revisions: [...document.querySelectorAll(".pane")].map((pane) => pane.dataset.revision),
    asks: levels("ask").reverse(),
    bids: levels("bid"),
    best: [text(".best-ask"), text(".best-bid"), text(".spread-value"), text(".total-middle"),
        text(".total-askTotal"), text(".total-bidTotal"), text(".total-bidShare")],
    candle: [legend.dataset.openTime, legend.dataset.closed,
        ...["open", "high", "low", "close", "volume"].map((name) => text(`.legend-${name}`)),
        ...[...document.querySelectorAll(".legend-averages dd")].map((node) => node.textContent)],
    trades: [...document.querySelectorAll("tr.trade")].map((row) => [row.dataset.id,
        row.dataset.side, ...["time", "price", "quantity", "amount"].map((name) =>
            text(`.trade-${name}`, row))]),
    price: [text(".market-price"), text(".market-change-amount"), text(".market-change-rate")],
};"""


def shown(value):
    """The text of a value; a dash if it is unknown."""
    return UNKNOWN if value is None else str(value)


def list_rows(rows):
    """The rows of a market list as READ_ROWS returns them."""
    names = ("rank", "priceText", "changeRateText", "changeAmountText", "tradeValueText")
    return [[row["market"], *(shown(row[name]) for name in names),
             row["name"]["ko"] or row["symbol"], row["priceDirection"]] for row in rows]


def market_of(document):
    """The document of a market as READ_MARKET returns it."""
    state = document["state"]
    header, candle = state["header"], state["chart"]["candles"][-1]
    averages = candle["averages"]["close"]
    return {
        "revision": document["revision"],
        "revisions": [document["revision"]] * 3,
        **book_of(state["orderBook"]),
        "candle": [candle["openTime"], "true" if candle["closed"] else "false",
                   *(candle[name] for name in ("open", "high", "low", "close", "volume")),
                   *(shown(averages.get(size)) for size in ("5", "10", "20", "60", "120"))],
        "trades": [[trade["id"], trade["side"], trade["timeText"], trade["priceText"],
                    trade["quantityText"], trade["amountText"]]
                   for trade in state["trades"]["rows"]],
        "price": [shown(header["priceText"]), header["changeAmountText"] or "",
                  shown(header["changeRateText"])],
    }


def book_of(book):
    """The order book of a document as READ_MARKET returns it."""
    def levels(side):
        return [[level["price"], level["priceDirection"], level["isLastTrade"],
                 level["priceText"], shown(level["changeRatePercent"]), level["quantityText"],
                 shown(level["cumulative"]), level["ratioBoth"] or "0"] for level in book[side]]

    best, totals = book["best"], book["totals"]
    return {
        "asks": levels("asks"),
        "bids": levels("bids"),
        "best": [shown((best["ask"] or {}).get("price")), shown((best["bid"] or {}).get("price")),
                 shown(book["spreadText"]), shown(book["mid"]), shown(totals["askQuantity"]),
                 shown(totals["bidQuantity"]), shown(totals["bidSharePercent"])],
    }


def key_of(book):
    """What tells the data of an order book from others: its time, and the levels of the trade."""
    return (book["health"]["at"], *(level["price"] for side in ("asks", "bids")
                                    for level in book[side] if level["isLastTrade"]))


class Collector:
    """Reads a market with GETs in the background, as the open page asks for it.

    A market's document and its order book have revisions of their own; a book is found by the time
    of its data and the price of the last trade, which moves without a new book.
    """

    QUESTION = {"interval": "24h", "count": 200, "depth": 10, "limit": 100, "period": "24H",
                "lang": "ko"}

    def __init__(self, service, market="BTC_KRW"):
        self._service = service
        self._path = f"/v1/markets/{market}"
        self._markets, self._books = OrderedDict(), OrderedDict()
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._collect, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_closed.set()
        self._thread.join()

    def _collect(self):
        while not self._is_closed.wait(GET_PAUSE_SECONDS):
            try:
                document = self._service.get(self._path, **self.QUESTION)
                book = self._service.get(f"{self._path}/orderbook", depth=10)["state"]
            except OSError:
                continue  # The service restarts.
            self._keep(self._markets, document["revision"], document)
            self._keep(self._books, key_of(book), book)

    @staticmethod
    def _keep(kept, key, value):
        kept[key] = value
        if len(kept) > REVISIONS_MAX:
            kept.popitem(last=False)

    def market(self, revision):
        """The document of a revision; None if no GET returned it."""
        return self._markets.get(revision)

    def book(self, shown_book):
        """The answer of `/orderbook` with the data of that book; None if no GET returned it."""
        return self._books.get(key_of(shown_book))


def compare_markets(browser, collector, is_enough, seconds):
    """Compares the page with GETs of the same revision until there are enough comparisons.

    `is_enough` gets the number of compared documents and of order books. Fails at the first
    difference; returns the numbers.
    """
    documents, books, seen = 0, 0, set()
    waiting = OrderedDict()
    end = time.monotonic() + seconds
    while not is_enough(documents, books):
        if time.monotonic() > end:
            raise Failure(f"{documents} documents and {books} order books compared in {seconds} s;"
                          f" {browser.state()}")
        page = browser.run(READ_MARKET)
        if page["revision"] and page["revision"] not in seen:
            seen.add(page["revision"])
            waiting[page["revision"]] = page
        # A GET of the revision may return a moment later than the page shows it.
        for revision, read in list(waiting.items())[-20:]:
            document = collector.market(revision)
            if document is None:
                continue
            del waiting[revision]
            compare_market(read, document)
            documents += 1
            book = collector.book(document["state"]["orderBook"])
            if book:
                wanted = book_of(book)
                for name, value in wanted.items():
                    expect(f"{name} of /orderbook at {revision}", read[name], value)
                books += 1
    return documents, books


def compare_market(read, document):
    """Compares what the page shows with a document, part by part, cell by cell."""
    for name, wanted in market_of(document).items():
        got = read[name]
        if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
            for place, pair in enumerate(zip(got, wanted)):
                expect(f"{name} {place} at {document['revision']}", *pair)
        expect(f"{name} at {document['revision']}", got, wanted)
