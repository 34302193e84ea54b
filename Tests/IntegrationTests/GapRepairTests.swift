import Domain
import ExchangeSimulator
import Testing
import UseCases

@testable import App

@Suite("Lost trades are read again", .tags(.threads), .timeLimit(.minutes(4)))
struct GapRepairTests {
    private static let intervals: [CandleInterval] = [.minute1, .minutes3]

    /// The trades of each millisecond from a moment on, in any order.
    private static func multisets(
        _ tape: TradeTape,
        since start: Timestamp
    ) -> [Timestamp: [String]] {
        var sets: [Timestamp: [String]] = [:]
        for trade in tape where trade.id.at >= start {
            let at = TradeHistory.Resolution.millisecond.start(of: trade.id.at)
            let figures = "\(trade.price.units) \(trade.quantity.units) \(trade.side)"
            sets[at, default: []].append(figures)
        }
        return sets.mapValues { $0.sorted() }
    }

    private static func candles(
        _ board: MarketBoard,
        _ market: MarketID,
        _ interval: CandleInterval
    ) -> [Timestamp: [FixedDecimal]]? {
        board.details[market]?.candles[interval].map { series in
            var numbers: [Timestamp: [FixedDecimal]] = [:]
            for candle in series.suffix(5) {
                numbers[candle.openTime] = [
                    candle.open, candle.high, candle.low, candle.close, candle.volume,
                ]
            }
            return numbers
        }
    }

    private static func interests(_ market: MarketID) -> Set<DetailInterest> {
        let facets = [DetailFacet.trades] + intervals.map(DetailFacet.candles)
        return Set(facets.map { DetailInterest(market: market, facet: $0) })
    }

    @Test(
        "after lost connections, trades and candles equal those of the exchange",
        arguments: [nil, SimulatorFault.inclusiveCursor]
    )
    func connections(fault: SimulatorFault?) async throws {
        let feed = ExchangeSimulator.Feed.markets(won: 4, bitcoin: 1, rate: 300)
        let faults = fault.map { [$0] } ?? []
        try await ConnectedExchange.run(feed, api: "2", faults: faults) { exchange in
            let market = try #require(MarketID(symbol: "BTC", quote: .krw))
            let interests = Self.interests(market)
            let lease = try #require(exchange.markets.interests.enter(interests))
            defer { lease.release() }
            _ = try await exchange.live()
            for loss in 1...3 {
                _ = try await exchange.snapshot("trades are live") {
                    $0.board.tape(of: market).isComplete && $0.board.feed.connection == .live
                }
                let before = exchange.markets.latest.value.board.tape(of: market).first?.id.at
                exchange.simulator.start(.connectionDrop)
                let repaired = try await exchange.snapshot("the loss is repaired") {
                    let tape = $0.board.tape(of: market)
                    return $0.board.feed.reconnects >= loss && tape.isComplete
                        && tape.repair.map { repair in
                            before.map { repair.span.upperBound >= $0 } ?? true
                        } ?? false
                }
                #expect(repaired.board.tape(of: market).repair?.failure == nil)
            }
            try await Self.compare(exchange, market)
        }
    }

    /// Compares with a second hoga that reads everything over REST from the paused exchange.
    private static func compare(_ exchange: ConnectedExchange, _ market: MarketID) async throws {
        exchange.simulator.pause()
        _ = try await eventually { exchange.simulator.report().isAtRest ? () : nil }
        let second = try ConnectedExchange.markets(of: exchange.simulator, api: "2")
        let outcome = await Lifecycle.run(
            services: [{ @Sendable in await second.run() }]
        ) { () async -> Swift.Result<Void, any Error> in
            do {
                let lease = try #require(second.interests.enter(interests(market)))
                defer { lease.release() }
                try await eventually { () -> Void? in
                    let (ours, theirs) = (
                        exchange.markets.latest.value.board, second.latest.value.board
                    )
                    guard let start = theirs.tape(of: market).last?.id.at else { return nil }
                    let after = start.advanced(by: .milliseconds(1))
                    let tapes = [ours, theirs].map {
                        multisets($0.tape(of: market), since: after)
                    }
                    let areEqual = intervals.allSatisfy { interval in
                        let theirCandles = candles(theirs, market, interval)
                        return theirCandles != nil && theirCandles?.isEmpty == false
                            && candles(ours, market, interval) == theirCandles
                    }
                    return tapes[0] == tapes[1] && !tapes[0].isEmpty && areEqual ? () : nil
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }
}
