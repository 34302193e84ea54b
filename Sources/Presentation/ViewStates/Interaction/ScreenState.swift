public import Domain

/// Everything of the screens that is the user's and not the market's: the list, and what lies over
/// it.
public struct ScreenState: Sendable, Equatable {
    /// The list; it stays where it was while a detail lies over it.
    ///
    /// Its overlay (help, menu of periods) and its period are those of the whole screen.
    public internal(set) var list: MarketListScreenState
    /// The market that is open; nil while the list is seen.
    public internal(set) var detail: MarketDetailScreenState?
    /// How much room the panes of a detail have.
    public internal(set) var room: DetailRoom
    /// The settings with which the last detail was left; the next one begins with them.
    var lastDetail: MarketDetailScreenState?

    /// A screen that shows the list.
    public init(list: MarketListScreenState = MarketListScreenState()) {
        self.list = list
        room = DetailRoom()
    }

    /// What has to be followed for the open market; empty without one.
    public var interests: Set<DetailInterest> { detail?.interests ?? [] }
}

/// The panes of a detail.
///
/// One of them has the keys. Where the screen is too narrow for all, only that one is seen.
public enum DetailPane: Sendable, Hashable, CaseIterable {
    /// 호가: the order book.
    case book
    /// 차트: the chart.
    case chart
    /// 시세: the trades, or the list of days.
    case trades
}

/// How much room the panes of a detail have on the screen.
public struct DetailRoom: Sendable, Hashable {
    /// Rows for levels of the book, and for the rule between its sides.
    public var bookRows: Int
    /// Rows for trades or days.
    public var tradeRows: Int
    /// Columns for candles.
    public var chartColumns: Int
    /// How many rows the volume may have; nil if there is no room for it.
    public var volumeRows: ClosedRange<Int>?
    /// How many rows the volume has unless the user says otherwise.
    public var volumeRowsUsual: Int

    /// Room for next to nothing; a screen says how much there is before it draws.
    public init(
        bookRows: Int = 1,
        tradeRows: Int = 1,
        chartColumns: Int = 1,
        volumeRows: ClosedRange<Int>? = nil,
        volumeRowsUsual: Int = 0
    ) {
        self.bookRows = max(bookRows, 1)
        self.tradeRows = max(tradeRows, 1)
        self.chartColumns = max(chartColumns, 1)
        self.volumeRows = volumeRows
        self.volumeRowsUsual = volumeRowsUsual
    }
}
