public import Domain
public import ViewStates

/// The user's state of a market detail, independent of market data.
///
/// Positions refer to identities: a trade's ID or a candle's time.
public struct MarketDetailScreenState: Sendable, Equatable {
    /// The market.
    public let market: MarketID
    /// The focused pane.
    public internal(set) var focus: DetailPane
    /// Which panes are visible beside the focused one.
    public private(set) var layout = UserSettings.MarketLayout.all
    /// Whether the focused pane has the whole screen for now.
    public internal(set) var isMaximized = false
    /// The order book.
    public internal(set) var book: BookScreenState
    /// The trades.
    public internal(set) var trades: TradesScreenState
    /// The chart.
    public internal(set) var chart: ChartScreenState
    /// The sizes of the panes.
    var room: PaneSizes
    /// The bounds of the last document; nil before the first.
    var facts: DetailExtent?

    /// Opens a market.
    ///
    /// - Parameters:
    ///   - market: the market.
    ///   - last: the previous detail; its settings are copied, its positions are not.
    ///   - room: the sizes of the panes.
    public init(
        market: MarketID,
        like last: MarketDetailScreenState? = nil,
        room: PaneSizes = PaneSizes()
    ) {
        self.market = market
        self.room = room
        focus = last?.focus ?? .book
        book = BookScreenState()
        trades = TradesScreenState()
        chart = ChartScreenState()
        guard let last else { return }
        layout = last.layout
        book.depth = last.book.depth
        trades.showsDays = last.trades.showsDays
        chart = last.chart
        chart.crosshair = nil
        chart.lastBucket = nil
        chart.grab = nil
        if chart.comparison == market { chart.comparison = nil }
    }

    /// Shows the panes of a layout, none maximized; the focus moves to one of them.
    mutating func show(_ layout: UserSettings.MarketLayout) {
        self.layout = layout
        isMaximized = false
        switch layout {
        case .all: break
        case .chartAndBook: if focus == .trades { focus = .book }
        case .chart: focus = .chart
        }
    }

    /// Which panes the user wants to see.
    public var view: DetailView {
        DetailView(focus: focus, layout: layout, isMaximized: isMaximized)
    }

    /// The market data that the panes need.
    public var interests: Set<DetailInterest> {
        var query = MarketDetailQuery(market: market)
        query.interval = chart.interval
        query.depth = bookDepth
        query.group = book.group
        query.indicators = chart.indicators
        query.comparison = chart.shownComparison
        // A chart in the past and one of long candles need older ones than the series has.
        if let now = facts?.now {
            query.candles = .span(chartSpan(now: now), isNewest: chart.lastBucket == nil)
        }
        return query.interests
    }
}

/// The user's settings of the order book.
public struct BookScreenState: Sendable, Equatable {
    /// Levels per side; nil for as many as fit.
    public internal(set) var depth: Int?
    /// Which of ``OrderBookGrouping/factors`` is chosen.
    public internal(set) var groupIndex = 0
    /// Rows by which the book is scrolled; positive shows lower prices.
    public internal(set) var offset = 0
    /// The market's own price step; nil before the first book.
    var step: FixedDecimal?

    init() {}

    /// The requested price step; nil for the market's own.
    public var group: FixedDecimal? {
        guard groupIndex > 0, let step else { return nil }
        let factor = FixedDecimal(OrderBookGrouping.factors[groupIndex])
        return try? step.multiplied(by: factor, rounding: .truncate)
    }
}

/// The user's settings of the trades.
public struct TradesScreenState: Sendable, Equatable {
    /// Whether the list of days replaces the trades.
    public internal(set) var showsDays = false
    /// The uppermost trade; nil to stay at the newest.
    public internal(set) var top: TradeID?
    /// The newest trade when the user scrolled away; newer ones count as new.
    public internal(set) var lastSeen: TradeID?
    /// How many days are passed over.
    public internal(set) var dayOffset = 0

    init() {}
}

/// The user's settings of the chart.
public struct ChartScreenState: Sendable, Equatable {
    /// How prices are drawn.
    public enum Style: Sendable, Hashable, CaseIterable {
        /// A body and two wicks.
        case candles
        /// A line through the last prices.
        case line
    }

    /// How many buckets may be visible.
    public static let bucketsRange = 20...365

    /// The interval of the candles.
    public internal(set) var interval = CandleInterval.day1
    /// How many buckets are visible; nil for one a column.
    public internal(set) var buckets: Int?
    /// When the last visible bucket opens; nil to follow the newest.
    public internal(set) var lastBucket: Timestamp?
    /// When the bucket under the cross-hair opens.
    public internal(set) var crosshair: Timestamp?
    /// The bucket that the mouse holds while its button is down; nil without one.
    var grab: ChartGrab?
    /// How prices are drawn.
    public internal(set) var style = Style.candles
    /// Whether the newest trades are drawn, independent of the interval.
    public internal(set) var showsTicks = false
    /// Whether the axis is in percent.
    public internal(set) var isPercent = false
    /// The averages that are drawn.
    public internal(set) var averages = Set(MovingAverage.usual)
    /// The other indicators that are drawn.
    public internal(set) var studies: Set<ChartStudy> = []
    /// The second market, drawn in percent; nil without one.
    public internal(set) var comparison: MarketID?
    /// Whether the volume is drawn.
    public internal(set) var showsVolume = true
    /// How many rows the volume has; nil for as many as usual.
    public internal(set) var volumeRows: Int?

    init() {}

    /// The second market; ticks have none.
    var shownComparison: MarketID? { showsTicks ? nil : comparison }

    /// The indicators that documents do not have: usual averages are members of candles.
    var indicators: IndicatorSelection {
        if showsTicks { return IndicatorSelection() }
        return IndicatorSelection(averages: averages.filter { !$0.isUsual }, studies: studies)
    }
}

/// The bucket that the mouse holds while it drags the chart.
struct ChartGrab: Sendable, Equatable {
    /// When the bucket opens.
    let bucket: Timestamp
    /// How many buckets it was before the last visible one when it was taken.
    let later: Int
    /// The last visible bucket at that time; nil if the chart followed the newest.
    let lastBucket: Timestamp?
}

/// The bounds of a document: the positions that a user can scroll to.
public struct DetailExtent: Sendable, Equatable {
    /// The local time at which it is drawn.
    public var now: Timestamp
    /// How many asks are in the document.
    public var asks: Int
    /// How many bids are in the document.
    public var bids: Int
    /// How many levels of the deeper side are held, whether in the document or not.
    public var levelsKept: Int
    /// The current price step.
    public var group: FixedDecimal?
    /// The names of the trades, newest first.
    public var trades: [TradeID]
    /// How many days there are.
    public var days: Int
    /// When the first visible bucket opens about which anything is known; nil if none.
    public var firstBucket: Timestamp?
    /// Whether the order book was loaded, even if it is empty.
    public var isBookRead = true
    /// Whether the trades are there.
    public var areTradesRead = true
    /// Whether the days are there.
    public var areDaysRead = true
    /// Whether the candles are there.
    public var isChartRead = true

    /// Extracts the bounds of a document.
    ///
    /// - Parameters:
    ///   - document: the document to draw next.
    ///   - days: the number of rows in the list of days.
    ///   - areDaysRead: whether that list was loaded.
    ///   - now: the local time.
    public init(
        _ document: MarketDetailDocument,
        days: Int,
        areDaysRead: Bool = true,
        now: Timestamp
    ) {
        self.now = now
        self.days = days
        self.areDaysRead = areDaysRead
        let state = document.state
        asks = state.orderBook.asks.count
        bids = state.orderBook.bids.count
        levelsKept = state.orderBook.levelsKept
        group = state.orderBook.group
        trades = state.trades.rows.compactMap { TradeID(text: $0.id) }
        let starts = [state.chart.candles.first?.openTime, state.chart.gaps.first?.from]
        firstBucket = starts.compactMap { $0 }.min()
        isBookRead = state.orderBook.health.isRead
        areTradesRead = state.trades.health.isRead
        isChartRead = state.chart.health.isRead
    }

    /// The bounds of an empty document.
    public init(now: Timestamp) {
        self.now = now
        asks = 0
        bids = 0
        levelsKept = 0
        trades = []
        days = 0
    }
}

extension MarketDetailScreenState {
    /// Whether Esc undoes a movement in the focused pane before it leaves the detail.
    public var isMoved: Bool {
        var state = self
        return MarketDetailReducer.rewind(&state)
    }
}

extension MarketDetailScreenState {
    /// The most days that the list of days has.
    public static let daysMax = 365

    /// The query of all panes.
    ///
    /// - Parameters:
    ///   - period: the change period in the header.
    ///   - language: the language of texts.
    ///   - now: the local time, for a chart that follows the newest bucket.
    /// - Returns: one query for visible and hidden panes, so that their data is consistent.
    public func query(
        period: ChangePeriod,
        language: Language,
        now: Timestamp
    ) -> MarketDetailQuery {
        var query = MarketDetailQuery(market: market)
        query.period = period
        query.depth = bookDepth
        query.group = book.group
        query.interval = chart.interval
        query.candles = .span(chartSpan(now: now), isNewest: chart.lastBucket == nil)
        query.indicators = chart.indicators
        query.comparison = chart.shownComparison
        // Unless scrolled, the query asks for the visible trades and the page below them.
        let isWhole = trades.top != nil || chart.showsTicks
        query.tradeLimit = isWhole ? TradeTape.capacity : tradesSeen
        query.language = language
        query.messageLanguage = language
        return query
    }

    /// The query of the list of days; nil while that is not shown.
    public func daysQuery(language: Language) -> MarketDetailQuery? {
        guard trades.showsDays else { return nil }
        var query = MarketDetailQuery(market: market)
        query.depth = 1
        query.tradeLimit = 1
        // One more day, because the change of the oldest row needs the close before it.
        query.candles = .newest(count: Self.daysMax + 1, before: nil)
        query.language = language
        query.messageLanguage = language
        return query
    }

    /// At least those that the corner of the book shows.
    private var tradesSeen: Int {
        min(2 * max(room.tradeRows, room.bookRows), TradeTape.capacity)
    }
}
