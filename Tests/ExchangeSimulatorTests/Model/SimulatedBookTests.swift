import Domain
import Testing

@testable import ExchangeSimulator

@Suite("A simulated book is valid after every move, and its changes are exact")
struct SimulatedBookTests {
    /// Prices and quantities of a side as clients have them: best first, without unprintable
    /// remainders.
    private static func visibleLevels(_ side: SimulatedSide) -> [Int64: Int64] {
        Dictionary(
            uniqueKeysWithValues: side.levels.filter { $0.quantity > 0 }
                .map { ($0.price, $0.quantity) }
        )
    }

    private static func apply(_ changes: [SimulatedLevel], to side: inout [Int64: Int64]) {
        for level in changes { side[level.price] = level.orders == 0 ? nil : level.quantity }
    }

    private static func check(_ book: SimulatedBook, of market: SimulatedMarket) {
        let asks = book.asks.levels.map(\.price)
        let bids = book.bids.levels.map(\.price)
        #expect(asks == Set(asks).sorted() && bids == Set(bids).sorted(by: >))
        #expect((asks + bids).allSatisfy { market.ladder.contains($0) }, "\(market.id)")
        if let ask = asks.first, let bid = bids.first { #expect(bid < ask, "\(market.id)") }
        if let ask = asks.first { #expect(ask >= market.price) }
        if let bid = bids.first { #expect(bid <= market.price) }
        let changed = (book.asks.changes + book.bids.changes)
        #expect(Set(changed.map(\.price)).count == changed.count, "a price twice in a frame")
        #expect(changed.allSatisfy { ($0.orders == 0) == ($0.quantity == 0) })
        #expect(book.asks.levels.count <= 60 && book.bids.levels.count <= 60)
    }

    @Test("applying the changes gives the book, through trades and orders", arguments: 1...4)
    func following(seed: UInt64) throws {
        var exchange = SimulatedExchangeTests.exchange(seed: seed, won: 60, bitcoin: 13)
        var random = SeededRandom(seed: seed)
        let places = [0, 1, 14, 27, 28, 40, 56, 57, 58, 59, 60, 65, 72]
        for place in places {
            var book = SimulatedBook(of: exchange.markets[place])
            var asks = Self.visibleLevels(book.asks)
            var bids = Self.visibleLevels(book.bids)
            for _ in 0..<200 {
                exchange.advance(
                    to: exchange.now.advanced(by: .milliseconds(random.number(in: 1...900))),
                    framesPerSecond: 600,
                    framesPerEvent: 6
                ) { _, _ in }
                let market = exchange.markets[place]
                if random.happens(800) {
                    book.move(with: market, changes: random.below(15))
                } else {
                    book.shake(with: market, levelsPerSide: 10)
                }
                Self.apply(book.asks.changes, to: &asks)
                Self.apply(book.bids.changes, to: &bids)
                try #require(asks == Self.visibleLevels(book.asks), "\(market.id)")
                try #require(bids == Self.visibleLevels(book.bids), "\(market.id)")
                Self.check(book, of: market)
            }
        }
    }

    @Test("traded markets have more than thirty levels a side, except where prices end")
    func depth() {
        var exchange = SimulatedExchangeTests.exchange(seed: 2, won: 60, bitcoin: 13)
        for market in exchange.markets where market.weight >= 500 {
            var book = SimulatedBook(of: market)
            for _ in 0..<50 { book.move(with: market, changes: 8) }
            #expect(book.asks.levels.count >= 30, "\(market.id)")
            let steps = (market.price - 1) / market.ladder.lowest
            let isAtFloor = market.price < 100 * market.ladder.step(at: market.price)
            #expect(book.bids.levels.count >= 30 || isAtFloor, "\(market.id) \(steps)")
        }
        exchange.advance(
            to: exchange.now.advanced(by: .seconds(1)),
            framesPerSecond: 60,
            framesPerEvent: 6
        ) { _, _ in }
    }

    @Test("coins that never trade have short or empty sides, in every combination")
    func thin() {
        var sides: Set<String> = []
        for seed in UInt64(1)...30 {
            let exchange = SimulatedExchangeTests.exchange(seed: seed, won: 12, bitcoin: 0)
            for market in exchange.markets where market.weight == 0 {
                let book = SimulatedBook(of: market)
                #expect(book.asks.levels.count < 30 && book.bids.levels.count < 30)
                sides.insert("\(book.asks.levels.isEmpty) \(book.bids.levels.isEmpty)")
            }
        }
        #expect(sides.isSuperset(of: ["false false", "false true", "true false"]))
    }

    @Test("a frame at a set rate changes about twenty levels, also at the far end")
    func shape() {
        let exchange = SimulatedExchangeTests.exchange(seed: 1)
        let market = exchange.markets[0]
        var book = SimulatedBook(of: market)
        var farthest = 0
        for _ in 0..<200 {
            book.shake(with: market, levelsPerSide: 10)
            let count = book.asks.changes.count + book.bids.changes.count
            #expect((18...26).contains(count))
            book.move(with: market, changes: 8)
            let prices = book.bids.levels.map(\.price)
            for level in book.bids.changes {
                farthest = max(farthest, prices.firstIndex(of: level.price) ?? 0)
            }
        }
        #expect(farthest >= 30)
    }

    @Test("the same seed gives the same book, another market another one")
    func determinism() {
        func levels(seed: UInt64, place: Int) -> [SimulatedLevel] {
            let market = SimulatedExchangeTests.exchange(seed: seed).markets[place]
            var book = SimulatedBook(of: market)
            for _ in 0..<20 { book.move(with: market, changes: 5) }
            return book.asks.levels + book.bids.levels
        }
        #expect(levels(seed: 3, place: 0) == levels(seed: 3, place: 0))
        #expect(levels(seed: 3, place: 0) != levels(seed: 4, place: 0))
        #expect(levels(seed: 3, place: 0) != levels(seed: 3, place: 1))
    }
}
