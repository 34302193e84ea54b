import TestSupport
import Testing

@testable import Domain

@Suite("Local order book converges to the exchange's book")
struct LocalOrderBookPropertyTests {
    private enum Message {
        case delta(OrderBookDelta)
        case snapshot(OrderBookSnapshot)
        case loss
    }

    /// The messages of a market, in order.
    private static func messages(
        of exchange: inout RandomExchangeBook,
        count: Int
    ) -> [Message] {
        (0..<count).map { _ in
            switch Int.random(in: 0..<8, using: &exchange.generator) {
            case 0: .snapshot(exchange.snapshot())
            case 1: .snapshot(exchange.reading())
            case 2...7: .delta(exchange.delta())
            default: .loss
            }
        }
    }

    /// The messages with some lost, some duplicated, and some late.
    private static func disturbed(
        _ messages: [Message],
        losing: Bool,
        using generator: inout SeededGenerator
    ) -> [Message] {
        var result: [(place: Int, message: Message)] = []
        for (index, message) in messages.enumerated() {
            if losing, Int.random(in: 0..<10, using: &generator) == 0 { continue }
            if losing, Int.random(in: 0..<40, using: &generator) == 0 {
                result.append((index, .loss))
            }
            for _ in 0..<(Int.random(in: 0..<6, using: &generator) == 0 ? 2 : 1) {
                let isLate = Int.random(in: 0..<4, using: &generator) == 0
                let delay = isLate ? Int.random(in: 1...8, using: &generator) : 0
                result.append((index + delay, message))
            }
        }
        return result.enumerated()
            .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
            .map(\.element.message)
    }

    private static func expectEqual(_ book: LocalOrderBook, _ naive: NaiveLocalOrderBook) {
        let shown = naive.levels.shown()
        #expect(book.book.levels(.ask) == shown.asks)
        #expect(book.book.levels(.bid) == shown.bids)
        #expect(book.book.isCrossed == shown.isCrossed)
        #expect(book.isReady == naive.isReady)
        #expect(book.isComplete == naive.isComplete)
        #expect(book.needsReload == naive.needsReload)
        #expect(book.comparisons == naive.comparisons)
        #expect(book.corrections == naive.corrections)
    }

    @Test(
        "lost, duplicated and late messages follow the reference rules",
        arguments: [1, 20, 29, 30, 31, 70],
        1...12 as ClosedRange<UInt64>
    )
    func disturbances(levelsMax: Int, seed: UInt64) {
        var exchange = RandomExchangeBook(seed: seed, levelsMax: levelsMax)
        let told = Self.messages(of: &exchange, count: 150)
        var book = LocalOrderBook()
        var naive = NaiveLocalOrderBook()
        for message in Self.disturbed(told, losing: true, using: &exchange.generator) {
            switch message {
            case .delta(let delta):
                book.apply(delta)
                if !naive.isReady { #expect(book.book == OrderBook()) }
                naive.apply(delta)
            case .snapshot(let snapshot):
                book.apply(snapshot)
                naive.apply(snapshot)
            case .loss:
                book.markLoss()
                naive.markLoss()
            }
            Self.expectEqual(book, naive)
        }
    }

    @Test(
        "unrelated snapshots and changes follow the reference rules",
        arguments: 1...15 as ClosedRange<UInt64>
    )
    func nonsense(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var book = LocalOrderBook()
        var naive = NaiveLocalOrderBook()
        for step in 0..<120 {
            var other = RandomExchangeBook(
                seed: generator.next(),
                levelsMax: Int.random(in: 0...40, using: &generator)
            )
            let at = 3_000 + step * 300 + Int.random(in: -1_500...1_500, using: &generator)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                let isRest = Bool.random(using: &generator)
                var snapshot = isRest ? other.reading() : other.snapshot()
                let unit = isRest ? 1_000 : 1
                snapshot.at = .noon(plus: .microseconds(at / unit * unit))
                book.apply(snapshot)
                naive.apply(snapshot)
            } else {
                var delta = other.delta()
                delta.at = .noon(plus: .microseconds(at))
                book.apply(delta)
                naive.apply(delta)
            }
            Self.expectEqual(book, naive)
        }
        #expect(book.corrections > 0)
    }

    @Test(
        "messages in order give the exact book without corrections",
        arguments: [0, 1, 29, 30, 31, 40, 80],
        1...5 as ClosedRange<UInt64>
    )
    func order(levelsMax: Int, seed: UInt64) {
        var exchange = RandomExchangeBook(seed: seed, levelsMax: levelsMax)
        var book = LocalOrderBook()
        book.apply(exchange.snapshot())
        for _ in 0..<200 {
            switch Int.random(in: 0..<6, using: &exchange.generator) {
            case 0:
                let snapshot = exchange.snapshot()
                book.apply(snapshot)
                for side in BookSide.allCases {
                    let limit = OrderBookSnapshot.levelsMax
                    #expect(book.book.levels(side, limit: limit) == snapshot.levels(side))
                }
            case 1: book.apply(exchange.reading())
            default: book.apply(exchange.delta())
            }
            #expect(book.isComplete && !book.needsReload)
            for side in BookSide.allCases {
                let ladder = book.book.ladder(side)
                let known = exchange.levels(side).filter { side.key(of: $0.price) >= ladder.reach }
                #expect(book.book.levels(side, limit: known.count) == known)
            }
        }
        #expect(book.corrections == 0)
        #expect(book.comparisons > 0)
    }

    @Test(
        "a snapshot gives the exact book, and counts a correction only if it was wrong",
        arguments: 1...15 as ClosedRange<UInt64>
    )
    func corrections(seed: UInt64) {
        var exchange = RandomExchangeBook(seed: seed, levelsMax: 25)
        var book = LocalOrderBook()
        book.apply(exchange.snapshot())
        for _ in 0..<20 {
            let told = (0..<10).map { _ in Message.delta(exchange.delta()) }
            for message in Self.disturbed(told, losing: true, using: &exchange.generator) {
                switch message {
                case .delta(let delta): book.apply(delta)
                case .loss: book.markLoss()
                case .snapshot: Issue.record("only changes were sent")
                }
            }
            let truth = exchange.snapshot()
            // The exchange's sides never cross, so a hidden level is wrong.
            let isWrong = BookSide.allCases.contains { side in
                book.book.count(side) != truth.levels(side).count
                    || book.book.levels(side) != truth.levels(side)
            }
            let corrections = book.corrections
            book.apply(truth)
            #expect(book.corrections == corrections + (isWrong ? 1 : 0))
            for side in BookSide.allCases { #expect(book.book.levels(side) == truth.levels(side)) }
            #expect(book.isComplete && !book.needsReload)
        }
    }

    @Test(
        "reordered messages without a loss give the exact book",
        arguments: [10, 29, 60],
        1...40 as ClosedRange<UInt64>
    )
    func reordering(levelsMax: Int, seed: UInt64) throws {
        var exchange = RandomExchangeBook(seed: seed, levelsMax: levelsMax)
        // Changes before the subscription are in the first snapshot.
        let told = [.snapshot(exchange.snapshot())] + Self.messages(of: &exchange, count: 100)
        var book = LocalOrderBook()
        for message in Self.disturbed(told, losing: false, using: &exchange.generator) {
            switch message {
            case .delta(let delta): book.apply(delta)
            case .snapshot(let snapshot): book.apply(snapshot)
            case .loss: book.markLoss()
            }
        }
        try #require(book.isReady)
        for side in BookSide.allCases {
            let range = book.book.ladder(side).range
            func inRange(_ levels: [BookLevel]) -> [BookLevel] {
                levels.filter { side.key(of: $0.price) >= range }
            }
            // A REST answer hides digits, and levels that no message listed since.
            let held = inRange(book.book.levels(side))
            for level in inRange(exchange.levels(side)) where level.quantity >= "0.0001" {
                let quantity = held.first { $0.price == level.price }?.quantity
                #expect(
                    quantity.map(NaiveLocalOrderBook.cut) == NaiveLocalOrderBook.cut(level.quantity)
                )
            }
            for level in held {
                #expect(exchange.levels(side).contains { $0.price == level.price })
            }
        }
    }
}
