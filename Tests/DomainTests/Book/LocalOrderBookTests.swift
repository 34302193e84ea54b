import TestSupport
import Testing

@testable import Domain

@Suite("Local order book: snapshots and changes are merged by exchange time")
struct LocalOrderBookTests {
    @Test("a new book has no data and needs a REST snapshot")
    func unknown() {
        let book = LocalOrderBook()
        #expect(!book.isReady && !book.isComplete && book.needsReload)
        #expect(book.lastDataAt == nil && book.origin == nil && book.newestAt == nil)
        #expect(book.count(.ask) == 0 && book.count(.bid) == 0)
    }

    @Test("changes before the first snapshot are buffered, and newer ones are applied in order")
    func join() {
        var book = LocalOrderBook()
        book.apply(.at(1_500, asks: ["101": "9", "103": "3"]))
        book.apply(.at(2_500, asks: ["101": "6"], bids: ["99": "4"]))
        book.apply(.at(2_200, asks: ["101": "5", "102": "0"]))
        #expect(!book.isReady && book.book == OrderBook())
        #expect(book.lastDataAt == .noon(2) && book.origin == .stream)
        book.apply(.stream(2_000, asks: ["101": "1", "102": "2"], bids: ["100": "1"]))
        #expect(book.isReady && book.isComplete && !book.needsReload)
        #expect(book.book.levels(.ask) == bookLevels(["101": "6"]))
        #expect(book.book.levels(.bid) == bookLevels(["100": "1", "99": "4"]))
        #expect(book.comparisons == 0 && book.corrections == 0)
        #expect(book.lastDataAt == .noon(1) && book.newestAt == .noon(plus: .microseconds(2_500)))
    }

    @Test(
        "a snapshot with unreadable levels does not replace a complete book until that is old",
        arguments: [ExchangeAPI.v1, .v2]
    )
    func unreadable(_ api: ExchangeAPI) {
        var first = OrderBookSnapshot.stream(1_000, asks: ["101": "1"], bids: ["100": "1"])
        first.api = api
        var broken = OrderBookSnapshot.stream(2_000, asks: ["102": "2"], bids: ["100": "1"])
        (broken.api, broken.unreadableCount) = (api, 1)
        var book = LocalOrderBook()
        book.apply(first, receivedAt: .noon(1))
        book.apply(broken, receivedAt: .noon(2))
        #expect(book.book.best(.ask)?.price == "101" && book.isComplete)
        #expect(book.lastDataAt == .noon(1))
        book.apply(broken, receivedAt: .noon(6))
        #expect(book.book.best(.ask)?.price == "102")
        #expect(book.isReady && !book.isComplete && book.needsReload)
        broken.at = .noon(plus: .microseconds(2_500))
        book.apply(broken, receivedAt: .noon(6))
        #expect(!book.isComplete && book.newestAt == broken.at)
        var whole = broken
        whole.unreadableCount = 0
        book.apply(whole, receivedAt: .noon(7))
        #expect(book.isComplete && !book.needsReload)
    }

    @Test("a book that begins with unreadable levels is shown, but not complete")
    func unreadableBeginning() {
        var broken = OrderBookSnapshot.stream(2_000, asks: ["102": "2"])
        broken.unreadableCount = 1
        var book = LocalOrderBook()
        book.apply(broken)
        #expect(book.isReady && !book.isComplete && book.needsReload)
        book.apply(.stream(2_200, asks: ["101": "2"]))
        #expect(book.isComplete && book.book.levels(.ask) == bookLevels(["101": "2"]))
    }

    @Test("a late REST answer does not overwrite newer levels")
    func lateAnswer() {
        var book = LocalOrderBook()
        book.apply(.stream(5_000, asks: ["101": "1"]))
        book.apply(.at(6_000, asks: ["101": "2"]))
        let before = book
        book.apply(.rest(milliseconds: 4, asks: ["101": "7"], bids: ["100": "7"]))
        book.apply(.stream(4_999, asks: ["102": "7"]))
        book.apply(.stream(5_000, asks: ["103": "7"]))
        #expect(book == before)
    }

    @Test("a stream snapshot replaces a REST snapshot of the same time, but not the reverse")
    func sameTime() {
        var book = LocalOrderBook()
        book.apply(.rest(milliseconds: 5, asks: ["101": "1.2345"]))
        book.apply(.stream(5_000, asks: ["101": "1.23456"]))
        #expect(book.comparisons == 1 && book.corrections == 0)
        #expect(book.book.levels(.ask) == bookLevels(["101": "1.23456"]))
        book.apply(.rest(milliseconds: 5, asks: ["101": "9"]))
        #expect(book.comparisons == 1)
    }

    @Test("changes at a snapshot's time are ignored, except in REST's millisecond")
    func changesOfTheTime() {
        var book = LocalOrderBook()
        book.apply(.stream(5_000, asks: ["101": "1"]))
        book.apply(.at(5_000, asks: ["101": "2"]))
        #expect(book.book.levels(.ask) == bookLevels(["101": "1"]))
        book.apply(.rest(milliseconds: 6, asks: ["101": "1"]))
        book.apply(.at(5_999, asks: ["101": "3"]))
        #expect(book.book.levels(.ask) == bookLevels(["101": "1"]))
        book.apply(.at(6_000, asks: ["101": "4"]))
        #expect(book.book.levels(.ask) == bookLevels(["101": "4"]))
    }

    @Test("an older change neither undoes a newer one nor restores a deleted level")
    func lateChanges() {
        var book = LocalOrderBook()
        book.apply(.stream(1, asks: ["101": "1"], bids: ["100": "1", "99": "1"]))
        book.apply(.at(10, asks: ["101": "0"], bids: ["100": "8"]))
        book.apply(.at(5, asks: ["101": "5", "102": "5"], bids: ["100": "0", "99": "0"]))
        #expect(book.book.levels(.ask) == bookLevels(["102": "5"]))
        #expect(book.book.levels(.bid) == bookLevels(["100": "8"]))
        // The older of two late changes, too.
        book.apply(.at(4, asks: ["102": "4"], bids: ["99": "4"]))
        #expect(book.book.levels(.ask) == bookLevels(["102": "5"]))
        #expect(book.book.levels(.bid) == bookLevels(["100": "8"]))
    }

    @Test("duplicate messages change nothing")
    func twins() {
        var book = LocalOrderBook()
        let snapshot = OrderBookSnapshot.stream(1, asks: ["101": "1"], bids: ["100": "1"])
        let deltas = [
            OrderBookDelta.at(2, asks: ["101": "0", "102": "2"]),
            .at(3, asks: ["102": "0"], bids: ["100": "3"]),
        ]
        book.apply(snapshot)
        for delta in deltas { book.apply(delta) }
        let before = book.book
        for delta in deltas + deltas.reversed() { book.apply(delta) }
        book.apply(snapshot)
        #expect(book.book == before)
        #expect(book.comparisons == 0)
    }

    @Test("a snapshot does not restore a level deleted after it")
    func newerDeletion() {
        var book = LocalOrderBook()
        book.apply(.stream(1, asks: ["101": "1", "102": "1"]))
        book.apply(.at(10, asks: ["101": "0"]))
        book.apply(.stream(9, asks: ["101": "1", "102": "1"]))
        #expect(book.book.levels(.ask) == bookLevels(["102": "1"]))
        #expect(book.comparisons == 1 && book.corrections == 0)
    }

    @Test("ignored messages do not update the time of the newest data")
    func ignored() {
        var book = LocalOrderBook()
        book.apply(.stream(5, asks: ["101": "1"]), receivedAt: .noon(10))
        book.apply(.at(4, asks: ["101": "2"]), receivedAt: .noon(11))
        book.apply(.rest(milliseconds: 0), receivedAt: .noon(12))
        #expect(book.lastDataAt == .noon(10) && book.origin == .stream)
        book.apply(.rest(milliseconds: 1, asks: ["101": "1"]), receivedAt: .noon(13))
        #expect(book.lastDataAt == .noon(13) && book.origin == .rest)
    }

    @Suite("Local order book: lost changes")
    struct Loss {
        @Test("levels stay visible until the next snapshot replaces all of them")
        func replacement() {
            var book = LocalOrderBook()
            var wide = OrderBookSnapshot.wide(1, asks: 30, bids: 30)
            book.apply(wide)
            book.apply(.at(2, asks: ["500": "1"]))
            book.markLoss()
            #expect(book.isReady && !book.isComplete && book.needsReload)
            #expect(book.count(.ask) == 31)
            book.apply(.at(10, asks: ["101": "0"], bids: ["60": "2"]))
            #expect(!book.isComplete)
            wide.at = .noon(plus: .microseconds(9))
            book.apply(wide)
            #expect(book.isComplete && !book.needsReload)
            // The far ask is discarded; changes of the new connection stay on top.
            #expect(book.book.levels(.ask).map(\.price) == wide.asks.dropFirst().map(\.price))
            #expect(book.book.levels(.bid).map(\.price) == wide.bids.map(\.price) + ["60"])
            #expect(book.comparisons == 1 && book.corrections == 0)
        }

        @Test("a snapshot from before the loss does not repair it")
        func olderSnapshot() {
            var book = LocalOrderBook()
            book.apply(.stream(1_000, asks: ["101": "1"]))
            book.apply(.at(9_000, asks: ["102": "1"]))
            book.markLoss()
            book.apply(.stream(8_000, asks: ["101": "2"]))
            #expect(book.book.levels(.ask) == bookLevels(["101": "2", "102": "1"]))
            #expect(!book.isComplete && book.needsReload)
            book.apply(.rest(milliseconds: 9, asks: ["101": "2", "102": "1"]))
            #expect(book.isComplete)
        }

        @Test("a snapshot with the same time repairs the loss in a quiet market")
        func quietMarket() {
            var book = LocalOrderBook()
            book.apply(.stream(5_300, asks: ["101": "1"]))
            book.markLoss()
            book.apply(.rest(milliseconds: 5, asks: ["101": "1"]))
            #expect(book.isComplete && !book.needsReload)
            book.markLoss()
            book.apply(.stream(5_300, asks: ["101": "1"]))
            #expect(book.isComplete && book.corrections == 0)
        }

        @Test("a loss before the first snapshot counts too")
        func early() {
            var book = LocalOrderBook()
            book.apply(.at(9_000, asks: ["102": "1"]))
            book.markLoss()
            book.apply(.rest(milliseconds: 8, asks: ["101": "1"]))
            #expect(book.isReady && !book.isComplete && book.needsReload)
            book.apply(.rest(milliseconds: 10, asks: ["101": "1"]))
            #expect(book.isComplete)
        }
    }

    @Test("a full buffer evicts the oldest changes and then rejects older snapshots")
    func fullLog() {
        var book = LocalOrderBook()
        let frames = 2 * DeltaBuffer.changesMax / 2
        for frame in 1...frames {
            book.apply(.at(frame * 1_000, asks: ["101": "0"], bids: ["100": "1"]))
        }
        // The first half was evicted: a snapshot from that time lacks changes.
        book.apply(.stream(1, asks: ["101": "1", "102": "1"]))
        #expect(book.isReady && !book.isComplete && book.needsReload)
        // Once ready, such a snapshot is ignored.
        let before = book
        book.apply(.stream(2_000, asks: ["101": "1", "102": "2"]))
        #expect(book == before)
        book.apply(.stream(frames * 1_000, asks: ["102": "2"], bids: ["100": "1"]))
        #expect(book.isComplete && book.book.levels(.ask) == bookLevels(["102": "2"]))
    }

    @Test("a late change is a loss if evicted changes may have deleted its level")
    func forgottenDeletion() {
        var book = LocalOrderBook()
        book.apply(.stream(1, asks: ["101": "1"]))
        for frame in 1...DeltaBuffer.changesMax + 1 {
            book.apply(.at(frame * 10, asks: ["101": "2"]))
        }
        #expect(book.isComplete)
        book.apply(.at(15, asks: ["101": "3", "102": "0"]))
        #expect(book.isComplete)
        book.apply(.at(15, asks: ["102": "3"]))
        #expect(!book.isComplete && book.needsReload)
        #expect(book.book.levels(.ask) == bookLevels(["101": "2"]))
    }
}
