"""Checks hoga behind a proxy, such as the nginx of deploy/nginx.conf.

    proxy = Proxy("https://127.0.0.1:8443", "http://127.0.0.1:8000", ca_file, token,
                  ["http://127.0.0.1:8080", "http://127.0.0.1:8082"])
    check_all(proxy, expect, service_log, proxy_log)

The certificate names the host of the first address. `token` may write; its user's favorites are
changed and restored, except XRP_KRW. `expect(holds, sentence)` receives each result.
`service_log()` and `proxy_log()` return the text that the instances and the proxy have logged so
far. The instances need HOGA_TRUSTED_PROXIES, HOGA_STREAMS_PER_USER=64 and
HOGA_CONNECTIONS_PER_CLIENT=1000.
"""

import http.client
import json
import re
import ssl
import time
import uuid
import warnings
from urllib.parse import urlsplit

from http_streams import Answer, Reader, Site, wait_until

ORDER_BOOK = "/v1/stream?documents=order-book&market=BTC_KRW"
BODY_BYTES_MAX = 65_536
FIRST_EVENT_SECONDS_MAX = 2.0
LAG_SECONDS_MAX = 1.0
COMPARED_EVENTS = 20
# Header fields that a proxy must not change.
KEPT_FIELDS = ["ETag", "Content-Type", "Content-Encoding", "Cache-Control", "Vary",
               "Content-Security-Policy", "Cross-Origin-Opener-Policy",
               "Cross-Origin-Resource-Policy", "Referrer-Policy", "X-Content-Type-Options"]


class Proxy:
    """A proxy, its instances and a user."""

    def __init__(self, url, plain_url, ca_file, token, instances, source=None):
        """`source` is the client's own address, on a machine that has several."""
        context = ssl.create_default_context(cafile=str(ca_file))
        self.ca_file = str(ca_file)
        self.site = Site(url, context, source)
        self.plain = Site(plain_url, None, source)
        self.instances = [Site(each) for each in instances]
        self.bearer = {"Authorization": f"Bearer {token}"}

    def get(self, path, **fields) -> Answer:
        """The answer to a GET through the proxy."""
        return self.site.request("GET", path, headers=fields)

    def change(self, method, path, document=None, **options) -> Answer:
        """The answer to a user's request through the proxy."""
        headers = {**self.bearer, "Content-Type": "application/json",
                   **options.pop("headers", {})}
        body = None if document is None else json.dumps(document).encode()
        return self.site.request(method, path, body=options.pop("body", body), headers=headers)


def check_all(proxy, expect, service_log, proxy_log, streams=60):
    """Runs every check that needs no change of the containers. An exception fails its check."""
    checks = {
        "TLS": lambda: check_tls(proxy, expect),
        "redirect": lambda: check_redirect(proxy, expect),
        "documents": lambda: check_documents(proxy, expect),
        "page": lambda: check_page(proxy, expect),
        "one instance": lambda: check_affinity(proxy, expect),
        "stream": lambda: check_stream(proxy, expect, "identity"),
        "compressed stream": lambda: check_stream(proxy, expect, "gzip"),
        "streams": lambda: check_many_streams(proxy, expect, streams),
        "user": lambda: check_user(proxy, expect),
        "body": lambda: check_body(proxy, expect),
        "client": lambda: check_client(proxy, expect, service_log, proxy_log),
        "admin": lambda: check_admin(proxy, expect),
    }
    for name, check in checks.items():
        try:
            check()
        except (OSError, http.client.HTTPException, ValueError, LookupError) as error:
            expect(False, f"proxy, {name}: {type(error).__name__}: {error}")


def check_tls(proxy, expect):
    """TLS 1.2 and 1.3 only, HTTP/2 is offered, and nothing tells nginx's version."""
    for version, is_accepted in (("TLSv1_1", False), ("TLSv1_2", True), ("TLSv1_3", True)):
        context = ssl.create_default_context(cafile=proxy.ca_file)
        # This client has to offer what the server refuses.
        context.set_ciphers("ALL:@SECLEVEL=0")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context.minimum_version = ssl.TLSVersion[version]
            context.maximum_version = ssl.TLSVersion[version]
        try:
            Site(proxy.site.url, context, proxy.site.source).request("GET", "/v1/about")
            outcome = "accepted"
        except ssl.SSLError as error:
            outcome = f"refused: {error.reason}"
        expect(outcome.startswith("accepted") == is_accepted, f"proxy: {version} is {outcome}")
        expect(is_accepted or "ALERT" in outcome, f"proxy: {version} is {outcome}, not by an alert")
    context = ssl.create_default_context(cafile=proxy.ca_file)
    context.set_alpn_protocols(["h2", "http/1.1"])
    connection = Site(proxy.site.url, context, proxy.site.source).connection()
    connection.connect()
    chosen = connection.sock.selected_alpn_protocol()
    connection.close()
    expect(chosen == "h2", f"proxy: the protocol is {chosen}, not h2")
    server = proxy.get("/v1/about").headers.get("Server", "")
    expect(not re.search(r"\d", server), f"proxy: the header names a version: Server: {server}")


def check_redirect(proxy, expect):
    """Plain HTTP is redirected to the same path."""
    path = "/v1/markets?limit=3&q=b%20c"
    answer = proxy.plain.request("GET", path)
    location = answer.headers.get("Location", "")
    expect(answer.status in (301, 308), f"proxy: plain HTTP gets {answer.status}, no redirect")
    expect(location.startswith("https://") and location.endswith(path)
           and urlsplit(location).hostname == urlsplit(proxy.plain.url).hostname,
           f"proxy: plain HTTP is redirected to {location}")


def check_documents(proxy, expect):
    """Bytes, tags and encodings are an instance's own, and 304 passes."""
    for path in ("/openapi.json", "/v1/about", "/"):
        for coding in ("identity", "gzip"):
            answer = proxy.get(path, **{"Accept-Encoding": coding})
            own = [each.request("GET", path, headers={"Accept-Encoding": coding})
                   for each in proxy.instances]
            same = [each for each in own if each.body == answer.body]
            expect(answer.status == 200 and same, f"proxy: {path} ({coding}) is another document")
            for field in KEPT_FIELDS:
                values = {each.headers.get(field) for each in same or own}
                expect(answer.headers.get(field) in values,
                       f"proxy: {field} of {path} ({coding}) is {answer.headers.get(field)},"
                       f" not {values}")
            encoding = answer.headers.get("Content-Encoding", "identity")
            expect(encoding == coding, f"proxy: {path} is sent as {encoding}, not {coding}")
            tag = answer.headers.get("ETag", "")
            again = proxy.get(path, **{"Accept-Encoding": coding, "If-None-Match": tag})
            expect(again.status == 304 and not again.body and again.headers.get("ETag") == tag,
                   f"proxy: {path} ({coding}) with its own ETag gets {again.status}")
    # hoga does not compress problems and secrets.
    encoding = proxy.get("/v1/none", **{"Accept-Encoding": "gzip"}).headers.get("Content-Encoding")
    expect(encoding is None, f"proxy: a problem is compressed as {encoding}")


def check_page(proxy, expect):
    """Browsers get the page with its security headers, and use HTTPS from then on."""
    answer = proxy.get("/")
    policies = answer.headers.get_all("Content-Security-Policy", [])
    expect(len(policies) == 1 and "default-src 'none'" in policies[0],
           f"proxy: the page's Content-Security-Policy is {policies}")
    for path in ("/", "/v1/about", "/v1/none"):
        values = proxy.get(path).headers.get_all("Strict-Transport-Security", [])
        expect(values == ["max-age=31536000"],
               f"proxy: Strict-Transport-Security of {path} is {values}")


def check_affinity(proxy, expect):
    """A client stays with an instance: pages of one revision, and streams that continue."""
    revision = json.loads(proxy.get("/v1/markets?limit=20").body)["revision"]
    pages = [proxy.get(f"/v1/markets?limit=20&offset={20 * page}&revision={revision}").status
             for page in range(1, 13)]
    expect(set(pages) == {200}, f"proxy: pages of one revision get {pages}")
    for attempt in range(4):
        first = Reader(proxy.site, ORDER_BOOK)
        wait_until(lambda: len(first.events) >= 2)
        first.close()
        second = Reader(proxy.site, ORDER_BOOK, {"Last-Event-ID": first.events[-1].id})
        wait_until(lambda: second.events)
        second.close()
        kind = second.events[0].kind if second.events else second.failure
        expect(kind == "patch", f"proxy: continued stream {attempt + 1} begins with {kind}")


def check_stream(proxy, expect, coding):
    """Events arrive as soon as from the instance itself, and one by one."""
    headers = {"Accept-Encoding": coding}
    started = time.monotonic()
    proxied = Reader(proxy.site, ORDER_BOOK, headers)
    wait_until(lambda: proxied.events)
    direct = [Reader(each, ORDER_BOOK, headers) for each in proxy.instances]
    wait_until(lambda: len(proxied.events) >= COMPARED_EVENTS + 20, 30)
    for each in [proxied, *direct]:
        each.close()
    expect(proxied.coding == coding, f"proxy: a stream is sent as {proxied.coding}, not {coding}")
    delay = proxied.events[0].at - started if proxied.events else float("inf")
    expect(delay < FIRST_EVENT_SECONDS_MAX, f"proxy: the first event takes {delay:.3f} s"
           f" ({coding}) {proxied.failure or ''}")
    arrivals = {event.id: event.at for reader in direct for event in reader.events}
    lags = [event.at - arrivals[event.id] for event in proxied.events if event.id in arrivals]
    lags = lags[1:COMPARED_EVENTS + 1]
    expect(len(lags) == COMPARED_EVENTS,
           f"proxy: {len(lags)} events could be compared ({coding}) {proxied.failure or ''}")
    worst = max(lags, default=float("inf"))
    expect(worst < LAG_SECONDS_MAX, f"proxy: an event is {worst:.3f} s late ({coding})")


def check_many_streams(proxy, expect, count):
    """So many streams of one client are open at once, and all go on."""
    readers = [Reader(proxy.site, ORDER_BOOK) for _ in range(count)]
    wait_until(lambda: all(each.failure or len(each.events) >= 2 for each in readers), 30)
    seen = [len(each.events) for each in readers]
    wait_until(lambda: all(each.failure or len(each.events) > before
                           for each, before in zip(readers, seen)), 10)
    going = sum(not each.failure and len(each.events) > before > 1
                for each, before in zip(readers, seen))
    failures = sorted({str(each.failure) for each in readers if each.failure})
    for each in readers:
        each.close()
    expect(going == count, f"proxy: {going} of {count} streams go on: {failures}")


def check_user(proxy, expect):
    """Changes pass with their token and their condition."""
    answer = proxy.change("GET", "/v1/me/favorites")
    expect(answer.status == 200, f"proxy: GET /v1/me/favorites gets {answer.status}")
    tag, path = answer.headers.get("ETag", ""), "/v1/me/favorites"
    before = [row["market"] for row in json.loads(answer.body)["state"]["rows"]]
    wanted = ["BTC_KRW"] if before != ["BTC_KRW"] else ["ETH_KRW"]
    changes = [({}, 428), ({"If-Match": tag}, 200), ({"If-Match": tag}, 412),
               ({"If-Match": "*"}, 200)]
    for condition, status in changes:
        answer = proxy.change("PUT", path, {"rows": wanted}, headers=condition)
        expect(answer.status == status,
               f"proxy: PUT {path} with {condition or 'no If-Match'} gets {answer.status},"
               f" not {status}")
    for method in ("PUT", "DELETE"):
        status = proxy.change(method, f"{path}/XRP_KRW").status
        expect(status == 204, f"proxy: {method} {path}/XRP_KRW gets {status}")
    proxy.change("PUT", path, {"rows": before}, headers={"If-Match": "*"})
    status = proxy.get("/v1/me").status
    expect(status == 401, f"proxy: /v1/me without a token gets {status}")


def check_body(proxy, expect):
    """The proxy takes the bodies that hoga takes, and refuses larger ones."""
    path, condition = "/v1/me/settings", {"If-Match": "*"}
    for count, status in ((BODY_BYTES_MAX, 200), (BODY_BYTES_MAX + 1, 413)):
        body = b"{" + b" " * (count - 2) + b"}"
        for form, sent in (("", body), (", in chunks", iter([body]))):
            answer = proxy.change("PATCH", path, body=sent, headers=condition)
            kind = answer.headers.get("Content-Type", "")
            expect(answer.status == status,
                   f"proxy: a body of {count} bytes{form} gets {answer.status}")
            expect(status == 200 or kind == "application/problem+json",
                   f"proxy: a body of {count} bytes{form} is refused with {kind}")


def check_client(proxy, expect, service_log, proxy_log):
    """Instances log the address that the proxy saw, whatever the client writes."""
    # Failed requests are logged by default.
    path = "/v1/markets/NONE_KRW"
    for forged in ({}, {"X-Forwarded-For": "203.0.113.9"},
                   {"X-Forwarded-For": "203.0.113.9, 203.0.113.10", "Forwarded": "for=203.0.113.9",
                    "X-Real-IP": "203.0.113.9"}):
        request_id = f"drill-{uuid.uuid4().hex[:12]}"
        status = proxy.get(path, **{"X-Request-Id": request_id}, **forged).status
        line = re.compile(rf"client=(\S+).* id={request_id}\b")
        wait_until(lambda: line.search(service_log()) and line.search(proxy_log()), 10)
        seen, own = (match and match[1] for match in
                     (line.search(service_log()), line.search(proxy_log())))
        expect(own is not None, f"proxy: its log has no line with id={request_id} ({status})")
        expect(seen is not None and seen == own,
               f"proxy: hoga logs client={seen}, not {own}, of a request with {forged}")


def check_admin(proxy, expect):
    """The admin listener cannot be reached."""
    for path in ("/metrics", "/readyz", "/healthz", "//metrics", "/v1/../metrics", "/m%65trics"):
        for fields in ({}, {"Host": "hoga-1:8081"}):
            answer = proxy.get(path, **fields)
            expect(answer.status in (400, 404) and b"hoga_" not in answer.body,
                   f"proxy: {path} gets {answer.status} {answer.body[:80]}")


def check_lost_instance(proxy, expect, stop, count=20):
    """Every request is answered while one instance is away. `stop()` stops one of the two."""
    stop()
    # Changes first: a failed GET would tell the proxy that the instance is away.
    for method, path in (("PUT", "/v1/me/favorites/XRP_KRW"), ("GET", "/v1/me/favorites"),
                         ("DELETE", "/v1/me/favorites/XRP_KRW"), ("GET", "/v1/about")):
        statuses = [proxy.change(method, path).status for _ in range(count)]
        expect(set(statuses) <= {200, 204}, f"proxy: {method} {path} without an instance gets"
               f" {statuses}")
