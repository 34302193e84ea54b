import TestSupport
import Testing

@testable import Domain

@Suite("Local order book: comparison with each snapshot")
struct LocalOrderBookComparisonTests {
    /// A book with three levels a side, as of 1 µs.
    private static func joined() -> LocalOrderBook {
        var book = LocalOrderBook()
        book.apply(.wide(1, asks: 3, bids: 3))
        return book
    }

    @Test("an equal snapshot counts as a comparison without a correction")
    func agreement() {
        var book = Self.joined()
        book.apply(.wide(5, asks: 3, bids: 3))
        #expect(book.comparisons == 1 && book.corrections == 0)
    }

    @Test(
        "a snapshot with any number of differences counts as one correction",
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
        // Corrected: the repeated snapshot is equal.
        var again = snapshot
        again.at = .noon(plus: .microseconds(6))
        book.apply(again)
        #expect(book.comparisons == 2 && book.corrections == 1)
    }

    @Test("levels newer than the snapshot stay and are not wrong")
    func newer() {
        var book = Self.joined()
        book.apply(.at(8, asks: ["101": "0", "100.5": "4"], bids: ["100": "2"]))
        book.apply(.wide(5, asks: 3, bids: 3))
        #expect(book.corrections == 0)
        #expect(book.book.best(.ask) == BookLevel(price: "100.5", quantity: "4"))
        #expect(book.book.best(.bid) == BookLevel(price: "100", quantity: "2"))
    }

    @Test("a side with fewer than thirty levels is complete", arguments: 0...29)
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

    @Test("a side with thirty levels says nothing about levels beyond")
    func fullSide() {
        var book = LocalOrderBook()
        book.apply(.wide(1, asks: 30, bids: 30))
        book.apply(.at(2, asks: ["500": "1"], bids: ["9": "1"]))
        book.apply(.wide(3, asks: 30, bids: 30))
        #expect(book.corrections == 0)
        #expect(book.book.levels(.ask).last?.price == "500")
        #expect(book.book.levels(.bid).last?.price == "9")
    }

    @Test("levels printed as zero still take up places in a REST snapshot")
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

    @Test("levels beyond every earlier snapshot are not counted as wrong")
    func unknownLevels() {
        var book = LocalOrderBook()
        book.apply(.wide(1, asks: 30, bids: 30))
        book.apply(.at(2, asks: ["101": "0", "102": "0"]))
        var snapshot = OrderBookSnapshot.wide(3, asks: 32, bids: 30)
        snapshot.asks.removeFirst(2)
        book.apply(snapshot)
        #expect(book.comparisons == 1 && book.corrections == 0)
        #expect(book.book.levels(.ask) == snapshot.asks)
        // Now they are known: without the last one the book would be wrong.
        snapshot.at = .noon(plus: .microseconds(4))
        snapshot.asks.removeLast()
        book.apply(snapshot)
        #expect(book.corrections == 1)
    }

    @Test("levels unknown after an empty side are not counted as wrong")
    func oneSided() {
        var book = LocalOrderBook()
        book.apply(.stream(1, bids: ["100": "1"]))
        book.apply(.at(2, asks: ["101": "1"], bids: ["100": "0"]))
        book.apply(.stream(3, asks: ["101": "1"]))
        #expect(book.comparisons == 1 && book.corrections == 0)
        #expect(book.count(.ask) == 1 && book.count(.bid) == 0)
    }

    @Test(
        "REST is compared to four digits, and further digits are kept",
        arguments: [
            ("0.0163", 0, "0.01634567"), ("0.0164", 1, "0.0164"), ("0.0162", 1, "0.0162"),
            ("0.01634567", 0, "0.01634567"),
        ] as [(FixedDecimal, Int, FixedDecimal)]
    )
    func cutQuantities(told: FixedDecimal, corrections: Int, expected: FixedDecimal) {
        var book = LocalOrderBook()
        book.apply(.stream(1, asks: ["101": "0.01634567"]))
        book.apply(.at(2_000, bids: ["99": "0"]))
        book.apply(.rest(milliseconds: 1, asks: ["101": told]))
        #expect(book.corrections == corrections)
        #expect(book.book.best(.ask)?.quantity == expected)
    }

    @Test("a stream snapshot restores the digits that REST truncated, without a correction")
    func digitsRestored() {
        var book = LocalOrderBook()
        book.apply(.rest(milliseconds: 1, asks: ["101": "0.0163", "102": "1"]))
        book.apply(.stream(5_000, asks: ["100": "0.00009", "101": "0.01634567", "102": "1"]))
        #expect(book.comparisons == 1 && book.corrections == 0)
        #expect(book.book.levels(.ask).map(\.quantity) == ["0.00009", "0.01634567", "1"])
        book.apply(.stream(6_000, asks: ["100": "0.00009", "101": "0.01639999", "102": "1"]))
        #expect(book.corrections == 1)
    }

    @Test("REST does not show levels below 0.0001, which stay")
    func smallLevels() {
        var book = LocalOrderBook()
        book.apply(.stream(1, asks: ["100": "0.00009999", "101": "0.0001", "102": "1"]))
        book.apply(.rest(milliseconds: 1, asks: ["101": "0.0001", "102": "1"]))
        #expect(book.corrections == 0)
        #expect(book.book.best(.ask)?.price == "100")
        book.apply(.rest(milliseconds: 2, asks: ["102": "1"]))
        #expect(book.book.levels(.ask).map(\.price) == ["100", "102"])
        // The deletion was in flight: REST does not include it, so it still applies.
        book.apply(.at(1_500, asks: ["100": "0", "102": "7"]))
        #expect(book.book.levels(.ask) == bookLevels(["102": "1"]))
    }

    @Test(
        "changes that REST tells before the stream does are no correction",
        arguments: [(1, 1), (2, 0), (3, 0)]
    )
    func overtaken(milliseconds: Int, corrections: Int) {
        var book = Self.joined()
        book.apply(.at(2_500, asks: ["101": "2"]))
        book.apply(
            .rest(milliseconds: milliseconds, asks: ["101": "2", "102": "7", "103": "1"])
        )
        #expect(book.comparisons == 1 && book.corrections == corrections)
        #expect(book.book.levels(.ask).map(\.quantity) == ["2", "7", "1"])
        #expect(book.book.levels(.bid).isEmpty, "the answer is taken all the same")
    }

    @Test("crossed sides need a REST snapshot until the crossing is resolved")
    func crossing() {
        var book = Self.joined()
        book.apply(.at(2, bids: ["102": "1"]))
        #expect(book.book.isCrossed && book.needsReload && book.isComplete)
        #expect(book.book.best(.ask)?.price == "103")
        // A snapshot with the last one's time is accepted now, but is older than the change.
        book.apply(.wide(1, asks: 3, bids: 3))
        #expect(book.book.isCrossed && book.needsReload)
        #expect(book.comparisons == 1 && book.corrections == 0)
        book.apply(.wide(4, asks: 3, bids: 3))
        #expect(!book.book.isCrossed && !book.needsReload)
        #expect(book.comparisons == 2 && book.corrections == 1)
        book.apply(.wide(4, asks: 3, bids: 3))
        #expect(book.comparisons == 2)
    }

    @Test("late changes beyond the last level apply to held levels only")
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
