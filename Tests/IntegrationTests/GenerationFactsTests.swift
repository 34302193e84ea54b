import Domain
import ExchangeSimulator
import Testing
import UseCases

@testable import App

/// Facts that both generations of the API carry are equal; `OnlyInV1` and `OnlyInV2` list the
/// others.
@Suite("The facts of both API generations", .timeLimit(.minutes(4)))
struct GenerationFactsTests {
    /// The facts of a market in a list.
    private struct ListFacts: Hashable {
        var price: FixedDecimal?
        var isTrading: Bool
        var previousClose: FixedDecimal?
        var tradeValue24h: FixedDecimal?
        var volume24h: FixedDecimal?
        var today: DayStatistics
        var changeToday: PriceChange

        init(_ market: MarketState, _ snapshot: BoardSnapshot) {
            let board = snapshot.board
            price = market.price
            isTrading = market.isTrading
            previousClose = market.previousClose(on: board.day)
            tradeValue24h = market.tradeValue24h
            volume24h = market.volume24h
            today = market.today(on: board.day)
            changeToday = board.change(of: market, over: .midnight, now: snapshot.capturedAt)
        }
    }

    /// The facts of a market's details.
    private struct DetailFacts: Hashable {
        /// As many as a frame of 2.x has, but those that it prints as nothing.
        static let levels = 10
        /// Fewer than a page of 1.x has, so that both have all trades of the oldest second.
        static let trades = 50

        var levels: [[String]]
        /// By second; 1.x tells the order within one, 2.x does not.
        var trades: [Timestamp: [String]]
        var candles: [CandleInterval: [Candle]]

        /// Nil while a part is missing.
        init?(of market: MarketID, _ board: MarketBoard) {
            guard let detail = board.details[market], detail.book.isComplete else { return nil }
            levels = [BookSide.ask, .bid].map { side in
                detail.book.book.levels(side, limit: Self.levels).map {
                    "\($0.price) \($0.quantity)"
                }
            }
            let tape = board.tape(of: market)
            guard tape.isJoined, tape.count > Self.trades else { return nil }
            let oldest = TradeHistory.Resolution.second.start(of: tape[Self.trades].id.at)
            trades = Dictionary(
                grouping: tape.prefix { $0.id.at >= oldest.advanced(by: .seconds(1)) }
            ) {
                TradeHistory.Resolution.second.start(of: $0.id.at)
            }
            .mapValues { $0.map { "\($0.price) \($0.quantity) \($0.side)" }.sorted() }
            candles = [:]
            for interval in CandleInterval.allCases {
                guard let series = detail.candles[interval], series.isLoaded, series.count > 2
                else {
                    return nil
                }
                candles[interval] = series.suffix(3).map { candle in
                    var candle = candle
                    (candle.origin, candle.isCorrected) = (.rest, false)
                    return candle
                }
            }
        }
    }

    /// The facts that 1.x alone tells, besides deposits and withdrawals, which hoga reads from 1.x
    /// whatever the setting.
    private enum OnlyInV1: CaseIterable {
        /// The bases of periods; D23 says what replaces them.
        case change30M, change1H, change12H, change24H
        case tradeStrength
        /// In 2.x the levels beyond the fifteenth come by REST and have a time of their own.
        case deepLevelsOfTheStream
        /// In 2.x trades have whole milliseconds.
        case microsecondsOfTrades

        func isKnown(_ market: MarketID, _ snapshot: BoardSnapshot) -> Bool {
            let board = snapshot.board
            guard let state = board.market(market), let detail = board.details[market] else {
                return false
            }
            func knows(_ period: ChangePeriod) -> Bool {
                board.change(of: state, over: period, now: snapshot.capturedAt).ratePercent != nil
            }
            return switch self {
            case .change30M: knows(.minutes30)
            case .change1H: knows(.hour1)
            case .change12H: knows(.hours12)
            case .change24H: knows(.hours24)
            case .tradeStrength: state.tradeStrengthPercent != nil
            case .deepLevelsOfTheStream: detail.book.count(.ask) > 15 && detail.book.deepAt == nil
            case .microsecondsOfTrades:
                board.tape(of: market).contains { $0.id.at.microseconds % 1_000 != 0 }
            }
        }
    }

    /// The facts that 2.x alone tells.
    ///
    /// This suite cannot tell these apart:
    ///
    /// - names and warnings, which hoga reads from 2.x whatever the setting;
    /// - suspended trading of a market with a price: see `GenerationTests`;
    /// - the time of a listed price; in 1.x that of the listing counts;
    /// - the 52-week range and the turnover of candles, which hoga does not show.
    private enum OnlyInV2: CaseIterable {
        /// 1.x has one page of candles.
        case pastCandles
        /// 1.x has one page of past trades, in whole seconds. Asked as soon as the page is joined:
        /// trades of the stream replace it later.
        case millisecondsOfPastTrades

        func isKnown(_ market: MarketID, _ snapshot: BoardSnapshot) -> Bool {
            let board = snapshot.board
            switch self {
            case .pastCandles:
                return board.details[market].map { !$0.isUnserved(.minute1) } ?? false
            case .millisecondsOfPastTrades:
                return board.tape(of: market).last.map { $0.id.at.microseconds % 1_000_000 != 0 }
                    ?? false
            }
        }
    }

    private static func interests(_ market: MarketID) -> Set<DetailInterest> {
        let past = CandleBlock(
            .minute1,
            around: SystemSources.now().advanced(by: .seconds(-259_200))
        )
        let facets: [DetailFacet] = [.book, .deepBook, .trades, .pastCandles(past)]
        let candles = CandleInterval.allCases.map(DetailFacet.candles)
        return Set((facets + candles).map { DetailInterest(market: market, facet: $0) })
    }

    /// The facts of the markets that traded today; of the others 1.x tells a price alone.
    private static func lists(_ markets: Markets) -> [MarketID: ListFacts] {
        let snapshot = markets.latest.value
        var facts: [MarketID: ListFacts] = [:]
        for market in snapshot.board.markets {
            let told = ListFacts(market, snapshot)
            if let volume = told.today.volume, !volume.isZero { facts[market.id] = told }
        }
        return facts
    }

    @Test("one exchange through 1.x and through 2.x gives equal facts")
    func equalFacts() async throws {
        let feed = ExchangeSimulator.Feed.markets(won: 40, bitcoin: 4, rate: 400)
        try await ConnectedExchange.run(feed, api: "1") { first in
            let second = try ConnectedExchange.markets(of: first.simulator, api: "2")
            try await Lifecycle.run(services: [{ @Sendable in await second.run() }]) {
                () async -> Swift.Result<Void, any Error> in
                do {
                    return .success(try await compare(first, second))
                } catch {
                    return .failure(error)
                }
            }.get()
        }
    }

    private func compare(_ first: ConnectedExchange, _ second: Markets) async throws {
        let bitcoin = try #require(MarketID(symbol: "BTC", quote: .krw))
        let both = [first.markets, second]
        let leases = try both.map {
            try #require($0.interests.enter(Self.interests(bitcoin)))
        }
        defer { for lease in leases { lease.release() } }
        for (markets, isKnown) in zip(both, [false, true]) {
            let joined = try await eventually { () -> BoardSnapshot? in
                let snapshot = markets.latest.value
                let tape = snapshot.board.tape(of: bitcoin)
                return tape.isJoined && tape.count > DetailFacts.trades ? snapshot : nil
            }
            #expect(OnlyInV2.millisecondsOfPastTrades.isKnown(bitcoin, joined) == isKnown)
        }
        for (markets, api) in zip(both, [ExchangeAPI.v1, .v2]) {
            try await eventually { () -> Void? in
                let board = markets.latest.value.board
                return board.feed.connection == .live
                    && DetailFacts(of: bitcoin, board) != nil ? () : nil
            }
            #expect(markets.latest.value.board.feed.api == api)
        }
        first.simulator.pause()
        _ = try await eventually { first.simulator.report().isAtRest ? () : nil }
        for markets in both {
            markets.feed.reload()
            markets.details.reload()
        }
        try await expectEqual("lists", both) { Self.lists($0) }
        try await expectEqual("details", both) { DetailFacts(of: bitcoin, $0.latest.value.board) }
        #expect(Self.lists(second).count > 30)
        for fact in OnlyInV1.allCases {
            #expect(fact.isKnown(bitcoin, first.markets.latest.value), "\(fact)")
            #expect(!fact.isKnown(bitcoin, second.latest.value), "\(fact)")
        }
        for fact in OnlyInV2.allCases where fact != .millisecondsOfPastTrades {
            #expect(!fact.isKnown(bitcoin, first.markets.latest.value), "\(fact)")
            #expect(fact.isKnown(bitcoin, second.latest.value), "\(fact)")
        }
    }

    /// Waits until both know the same; names the difference when the test is cancelled.
    private func expectEqual<Facts: Equatable>(
        _ what: Comment,
        _ both: [Markets],
        _ facts: (Markets) -> Facts
    ) async throws {
        do {
            try await eventually { facts(both[0]) == facts(both[1]) ? () : nil }
        } catch {
            Issue.record("\(what): \(facts(both[0]))\n\(facts(both[1]))")
            throw error
        }
    }
}
