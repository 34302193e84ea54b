#!/usr/bin/env python3
"""Opens the page of running instances in headless Chromium and compares its rows with the document.

usage: scripts/drill/page.py ADDRESS…     (with the Python of .build/page; see scripts/check-page)

Exit status: 0 all pages show live rows of their instance without an error, else 1.
"""

import json
import os
import sys
import urllib.request
from pathlib import Path

# Never looks for a browser elsewhere.
os.environ["SE_OFFLINE"] = "true"
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "page"))

# pylint: disable=wrong-import-position
from browser import Browser, Failure, expect  # noqa: E402


def look(browser, address):
    """The page of an instance shows all markets live, and its console no error."""
    browser.new_tab(address)
    browser.open(address)
    browser.wait_live()
    browser.wait_rows()
    with urllib.request.urlopen(f"{address}/v1/markets", timeout=10) as answer:
        total = json.load(answer)["state"]["total"]
    expect("count", browser.text("#count"), f"{total}개")
    expect("violations of the content security policy", browser.violations(), [])
    expect("console errors", browser.severe_entries(), [])


def main():
    browser = Browser()
    try:
        for address in sys.argv[1:]:
            look(browser, address)
    except Failure as failure:
        sys.exit(f"page of {address}: {failure}")
    finally:
        browser.close()


main()
