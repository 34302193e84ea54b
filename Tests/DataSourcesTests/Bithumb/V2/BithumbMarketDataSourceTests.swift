import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("API 2.x sources send requests for tickers, books, trades and candles")
struct BithumbMarketDataSourceTests {
    private let clock = ManualClock()

    private func source(_ server: InMemoryHTTPServer) -> BithumbMarketDataSource {
        BithumbMarketDataSource(
            client: BithumbClient(
                transport: server,
                baseURL: "http://127.0.0.1:8090",
                rateLimiter: RequestRateLimiter(clock: clock)
            )
        )
    }

    private func paths(_ server: InMemoryHTTPServer) -> [String] {
        server.requests.map { String($0.url.dropFirst("http://127.0.0.1:8090".count)) }
    }

    @Test("tickers are asked for in calls of at most 200 markets")
    func tickers() async throws {
        let server = InMemoryHTTPServer(body: "[\(MarketMessage.tickerRow.json()),7]")
        let markets = (0..<493).map { "KRW-COIN\($0)" }
        let answer = try await source(server).tickers(markets: markets)
        #expect(answer.tickers.count == 3 && answer.skippedCount == 3)
        let lists = paths(server).map { $0.dropFirst("/v1/ticker?markets=".count) }
        #expect(lists.map { $0.split(separator: ",").count } == [200, 200, 93])
        #expect(lists.joined(separator: ",") == markets.joined(separator: ","))
        #expect(try await source(server).tickers(markets: []).tickers.isEmpty)
    }

    @Test("order books of up to 200 markets are one call")
    func orderBooks() async throws {
        let server = InMemoryHTTPServer(body: "[\(MarketMessage.bookRow.json())]")
        let answer = try await source(server).orderBooks(markets: ["KRW-XRP", "BTC-SUN_OLD"])
        #expect(answer.books.map(\.symbol) == ["KRW-XRP"])
        #expect(paths(server) == ["/v1/orderbook?markets=KRW-XRP,BTC-SUN_OLD"])
    }

    @Test("a page of trades begins at the newest, at a cursor, or on an earlier day")
    func trades() async throws {
        let server = InMemoryHTTPServer(body: "[\(MarketMessage.tradeRow.json())]")
        let source = source(server)
        for page in [
            .newest, .cursor(17_901_659_132_400_000), .day(daysAgo: 7, before: "235959"),
            .day(daysAgo: 0, before: "000000"),
        ] as [TradePage] {
            let answer = try await source.trades(market: "KRW-XRP", page: page, count: 500)
            #expect(answer.trades.count == 1)
        }
        let start = "/v1/trades/ticks?market=KRW-XRP&count=500"
        #expect(
            paths(server) == [
                start, start + "&cursor=17901659132400000", start + "&daysAgo=7&to=235959",
                start + "&to=000000",
            ]
        )
    }

    @Test("a page of candles ends before a time, which is written in KST")
    func candles() async throws {
        let server = InMemoryHTTPServer(body: "[\(MarketMessage.candleRow.json())]")
        let source = source(server)
        _ = try await source.candles(market: "KRW-XRP", unit: .minutes(240), count: 200)
        for unit in [.minutes(1), .days, .weeks, .months] as [BithumbMarketDataSource.CandleUnit] {
            // 2026-09-23T15:00:00Z is midnight in Seoul.
            let answer = try await source.candles(
                market: "KRW-XRP",
                unit: unit,
                before: 1_790_175_600,
                count: 1
            )
            #expect(answer.rows.count == 1)
        }
        let end = "?market=KRW-XRP&count=1&to=2026-09-24T00:00:00"
        #expect(
            paths(server) == [
                "/v1/candles/minutes/240?market=KRW-XRP&count=200", "/v1/candles/minutes/1" + end,
                "/v1/candles/days" + end, "/v1/candles/weeks" + end, "/v1/candles/months" + end,
            ]
        )
    }

    @Test("the time of a page is the wall clock of Seoul")
    func koreanTimes() async throws {
        var random = SeededGenerator(seed: 5)
        let candle = MarketMessage.candleRow
        var ends = (0..<300).map { _ in Int64.random(in: 0...7_258_118_400, using: &random) }
        // Leap days and ends of years in Seoul, and the first second.
        ends += [951_836_399, 951_836_400, 1_709_218_799, 1_735_657_199, 4_107_510_000, 0]
        for end in ends {
            let server = InMemoryHTTPServer(body: "[]")
            _ = try await source(server).candles(
                market: "KRW-XRP",
                unit: .days,
                before: end,
                count: 1
            )
            let text = paths(server)[0].split(separator: "to=")[1]
            // Read as UTC it is nine hours ahead.
            let row = candle.json(["candle_date_time_utc": "\"\(text)\""])
            guard case .candle(let read) = try candle.decode([row]).first else {
                Issue.record("\(end): \(text)")
                continue
            }
            #expect(read.atMilliseconds == (end + 32_400) * 1_000, "\(text)")
        }
    }

    @Test("an error body is a refusal, with status 200 or 4xx; 414 without a body is its status")
    func errors() async {
        let words = #"{"error":{"name":404,"message":"Code not found"}}"#
        for (status, body, code) in [
            (200, words, .refused(status: "404", message: "Code not found")),
            (400, words, .refused(status: "404", message: "Code not found")),
            (414, "", .httpStatus(414)), (500, words, .httpStatus(500)),
        ] as [(Int, String, DataSourceError.Code)] {
            let server = InMemoryHTTPServer(status: status, body: body)
            do throws(DataSourceError) {
                _ = try await source(server).orderBooks(markets: ["KRW-XRP"])
                Issue.record("\(status)")
            } catch {
                #expect(error.code == code, "\(status)")
            }
        }
    }

    @Test("a single book, trades and candles are asked for in the words of API 1.x")
    func details() async throws {
        let book = InMemoryHTTPServer(body: "[\(MarketMessage.bookRow.json())]")
        #expect(try await source(book).orderBook(symbol: "XRP_KRW").symbol == "KRW-XRP")
        await #expect(throws: DataSourceError.self) {
            try await source(book).orderBook(symbol: "BTC_KRW")
        }
        #expect(paths(book).first == "/v1/orderbook?markets=KRW-XRP")

        let rows = [1_790_165_913_240, 1_790_165_912_999].map { time in
            MarketMessage.tradeRow.json(["timestamp": "\(time)"])
        }
        let trades = InMemoryHTTPServer(body: "[\(rows.joined(separator: ","))]")
        for page in [.newest, .cursor(17_901_659_132_400_000)] as [TradePage] {
            let history = try await source(trades)
                .trades(symbol: "SUN_OLD_KRW", page: page, count: 500)
            #expect(history.isPaged)
            let times = history.trades.map(\.atMilliseconds)
            #expect(times == [1_790_165_913_240, 1_790_165_912_999])
        }
        let path = "/v1/trades/ticks?market=KRW-SUN_OLD&count=500"
        #expect(paths(trades) == [path, path + "&cursor=17901659132400000"])
    }

    @Test("candles of 6 and 12 hours are read as hours, and others by their own unit")
    func units() async throws {
        for (interval, path, rows) in [
            ("6h", "minutes/60", "1h"), ("12h", "minutes/60", "1h"), ("1h", "minutes/60", nil),
            ("10m", "minutes/10", nil), ("24h", "days", nil),
        ] {
            let server = InMemoryHTTPServer(body: "[\(MarketMessage.candleRow.json())]")
            let answer = try await source(server).candles(symbol: "XRP_KRW", interval: interval)
            #expect(answer.interval == rows, "\(interval)")
            #expect(paths(server).first == "/v1/candles/\(path)?market=KRW-XRP&count=200")
        }
    }
}
