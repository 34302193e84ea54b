import TestSupport
import Testing

@testable import Domain

private let coin: MarketID = "XRP_KRW"

@Suite("The prices of a market over the last day")
struct DayLineTests {
    private static let shown: Set<ShownPeriod> = [.line(coin)]

    /// A board at 12:30 whose market costs 200.
    private static func board() -> MarketBoard {
        var board = MarketBoard(kind: .live)
        let listing = Listing(at: .noon(1_800), [ListingEntry(coin, price: "200")])
        board.apply(.listing(listing), at: .noon(1_800))
        return board
    }

    /// Closes of ten minutes; the price is the number of the hour before noon, from 100.
    private static func page(hours: Range<Int>, isWhole: Bool = false) -> MarketEvent {
        .closes(
            ClosePage(
                market: coin,
                interval: .minutes10,
                rows: hours.map { hour in
                    .init(
                        openTime: .noon(hour * 3_600 - 600),
                        close: FixedDecimal(Int64(100 + hour))
                    )
                },
                until: .noon(1_800),
                isWhole: isWhole
            )
        )
    }

    private static func line(_ board: MarketBoard, at now: Timestamp) -> [FixedDecimal?]? {
        board.market(coin).flatMap { board.dayLine(of: $0, now: now) }
    }

    @Test("it has the closes of 23 hours and the current price")
    func whole() {
        var board = Self.board()
        #expect(Self.line(board, at: .noon(1_800)) == nil)
        let changes = board.apply(Self.page(hours: -23..<1), at: .noon(1_800))
        #expect(changes.markets[coin]?.contains(.figures) == true)
        let closes = (-22...0).map { FixedDecimal(Int64(100 + $0)) }
        #expect(Self.line(board, at: .noon(1_800)) == closes + ["200"])
        #expect(Self.line(board, at: .noon(1_800))?.count == MarketBoard.dayLineCount)
        #expect(board.closeNeeds(of: Self.shown, now: .noon(1_800)).isEmpty)
    }

    @Test("unknown hours are nil, and a line of fewer than two known ones is none")
    func parts() {
        var board = Self.board()
        board.apply(Self.page(hours: 0..<1), at: .noon(1_800))
        #expect(Self.line(board, at: .noon(1_800)) == nil)
        board.apply(Self.page(hours: -1..<1), at: .noon(1_800))
        let unknown = [FixedDecimal?](repeating: nil, count: 21)
        #expect(Self.line(board, at: .noon(1_800)) == unknown + ["99", "100", "200"])
        // The same page changes nothing.
        #expect(board.apply(Self.page(hours: -1..<1), at: .noon(1_800)).isEmpty)
    }

    @Test("a line is read after the bases of changes, until its hours are known")
    func needs() {
        var board = Self.board()
        let first = CloseNeed(
            market: coin,
            period: .hours24,
            moment: .noon(-22 * 3_600),
            reason: .line
        )
        #expect(board.closeNeeds(of: Self.shown, now: .noon(1_800)) == [first])
        let both = Self.shown.union([.row(.hour1, coin)])
        #expect(board.closeNeeds(of: both, now: .noon(1_800)).map(\.reason) == [.base, .line])
        #expect(board.closeNeeds(of: [.row(.midnight, coin)], now: .noon(1_800)).isEmpty)
        // A market that is younger than a day needs no earlier closes.
        board.apply(Self.page(hours: -2..<1, isWhole: true), at: .noon(1_800))
        #expect(board.closeNeeds(of: Self.shown, now: .noon(1_800)).isEmpty)
        #expect(Self.line(board, at: .noon(1_800))?.compactMap(\.self).count == 4)
    }

    @Test("a market that does not trade needs no line")
    func suspended() {
        var board = Self.board()
        let listing = Listing(at: .noon(1_801), [], suspended: [coin])
        board.apply(.listing(listing), at: .noon(1_801))
        #expect(board.closeNeeds(of: Self.shown, now: .noon(1_801)).isEmpty)
    }
}
