"""Cases of safety: markup in texts, other hosts, the files of the page and their headers."""

import gzip
import re
import statistics
import urllib.error
import urllib.request

from browser import expect
from relay import Relay

MARKUP = '<img src=x onerror="wasRun=1">'
# Overrides the direction of what follows, and a letter of another script that looks like `a`.
TRICK = "\u202eKTB\u0430"
# As long as the name it replaces, 비트코인 and Ethereum, so that the answer keeps its length.
HOSTILE_NAMES = (("비트코인".encode(), b"<img src=q/>"), (b"Ethereum", b"<i id=e>"))
FOREIGN = """return [window.wasRun ?? null,
    document.querySelectorAll("body :is(img, script, iframe, object, embed)").length,
    [...document.querySelectorAll("a")].filter((link) => link.protocol === "javascript:").length]"""
CLEAN = [None, 0, 0]
COLD_STARTS = 5
FIRST_CONTENT_MILLISECONDS = 1_000
FILES_BYTES_MAX = 300_000


def queries_are_text(bench):
    """Markup, `javascript:` and Unicode tricks in addresses."""
    browser = bench.browser

    def quoted(text):
        return urllib.request.quote(text, safe="")
    for query in (MARKUP, "javascript:wasRun=1", TRICK, "'\"><script>wasRun=1</script>"):
        browser.open(f"{bench.address}/?q={quoted(query)}")
        browser.wait("no result", "document.querySelector('#empty:not([hidden])')")
        expect("search field", browser.run("return document.querySelector('#search').value"),
               query)
        expect(f"made by {query}", browser.run(FOREIGN), CLEAN)
    for market in ("<script>wasRun=1</script>", MARKUP, "javascript:wasRun=1"):
        browser.open(f"{bench.address}/m/{quoted(market)}")
        browser.wait("the server's reason", "document.querySelector('#problem:not([hidden])')")
        expect("title", market.replace("_", "/") in browser.text("#market-title"), True)
        expect(f"made by {market}", browser.run(FOREIGN), CLEAN)
    for query in (f"interval={quoted(MARKUP)}&group={quoted(MARKUP)}",
                  f"interval=javascript:wasRun=1&group={quoted(TRICK)}"):
        browser.open(f"{bench.address}/m/BTC_KRW?{query}")
        browser.wait("the market or a reason", "document.querySelector('.market-price')"
                     "?.textContent || document.querySelector('#problem:not([hidden])')")
        expect(f"made by {query}", browser.run(FOREIGN), CLEAN)
    browser.open(f"{bench.address}/?tab={quoted(MARKUP)}&sort=__proto__&period=constructor")
    browser.wait_rows()
    expect("made by unknown values", browser.run(FOREIGN), CLEAN)


def user_texts_are_text(bench):
    """A display name and the note of an alert rule."""
    browser, service, token = bench.browser, bench.service, bench.service.token
    name = "<b onclick=wasRun=1>javascript:x"
    service.send("PATCH", "/v1/me", {"displayName": name}, token)
    service.send("POST", "/v1/me/alerts", {"rule": f"BTC > 888888888 note {MARKUP}"}, token)
    try:
        browser.open(f"{bench.address}/alerts")
        browser.sign_in(token)
        expect("name in the header", name in browser.text("#sign"), True)
        browser.wait("the note", "[...document.querySelectorAll('#rules .note')]"
                     ".some((note) => note.textContent === arguments[0])", MARKUP)
        expect("made by the texts", browser.run(FOREIGN), CLEAN)
        expect("bold text", browser.count("b"), 0)
    finally:
        service.send("PATCH", "/v1/me", {"displayName": None}, token)


def names_are_text(bench):
    """Names of coins with markup, put into the service's answers on their way."""
    browser = bench.browser
    relay = Relay(bench.service.port, HOSTILE_NAMES)
    try:
        browser.open(relay.address)
        wanted = HOSTILE_NAMES[0][1].decode()
        name = "document.querySelector('.rows [data-market=\"BTC_KRW\"] .main')?.textContent"
        browser.wait("the name", f"{name} === arguments[0]", wanted)
        browser.choose(language="en")
        browser.wait("the English name", "[...document.querySelectorAll('.rows .main')].some("
                     "(link) => link.textContent === arguments[0])", HOSTILE_NAMES[1][1].decode())
        browser.choose(language="ko")
        browser.wait("the name", f"{name} === arguments[0]", wanted)
        browser.run("document.querySelector('.rows [data-market=\"BTC_KRW\"] .main').click()")
        browser.wait("the title", "document.querySelector('.market-name')?.textContent"
                     " === arguments[0]", wanted)
        expect("made by the names", browser.run(FOREIGN), CLEAN)
        expect("slanted text", browser.count("i"), 0)
    finally:
        browser.open("about:blank")
        relay.close()


def first_content_is_fast(bench):
    """Rows with prices within a second, with an empty cache."""
    browser = bench.browser
    times = []
    for _ in range(COLD_STARTS):
        browser.command("Network.clearBrowserCache")
        browser.open("about:blank")
        browser.open(bench.address)
        times.append(browser.wait("the first row", "pageTest.firstRow"))
    # Other programs on the machine make the others slower.
    expect(f"first rows after {min(times):.0f} ms (best of {COLD_STARTS}) in time",
           min(times) < FIRST_CONTENT_MILLISECONDS, True)
    median = statistics.median(times)
    return f"first rows after {median:.0f} ms, worst {max(times):.0f} ms"


def fetch(address, **headers):
    """The answer to a GET and its bytes, whatever its status."""
    request = urllib.request.Request(address, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def files_of(bench):
    """The files of the page by name, found from one to the next: answer and decoded text."""
    files, names = {}, {"": "/"}
    while names:
        name, path = names.popitem()
        answer = fetch(bench.address + path, **{"Accept-Encoding": "gzip"})
        expect(f"status of {path}", answer[0], 200)
        is_packed = answer[1]["Content-Encoding"] == "gzip"
        text = (gzip.decompress(answer[2]) if is_packed else answer[2]).decode()
        files[name] = (*answer, path)
        found = re.findall(r'"(/web/[^"/]+/([\w.-]+))"', text)
        folder = path.rpartition("/")[0]
        found += [(f"{folder}/{each}", each) for each in re.findall(r'"\./([\w-]+\.js)"', text)]
        names |= {each: place for place, each in found if each not in files}
    return files


def files_are_small_and_kept(bench):
    """Bytes of all files, and the headers of each."""
    files = files_of(bench)
    expect("modules are found", {"page.js", "market.js", "lightweight-charts.js", "page.css",
                                 "icon.svg"} <= files.keys(), True)
    for name, (_, headers, _, path) in files.items():
        expect(f"nosniff of {name}", headers["X-Content-Type-Options"], "nosniff")
        expect(f"referrer of {name}", headers["Referrer-Policy"], "no-referrer")
        expect(f"cookies of {name}", headers["Set-Cookie"], None)
        policy = headers["Content-Security-Policy"] or ""
        for part in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"):
            expect(f"{part} of {name}", part in policy, True)
        expect(f"unsafe sources of {name}", "unsafe" in policy, False)
        if name:
            expect(f"cache of {name}", "immutable" in (headers["Cache-Control"] or ""), True)
        again = fetch(bench.address + path, **{
            "Accept-Encoding": "gzip", "If-None-Match": headers["ETag"] or ""})
        expect(f"second GET of {name}", again[0], 304)
    size = sum(len(content) for _, _, content, _ in files.values())
    expect(f"{size} bytes are few enough", size < FILES_BYTES_MAX, True)
    expect("a file that is not there", fetch(f"{bench.address}/web/0/none.js")[0], 404)
    return f"{len(files)} files, {size / 1_000:.1f} kB gzip"


def nothing_from_elsewhere(bench):
    """All requests of all cases so far: their hosts, and no token in them."""
    browser = bench.browser
    browser.keep_requests()
    local = re.compile(r"http://127\.0\.0\.1:\d+/|data:|blob:|about:|chrome")
    foreign = [url for url in browser.requests if not local.match(url)]
    expect("requests to other hosts", foreign, [])
    expect("requests with a token",
           [url for url in browser.requests if bench.service.token in url], [])
    return f"{len(browser.requests)} requests"
