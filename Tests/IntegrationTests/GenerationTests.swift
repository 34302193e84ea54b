import Domain
import ExchangeSimulator
import Testing
import UseCases

@testable import App

@Suite("The generations of the exchange's API", .tags(.threads), .timeLimit(.minutes(4)))
struct GenerationTests {
    /// The facts of a market that both generations tell.
    private struct Facts: Hashable {
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

    /// The facts of a market that only API 1.x tells.
    ///
    /// Only 2.x tells the time of a listed price, whether trading is suspended, and the turnover of
    /// candles.
    private enum OnlyInV1: CaseIterable {
        case change30M, change1H, change12H, change24H, tradeStrength

        func isKnown(_ market: MarketID, _ snapshot: BoardSnapshot) -> Bool {
            guard let state = snapshot.board.market(market) else { return false }
            func knows(_ period: ChangePeriod) -> Bool {
                let board = snapshot.board
                return board.change(of: state, over: period, now: snapshot.capturedAt).ratePercent
                    != nil
            }
            return switch self {
            case .change30M: knows(.minutes30)
            case .change1H: knows(.hour1)
            case .change12H: knows(.hours12)
            case .change24H: knows(.hours24)
            case .tradeStrength: state.tradeStrengthPercent != nil
            }
        }
    }

    private static func bitcoin() throws -> MarketID {
        try #require(MarketID(symbol: "BTC", quote: .krw))
    }

    /// The facts of the markets that traded today; of the others 1.x tells a price alone.
    private static func facts(_ markets: Markets) -> [MarketID: Facts] {
        let snapshot = markets.latest.value
        var facts: [MarketID: Facts] = [:]
        for market in snapshot.board.markets {
            let told = Facts(market, snapshot)
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
        _ = try await first.live()
        _ = try await eventually { second.latest.value.board.feed.connection == .live ? () : nil }
        #expect(first.markets.latest.value.board.feed.api == .v1)
        #expect(second.latest.value.board.feed.api == .v2)
        first.simulator.pause()
        _ = try await eventually { first.simulator.report().isAtRest ? () : nil }
        first.markets.feed.reload()
        second.feed.reload()
        let markets = first.markets
        do {
            try await eventually { Self.facts(markets) == Self.facts(second) ? () : nil }
        } catch {
            let (ours, theirs) = (Self.facts(markets), Self.facts(second))
            for (market, facts) in ours where theirs[market] != facts {
                Issue.record("\(market.name): \(facts)\n\(String(describing: theirs[market]))")
                break
            }
            throw error
        }
        #expect(Self.facts(second).count > 30)
        let bitcoin = try Self.bitcoin()
        for fact in OnlyInV1.allCases {
            #expect(fact.isKnown(bitcoin, markets.latest.value), "\(fact)")
            #expect(!fact.isKnown(bitcoin, second.latest.value), "\(fact)")
        }
    }

    @Test("the end of 1.x in mid-run stops no price, and its books come from 2.x")
    func endOfV1() async throws {
        let feed = ExchangeSimulator.Feed.markets(won: 12, bitcoin: 2, rate: 200)
        try await ConnectedExchange.run(feed, api: "auto") { exchange in
            let busiest = try Self.bitcoin()
            let lease = try #require(
                exchange.markets.interests.enter([
                    DetailInterest(market: busiest, facet: .book),
                    DetailInterest(market: busiest, facet: .deepBook),
                ])
            )
            defer { lease.release() }
            _ = try await exchange.live()
            _ = try await exchange.snapshot("a base of 1.x") { snapshot in
                snapshot.board.market(busiest).map {
                    snapshot.board.change(of: $0, over: .minutes30, now: snapshot.capturedAt)
                        .ratePercent != nil
                } ?? false
            }
            _ = try await exchange.snapshot("a deep book of 1.x") {
                ($0.board.details[busiest]?.book.count(.ask) ?? 0) > 15
                    && $0.board.details[busiest]?.book.api == .v1
            }
            exchange.simulator.start(.api1Off)
            let before = exchange.markets.latest.value.board
            _ = try await exchange.snapshot("the book of 2.x is newer than the end") {
                guard let book = $0.board.details[busiest]?.book, book.isComplete,
                    let at = book.newestAt, let end = before.market(busiest)?.priceAt
                else { return false }
                return at > end.advanced(by: .seconds(2))
            }
            let after = try await exchange.snapshot("frames of prices go on") {
                $0.board.feed.framesReceived > before.feed.framesReceived
            }.board
            #expect(after.feed.connection == .live)
            #expect(after.feed.api == .v2)
            #expect(after.feed.reconnects == 0)
        }
    }

    @Test("a market that was suspended before the start is not trading, also over 2.x alone")
    func suspendedMarket() async throws {
        let feed = ExchangeSimulator.Feed.markets(won: 12, bitcoin: 2, rate: 200)
        let ripple = try #require(MarketID(symbol: "XRP", quote: .krw))
        try await ConnectedExchange.run(feed, api: "2", faults: [.suspension(ripple)]) { exchange in
            _ = try await exchange.live()
            let snapshot = try await exchange.snapshot("the suspension") {
                $0.board.market(ripple)?.isTrading == false
            }
            let bitcoin = try Self.bitcoin()
            #expect(snapshot.board.market(bitcoin)?.isTrading == true)
            #expect(snapshot.board.tape(of: ripple).isEmpty)
        }
    }

    @Test("the depth of a book decides its API, and a change of it never empties the book")
    func depthOfBook() async throws {
        let feed = ExchangeSimulator.Feed.markets(won: 12, bitcoin: 2, rate: 200)
        try await ConnectedExchange.run(feed, api: "auto") { exchange in
            let bitcoin = try Self.bitcoin()
            let interests = exchange.markets.interests
            let book = DetailInterest(market: bitcoin, facet: .book)
            let lease = try #require(interests.enter([book]))
            defer { lease.release() }
            _ = try await exchange.live()
            _ = try await exchange.snapshot("a book of 2.x") {
                $0.board.details[bitcoin]?.book.api == .v2
            }
            let deep = DetailInterest(market: bitcoin, facet: .deepBook)
            let deepLease = try #require(interests.enter([deep]))
            _ = try await exchange.snapshot("a book of 1.x") {
                let book = $0.board.details[bitcoin]?.book
                #expect(book?.isReady == true)
                return book?.api == .v1 && book?.isComplete == true
            }
            deepLease.release()
            _ = try await exchange.snapshot("a book of 2.x again") {
                let book = $0.board.details[bitcoin]?.book
                #expect(book?.isReady == true)
                return book?.api == .v2 && book?.isComplete == true
            }
        }
    }

    @Test("the end of 2.x in mid-run hands prices and trades to 1.x")
    func endOfV2() async throws {
        let feed = ExchangeSimulator.Feed.markets(won: 12, bitcoin: 2, rate: 200)
        try await ConnectedExchange.run(feed, api: "auto") { exchange in
            let start = try await exchange.live()
            #expect(start.board.feed.api == .v2)
            exchange.simulator.start(.api2Off)
            let changed = try await exchange.snapshot("1.x is live") {
                $0.board.feed.api == .v1 && $0.board.feed.connection == .live
            }
            let bitcoin = try Self.bitcoin()
            let count = changed.board.tape(of: bitcoin).count
            _ = try await exchange.snapshot("trades of 1.x") {
                $0.board.tape(of: bitcoin).count > count
            }
            for market in exchange.markets.latest.value.board.markets where market.isTrading {
                #expect(market.price != nil, "\(market.id.name)")
            }
        }
    }
}
