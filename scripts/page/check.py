#!/usr/bin/env python3
"""Tests the web page in headless Chromium, or takes its pictures.

usage: scripts/page/check.py HOGA [CASE…]
       scripts/page/check.py --pictures HOGA

scripts/check-page installs what this needs and runs it. HOGA is a built binary; it runs as
`hoga exchange simulate` and `hoga serve`. CASE is a part of the name of a case. Prints a line for
each case. Exits with 0 if all pass, with 1 after telling what was expected, or with 69 without
a browser.
"""

import os
import re
import sys
import time
import urllib.request
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Callable

# Never looks for a browser elsewhere.
os.environ["SE_OFFLINE"] = "true"

# pylint: disable=wrong-import-position
import connection_cases as connection
import layout_cases as layout
import market_cases as market
import pictures
import safety_cases as safety
import user_cases as user
from browser import Browser, Failure, expect
from selenium.common.exceptions import WebDriverException
from services import WebService, simulated_exchange

FRAMES_PER_SECOND = 300
# What the console says of a request that the case makes fail.
CUT = re.compile(r"Failed to load resource: net::ERR_|net::ERR_(INCOMPLETE_CHUNKED|CONNECTION)")
REFUSED = re.compile(r"status of 40[0134]")


@dataclass(frozen=True)
class Case:
    """A case; `allows` matches the errors that the console may have."""

    name: str
    run: Callable
    allows: re.Pattern | None = None


CASES = (
    Case("files of the page are under 300 kB, immutable and revalidated",
         safety.files_are_small_and_kept),
    Case("first content of an empty cache appears within a second", safety.first_content_is_fast),
    Case("list of all markets appears with few row elements", market.list_appears),
    Case("list prices move without taking focus or selection", market.list_moves),
    Case("list sorted by each column equals the document", market.list_sorts),
    Case("search by initial consonants finds coins", market.list_searches),
    Case("market equals documents of the same revision, cell by cell",
         market.market_equals_documents),
    Case("chart of each interval ends with the document's last candle",
         market.chart_draws_candles),
    Case("deep links and the back button open the same screen", market.addresses_open_screens,
         REFUSED),
    Case("token signs in and stays in its tab", user.token_signs_in, REFUSED),
    Case("favorite is stored, listed and removed", user.favorite_is_kept),
    Case("holding is stored, valued, changed and removed", user.holding_is_kept),
    Case("keyboard alone reaches every task", user.keyboard_reaches_all),
    Case("settings change language and look at once", user.language_and_colors_change),
    Case("service with --require-token has the page ask for one", user.token_is_asked_for,
         REFUSED),
    Case("stream cut after random bytes resumes without a wrong cell",
         connection.cut_stream_resumes, CUT),
    Case("killed service shows the age and returns", connection.killed_service_returns, CUT),
    Case("silent service shows the age although connections stay open",
         connection.silent_service_is_stale),
    Case("hidden tab closes its streams", connection.hidden_tab_closes_streams),
    Case("screens of 360, 1,440 and 2,560 pixels do not overflow", layout.screens_fit),
    *(Case(f"axe-core finds no violation in {theme} with {colors} colors",
           partial(layout.axe_finds_nothing, theme=theme, colors=colors))
      for theme in ("light", "dark") for colors in ("korean", "western")),
    Case("axe-core finds no violation on a phone", layout.phone_has_no_violation),
    Case("queries with markup are shown as text", safety.queries_are_text, REFUSED),
    Case("display name and note with markup are shown as text", safety.user_texts_are_text),
    Case("coin names with markup are shown as text", safety.names_are_text),
    Case("pictures of the documentation have their sizes", pictures.pictures_have_their_sizes),
    Case("requests stay on this host and carry no token", safety.nothing_from_elsewhere),
)


class Bench:
    """What cases share: the exchange, the service and the browser."""

    def __init__(self, hoga):
        self.hoga = hoga
        self.exchange = simulated_exchange(hoga, FRAMES_PER_SECOND)
        try:
            self.service = WebService(hoga, self.exchange)
        except BaseException:
            self.exchange.kill()
            raise
        self.browser = None

    @property
    def address(self):
        return self.service.address

    def pause(self):
        """No price changes until `resume`."""
        self._post("pause")

    def resume(self):
        self._post("resume")

    def _post(self, command):
        request = urllib.request.Request(
            f"{self.exchange.rest}/simulator/{command}", data=b"", method="POST")
        with urllib.request.urlopen(request, timeout=5) as answer:
            answer.read()

    def end(self):
        if self.browser:
            self.browser.close()
        self.service.end()
        self.exchange.kill()


def run(bench, case):
    """Runs a case in a tab of its own; prints its line, and returns whether it passes."""
    browser = bench.browser
    start = time.monotonic()
    browser.new_tab(bench.address)
    failure = note = None
    try:
        note = case.run(bench)
        expect("violations of the content security policy", browser.violations(), [])
        errors = [each for each in browser.severe_entries()
                  if not (case.allows and case.allows.search(each))]
        expect("console errors", errors, [])
    except (Failure, WebDriverException, OSError, LookupError, TypeError, SystemExit) as error:
        failure = f"{type(error).__name__}: {error}".removeprefix("Failure: ")
    seconds = time.monotonic() - start
    detail = f" ({note})" if note else ""
    print(f"{'FAIL' if failure else 'ok  '} {seconds:5.1f} s  {case.name}{detail}", flush=True)
    if failure:
        print(f"  {failure}\n  picture: {browser.picture()}", file=sys.stderr, flush=True)
    return failure is None


def main(arguments):
    is_taking = arguments[:1] == ["--pictures"]
    hoga, *parts = arguments[is_taking:] or [""]
    if not os.access(hoga, os.X_OK) or (is_taking and parts):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 64
    cases = [case for case in CASES
             if not parts or any(part in case.name for part in parts)]
    bench = Bench(Path(hoga).resolve())
    start = time.monotonic()
    try:
        try:
            bench.browser = Browser()
        except WebDriverException as error:
            print(f"check.py: Chromium does not start: {error.msg}", file=sys.stderr)
            return 69
        if is_taking:
            bench.browser.new_tab(bench.address)
            pictures.take_pictures(bench)
            return 0
        failures = [case.name for case in cases if not run(bench, case)]
    finally:
        bench.end()
    print(f"{len(cases)} cases, {len(failures)} failures, {time.monotonic() - start:.0f} s")
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
