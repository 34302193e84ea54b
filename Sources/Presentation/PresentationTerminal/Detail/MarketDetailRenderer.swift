public import Domain
public import ViewStates

/// Draws the detail of a market: a pure function of the document, the screen's state, the time and
/// a size.
public enum MarketDetailRenderer: Sendable {
    /// Draws one picture.
    ///
    /// - Parameters:
    ///   - document: what the query of the state answers.
    ///   - days: the list of days; nil while it is not shown.
    ///   - state: what the user has set; without an open market the picture is empty.
    ///   - now: for the clock, ages and countdowns.
    ///   - flashing: names out of ``flashingFigures(of:)`` that have just changed.
    ///   - size: any; on a small one parts are left out.
    ///   - theme: which colours the terminal has.
    ///   - keys: what is offered.
    ///   - language: of the screen's own words.
    /// - Returns: a picture of exactly that size.
    public static func render(
        document: MarketDetailDocument,
        days: DayList?,
        state: ScreenState,
        now: Timestamp,
        flashing: Set<String>,
        size: TerminalSize,
        theme: Theme,
        keys: KeyTable = .screens,
        language: Language
    ) -> Frame {
        guard let detail = state.detail else { return Frame(size: size) }
        var canvas = MarketDetailCanvas(
            document: document,
            days: days,
            screen: state,
            detail: detail,
            now: now,
            flashing: flashing,
            theme: theme,
            keys: keys,
            language: language,
            layout: MarketDetailLayout(size),
            frame: Frame(size: size)
        )
        canvas.drawTitle()
        canvas.drawPrice()
        canvas.drawPanes()
        canvas.drawBottom()
        canvas.drawOverlay()
        return canvas.frame
    }

    /// How much room the panes have on a screen of this size.
    public static func room(in size: TerminalSize) -> DetailRoom {
        room(MarketDetailLayout(size))
    }

    /// How much room they have beside the list; nil where the screen has no room for both.
    public static func roomBesideList(in size: TerminalSize) -> DetailRoom? {
        SplitLayout(size).map { room(MarketDetailLayout($0.detail, isBesideList: true)) }
    }

    private static func room(_ layout: MarketDetailLayout) -> DetailRoom {
        // The span does not matter for the room.
        let nowhere = Timestamp(microseconds: 0)
        return layout.room(chart: ChartPaneOptions(span: nowhere..<nowhere))
    }

    /// The figures that stand out for a moment when they change: the price, and what rests at each
    /// level of the book.
    public static func flashingFigures(
        of state: MarketDetailViewState
    ) -> [String: FixedDecimal] {
        var figures: [String: FixedDecimal] = [:]
        let book = state.orderBook
        figures.reserveCapacity(book.asks.count + book.bids.count + 1)
        figures[FigureName.price] = state.header.price
        for level in book.asks { figures[FigureName.ask(level)] = level.quantity }
        for level in book.bids { figures[FigureName.bid(level)] = level.quantity }
        return figures
    }
}

/// What the figures of a detail are called that can flash.
enum FigureName {
    static let price = "price"

    static func ask(_ level: OrderBookViewState.Level) -> String { "ask " + level.priceText }

    static func bid(_ level: OrderBookViewState.Level) -> String { "bid " + level.priceText }
}

extension MarketDetailViewState {
    /// Whether a part of it is still awaited.
    var isAwaited: Bool {
        [header.health, orderBook.health, trades.health, chart.health]
            .contains { $0.phase == .loading }
    }
}

/// A picture of a detail in the making.
struct MarketDetailCanvas {
    let document: MarketDetailDocument
    let days: DayList?
    let screen: ScreenState
    let detail: MarketDetailScreenState
    let now: Timestamp
    let flashing: Set<String>
    let theme: Theme
    let keys: KeyTable
    let language: Language
    let layout: MarketDetailLayout
    var frame: Frame

    var state: MarketDetailViewState { document.state }
    var width: Int { frame.size.columns }

    /// The panes that are seen.
    var visiblePanes: [DetailPane] { layout.isWide ? DetailPane.allCases : [detail.focus] }

    /// How fresh what a pane shows is.
    func health(_ pane: DetailPane) -> HealthViewState {
        switch pane {
        case .book: state.orderBook.health
        case .chart: detail.chart.showsTicks ? state.trades.health : state.chart.health
        case .trades: days?.health ?? state.trades.health
        }
    }
}
