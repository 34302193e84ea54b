import Domain
import ExchangeSimulator
import ViewStates
import Testing

@testable import App

@Suite("From the simulated exchange to documents", .tags(.threads), .timeLimit(.minutes(4)))
struct EndToEndTests {
    @Test("every frame is counted and every market has the exchange's last price")
    func everythingArrives() async throws {
        try await ConnectedExchange.run(.markets(won: 480, bitcoin: 13, rate: 2_000)) { followed in
            _ = try await followed.live()
            _ = try await followed.snapshot("several thousand frames") {
                $0.board.feed.framesReceived > 5_000
            }
            let (snapshot, report) = try await followed.settled()
            #expect(snapshot.board.feed.entriesSkipped == 0)
            #expect(report.markets.count == 493)
            for expected in report.markets {
                let id = try #require(MarketID(name: expected.market))
                let market = try #require(snapshot.board.market(id))
                #expect(market.price?.canonicalText == expected.price, "\(id.name)")
            }
        }
    }

    @Test("rates of all periods follow from the exchange's opening prices")
    func rates() async throws {
        try await ConnectedExchange.run(.markets(won: 12, bitcoin: 0, rate: 1_000)) { followed in
            _ = try await followed.live()
            _ = try await followed.snapshot("every market has frames") { snapshot in
                snapshot.board.markets.allSatisfy {
                    snapshot.board.change(of: $0, over: .minutes30, now: snapshot.capturedAt)
                        .ratePercent
                        != nil
                }
            }
            let (snapshot, report) = try await followed.settled()
            for expected in report.markets where expected.lastTradeAt != nil {
                let id = try #require(MarketID(name: expected.market))
                let market = try #require(snapshot.board.market(id))
                let price = try #require(market.price)
                for period in ChangePeriod.allCases {
                    let text =
                        period == .midnight
                        ? expected.previousClose
                        : try #require(expected.openPrices[period.rawValue])
                    let base = try FixedDecimal(parsing: text)
                    let change = snapshot.board.change(
                        of: market,
                        over: period,
                        now: snapshot.capturedAt
                    )
                    let rate = try (price - base)
                        .multiplied(by: FixedDecimal(100), rounding: .halfEven)
                        .divided(by: base, rounding: .halfEven)
                        .rounded(toFractionDigits: 2, .halfAwayFromZero)
                    #expect(change.ratePercent == rate, "\(id.name) \(period.rawValue)")
                    #expect(change.amount == (try price - base), "\(id.name) \(period.rawValue)")
                }
            }
        }
    }

    @Test("a document is marked simulated, complete, and has every market once")
    func document() async throws {
        try await ConnectedExchange.run(.markets(won: 30, bitcoin: 5, rate: 500)) { followed in
            _ = try await followed.live()
            var query = MarketListQuery()
            query.quote = nil
            // The changes of BTC markets need bases, which are read after the list.
            let document = try await eventually { [query] () -> MarketListDocument? in
                let document = followed.markets.lists.document(query)
                return document.state.health.complete ? document : nil
            }
            #expect(document.source.feed == .simulated)
            #expect(document.state.health.phase == .ready)
            #expect(document.state.health.complete)
            #expect(document.state.total == 35)
            #expect(Set(document.state.rows.map(\.market)).count == 35)
        }
    }

    @Test("a listed coin appears and trades; a delisted one stays, suspended")
    func listingAndDelisting() async throws {
        try await ConnectedExchange.run(.markets(won: 8, bitcoin: 0, rate: 500)) { followed in
            _ = try await followed.live()
            let new = try #require(MarketID(symbol: "HOGA", quote: .krw))
            followed.simulator.start(.listing(new))
            followed.markets.feed.reload()
            let listed = try await followed.snapshot("the new coin") { $0.board.market(new) != nil }
            let first = try #require(listed.board.market(new))
            _ = try await followed.snapshot("a frame of the new coin") { snapshot in
                (snapshot.board.market(new)?.priceAt ?? Timestamp(microseconds: 0))
                    > (first.priceAt ?? Timestamp(microseconds: 0))
            }
            followed.simulator.start(.delisting(new))
            followed.markets.feed.reload()
            let gone = try await followed.snapshot("the coin is suspended") {
                $0.board.market(new)?.isTrading == false
            }
            #expect(gone.board.market(new)?.price != nil)
        }
    }
}
