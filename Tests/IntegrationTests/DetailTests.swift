import Domain
import ExchangeSimulator
import UseCases
import ViewStates
import Testing

@testable import App

@Suite("Details of a market", .tags(.threads), .timeLimit(.minutes(4)))
struct DetailTests {
    private static func coin(_ symbol: String) throws -> MarketID {
        try #require(MarketID(symbol: symbol, quote: .krw))
    }

    private static func interests(
        _ market: MarketID,
        _ facets: [DetailFacet]
    ) -> Set<DetailInterest> {
        Set(facets.map { DetailInterest(market: market, facet: $0) })
    }

    @Test("every comparison finds the exchange's own book", arguments: 0..<40)
    func book(_ n: Int) async throws {
        try await ConnectedExchange.run(.markets(won: 12, bitcoin: 2, rate: 500)) { followed in
            let market = try Self.coin("BTC")
            let interests = Self.interests(market, [.book])
            let lease = try #require(followed.markets.interests.enter(interests))
            let snapshot = try await followed.snapshot("the book is compared") {
                $0.board.detailStatus.comparisons >= 100
                    && $0.board.detailStatus.subscribed == [market]
            }
            let book = try #require(snapshot.board.details[market]?.book)
            // A connection lost under load is a known loss, after which a book is corrected.
            for reason in [.mismatch, .crossed] as [BookCorrections.Reason] {
                #expect(snapshot.board.detailStatus.correctionReasons[reason] == 0, "\(reason)")
            }
            #expect(book.isReady)
            #expect(book.isComplete)
            #expect(!book.book.isCrossed)
            #expect(book.book.count(.ask) >= OrderBookSnapshot.levelsMax)
            #expect(book.book.count(.bid) >= OrderBookSnapshot.levelsMax)
            lease.release()
            _ = try await followed.snapshot("the book is given up") { $0.board.details.isEmpty }
        }
    }

    @Test("the trade tape joins history and stream and ends at the last price")
    func trades() async throws {
        try await ConnectedExchange.run(.markets(won: 12, bitcoin: 2, rate: 500)) { followed in
            let market = try Self.coin("BTC")
            _ = try await followed.live()
            let interests = Self.interests(market, [.trades])
            let lease = try #require(followed.markets.interests.enter(interests))
            _ = try await followed.snapshot("the tape is joined") {
                let tape = $0.board.tape(of: market)
                return tape.isJoined && tape.count > 120
            }
            let (snapshot, report) = try await followed.settled()
            let tape = snapshot.board.tape(of: market)
            let expected = report.markets.first { $0.market == market.name }
            #expect(tape[0].price.canonicalText == expected?.price)
            #expect(tape.dropped == 0)
            #expect(tape.gaps.isEmpty)
            let ids = (0..<tape.count).map { tape[$0].id }
            #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 > $1 }, "newest first, no name twice")
            lease.release()
        }
    }

    @Test("candles of every interval follow the trades without corrections by REST")
    func candles() async throws {
        try await ConnectedExchange.run(.markets(won: 12, bitcoin: 2, rate: 500)) { followed in
            let market = try Self.coin("BTC")
            _ = try await followed.live()
            let facets = CandleInterval.allCases.map(DetailFacet.candles)
            let interests = Self.interests(market, facets)
            let began = followed.markets.latest.value.capturedAt
            let lease = try #require(followed.markets.interests.enter(interests))
            let read = try await followed.snapshot("every interval is read") { snapshot in
                snapshot.board.details[market]?.candles.count == facets.count
                    && snapshot.board.details[market]?.candles.values.allSatisfy(\.isLoaded) == true
            }
            let newest = followed.markets.latest.value.board.tape(of: market).first?.id
            _ = try await followed.snapshot("trades after that") { snapshot in
                // A full tape drops its oldest trades.
                let tape = snapshot.board.tape(of: market)
                return newest.map { tape.age(of: $0) ?? tape.count } ?? tape.count > 20
            }
            let (snapshot, report) = try await followed.settled()
            let price = try #require(report.markets.first { $0.market == market.name }).price
            for (interval, series) in try #require(snapshot.board.details[market]).candles {
                let last = series[series.count - 1]
                #expect(last.close.canonicalText == price, "\(interval)")
                #expect(last.openTime == interval.bucketStart(of: last.openTime), "\(interval)")
                for index in 0..<series.count {
                    let candle = series[index]
                    #expect(candle.low <= min(candle.open, candle.close), "\(interval)")
                    #expect(candle.high >= max(candle.open, candle.close), "\(interval)")
                    // A candle that was open during the request may lack a trade until REST has the
                    // whole of it.
                    let running =
                        interval.bucketStart(of: began)...interval.bucketStart(of: read.capturedAt)
                    #expect(!candle.isCorrected || running ~= candle.openTime, "\(interval)")
                    if index > 0 { #expect(series[index - 1].openTime < candle.openTime) }
                }
                #expect(series.count > 20, "\(interval)")
            }
            lease.release()
        }
    }

    @Test("a renamed coin stays suspended under its old name and trades under the new one")
    func renaming() async throws {
        try await ConnectedExchange.run(.markets(won: 8, bitcoin: 0, rate: 500)) { followed in
            _ = try await followed.live()
            let (old, new) = (try Self.coin("XRP"), try Self.coin("NEWXRP"))
            try followed.simulator.rename(old, to: new)
            let snapshot = try await followed.snapshot("the new name trades alone") { snapshot in
                snapshot.board.market(new)?.priceSource == .trade
                    && snapshot.board.market(old)?.isTrading == false
            }
            #expect(snapshot.board.market(old)?.price != nil)
        }
    }

    @Test("after midnight the day's values are unknown, then those of the new day")
    func midnight() async throws {
        try await ConnectedExchange.run(.markets(won: 8, bitcoin: 0, rate: 500)) { followed in
            let market = try Self.coin("BTC")
            let interests = Self.interests(market, [.candles(.day1)])
            let lease = try #require(followed.markets.interests.enter(interests))
            let before = try await followed.snapshot("a day with figures and candles") { snapshot in
                snapshot.board.market(market)?.today(on: snapshot.board.day).high != nil
                    && snapshot.board.details[market]?.candles[.day1]?.isLoaded == true
            }
            let day = try #require(before.board.day)
            let count = try #require(before.board.details[market]?.candles[.day1]).count
            try followed.simulator.crossMidnight(after: .seconds(12))
            let after = try await followed.snapshot("figures of a later day") { snapshot in
                (snapshot.board.day ?? 0) > day
                    && snapshot.board.market(market)?.today(on: snapshot.board.day).high != nil
                    && snapshot.board.market(market)?.previousClose(on: snapshot.board.day) != nil
                    && (snapshot.board.details[market]?.candles[.day1]?.count ?? 0) > count
            }
            let series = try #require(after.board.details[market]?.candles[.day1])
            let open = series[series.count - 1].openTime
            #expect(open == SeoulTime.startOfDay(try #require(after.board.day)))
            lease.release()
        }
    }
}
