import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

/// A call of one of the sources of a market's detail, and what hangs on it.
enum DetailCall: CaseIterable, Sendable, CustomTestStringConvertible {
    case book, trades, candles

    var testDescription: String { path }

    var path: String {
        switch self {
        case .book: "orderbook/XRP_KRW?count=30"
        case .trades: "transaction_history/XRP_KRW?count=7"
        case .candles: "candlestick/XRP_KRW/1h"
        }
    }

    var category: RequestCategory {
        switch self {
        case .book: .orderbook
        case .trades: .trades
        case .candles: .candles
        }
    }

    var body: String {
        switch self {
        case .book: BithumbFixtures.book()
        case .trades: BithumbFixtures.history([BithumbFixtures.historic()])
        case .candles: BithumbFixtures.candles([#"[1,"1","2","3","4","5"]"#])
        }
    }

    /// Makes the call.
    ///
    /// - Returns: how many levels, trades or rows came.
    func make(_ client: BithumbClient) async throws(DataSourceError) -> Int {
        switch self {
        case .book:
            let book = try await BithumbOrderBookSource(client: client)
                .orderBook(symbol: "XRP_KRW")
            return book.asks.count + book.bids.count
        case .trades:
            let history = try await BithumbTradeHistorySource(client: client)
                .trades(symbol: "XRP_KRW", page: .newest, count: 7)
            return history.trades.count
        case .candles:
            let candles = try await BithumbCandleSource(client: client)
                .candles(symbol: "XRP_KRW", interval: "1h")
            return candles.rows.count
        }
    }
}

@Suite(
    "Detail sources send requests, each in its own category",
    .tags(.threads)
)
struct BithumbDetailSourceTests {
    private let clock = ManualClock()

    private func client(
        _ server: InMemoryHTTPServer,
        base: String = BithumbAddresses.rest,
        rateLimiter: RequestRateLimiter? = nil
    ) -> BithumbClient {
        BithumbClient(
            transport: server,
            baseURL: base,
            rateLimiter: rateLimiter ?? RequestRateLimiter(clock: clock),
            timeout: .seconds(3)
        )
    }

    private func failure(
        of call: DetailCall,
        _ client: BithumbClient
    ) async -> DataSourceError? {
        do {
            _ = try await call.make(client)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "an address consists of base, market and query",
        arguments: DetailCall.allCases,
        ["http://127.0.0.1:8090", "http://127.0.0.1:8090/"]
    )
    func addresses(call: DetailCall, base: String) async throws {
        let server = InMemoryHTTPServer(body: call.body)
        let count = try await call.make(client(server, base: base))
        #expect(count == (call == .book ? 3 : 1))
        #expect(server.requests.map(\.url) == ["http://127.0.0.1:8090/public/\(call.path)"])
        #expect(server.requests.map(\.timeout) == [.seconds(3)])
    }

    @Test(
        "a rate refusal pauses this category alone",
        arguments: DetailCall.allCases
    )
    func rest(call: DetailCall) async throws {
        let refusal = #"{"status":"5600","message":"Please try again"}"#
        for (status, body) in [(429, ""), (200, refusal)] {
            let server = InMemoryHTTPServer(status: status, body: body)
            let rateLimiter = RequestRateLimiter(clock: clock)
            let client = client(server, rateLimiter: rateLimiter)
            #expect(await failure(of: call, client)?.code != nil)
            #expect(
                await failure(of: call, client)?.code == .rateLimited(retryAfter: .seconds(60))
            )
            #expect(server.requests.count == 1)
            for other in RequestCategory.allCases where other != call.category {
                try await rateLimiter.acquire(other)
            }
        }
    }

    @Test(
        "remaining requests of the exchange slow the next request",
        arguments: DetailCall.allCases
    )
    func rateHeaders(call: DetailCall) async throws {
        let server = InMemoryHTTPServer(headers: ["x-ratelimit-remaining": "0"], body: call.body)
        let client = client(server)
        _ = try await call.make(client)
        async let second = call.make(client)
        await clock.untilSleeping()
        #expect(server.requests.count == 1)
        clock.advance(by: .milliseconds(10))
        _ = try await second
        #expect(server.requests.count == 2)
    }

    @Test("a failed response is translated, with its request", arguments: DetailCall.allCases)
    func badAnswers(call: DetailCall) async throws {
        let answers: [(Int, String, DataSourceError.Code)] = [
            (404, "{}", .httpStatus(404)), (200, "<html></html>", .malformed),
            (200, BithumbFixtures.answer(data: "7"), .malformed),
            (
                200, #"{"status":"5500","message":"상장 코인 아님"}"#,
                .refused(status: "5500", message: "상장 코인 아님")
            ),
        ]
        let place = call.path.prefix { $0 != "?" }
        for (status, body, code) in answers {
            let server = InMemoryHTTPServer(
                status: status,
                headers: ["x-hoga-feed": "simulated"],
                body: body
            )
            let error = try #require(await failure(of: call, client(server)))
            #expect(error.code == code)
            #expect(error.detail.hasPrefix("\(place): "))
            #expect(error.feedLabel == (status == 200 ? "simulated" : nil))
        }
    }

    @Test("a body over the limit is malformed", arguments: DetailCall.allCases)
    func largeBody(call: DetailCall) async {
        let server = InMemoryHTTPServer(body: String(repeating: " ", count: 8 << 20 + 1))
        #expect(await failure(of: call, client(server))?.code == .malformed)
    }

    @Test("cancellation ends a request at once", arguments: DetailCall.allCases)
    func cancellation(call: DetailCall) async {
        let server = InMemoryHTTPServer { _ in nil }
        let client = client(server)
        let caller = Task { await failure(of: call, client)?.code }
        while server.requests.isEmpty { await Task.yield() }
        caller.cancel()
        #expect(await caller.value == .cancelled)
    }

    @Test("a market name that is unsafe in a path stops the program")
    func symbols() async {
        await #expect(processExitsWith: .failure) {
            let server = InMemoryHTTPServer(body: "")
            let client = BithumbClient(
                transport: server,
                baseURL: BithumbAddresses.rest,
                rateLimiter: RequestRateLimiter(clock: ManualClock())
            )
            _ = try await BithumbOrderBookSource(client: client)
                .orderBook(symbol: "../v1/XRP_KRW?count=1")
        }
    }
}
