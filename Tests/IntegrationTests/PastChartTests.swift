import Domain
import ExchangeSimulator
import Foundation
import Testing
import UseCases
import ViewStates

@testable import App

@Suite("Charts of the past", .timeLimit(.minutes(2)))
struct PastChartTests {
    private static let feed = ExchangeSimulator.Feed.markets(won: 3, bitcoin: 1, rate: 50)

    /// The query of 300 candles that end some days ago.
    private static func query(
        _ interval: CandleInterval,
        daysAgo: Int,
        now: Timestamp
    ) throws -> MarketDetailQuery {
        var query = MarketDetailQuery(market: try #require(MarketID(symbol: "BTC", quote: .krw)))
        query.interval = interval
        let end = interval.bucketStart(of: now.advanced(by: .seconds(-daysAgo * 86_400)))
        query.candles = .span(interval.advanced(end, by: -300)..<end, isNewest: false)
        return query
    }

    private static func chart(
        _ exchange: ConnectedExchange,
        _ query: MarketDetailQuery,
        where isMet: @escaping @Sendable (ChartViewState) -> Bool
    ) async throws -> ChartViewState {
        try await eventually {
            let presenter = MarketDetailPresenter(names: exchange.markets.presenter.names)
            let chart = presenter.chart(exchange.markets.latest.value, query)
            return isMet(chart) ? chart : nil
        }
    }

    /// The close and the volume of each row of the exchange before a moment, by its open time.
    private static func rows(
        _ path: String,
        before end: Timestamp,
        _ simulator: ExchangeSimulator
    ) throws -> [Timestamp: [FixedDecimal]] {
        var rows: [Timestamp: [FixedDecimal]] = [:]
        var end = end
        for _ in 0..<2 {
            let to = String(TimeText.iso(end).prefix(19))
            let url =
                "\(simulator.restURL)/v1/candles/\(path)?market=KRW-BTC&count=200&to=\(to)"
            let program = try RunningProgram(
                ["curl", "--silent", "--fail", "--retry", "60", "--retry-delay", "1", url],
                reading: .output
            )
            let body = try JSONSerialization.jsonObject(with: Data(program.wholeText().utf8))
            for row in try #require(body as? [[String: Any]]) {
                let text = try #require(row["candle_date_time_kst"] as? String)
                let time = try #require(TimeText.timestamp(iso8601: text + "+09:00"))
                let figures = ["trade_price", "candle_acc_trade_volume"].map { "\(row[$0] ?? "")" }
                rows[time] = try figures.map { try FixedDecimal(parsing: $0) }
                end = min(end, time)
            }
        }
        return rows
    }

    @Test(
        "candles of years ago equal the exchange's own",
        arguments: [
            (.minute1, 40, "minutes/1"), (.minutes10, 50, "minutes/10"),
            (.hour1, 150, "minutes/60"),
            (.day1, 1_500, "days"),
        ] as [(CandleInterval, Int, String)]
    )
    func equal(interval: CandleInterval, daysAgo: Int, path: String) async throws {
        try await ConnectedExchange.run(Self.feed, api: "auto") { exchange in
            let now = try await exchange.live().capturedAt
            let query = try Self.query(interval, daysAgo: daysAgo, now: now)
            let lease = try #require(exchange.markets.interests.enter(query.candleInterests))
            defer { lease.release() }
            let chart = try await Self.chart(exchange, query) { $0.health.complete }
            #expect(chart.health.known == chart.health.of && (chart.health.of ?? 0) >= 300)
            guard case .span(let span, _) = query.candles else { return }
            let rows = try Self.rows(path, before: span.upperBound, exchange.simulator)
            let ours = Dictionary(
                uniqueKeysWithValues: chart.candles.map { ($0.openTime, [$0.close, $0.volume]) }
            )
            #expect(!ours.isEmpty && ours == rows.filter { span.contains($0.key) })
        }
    }

    @Test("API 1.x alone has no candles of years ago, and the chart says so")
    func unserved() async throws {
        try await ConnectedExchange.run(Self.feed, api: "1") { exchange in
            let now = try await exchange.live().capturedAt
            let query = try Self.query(.minute1, daysAgo: 40, now: now)
            let lease = try #require(exchange.markets.interests.enter(query.candleInterests))
            defer { lease.release() }
            let chart = try await Self.chart(exchange, query) { $0.health.error != nil }
            #expect(chart.health.error?.code == "unserved" && !chart.health.complete)
            #expect(chart.candles.isEmpty && chart.health.known == 0)
        }
    }
}
