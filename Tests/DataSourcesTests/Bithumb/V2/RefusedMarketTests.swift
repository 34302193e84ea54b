import DataSourceContracts
import DataSourcesBithumb
import Synchronization
import TestSupport
import Testing

@Suite("Markets that API 2.x lists and refuses do not fail the listing", .tags(.threads))
struct RefusedMarketTests {
    /// An exchange that refuses some markets.
    private struct Exchange {
        let clock = ManualClock()
        let server: InMemoryHTTPServer
        let source: BithumbMarketDataSource

        init(refusing isBad: @escaping @Sendable (String) -> Bool) {
            server = InMemoryHTTPServer { request in
                let asked = request.url.split(separator: "=").last?.split(separator: ",") ?? []
                let rows = asked.map { MarketMessage.tickerRow.json(["market": "\"\($0)\""]) }
                let body =
                    asked.contains { isBad(String($0)) }
                    ? #"{"error":{"name":404,"message":"Code not found"}}"#
                    : "[\(rows.joined(separator: ","))]"
                return HTTPResponse(status: 200, headers: [:], body: Array(body.utf8))
            }
            source = BithumbMarketDataSource(
                client: BithumbClient(
                    transport: server,
                    baseURL: "http://127.0.0.1:8090",
                    rateLimiter: RequestRateLimiter(clock: clock)
                )
            )
        }
    }

    private static func markets(_ count: Int) -> [String] { (0..<count).map { "KRW-COIN\($0)" } }

    @Test("refused markets are counted and the others are read", arguments: 1...5)
    func refused(count: Int) async throws {
        let bad = Set([7, 60, 111, 150, 240].prefix(count).map { "KRW-COIN\($0)" })
        let exchange = Exchange { bad.contains($0) }
        let markets = Self.markets(250)
        let answer = try await exchange.source.tickers(markets: markets)
        let read = answer.tickers.map(\.market)
        #expect(read == markets.filter { !bad.contains($0) })
        #expect(answer.skippedCount == count)
    }

    @Test("what was found is left out for ten minutes, so that each round finds more")
    func memory() async throws {
        let bad = Set(stride(from: 3, to: 200, by: 20).map { "KRW-COIN\($0)" })
        let exchange = Exchange { bad.contains($0) }
        let markets = Self.markets(200)
        var skipped = 0
        for round in 0..<4 {
            skipped = try await exchange.source.tickers(markets: markets).skippedCount
            // The search of the first round ends before all are found.
            #expect(round > 0 || skipped > bad.count && skipped < 150)
            // The rate of requests recovers.
            exchange.clock.advance(by: .seconds(5))
        }
        #expect(skipped == bad.count)
        let calls = exchange.server.requests.count
        #expect(try await exchange.source.tickers(markets: markets).tickers.count == 190)
        #expect(exchange.server.requests.count == calls + 1)
        exchange.clock.advance(by: .seconds(601))
        _ = try await exchange.source.tickers(markets: markets)
        #expect(exchange.server.requests.count > calls + 2)
    }

    @Test("if all are refused the refusal is thrown, and nothing is remembered")
    func all() async throws {
        let isClosed = Mutex(true)
        let exchange = Exchange { _ in isClosed.withLock { $0 } }
        for count in [1, 2, 13, 250] {
            let error = await #expect(throws: DataSourceError.self) {
                try await exchange.source.tickers(markets: Self.markets(count))
            }
            #expect(error?.code == .refused(status: "404", message: "Code not found"))
        }
        isClosed.withLock { $0 = false }
        let answer = try await exchange.source.tickers(markets: Self.markets(250))
        #expect(answer.tickers.count == 250 && answer.skippedCount == 0)
    }

    @Test("markets that are all remembered are asked for again")
    func onlyRemembered() async throws {
        let exchange = Exchange { $0 == "KRW-COIN1" }
        #expect(try await exchange.source.tickers(markets: Self.markets(2)).tickers.count == 1)
        await #expect(throws: DataSourceError.self) {
            try await exchange.source.tickers(markets: ["KRW-COIN1"])
        }
    }
}
