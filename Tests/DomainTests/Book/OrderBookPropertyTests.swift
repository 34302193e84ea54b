import TestSupport
import Testing

@testable import Domain

@Suite("Order book equals a dictionary of its changes")
struct OrderBookPropertyTests {
    /// Changes that cross, repeat, delete unknown levels, and exceed the size of a side.
    private static func delta(
        at: Int,
        prices: ClosedRange<Int64>,
        using generator: inout SeededGenerator
    ) -> OrderBookDelta {
        var delta = OrderBookDelta.at(at)
        for _ in 0..<Int.random(in: 0...30, using: &generator) {
            let side: BookSide = Bool.random(using: &generator) ? .ask : .bid
            let isDeleted = Int.random(in: 0..<4, using: &generator) == 0
            delta.changes.append(
                OrderBookDelta.Change(
                    side: side,
                    price: FixedDecimal(Int64.random(in: prices, using: &generator)),
                    quantity: FixedDecimal(isDeleted ? 0 : .random(in: 1...9, using: &generator))
                )
            )
        }
        return delta
    }

    /// Applies changes to the model: a full side evicts its farthest levels.
    private static func apply(_ delta: OrderBookDelta, to naive: inout NaiveLevels) {
        for change in delta.changes {
            naive.known[.init(side: change.side, price: change.price)] = .init(
                quantity: change.quantity,
                at: delta.at.microseconds
            )
            for place in naive.places(change.side).dropFirst(OrderBook.levelsMax) {
                naive.known[place] = nil
            }
        }
    }

    @Test(
        "random changes at few and at many prices",
        arguments: [1...6, 1...40, 1...500] as [ClosedRange<Int64>],
        1...8 as ClosedRange<UInt64>
    )
    func sequences(prices: ClosedRange<Int64>, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var book = OrderBook()
        var naive = NaiveLevels()
        for step in 0..<60 {
            // Some deltas share their time, and some are older than the last one.
            let at = step / 2 - Int.random(in: 0...1, using: &generator)
            let delta = Self.delta(at: at, prices: prices, using: &generator)
            book.apply(delta)
            Self.apply(delta, to: &naive)
            let shown = naive.shown()
            #expect(book.levels(.ask) == shown.asks)
            #expect(book.levels(.bid) == shown.bids)
            #expect(book.isCrossed == shown.isCrossed)
            #expect(book.best(.ask) == shown.asks.first)
            #expect(book.best(.bid) == shown.bids.first)
            #expect(book.count(.ask) == naive.places(.ask).count)
            #expect(book.count(.bid) == naive.places(.bid).count)
        }
    }

    @Test(
        "full sides on one price grid keep the best levels in order and never cross",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func order(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var book = OrderBook()
        var best: (ask: FixedDecimal?, bid: FixedDecimal?)
        for step in 0..<400 {
            var delta = Self.delta(at: step, prices: 1...900, using: &generator)
            // No level is deleted, so the best prices of all stay the best.
            for index in delta.changes.indices { delta.changes[index].quantity = .one }
            for change in delta.changes {
                switch change.side {
                case .ask: best.ask = min(best.ask ?? change.price, change.price)
                case .bid: best.bid = max(best.bid ?? change.price, change.price)
                }
            }
            book.apply(delta)
            #expect(book.ladder(.ask).best().map { BookSide.ask.price(of: $0.key) } == best.ask)
            #expect(book.ladder(.bid).best().map { BookSide.bid.price(of: $0.key) } == best.bid)
            let asks = book.levels(.ask).map(\.price)
            let bids = book.levels(.bid).map(\.price)
            #expect(zip(asks, asks.dropFirst()).allSatisfy { $0 < $1 })
            #expect(zip(bids, bids.dropFirst()).allSatisfy { $0 > $1 })
            if let ask = asks.first, let bid = bids.first { #expect(bid < ask) }
            #expect(max(book.count(.ask), book.count(.bid)) <= OrderBook.levelsMax)
        }
        #expect(book.count(.ask) == OrderBook.levelsMax)
        #expect(book.count(.bid) == OrderBook.levelsMax)
    }

    @Test("the order of changes at different prices does not matter")
    func arrival() {
        var generator = SeededGenerator(seed: 7)
        let changes = (1...150).flatMap { price in
            BookSide.allCases.map { side in
                OrderBookDelta.Change(
                    side: side,
                    price: FixedDecimal(side == .ask ? 1_000 + price : price),
                    quantity: FixedDecimal(price)
                )
            }
        }
        var expected = OrderBook()
        expected.apply(changes, at: 1)
        for _ in 0..<20 {
            var book = OrderBook()
            book.apply(changes.shuffled(using: &generator), at: 1)
            #expect(book == expected)
        }
    }
}
