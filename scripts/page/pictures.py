"""The pictures of the page in docs/pictures."""

import struct

from browser import DESKTOP, PHONE, expect
from layout_cases import open_screen
from services import ROOT

FOLDER = ROOT / "docs/pictures"
# Name, size, path, settings of each picture.
PICTURES = (
    ("page-list", DESKTOP, "/", {"theme": "dark"}),
    ("page-market", DESKTOP, "/m/BTC_KRW", {"theme": "dark"}),
    ("page-market-light", DESKTOP, "/m/BTC_KRW", {"theme": "light"}),
    ("page-phone", PHONE, "/m/BTC_KRW", {"theme": "dark", "pane": "book"}),
)
TRADES_MIN = 20


def take_pictures(bench):
    """Writes all pictures."""
    browser, service = bench.browser, bench.service
    for market in ("BTC_KRW", "XRP_KRW"):
        service.send("PUT", f"/v1/me/favorites/{market}", token=service.token)
    browser.wait("the whole past", lambda: len(service.get(
        "/v1/markets/BTC_KRW/candles", interval="24h", count=200)["state"]["candles"]) == 200)
    # New prices do not flash.
    browser.command("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-reduced-motion", "value": "reduce"}])
    browser.open(bench.address)
    browser.sign_in(service.token)
    for name, size, path, settings in PICTURES:
        browser.resize(*size)
        browser.choose(**settings)
        open_screen(bench, path)
        if path != "/":
            browser.wait("trades", "document.querySelectorAll('tr.trade').length >= arguments[0]",
                         TRADES_MIN)
        browser.picture(FOLDER / f"{name}.png")
        print(f"docs/pictures/{name}.png")


def pictures_have_their_sizes(_):
    """All pictures are there; scripts/check-page --pictures takes them."""
    for name, size, _, _ in PICTURES:
        path = FOLDER / f"{name}.png"
        expect(f"{path.name} exists", path.exists(), True)
        content = path.read_bytes()
        expect(f"{path.name} is a PNG", content[:8], b"\x89PNG\r\n\x1a\n")
        expect(f"size of {path.name}", struct.unpack(">II", content[16:24]), size)
