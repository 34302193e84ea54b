import Domain
import ExchangeSimulator
import Testing
import UseCases

@testable import App

@Suite("The generations of the exchange's API", .tags(.threads), .timeLimit(.minutes(4)))
struct GenerationTests {
    private static func bitcoin() throws -> MarketID {
        try #require(MarketID(symbol: "BTC", quote: .krw))
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
            // A full tape does not grow.
            let newest = changed.board.tape(of: bitcoin).first?.id
            _ = try await exchange.snapshot("trades of 1.x") {
                $0.board.tape(of: bitcoin).first?.id != newest
            }
            for market in exchange.markets.latest.value.board.markets where market.isTrading {
                #expect(market.price != nil, "\(market.id.name)")
            }
        }
    }
}
