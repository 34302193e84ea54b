"""Cases of the look: widths, and the rules of axe-core."""

from browser import DESKTOP, Failure, PHONE, expect
from services import ROOT

WIDTHS = (PHONE, DESKTOP, (2_560, 1_440))
# Path of each screen, and what is there once it is complete.
SCREENS = {
    "/": '.rows .row[data-market] [aria-pressed]',
    "/m/BTC_KRW": "#chart canvas",
    "/deposits": ".rows .row[data-asset]",
    "/portfolio": "#holdings tr[data-asset]",
    "/alerts": "#rules tr[data-rule]",
}
# The button that opens each dialog, and what the dialog has.
DIALOGS = {"#settings": "#setting-language", "#help-button": "#help", "#sign": "#field-token"}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
AXE = ROOT / ".build/page/axe.min.js"
RUN_AXE = """
const [tags, done] = arguments;
axe.run(document, {
    runOnly: { type: "tag", values: tags }, resultTypes: ["violations"],
    rules: { "target-size": { enabled: true } },
}).then((result) => done(result.violations.map(({ id, nodes }) =>
    `${id}: ${nodes.length} × ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`)),
    (error) => done([String(error)]));"""
# Elements beyond the right edge, but for those inside of something that scrolls or cuts them off.
OVERFLOW = """
const found = [];
const { scrollWidth, clientWidth } = document.documentElement;
if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide`);
const isHeld = (node) => node && node !== document.body
    && (getComputedStyle(node).overflowX !== "visible" || isHeld(node.parentElement));
for (const node of document.body.querySelectorAll("*")) {
    const { right, left, width } = node.getBoundingClientRect();
    const isOutside = width > 1 && (right > innerWidth + 1 || left < -1);
    if (isOutside && node.checkVisibility() && !isHeld(node.parentElement)) {
        found.push(`${node.outerHTML.slice(0, 100)} from ${left} to ${right}`);
    }
}
// A cut figure would be another figure.
const figures = [".rows .price", ".rows .changeRate", ".level-price", ".level-quantity",
    ".trade-price", ".market-price"];
for (const node of document.querySelectorAll(figures.join())) {
    if (node.checkVisibility() && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0) {
        found.push(`${node.outerHTML.slice(0, 100)} is cut: ${node.scrollWidth}`);
    }
}
return found.slice(0, 5);"""


def prepare_user(bench):
    """Gives the user something to show on each screen."""
    service, token = bench.service, bench.service.token
    service.send("PUT", "/v1/me/favorites/BTC_KRW", token=token)
    service.send("PUT", "/v1/me/cash", {"amount": "1500000"}, token)
    for asset, quantity, price in (("BTC", "0.12345678", "98765432.1"), ("XRP", "15000", None)):
        service.send("PUT", f"/v1/me/holdings/{asset}",
                     {"quantity": quantity, "averagePrice": price}, token)
    rules = service.get("/v1/me/alerts", token)["state"]["rows"]
    if len(rules) < 2:
        service.send("POST", "/v1/me/alerts", {"rule": "BTC > 999999999 note look at it"}, token)
        service.send("POST", "/v1/me/alerts", {"rule": "favorites 24H > 50%"}, token)


def open_screen(bench, path):
    """Opens a screen and waits until it is complete."""
    browser = bench.browser
    browser.open(bench.address + path)
    browser.wait(f"{path} complete", "document.querySelector(arguments[0])", SCREENS[path])
    browser.wait_live()


def screens_fit(bench):
    """No screen is wider than the window, and no figure is cut."""
    browser = bench.browser
    prepare_user(bench)
    browser.open(bench.address)
    browser.sign_in(bench.service.token)
    problems = []
    for width, height in WIDTHS:
        browser.resize(width, height)
        for path in SCREENS:
            open_screen(bench, path)
            panes = browser.run(
                "return [...document.querySelectorAll('.pane-switch button')]"
                ".filter((each) => each.checkVisibility()).map((each) => each.dataset.pane)")
            for pane in panes or [None]:
                if pane:
                    browser.click(f'.pane-switch [data-pane="{pane}"]')
                problems += [f"{path} {pane or ''} at {width}: {found}"
                             for found in browser.run(OVERFLOW)]
    if problems:
        raise Failure("\n  ".join(problems))


def axe_finds_nothing(bench, theme, colors):
    """Every screen and dialog of one look, signed in and signed out."""
    browser = bench.browser
    prepare_user(bench)
    browser.open(bench.address)
    browser.choose(theme=theme, colors=colors)
    problems = []
    for button, content in DIALOGS.items():
        browser.wait_rows()
        browser.click(button)
        browser.wait(f"dialog of {button}", "document.querySelector(arguments[0])", content)
        problems += violations(browser, f"dialog of {button}")
        browser.click('dialog [data-action="close"]')
    browser.sign_in(bench.service.token)
    for path in SCREENS:
        open_screen(bench, path)
        expect("theme", browser.run("return document.documentElement.dataset.theme"), theme)
        problems += violations(browser, path)
    if problems:
        raise Failure("\n  ".join(problems))


def violations(browser, name):
    """The violations of the open page."""
    if not browser.run("return Boolean(window.axe)"):
        browser.run(AXE.read_text(encoding="utf-8"))
    return [f"{name}: {each}" for each in browser.run_async(RUN_AXE, TAGS)]


def phone_has_no_violation(bench):
    """The screens of a phone, by the rules of axe-core."""
    browser = bench.browser
    prepare_user(bench)
    browser.open(bench.address)
    browser.sign_in(bench.service.token)
    browser.resize(*PHONE)
    problems = []
    for path in SCREENS:
        open_screen(bench, path)
        problems += violations(browser, path)
    if problems:
        raise Failure("\n  ".join(problems))
