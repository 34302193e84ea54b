"""Cases of lost connections: cut streams, a killed service, a hidden tab."""

import os
import re
import signal

from browser import Failure, expect
from documents import Collector, READ_ROWS, compare_markets
from market_cases import list_at_rest
from relay import Relay

CUTS_MIN = 20
COMPARISONS_MIN = 12
# A connection gets up to a few documents of a market.
CUT_BYTES_MAX = 200_000
RESTART_SECONDS = 30


def cut_stream_resumes(bench):
    """Connections are cut after random bytes; no shown cell differs from its revision's."""
    browser = bench.browser
    relay = Relay(bench.service.port)
    try:
        with Collector(bench.service) as collector:
            browser.open(f"{relay.address}/m/BTC_KRW")
            browser.wait_live()
            browser.wait("the drawing", "document.querySelector('#chart canvas')")
            relay.start_cutting(CUT_BYTES_MAX)
            # Connects at once instead of at the end of the wait.
            browser.run("""pageTest.offline = 0;
                setInterval(() => {
                    const retry = document.querySelector("#retry:not([hidden])");
                    if (retry) pageTest.offline += 1;
                    retry?.click();
                }, 20);""")
            documents, books = compare_markets(
                browser, collector,
                lambda documents, books: min(documents, books) >= COMPARISONS_MIN
                and relay.cuts >= CUTS_MIN, seconds=45)
            expect("offline was shown", browser.run("return pageTest.offline") > 0, True)
            relay.stop_cutting()
            browser.wait_live()
            compare_markets(browser, collector, lambda documents, _: documents >= 2, seconds=10)
    finally:
        browser.open("about:blank")
        relay.close()
    return f"{relay.cuts} cuts, {documents} documents and {books} order books compared"


def killed_service_returns(bench):
    """The page says offline and the age of its data, keeps them, and goes on by itself."""
    browser, service = bench.browser, bench.service
    browser.open(bench.address)
    browser.sign_in(service.token)
    browser.wait_rows()
    browser.wait_live()
    service.kill()
    try:
        browser.wait("offline", "document.querySelector('#connection').dataset.state === 'offline'")
        seen = browser.wait("the age and the next attempt", lambda: re.fullmatch(
            r"끊김 · 지연 (\d+)초 · \d+초 후 재시도", browser.text("#connection")))
        expect("retry button", browser.count("#retry:not([hidden])"), 1)
        expect("rows stay", len(browser.run(READ_ROWS)) > 10, True)

        def is_older():
            now = re.search(r"지연 (\d+)초", browser.text("#connection"))
            return now and int(now[1]) > int(seen[1])
        browser.wait("a greater age", is_older)
    finally:
        service.start()
    browser.wait_live(seconds=RESTART_SECONDS)
    expect("retry button", browser.count("#retry:not([hidden])"), 0)
    before = browser.run(READ_ROWS)
    browser.wait("new prices", lambda: browser.run(READ_ROWS) != before)
    list_at_rest(bench)


def silent_service_is_stale(bench):
    """Connections stay open and nothing arrives: the data are not called live for long."""
    browser, service = bench.browser, bench.service
    browser.open(f"{bench.address}/m/BTC_KRW")
    browser.wait_live()
    os.kill(service.process.pid, signal.SIGSTOP)
    try:
        browser.wait("the age of the data", lambda: re.search(
            r"지연 \d+초", browser.text("#connection")), seconds=RESTART_SECONDS)
        browser.wait("a stale order book", "document.querySelector("
                     "'#order-book[data-phase=\"stale\"]')", seconds=RESTART_SECONDS)
    finally:
        os.kill(service.process.pid, signal.SIGCONT)
    browser.wait("a current order book", "document.querySelector("
                 "'#order-book[data-phase=\"ready\"]')")
    browser.wait_live(seconds=RESTART_SECONDS)


def hidden_tab_closes_streams(bench):
    """One public and one personal stream, closed while the tab is hidden."""
    browser, service = bench.browser, bench.service
    browser.open(bench.address)
    browser.sign_in(service.token)
    browser.wait_live()
    browser.wait("two streams", lambda: service.open_streams() == 2)
    tab = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    other = browser.driver.current_window_handle
    try:
        browser.wait("no stream", lambda: service.open_streams() == 0)
    except Failure as failure:
        raise Failure(f"{failure}; {service.open_streams()} streams") from failure
    finally:
        browser.driver.switch_to.window(other)
        browser.driver.close()
        browser.driver.switch_to.window(tab)
    browser.wait("two streams again", lambda: service.open_streams() == 2)
    browser.wait_live()
