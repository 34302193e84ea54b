import TestSupport
import Testing

@testable import Domain

@Suite("The order in which sources arrive does not matter")
struct ArrivalOrderTests {
    private static let now = Timestamp.noon(99_999)

    /// The visible state after the events, all received at one moment.
    private static func view(_ events: [MarketEvent]) -> [MarketID: VisibleMarket] {
        var board = MarketBoard(kind: .live)
        for event in events { board.apply(event, at: now) }
        return Dictionary(
            uniqueKeysWithValues: board.markets.map { market in
                (market.id, VisibleMarket(market, day: board.day, now: now, hasTick: false))
            }
        )
    }

    /// A random interleaving of the sources, each in its own order.
    private static func interleaved(
        _ sources: [[MarketEvent]],
        using generator: inout SeededGenerator
    ) -> [MarketEvent] {
        var sources = sources.map { $0[...] }
        var result: [MarketEvent] = []
        while true {
            sources.removeAll(where: \.isEmpty)
            guard !sources.isEmpty else { return result }
            result.append(sources[Int.random(in: sources.indices, using: &generator)].removeFirst())
        }
    }

    @Test(
        "prices, bases, changes and turnovers are equal",
        arguments: 1...60 as ClosedRange<UInt64>
    )
    func interleavings(seed: UInt64) {
        var won = RandomMarketEvents(seed: seed)
        var bitcoin = RandomMarketEvents(seed: seed &+ 1_000)
        var frames = RandomMarketEvents(seed: seed &+ 2_000)
        var trades = RandomMarketEvents(seed: seed &+ 3_000)
        let sources = [
            (0..<4).map { _ in won.listing(.krw) },
            (0..<4).map { _ in bitcoin.listing(.btc) },
            (0..<30).map { _ in frames.frame() },
            (0..<30).map { _ in trades.trade() },
        ]
        let expected = Self.view(sources.flatMap(\.self))
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let view = Self.view(Self.interleaved(sources, using: &generator))
            #expect(view == expected)
        }
    }
}
