"""Cases of a signed-in user: token, favorites, holdings, alerts, the keyboard."""

import json

from browser import Failure, expect
from selenium.webdriver.common.keys import Keys
from services import WebService

STORED = "return [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })]"
# Tab presses at most from the start of a page to one of its controls.
TAB_PRESSES_MAX = 40


def dialog_closed(browser):
    browser.wait("no dialog", "!document.querySelector('dialog[open]')")


def sign_in_by_dialog(browser, token):
    """Types a token into the open dialog."""
    browser.wait("the dialog", "document.activeElement?.id === 'field-token'")
    browser.press(token, Keys.ENTER)
    dialog_closed(browser)
    browser.wait("the user's name", "document.querySelector('#sign').textContent.includes('·')")


def forget_user_data(bench):
    """Removes favorites, holdings and alert rules of earlier cases."""
    token = bench.service.token
    for row in bench.service.get("/v1/me/favorites", token)["state"]["rows"]:
        bench.service.send("DELETE", f"/v1/me/favorites/{row['market']}", token=token)
    for row in bench.service.get("/v1/me/portfolio", token)["state"]["rows"]:
        bench.service.send("DELETE", f"/v1/me/holdings/{row['asset']}", token=token)


def favorites_of(bench):
    rows = bench.service.get("/v1/me/favorites", bench.service.token)["state"]["rows"]
    return [row["market"] for row in rows]


def token_signs_in(bench):
    """A wrong token is refused, the right one stays in this tab alone."""
    browser, token = bench.browser, bench.service.token
    browser.open(f"{bench.address}/portfolio")
    browser.click('[data-part="sign-in"] button')
    browser.wait("the dialog", "document.activeElement?.id === 'field-token'")
    browser.press("wrong", Keys.ENTER)
    browser.wait("the refusal", "document.querySelector('#sign-in .error:not([hidden])')")
    browser.select_all()
    sign_in_by_dialog(browser, token)
    browser.wait("the portfolio", "document.querySelector('#add-holding')")
    local, session = browser.run(STORED)
    expect("token in localStorage", token in local, False)
    expect("token in sessionStorage", token in session, True)
    expect("token in the address", token in browser.driver.current_url, False)
    expect("cookies", browser.driver.get_cookies(), [])
    browser.driver.refresh()
    browser.wait("the user after a reload",
                 "document.querySelector('#sign')?.textContent.includes('·')")
    browser.click("#sign")
    browser.wait("the request to sign in", "document.querySelector('[data-part=\"sign-in\"]')")
    expect("token in sessionStorage behind signing out", token in browser.run(STORED)[1], False)


def favorite_is_kept(bench):
    """A star is stored, shown in the tab of favorites, and removed."""
    browser = bench.browser
    browser.open(bench.address)
    browser.sign_in(bench.service.token)
    forget_user_data(bench)
    browser.wait_rows()
    star = '.rows .row[data-market="ETH_KRW"] .star'
    browser.wait("an empty star", f"document.querySelector('{star}')?.ariaPressed === 'false'")
    browser.click(star)
    browser.wait("a stored favorite", lambda: favorites_of(bench) == ["ETH_KRW"])
    browser.wait("a full star", f"document.querySelector('{star}').ariaPressed === 'true'")
    browser.click('[data-tab="favorites"]')
    rows = "[...document.querySelectorAll('.rows .row')].map((row) => row.dataset.market).join()"
    browser.wait("the favorites", f"{rows} === 'ETH_KRW'")
    browser.click(star)
    browser.wait("no favorites", "document.querySelectorAll('.rows .row').length === 0")
    browser.wait("no stored favorites", lambda: favorites_of(bench) == [])


def holding_is_kept(bench):
    """A holding is added, valued as the document says, changed and removed."""
    browser, token = bench.browser, bench.service.token
    browser.open(f"{bench.address}/portfolio")
    browser.sign_in(token)
    forget_user_data(bench)
    browser.click("#add-holding")
    browser.wait("the form", "document.activeElement?.id === 'field-asset'")
    browser.press("btc", Keys.TAB, "0.5", Keys.TAB, "100,000,000", Keys.ENTER)
    dialog_closed(browser)
    row = '#holdings tr[data-asset="BTC"]'
    browser.wait("the holding", f"document.querySelector('{row}')")
    bench.pause()
    try:
        def is_equal():
            wanted = bench.service.get("/v1/me/portfolio", token)["state"]["rows"][0]
            got = [browser.text(f"{row} .{name}") for name in ("quantity", "value", "profit")]
            return got == [wanted["quantity"], wanted["valueText"], wanted["profitText"]]
        browser.wait("quantity, value and profit of the document", is_equal)
    finally:
        bench.resume()
    browser.click(f'{row} [data-action="edit"]')
    browser.wait("the form", "document.activeElement?.id === 'field-quantity'")
    browser.select_all()
    browser.press("1,5", Keys.ENTER)
    browser.wait("a refusal", "document.querySelector('dialog .error:not([hidden])')")
    browser.click("#field-quantity")
    browser.select_all()
    browser.press("2", Keys.ENTER)
    dialog_closed(browser)
    browser.wait("the new quantity",
                 f"document.querySelector('{row} .quantity').textContent === '2'")
    browser.click(f'{row} [data-action="remove"]')
    browser.click('dialog [data-action="yes"]')
    browser.wait("no holding", f"!document.querySelector('{row}')")


def keyboard_reaches_all(bench):
    """Search, market, signing in, favorite, holding, alert rule and help without a mouse."""
    browser, token = bench.browser, bench.service.token
    forget_user_data(bench)
    browser.open(bench.address)
    browser.wait_rows()
    browser.press(Keys.TAB)
    expect("first focus", browser.run("return document.activeElement.className"), "skip")
    browser.press(Keys.ENTER)
    expect("focus behind the skip link", browser.run("return document.activeElement.id"), "main")
    browser.press("/", "ㅂㅌㅋㅇ", Keys.ENTER)
    browser.wait("the result", "document.querySelectorAll('.rows .row').length < 20")
    selected = "document.querySelector('.rows [aria-selected=\"true\"]')?.dataset.market"
    browser.press("j")
    browser.wait("a selected row", selected)
    browser.press(Keys.ENTER)
    browser.wait("the market", "document.querySelector('section.market')")
    market = browser.run("return document.querySelector('section.market').dataset.market")
    browser.press("f")
    sign_in_by_dialog(browser, token)
    browser.press("f")
    browser.wait("a stored favorite", lambda: favorites_of(bench) == [market])
    browser.press("i")
    browser.wait("the next interval", "location.search.includes('interval=1d')"
                 " || location.search.includes('interval=1w')")
    browser.press(Keys.ESCAPE)
    browser.wait("the list", "document.querySelector('section.market-list')")
    browser.press("2")
    browser.wait("the transfers", "location.pathname === '/deposits'")
    browser.press("3")
    browser.wait("the portfolio", "document.querySelector('#add-holding')")
    browser.press("a")
    browser.wait("the form", "document.activeElement?.id === 'field-asset'")
    browser.press("ETH", Keys.TAB, "3", Keys.TAB, Keys.ENTER)
    browser.wait("the holding", "document.querySelector('#holdings tr[data-asset=\"ETH\"]')")
    dialog_closed(browser)
    browser.press("5")
    browser.wait("the alerts", "document.querySelector('#add-rule')")
    browser.press("a", "ETH > 999999999", Keys.ENTER)
    browser.wait("the rule", "document.querySelector('#rules tr[data-rule]')")
    browser.press(Keys.ESCAPE, "?")
    browser.wait("help", "document.querySelector('#help')")
    browser.press(Keys.ESCAPE)
    dialog_closed(browser)
    tab_to(browser, "#settings")
    browser.press(Keys.ENTER)
    browser.wait("settings", "document.querySelector('#setting-language')")
    browser.press(Keys.ESCAPE)
    dialog_closed(browser)
    expect("focus behind the dialog", browser.run("return document.activeElement.id"), "settings")
    browser.press("1")
    browser.wait("the list again", "document.querySelector('section.market-list')")
    for selector in ("#search", '[data-tab="favorites"]', "#period", ".grid"):
        tab_to(browser, selector)


def tab_to(browser, selector):
    """Presses Tab until an element has the focus, which has to be visible at each step."""
    browser.run("document.activeElement.blur()")
    for _ in range(TAB_PRESSES_MAX):
        browser.press(Keys.TAB)
        name, has_ring = browser.run("""const node = document.activeElement;
            const { outlineStyle, boxShadow } = getComputedStyle(node);
            return [node.outerHTML.slice(0, 100),
                node === document.body || outlineStyle !== "none" || boxShadow !== "none"]""")
        expect(f"visible focus of {name}", has_ring, True)
        if browser.run("return document.activeElement.matches(arguments[0])", selector):
            return
    raise Failure(f"{selector} is not reached by {TAB_PRESSES_MAX} Tab presses")


def language_and_colors_change(bench):
    """The settings change the page at once, and stay."""
    browser = bench.browser
    browser.open(bench.address)
    browser.wait_rows()
    browser.click("#settings")
    for name, value in (("theme", "dark"), ("colors", "western"), ("language", "en")):
        browser.run("""const select = document.querySelector(`#setting-${arguments[0]}`);
            select.value = arguments[1];
            select.dispatchEvent(new Event("change"));""", name, value)
    look = "return JSON.stringify([{ ...document.documentElement.dataset }," \
        " document.documentElement.lang])"
    wanted = [{"theme": "dark", "colors": "western"}, "en"]
    browser.wait("the look", lambda: json.loads(browser.run(look)) == wanted)
    browser.press(Keys.ESCAPE)
    dialog_closed(browser)
    browser.driver.refresh()
    browser.wait("English names", "document.querySelector('.rows [data-market=\"BTC_KRW\"]"
                 " .main')?.textContent === 'Bitcoin'")
    expect("look after a reload", json.loads(browser.run(look)), wanted)
    expect("navigation", browser.text('nav [data-page="portfolio"]'), "Portfolio")


def token_is_asked_for(bench):
    """With --require-token the files are public, and the page asks before it shows data."""
    browser = bench.browser
    service = WebService(bench.hoga, bench.exchange, ["--require-token", "true"])
    try:
        browser.open(service.address)
        sign_in_by_dialog(browser, service.token)
        browser.wait_rows()
        browser.wait_live()
    finally:
        browser.open("about:blank")
        service.end()
