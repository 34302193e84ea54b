import DataSourceContracts
import DataSourcesBithumb
import Synchronization
import TestSupport
import Testing

@Suite("Candles of API 2.x are read page by page", .tags(.threads))
struct CandlePagingTests {
    /// 12:18 UTC on 2026-09-23.
    private static let noon: Int64 = 1_790_165_880

    private static func second(_ minute: Int) -> Int64 { noon - Int64(minute) * 60 }

    /// A minute of 2026-09-23, as a number of minutes before 12:18.
    private static func time(_ minute: Int, hoursAhead: Int = 0) -> String {
        let ofDay = 12 * 60 + 18 - minute + hoursAhead * 60
        let digits = [ofDay / 60, ofDay % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "2026-09-23T\(digits.joined(separator: ":")):00"
    }

    /// The minutes that a page has; nil for an HTTP error.
    private typealias Page = @Sendable (_ first: Int, _ number: Int) -> Range<Int>?

    /// An exchange whose pages begin with the minute before their `to`.
    private static func exchange(
        _ page: @escaping Page
    ) -> (server: InMemoryHTTPServer, source: BithumbMarketDataSource) {
        let number = Mutex(0)
        let server = InMemoryHTTPServer { request in
            let to = request.url.split(separator: "to=").last.map(String.init) ?? ""
            let first = (0...700).first { to.hasPrefix(Self.time($0 - 1, hoursAhead: 9)) } ?? 0
            let minutes = page(
                first,
                number.withLock { number in
                    defer { number += 1 }
                    return number
                }
            )
            guard let minutes else { return HTTPResponse(status: 503, headers: [:], body: []) }
            let rows = minutes.map { minute in
                MarketMessage.candleRow.json(["candle_date_time_utc": "\"\(Self.time(minute))\""])
            }
            let body = Array("[\(rows.joined(separator: ","))]".utf8)
            return HTTPResponse(status: 200, headers: [:], body: body)
        }
        let source = BithumbMarketDataSource(
            client: BithumbClient(
                transport: server,
                baseURL: "http://127.0.0.1:8090",
                rateLimiter: RequestRateLimiter(clock: ManualClock())
            )
        )
        return (server, source)
    }

    /// The page of a market with so many minutes.
    private static func minutes(_ first: Int, of count: Int) -> Range<Int> {
        first..<max(first, min(count, first + 200))
    }

    private static func ends(_ server: InMemoryHTTPServer) -> [String] {
        server.requests.map { request in
            request.url.split(separator: "to=").dropFirst().first.map(String.init) ?? ""
        }
    }

    @Test(
        "all pages are read until one behind a page that is not full is empty",
        arguments: [0, 7, 199, 200, 457]
    )
    func whole(count: Int) async throws {
        let (server, source) = Self.exchange { first, _ in Self.minutes(first, of: count) }
        let answer = try await source.candles(symbol: "XRP_KRW", interval: "1m")
        #expect(answer.rows.count == count)
        #expect(Set(answer.rows.map(\.atMilliseconds)).count == count)
        #expect(answer.interval == nil && answer.isTruncated == false)
        // Each page ends where the one before begins, in KST.
        let full = (0..<count / 200).map { $0 * 200 + 200 }
        var starts = [0] + full
        starts += [count % 200 == 0 ? count : starts[starts.count - 1] + count % 200]
        #expect(
            Self.ends(server) == starts.map { $0 == 0 ? "" : Self.time($0 - 1, hoursAhead: 9) }
        )
    }

    @Test("the newest candles are one page, and a second one where the market may begin")
    func newest() async throws {
        for (count, calls) in [(457, 1), (200, 1), (199, 2)] {
            let (server, source) = Self.exchange { first, _ in Self.minutes(first, of: count) }
            let answer = try await source.candles(
                symbol: "XRP_KRW",
                interval: "1m",
                reach: .newest
            )
            #expect(answer.rows.count == min(count, 200))
            #expect(answer.isTruncated == (count >= 200))
            #expect(server.requests.count == calls)
        }
    }

    @Test(
        "a span is read back to its beginning, or to the market's",
        arguments: [
            (100, 150, 1, 2_000), (100, 700, 3, 2_000), (399, 458, 2, 457), (500, 600, 2, 457),
        ]
    )
    func span(newest: Int, oldest: Int, calls: Int, count: Int) async throws {
        let (server, source) = Self.exchange { first, _ in Self.minutes(first, of: count) }
        let answer = try await source.candles(
            symbol: "XRP_KRW",
            interval: "1m",
            reach: .span(Self.second(oldest - 1)..<Self.second(newest - 1))
        )
        #expect(server.requests.count == calls)
        #expect(answer.isTruncated == (count > 700))
        let held = Set(answer.rows.map { $0.atMilliseconds / 1_000 })
        #expect(held.isSuperset(of: (newest..<oldest).filter { $0 < count }.map(Self.second)))
    }

    @Test("one short or empty page is no beginning", arguments: [0, 30])
    func shortPage(length: Int) async throws {
        let (_, source) = Self.exchange { first, number in
            number == 0 ? first..<first + length : Self.minutes(first, of: 2_000)
        }
        let answer = try await source.candles(
            symbol: "XRP_KRW",
            interval: "1m",
            reach: .span(Self.second(299)..<Self.second(99))
        )
        #expect(answer.isTruncated == true)
        let held = Set(answer.rows.map { $0.atMilliseconds / 1_000 })
        #expect(held.isSuperset(of: (100..<300).map(Self.second)))
    }

    @Test("pages that ignore their end are an error of a span, and no beginning of a series")
    func ignoredEnd() async throws {
        let (_, source) = Self.exchange { _, _ in 0..<30 }
        await #expect(throws: DataSourceError.self) {
            try await source.candles(
                symbol: "XRP_KRW",
                interval: "1m",
                reach: .span(Self.second(299)..<Self.second(99))
            )
        }
        let answer = try await source.candles(symbol: "XRP_KRW", interval: "1m")
        #expect(answer.rows.count == 30 && answer.isTruncated == true)
    }

    @Test("a span whose later page fails is truncated; without any row the failure is thrown")
    func failedPage() async throws {
        for failing in 0...1 {
            let (_, source) = Self.exchange { first, number in
                number == failing ? nil : Self.minutes(first, of: 2_000)
            }
            let span = CandleReach.span(Self.second(599)..<Self.second(99))
            guard failing > 0 else {
                await #expect(throws: DataSourceError.self) {
                    try await source.candles(symbol: "XRP_KRW", interval: "1m", reach: span)
                }
                continue
            }
            let answer = try await source.candles(symbol: "XRP_KRW", interval: "1m", reach: span)
            #expect(answer.rows.count == 200 && answer.isTruncated == true)
            #expect(answer.rows.last?.atMilliseconds == Self.second(299) * 1_000)
        }
    }
}
