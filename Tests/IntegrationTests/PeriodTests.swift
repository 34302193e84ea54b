import Domain
import ExchangeSimulator
import Foundation
import Testing
import UseCases
import ViewStates

@testable import App

@Suite("Changes of all markets over every period", .timeLimit(.minutes(4)))
struct PeriodTests {
    private static let periods = ChangePeriod.allCases.filter { $0.window != nil }

    @Test(
        "a ranking by any period covers all markets soon after the start",
        arguments: ["1", "2", "auto"]
    )
    func coverage(api: String) async throws {
        // So few trades that the frames of most markets do not tell a base.
        let feed = ExchangeSimulator.Feed.markets(won: 40, bitcoin: 5, rate: 20)
        try await ConnectedExchange.run(feed, api: api) { followed in
            _ = try await followed.live()
            let first = followed.markets.lists.document(Self.query(.minutes30)).state
            #expect(!first.health.complete && (first.health.known ?? 0) < 45)
            for period in Self.periods {
                let document = try await Self.complete(Self.query(period), followed)
                #expect(document.state.rows.count == 45)
                #expect(document.state.health.known == 45 && document.state.health.of == 45)
                #expect(document.state.rows.allSatisfy { $0.changeRatePercent != nil })
            }
        }
    }

    @Test(
        "every rate equals a naive computation from the exchange's own candles",
        arguments: ["1", "2", "auto"]
    )
    func history(api: String) async throws {
        let feed = ExchangeSimulator.Feed.markets(won: 36, bitcoin: 4, rate: 5)
        try await ConnectedExchange.run(feed, api: api) { followed in
            _ = try await followed.live()
            // In API 1.x listings tell the change over 24 hours.
            let periods = Self.periods.filter { api != "1" || $0 != .hours24 }
            for period in periods { _ = try await Self.complete(Self.query(period), followed) }
            let (snapshot, report) = try await followed.settled()
            let ids = try report.markets.map { try #require(MarketID(name: $0.market)) }
            #expect(ids.count == 40)
            let histories = try Self.closes(of: ids, followed.simulator)
            for (id, expected) in zip(ids, report.markets) {
                let closes = try #require(histories[id])
                for period in periods {
                    // The base of a frame of API 1.x wins; its window moves in steps of its own.
                    let hasFrames = api != "2" && expected.lastTradeAt != nil
                    let told = hasFrames ? expected.openPrices[period.rawValue] : nil
                    try Self.check(id, period, snapshot, closes, told: told)
                }
            }
        }
    }

    /// Compares the change of a market with the one that its history gives.
    ///
    /// - Parameters:
    ///   - id: the market.
    ///   - period: the period.
    ///   - snapshot: the board.
    ///   - closes: the minutes of the exchange.
    ///   - told: the base that a frame told; nil without one.
    /// - Throws: if the market is not on the board, or has no price.
    private static func check(
        _ id: MarketID,
        _ period: ChangePeriod,
        _ snapshot: BoardSnapshot,
        _ closes: [Close],
        told: String?
    ) throws {
        let (board, now) = (snapshot.board, snapshot.capturedAt)
        let market = try #require(board.market(id))
        let price = try #require(market.price)
        let states = board.changeStates(over: period, now: now)
        // Where minutes are not known yet the base of a long window may be up to ten minutes old.
        let isCoarse = board.coverage(of: [id], by: states).resolution != nil
        #expect(!isCoarse || !period.isReadToTheMinute, "\(id.name) \(period.rawValue)")
        var bases = try (0..<(isCoarse ? 10 : 1)).map { minutes in
            try base(of: closes, period, at: now.advanced(by: .seconds(-60 * minutes)))
        }
        try bases.append(told.map { try FixedDecimal(parsing: $0) })
        let rates = try bases.compactMap(\.self).map { base in
            try (price - base).multiplied(by: FixedDecimal(100), rounding: .halfEven)
                .divided(by: base, rounding: .truncate)
                .rounded(toFractionDigits: 2, .halfAwayFromZero)
        }
        let rate = board.change(of: market, over: period, now: now).ratePercent
        // Without a trade in all the history the change is zero.
        let isExpected = rates.isEmpty ? rate == .zero : rates.contains { $0 == rate }
        #expect(isExpected, "\(id.name) \(period.rawValue): \(String(describing: rate)) \(rates)")
    }

    /// A close of the exchange: when its minute opened, and the price.
    private typealias Close = (openSecond: Int64, price: FixedDecimal)

    /// The price of the last minute that ended at or before the beginning of a period.
    private static func base(
        of closes: [Close],
        _ period: ChangePeriod,
        at now: Timestamp
    ) throws -> FixedDecimal? {
        let seconds = try #require(period.window).components.seconds
        return closes.last { $0.openSecond + 60 <= now.second - seconds }?.price
    }

    /// All minutes of markets.
    private static func closes(
        of markets: [MarketID],
        _ simulator: ExchangeSimulator
    ) throws -> [MarketID: [Close]] {
        var found: [MarketID: [Close]] = [:]
        // The exchange limits the rate of all its clients together: what it refuses is read again.
        while found.count < markets.count {
            let missing = markets.filter { found[$0] == nil }
            let urls = missing.map { "\(simulator.restURL)/public/candlestick/\($0.name)/1m" }
            let arguments = ["curl", "--silent", "--fail", "--write-out", "\t%{url}\\n"] + urls
            let lines = try RunningProgram(arguments, reading: .output).wholeText()
                .split(separator: "\n")
            for line in lines where !line.hasPrefix("\t") {
                let parts = line.split(separator: "\t")
                let market = zip(missing, urls).first { $0.1 == parts.last.map(String.init) }?.0
                found[try #require(market)] = try closes(in: parts[0])
            }
            try #require(!Task.isCancelled)
        }
        return found
    }

    private static func closes(in text: Substring) throws -> [Close] {
        let body = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let rows = try #require(body?["data"] as? [[Any]])
        // A row is time, open, close, high, low and volume.
        return try rows.map { row in
            let milliseconds = try #require(row[0] as? NSNumber).int64Value
            let price = try FixedDecimal(parsing: "\(row[2])")
            return (milliseconds / 1_000, price)
        }
    }

    /// Waits until all changes are known, over a short period to the minute.
    private static func complete(
        _ query: MarketListQuery,
        _ followed: ConnectedExchange
    ) async throws -> MarketListDocument {
        try await eventually {
            let document = followed.markets.lists.document(query)
            let health = document.state.health
            let isExact = health.baseResolution == nil || !query.period.isReadToTheMinute
            guard health.complete, isExact else { return nil }
            #expect(document.state.rows.allSatisfy { $0.changeRatePercent != nil })
            return document
        }
    }

    private static func query(_ period: ChangePeriod) -> MarketListQuery {
        var query = MarketListQuery()
        query.quote = nil
        query.period = period
        query.sort = .changeRate
        return query
    }
}
