import TestSupport
import Testing

@testable import Domain

@Suite("A followed book is compared with each snapshot and mended")
struct LocalOrderBookComparisonTests {
    /// A book with three levels a side, as of 1 µs.
    private static func joined() -> LocalOrderBook {
        var book = LocalOrderBook()
        book.apply(.wide(1, asks: 3, bids: 3))
        return book
    }

    @Test("and agrees with one that says the same")
    func agreement() {
        var book = Self.joined()
        book.apply(.wide(5, asks: 3, bids: 3))
        #expect(book.comparisons == 1 && book.corrections == 0)
    }

    @Test(
        "and corrections once, however much is wrong",
        arguments: [
            .stream(5, asks: ["101": "2", "102": "1", "103": "1"]),
            .stream(5, asks: ["102": "1", "103": "1"]),
            .stream(5, asks: ["101": "1", "102": "1", "103": "1", "104": "1"]),
            .stream(5, asks: ["100.5": "1", "101": "1", "102": "1", "103": "1"]),
            .stream(5),
            .stream(5, asks: ["7": "1"], bids: ["6": "1"]),
        ] as [OrderBookSnapshot]
    )
    func differences(snapshot: OrderBookSnapshot) {
        var book = Self.joined()
        book.apply(snapshot)
        #expect(book.comparisons == 1 && book.corrections == 1)
        #expect(book.book.levels(.ask) == snapshot.asks)
        #expect(book.book.levels(.bid) == snapshot.bids)
        // Mended: said again, it is right.
        var again = snapshot
        again.at = .noon(plus: .microseconds(6))
        book.apply(again)
        #expect(book.comparisons == 2 && book.corrections == 1)
    }

    @Test("and is right where it is newer")
    func newer() {
        var book = Self.joined()
        book.apply(.at(8, asks: ["101": "0", "100.5": "4"], bids: ["100": "2"]))
        book.apply(.wide(5, asks: 3, bids: 3))
        #expect(book.corrections == 0)
        #expect(book.book.best(.ask) == BookLevel(price: "100.5", quantity: "4"))
        #expect(book.book.best(.bid) == BookLevel(price: "100", quantity: "2"))
    }

    @Test("with a side of fewer than thirty levels, which is complete", arguments: 0...29)
    func completeSide(count: Int) {
        var book = LocalOrderBook()
        book.apply(.wide(1, asks: 30, bids: 30))
        book.apply(.at(2, asks: ["500": "1"], bids: ["9": "1"]))
        #expect(book.count(.ask) == 31 && book.count(.bid) == 31)
        let snapshot = OrderBookSnapshot.wide(3, asks: count, bids: count)
        book.apply(snapshot)
        #expect(book.corrections == 1)
        #expect(book.book.levels(.ask) == snapshot.asks)
        #expect(book.book.levels(.bid) == snapshot.bids)
    }

    @Test("with a side of thirty levels, beyond which it says nothing")
    func fullSide() {
        var book = LocalOrderBook()
        book.apply(.wide(1, asks: 30, bids: 30))
        book.apply(.at(2, asks: ["500": "1"], bids: ["9": "1"]))
        book.apply(.wide(3, asks: 30, bids: 30))
        #expect(book.corrections == 0)
        #expect(book.book.levels(.ask).last?.price == "500")
        #expect(book.book.levels(.bid).last?.price == "9")
    }

    @Test("with one whose places are taken up by quantities that print as zero")
    func hiddenPlaces() {
        var book = LocalOrderBook()
        book.apply(.wide(1, asks: 30, bids: 30))
        book.apply(.at(2, asks: ["500": "1"], bids: ["110": "0", "100": "0.00003"]))
        var reading = OrderBookSnapshot.wide(1_000, asks: 29, bids: 30)
        reading.origin = .rest
        reading.asksListed = 30
        reading.bids.removeFirst()
        reading.bidsListed = 30
        book.apply(reading)
        // The thirtieth ask was not listed, so it is unknown, and so is the far one.
        #expect(book.count(.ask) == 31 && book.count(.bid) == 30)
        #expect(book.corrections == 0)
    }

    @Test("and does not count levels that were never told of")
    func unknownLevels() {
        var book = LocalOrderBook()
        book.apply(.wide(1, asks: 30, bids: 30))
        book.apply(.at(2, asks: ["101": "0", "102": "0"]))
        var snapshot = OrderBookSnapshot.wide(3, asks: 32, bids: 30)
        snapshot.asks.removeFirst(2)
        book.apply(snapshot)
        #expect(book.comparisons == 1 && book.corrections == 0)
        #expect(book.book.levels(.ask) == snapshot.asks)
        // Now they are known: without the last one it would be wrong.
        snapshot.at = .noon(plus: .microseconds(4))
        snapshot.asks.removeLast()
        book.apply(snapshot)
        #expect(book.corrections == 1)
    }

    @Test("counting nothing for what an empty side could not tell before")
    func oneSided() {
        var book = LocalOrderBook()
        book.apply(.stream(1, bids: ["100": "1"]))
        book.apply(.at(2, asks: ["101": "1"], bids: ["100": "0"]))
        book.apply(.stream(3, asks: ["101": "1"]))
        #expect(book.comparisons == 1 && book.corrections == 0)
        #expect(book.count(.ask) == 1 && book.count(.bid) == 0)
    }

    @Test(
        "with REST to four digits, keeping those beyond",
        arguments: [
            ("0.0163", 0, "0.01634567"), ("0.0164", 1, "0.0164"), ("0.0162", 1, "0.0162"),
            ("0.01634567", 0, "0.01634567"),
        ] as [(FixedDecimal, Int, FixedDecimal)]
    )
    func cutQuantities(told: FixedDecimal, corrections: Int, expected: FixedDecimal) {
        var book = LocalOrderBook()
        book.apply(.stream(1, asks: ["101": "0.01634567"]))
        book.apply(.rest(milliseconds: 1, asks: ["101": told]))
        #expect(book.corrections == corrections)
        #expect(book.book.best(.ask)?.quantity == expected)
    }

    @Test("with the stream after REST, which brings the digits that REST cut, no drift")
    func digitsRestored() {
        var book = LocalOrderBook()
        book.apply(.rest(milliseconds: 1, asks: ["101": "0.0163", "102": "1"]))
        book.apply(.stream(5_000, asks: ["100": "0.00009", "101": "0.01634567", "102": "1"]))
        #expect(book.comparisons == 1 && book.corrections == 0)
        #expect(book.book.levels(.ask).map(\.quantity) == ["0.00009", "0.01634567", "1"])
        book.apply(.stream(6_000, asks: ["100": "0.00009", "101": "0.01639999", "102": "1"]))
        #expect(book.corrections == 1)
    }

    @Test("with REST, which does not show levels below 0.0001")
    func smallLevels() {
        var book = LocalOrderBook()
        book.apply(.stream(1, asks: ["100": "0.00009999", "101": "0.0001", "102": "1"]))
        book.apply(.rest(milliseconds: 1, asks: ["101": "0.0001", "102": "1"]))
        #expect(book.corrections == 0)
        #expect(book.book.best(.ask)?.price == "100")
        book.apply(.rest(milliseconds: 2, asks: ["102": "1"]))
        #expect(book.corrections == 1)
        #expect(book.book.levels(.ask).map(\.price) == ["100", "102"])
        // The deletion was under way: REST does not tell it, so it still counts.
        book.apply(.at(1_500, asks: ["100": "0", "102": "7"]))
        #expect(book.book.levels(.ask) == bookLevels(["102": "1"]))
    }

    @Test("and wants a reading while sides cross, until it is settled")
    func crossing() {
        var book = Self.joined()
        book.apply(.at(2, bids: ["102": "1"]))
        #expect(book.book.isCrossed && book.needsReload && book.isComplete)
        #expect(book.book.best(.ask)?.price == "103")
        // A snapshot of the last one's time is taken now, but is older than the change.
        book.apply(.wide(1, asks: 3, bids: 3))
        #expect(book.book.isCrossed && book.needsReload)
        #expect(book.comparisons == 1 && book.corrections == 0)
        book.apply(.wide(4, asks: 3, bids: 3))
        #expect(!book.book.isCrossed && !book.needsReload)
        #expect(book.comparisons == 2 && book.corrections == 1)
        book.apply(.wide(4, asks: 3, bids: 3))
        #expect(book.comparisons == 2)
    }

    @Test("beyond its last level with late changes of what is held, not of what may be gone")
    func lateFarChanges() {
        var book = LocalOrderBook()
        book.apply(.wide(1, asks: 30, bids: 30))
        book.apply(.at(2, asks: ["500": "1"]))
        book.apply(.wide(10, asks: 30, bids: 30))
        book.apply(.at(5, asks: ["101": "9", "500": "5", "600": "1"], bids: ["100": "0"]))
        #expect(book.book.best(.ask)?.quantity == .one && book.book.best(.bid)?.price == "100")
        #expect(book.book.levels(.ask).last == BookLevel(price: "500", quantity: "5"))
        book.apply(.at(4, asks: ["500": "0"]))
        #expect(book.count(.ask) == 31)
        book.apply(.at(6, asks: ["500": "0"]))
        #expect(book.count(.ask) == 30)
    }
}
