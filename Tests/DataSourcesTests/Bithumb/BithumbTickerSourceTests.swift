import DataSourceContracts
import DataSourcesBithumb
import Synchronization
import TestSupport
import Testing

@Suite(
    "A ticker source requests tickers and translates every failure",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct BithumbTickerSourceTests {
    private let clock = ManualClock()

    private func source(
        _ server: InMemoryHTTPServer,
        base: String = BithumbAddresses.rest,
        rateLimiter: RequestRateLimiter? = nil
    ) -> BithumbTickerSource {
        BithumbTickerSource(
            transport: server,
            baseURL: base,
            rateLimiter: rateLimiter ?? RequestRateLimiter(clock: clock),
            timeout: .seconds(3)
        )
    }

    private func failure(of source: BithumbTickerSource) async -> DataSourceError? {
        do {
            _ = try await source.tickers(quote: "KRW")
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "an address consists of base and quote",
        arguments: [
            ("https://api.bithumb.com", "KRW", "https://api.bithumb.com/public/ticker/ALL_KRW"),
            ("http://127.0.0.1:8090/", "BTC", "http://127.0.0.1:8090/public/ticker/ALL_BTC"),
        ]
    )
    func address(base: String, quote: String, url: String) async throws {
        let server = InMemoryHTTPServer(
            body: BithumbFixtures.answer([("XRP", BithumbFixtures.coin())], date: "5")
        )
        let answer = try await source(server, base: base).tickers(quote: quote)
        #expect(answer.tickers.map(\.symbol) == ["XRP"])
        #expect(answer.dateMilliseconds == 5)
        #expect(server.requests.map(\.url) == [url])
        #expect(server.requests.map(\.timeout) == [.seconds(3)])
    }

    @Test(
        "only labels of hoga servers are returned",
        arguments: [
            ("simulated", "simulated"), ("replay", "replay"), ("live", nil), ("", nil), (nil, nil),
        ] as [(String?, String?)]
    )
    func feedLabel(header: String?, label: String?) async throws {
        let headers = header.map { ["x-hoga-feed": $0] } ?? [:]
        let server = InMemoryHTTPServer(headers: headers, body: BithumbFixtures.answer([]))
        #expect(try await source(server).tickers(quote: "KRW").feedLabel == label)
    }

    @Test(
        "the date of a response is told, unless a cache has kept it",
        arguments: [
            (["date": "Sun, 06 Nov 1994 08:49:37 GMT"], 784_111_777),
            (["date": "Sun, 06 Nov 1994 08:49:37 GMT", "age": "3"], nil), (["date": "now"], nil),
            ([:], nil),
        ] as [([String: String], Int64?)]
    )
    func date(headers: [String: String], second: Int64?) async throws {
        let server = InMemoryHTTPServer(headers: headers, body: BithumbFixtures.answer([]))
        let dates = Mutex<[Int64]>([])
        let client = BithumbClient(
            transport: server,
            baseURL: "http://127.0.0.1:1",
            rateLimiter: RequestRateLimiter(clock: clock),
            onDate: { second, took in
                #expect(took >= .zero)
                dates.withLock { $0.append(second) }
            }
        )
        _ = try await BithumbTickerSource(client: client).tickers(quote: "KRW")
        #expect(dates.withLock(\.self) == [second].compactMap(\.self))
    }

    @Test("a refusal carries the feed label, too")
    func feedLabelOfRefusal() async throws {
        let server = InMemoryHTTPServer(
            headers: ["x-hoga-feed": "replay"],
            body: #"{"status":"5500","message":"not recorded"}"#
        )
        let error = await #expect(throws: DataSourceError.self) {
            _ = try await source(server).tickers(quote: "KRW")
        }
        #expect(error?.feedLabel == "replay")
    }

    @Test(
        "a failed response is translated",
        arguments: [
            (404, "{}", .httpStatus(404)),
            (503, #"{"status":"0000","data":{}}"#, .httpStatus(503)),
            (429, "", .httpStatus(429)),
            (200, "<html></html>", .malformed),
            (200, "", .malformed),
            (200, #"{"status":"0000","data":{"A":{}"#, .malformed),
            (
                200, #"{"status":"5500","message":"상장 코인 아님"}"#,
                .refused(status: "5500", message: "상장 코인 아님")
            ),
        ] as [(Int, String, DataSourceError.Code)]
    )
    func badAnswers(status: Int, body: String, code: DataSourceError.Code) async throws {
        let server = InMemoryHTTPServer(status: status, body: body)
        let error = try #require(await failure(of: source(server)))
        #expect(error.code == code)
        #expect(error.detail.hasPrefix("ticker/ALL_KRW: "))
    }

    @Test("a body over the limit is malformed")
    func largeBody() async {
        let server = InMemoryHTTPServer(body: String(repeating: " ", count: 8 << 20 + 1))
        #expect(await failure(of: source(server))?.code == .malformed)
    }

    @Test(
        "a rate refusal pauses this category alone",
        arguments: [
            (429, "", .httpStatus(429)),
            (
                200, #"{"status":"5600","message":"Please try again"}"#,
                .refused(status: "5600", message: "Please try again")
            ),
        ] as [(Int, String, DataSourceError.Code)]
    )
    func rest(status: Int, body: String, code: DataSourceError.Code) async throws {
        let server = InMemoryHTTPServer(status: status, body: body)
        let rateLimiter = RequestRateLimiter(clock: clock)
        let source = source(server, rateLimiter: rateLimiter)
        #expect(await failure(of: source)?.code == code)
        #expect(await failure(of: source)?.code == .rateLimited(retryAfter: .seconds(60)))
        clock.advance(by: .milliseconds(59_999))
        #expect(await failure(of: source)?.code == .rateLimited(retryAfter: .milliseconds(1)))
        #expect(server.requests.count == 1)
        try await rateLimiter.acquire(.candles)
        clock.advance(by: .milliseconds(1))
        #expect(await failure(of: source)?.code == code)
        #expect(server.requests.count == 2)
    }

    @Test("remaining requests of the exchange slow the next request")
    func rateHeaders() async throws {
        let server = InMemoryHTTPServer(
            headers: ["x-ratelimit-remaining": "0", "x-ratelimit-burst-capacity": "150"],
            body: BithumbFixtures.answer([])
        )
        let source = source(server)
        _ = try await source.tickers(quote: "KRW")
        async let second = source.tickers(quote: "BTC")
        await clock.untilSleeping()
        #expect(server.requests.count == 1)
        clock.advance(by: .milliseconds(10))
        _ = try await second
        #expect(server.requests.count == 2)
    }

    @Test("concurrent requests of two quotes do not mix")
    func concurrency() async throws {
        let server = InMemoryHTTPServer { request in
            let symbol = request.url.hasSuffix("KRW") ? "WON" : "COIN"
            let body = BithumbFixtures.answer([(symbol, BithumbFixtures.coin())])
            return HTTPResponse(status: 200, headers: [:], body: Array(body.utf8))
        }
        let source = source(server)
        try await withThrowingTaskGroup { group in
            for index in 0..<50 {
                group.addTask {
                    let quote = index.isMultiple(of: 2) ? "KRW" : "BTC"
                    let answer = try await source.tickers(quote: quote)
                    let symbol = quote == "KRW" ? "WON" : "COIN"
                    #expect(answer.tickers.map(\.symbol) == [symbol])
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("cancellation ends a request at once")
    func cancellation() async {
        let server = InMemoryHTTPServer { _ in nil }
        let source = source(server)
        let caller = Task { await failure(of: source)?.code }
        while server.requests.isEmpty { await Task.yield() }
        caller.cancel()
        #expect(await caller.value == .cancelled)
    }
}
