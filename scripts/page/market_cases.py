"""Cases of the public screens: the list, a market, addresses."""

from browser import expect
from documents import Collector, READ_ROWS, compare_markets, list_rows

# Elements of visible rows, at most, for 493 markets.
ROW_ELEMENTS_MAX = 60
COMPARISONS_MIN = 12
ROWS_EQUAL = "row order and cells of the list"


def list_at_rest(bench, path="/", **question):
    """The page shows the list that a GET returns, once no price changes."""
    browser = bench.browser
    bench.pause()
    try:
        def is_equal():
            document = bench.service.get("/v1/markets", **question)
            wanted, rows = list_rows(document["state"]["rows"]), browser.run(READ_ROWS)
            return len(rows) > 0 and rows == wanted[:len(rows)]
        browser.wait(f"{ROWS_EQUAL} at {path}", is_equal)
    finally:
        bench.resume()


def list_appears(bench):
    """All markets, of which only the visible ones are elements."""
    browser = bench.browser
    browser.open(bench.address)
    browser.wait_live()
    browser.wait_rows()
    total = bench.service.get("/v1/markets")["state"]["total"]
    expect("count", browser.text("#count"), f"{total}개")
    expect("rows for readers",
           browser.run("return document.querySelector('.grid').ariaRowCount"), str(total + 1))
    expect("source", browser.run("return document.querySelector('#feed').dataset.feed"),
           "simulated")
    expect("few row elements",
           10 < browser.count(".rows .row") < ROW_ELEMENTS_MAX, True)
    list_at_rest(bench)
    browser.run("document.querySelector('.grid').scrollTop = 1e6")
    last = bench.service.get("/v1/markets")["state"]["rows"][-1]["market"]
    browser.wait("the last row", f"document.querySelector('.rows [data-market=\"{last}\"]')")
    expect("few row elements at the end",
           10 < browser.count(".rows .row") < ROW_ELEMENTS_MAX, True)


def list_moves(bench):
    """Prices change, and the focus stays."""
    browser = bench.browser
    browser.open(bench.address)
    browser.wait_rows()
    browser.press("j")
    before = {row[0]: row[2] for row in browser.run(READ_ROWS)}
    browser.wait("changed prices", lambda: sum(
        before.get(row[0], row[2]) != row[2] for row in browser.run(READ_ROWS)) >= 3)
    expect("focus", browser.run("return document.activeElement.getAttribute('role')"), "grid")
    expect("selected rows", browser.count('.rows .row[aria-selected="true"]'), 1)


def list_sorts(bench):
    """Each column, both ways, the period and the tab."""
    browser = bench.browser
    browser.open(bench.address)
    browser.wait_rows()
    for key, ways in {"name": ("asc", "desc"), "price": ("desc", "asc"),
                      "changeRate": ("desc", "asc"), "tradeValue": ("desc",)}.items():
        for way in ways:
            browser.click(f'button[data-sort="{key}"]')
            head = f'[role="columnheader"]:has([data-sort="{key}"])'
            sort = {"asc": "ascending", "desc": "descending"}[way]
            browser.wait(f"{key} {way}", f"document.querySelector('{head}').ariaSort === '{sort}'")
            list_at_rest(bench, f"{key} {way}", sort=key, direction=way)
    browser.run("""const period = document.querySelector("#period");
        period.value = "1H";
        period.dispatchEvent(new Event("change"));""")
    list_at_rest(bench, "1H", sort="tradeValue", direction="desc", period="1H")
    browser.click('[data-tab="btc"]')
    list_at_rest(bench, "BTC", sort="tradeValue", direction="desc", period="1H", quote="BTC")


def list_searches(bench):
    """Initial consonants, letters, and a search without a result."""
    browser = bench.browser
    browser.open(bench.address)
    browser.wait_rows()
    browser.click("#search")
    for query, coin in (("ㅂㅌㅋㅇ", "BTC_KRW"), ("eth", "ETH_KRW")):
        browser.select_all()
        browser.press(query)
        wanted = [row[0] for row in list_rows(bench.service.get(
            "/v1/markets", q=query)["state"]["rows"])]
        browser.wait(f"result of {query}", lambda: wanted == [
            row[0] for row in browser.run(READ_ROWS)])
        expect(f"{query} finds {coin}", coin in wanted, True)
    browser.select_all()
    browser.press("zzzz")
    browser.wait("no result", "document.querySelectorAll('.rows .row').length === 0")
    expect("reason", browser.text("#empty:not([hidden])"), "일치하는 자산이 없습니다")


def market_equals_documents(bench):
    """Order book, last candle, trades and price, live and at rest."""
    browser = bench.browser
    with Collector(bench.service) as collector:
        browser.open(f"{bench.address}/m/BTC_KRW")
        browser.wait_live()
        documents, books = compare_markets(
            browser, collector,
            lambda documents, books: min(documents, books) >= COMPARISONS_MIN, seconds=25)
    return f"{documents} documents, {books} order books compared"


def chart_draws_candles(bench):
    """The chart of each interval has the last candle of its document, and is drawn."""
    browser = bench.browser
    browser.open(f"{bench.address}/m/ETH_KRW?interval=1h")
    browser.wait_live()
    for interval in ("1h", "1m", "1w"):
        browser.click(f'#chart button[data-interval="{interval}"]')
        bench.pause()
        try:
            def is_equal(asked=interval):
                document = bench.service.get(
                    "/v1/markets/ETH_KRW/candles", interval=asked, count=200)
                last = document["state"]["candles"][-1]
                names = ("open", "high", "low", "close", "volume")
                shown = browser.run("""const { dataset } = document.querySelector("#chart-legend");
                    return [dataset.openTime, ...arguments[0].map((name) => dataset[name])]""",
                                    names)
                return shown == [last["openTime"], *(last[name] for name in names)]
            browser.wait(f"last candle of {interval}", is_equal)
        finally:
            bench.resume()
        expect("address", browser.run("return new URLSearchParams(location.search)"
                                      ".get('interval')"), interval)
    browser.wait("a drawing", """[...document.querySelectorAll("#chart canvas")].some((canvas) =>
        canvas.width > 200 && canvas.height > 100 && canvas.getContext("2d")
            .getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0))""")


def addresses_open_screens(bench):
    """Deep links, and the back and forward buttons."""
    browser = bench.browser
    browser.open(f"{bench.address}/?tab=popular&sort=price&direction=asc&period=12H")
    browser.wait_rows()
    expect("tab", browser.count('[data-tab="popular"][aria-pressed="true"]'), 1)
    expect("period", browser.run("return document.querySelector('#period').value"), "12H")
    list_at_rest(bench, "popular", tab="popular", sort="price", direction="asc", period="12H")
    # A list at rest: a row that moves cannot be hit.
    bench.pause()
    try:
        browser.run("document.querySelector('.grid').scrollTop = 400")
        market = browser.wait(
            "a row of the scrolled list",
            """document.querySelector('.rows .row:nth-child(12)')?.dataset.market""")
        browser.click(f'.rows .row[data-market="{market}"] .main')
    finally:
        bench.resume()
    browser.wait("the market", "document.querySelector('section.market')?.dataset.market"
                 " === arguments[0]", market)
    expect("path", browser.run("return location.pathname"), f"/m/{market}")
    browser.wait("its price", "document.querySelector('.market-price')?.textContent")
    browser.driver.back()
    browser.wait_rows()
    browser.wait("the place in the list", "document.querySelector('.grid').scrollTop > 300")
    expect("selected row", browser.run("return document.querySelector("
           "'.rows [aria-selected=\"true\"]')?.dataset.market ?? null"), market)
    browser.driver.forward()
    browser.wait("the market again", "document.querySelector('section.market')")
    browser.open(f"{bench.address}/m/krw-btc?interval=1h")
    browser.wait("the usual spelling", "location.pathname === '/m/BTC_KRW'"
                 " && document.querySelector('section.market[data-market=\"BTC_KRW\"]')")
    browser.open(f"{bench.address}/deposits?state=suspended")
    browser.wait("transfers", "document.querySelectorAll('.rows [data-asset]').length > 0")
    expect("a coin that is open",
           browser.count('.rows .row:not(:has([data-transfer="suspended"]))'), 0)
    browser.open(f"{bench.address}/m/NOPE_KRW")
    browser.wait("the server's reason", "document.querySelector('#problem:not([hidden])')")
