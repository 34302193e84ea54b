import TestSupport
import Testing

@testable import Domain

@Suite("Order book: absolute quantities by price")
struct OrderBookTests {
    @Test("a new book is empty")
    func empty() {
        let book = OrderBook()
        for side in BookSide.allCases {
            #expect(book.levels(side).isEmpty)
            #expect(book.best(side) == nil)
            #expect(book.count(side) == 0)
        }
        #expect(!book.isCrossed)
        #expect(book.finestStep(quote: .krw) == nil)
    }

    @Test("prices are ordered as numbers, not as texts")
    func order() {
        var book = OrderBook()
        book.apply(.at(1, asks: ["10000": "1", "9990": "2"], bids: ["980": "3", "1000": "4"]))
        #expect(book.levels(.ask) == bookLevels(["9990": "2", "10000": "1"]))
        #expect(book.levels(.bid) == bookLevels(["1000": "4", "980": "3"]))
    }

    @Test("a change replaces the quantity, whatever the spelling of the price")
    func replacement() {
        var book = OrderBook()
        book.apply(.at(1, asks: ["7.5": "10"]))
        book.apply(.at(2, asks: ["7.500": "4"]))
        #expect(book.levels(.ask) == bookLevels(["7.5": "4"]))
    }

    @Test(
        "a quantity of zero in any spelling deletes the level",
        arguments: ["0", "0.0", "-0", ".0000", "0e5"]
    )
    func zeros(text: String) throws {
        let zero = try FixedDecimal(parsing: text)
        var book = OrderBook()
        book.apply(.at(1, asks: ["101": "1", "102": "1"], bids: ["99": "1"]))
        var delta = OrderBookDelta.at(2)
        delta.changes = [.init(side: .ask, price: "101", quantity: zero)]
        book.apply(delta)
        #expect(book.levels(.ask) == bookLevels(["102": "1"]))
        #expect(book.levels(.bid) == bookLevels(["99": "1"]))
    }

    @Test("deleting an unknown level changes nothing")
    func unknownDeletion() {
        var book = OrderBook()
        book.apply(.at(1, asks: ["101": "1"]))
        let before = book
        book.apply(.at(2, asks: ["100": "0", "102": "0"], bids: ["101": "0"]))
        #expect(book == before)
    }

    @Test("levels(limit:) returns the best levels first")
    func limit() {
        var book = OrderBook()
        book.apply(.at(1, bids: ["1": "1", "2": "1", "3": "1"]))
        #expect(book.levels(.bid, limit: 2) == bookLevels(["3": "1", "2": "1"]))
        #expect(book.levels(.bid, limit: 0).isEmpty)
        #expect(book.levels(.bid, limit: -1).isEmpty)
        #expect(book.levels(.bid, limit: .max).count == 3)
    }

    @Test("a full side evicts its farthest level", arguments: BookSide.allCases)
    func cut(side: BookSide) {
        let nearest: Int64 = side == .ask ? 10_000 : 9_999
        func price(_ distance: Int64) -> FixedDecimal {
            FixedDecimal(side == .ask ? nearest + distance : nearest - distance)
        }
        var book = OrderBook()
        for distance in (1...Int64(OrderBook.levelsMax + 100)).reversed() {
            book.apply([.init(side: side, price: price(distance), quantity: .one)], at: 1)
        }
        let kept = (1...Int64(OrderBook.levelsMax)).map(price)
        #expect(book.levels(side).map(\.price) == kept)
        // A farther level is ignored; a nearer one evicts the farthest.
        book.apply([.init(side: side, price: price(999), quantity: .one)], at: 2)
        #expect(book.levels(side).map(\.price) == kept)
        book.apply([.init(side: side, price: price(0), quantity: .one)], at: 3)
        #expect(book.levels(side).map(\.price) == [price(0)] + kept.dropLast())
    }

    @Test("the largest possible prices and quantities are accepted")
    func extremes() {
        let largest = FixedDecimal(units: .max)
        let smallest = FixedDecimal(units: 1)
        var book = OrderBook()
        for side in BookSide.allCases {
            book.apply([.init(side: side, price: largest, quantity: largest)], at: .max)
            book.apply([.init(side: side, price: smallest, quantity: smallest)], at: .min)
        }
        #expect(book.isCrossed)
        #expect(book.count(.ask) == 2 && book.count(.bid) == 2)
        // The bid at the largest price is newer than the ask at the smallest one, and as old as the
        // ask at its own price.
        #expect(book.levels(.ask).isEmpty)
        #expect(book.levels(.bid).map(\.price) == [largest, smallest])
    }

    @Suite("Order book: crossed sides show the newer level")
    struct Crossing {
        @Test("a newer bid hides older asks")
        func newerBid() {
            var book = OrderBook()
            book.apply(.at(1, asks: ["101": "1", "102": "1", "103": "1"], bids: ["100": "1"]))
            book.apply(.at(2, bids: ["102": "5"]))
            #expect(book.isCrossed)
            #expect(book.levels(.ask) == bookLevels(["103": "1"]))
            #expect(book.levels(.bid) == bookLevels(["102": "5", "100": "1"]))
            #expect(book.best(.ask)?.price == "103")
            #expect(book.count(.ask) == 3)
        }

        @Test("a newer ask hides older bids, also at an equal price")
        func newerAsk() {
            var book = OrderBook()
            book.apply(.at(1, asks: ["101": "1"], bids: ["100": "1", "99": "1"]))
            book.apply(.at(2, asks: ["100": "2"]))
            #expect(book.isCrossed)
            #expect(book.levels(.ask) == bookLevels(["100": "2", "101": "1"]))
            #expect(book.levels(.bid) == bookLevels(["99": "1"]))
            #expect(book.best(.bid)?.price == "99")
        }

        @Test("at equal times the bid wins, because frames list it later")
        func tie() {
            var book = OrderBook()
            book.apply(.at(1, asks: ["100": "1", "101": "1"], bids: ["100": "2"]))
            #expect(book.isCrossed)
            #expect(book.levels(.ask) == bookLevels(["101": "1"]))
            #expect(book.levels(.bid) == bookLevels(["100": "2"]))
        }

        @Test("a change that resolves the crossing shows hidden levels again")
        func settled() {
            var book = OrderBook()
            book.apply(.at(1, asks: ["101": "1"], bids: ["100": "1"]))
            book.apply(.at(2, bids: ["102": "5"]))
            #expect(book.levels(.ask).isEmpty)
            book.apply(.at(3, bids: ["102": "0"]))
            #expect(!book.isCrossed)
            #expect(book.levels(.ask) == bookLevels(["101": "1"]))
        }

        @Test("levels that hide each other in turn show the newest")
        func turns() {
            var book = OrderBook()
            book.apply(.at(4, asks: ["100": "1"]))
            book.apply(.at(1, asks: ["101": "1"]))
            book.apply(.at(3, bids: ["103": "1"]))
            book.apply(.at(5, bids: ["102": "1"]))
            // The ask of 4 hides the bid of 3; then the bid of 5 hides the asks of 4 and 1.
            #expect(book.levels(.ask).isEmpty)
            #expect(book.levels(.bid) == bookLevels(["102": "1"]))
        }
    }
}
