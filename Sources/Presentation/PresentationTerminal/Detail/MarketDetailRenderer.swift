public import Domain
public import ViewStates

/// Draws the detail of a market: a pure function of the document, the screen's state, the time and
/// a size.
public enum MarketDetailRenderer: Sendable {
    /// Draws the detail of a market.
    ///
    /// - Parameters:
    ///   - document: the answer to the state's query.
    ///   - days: the list of days; nil while hidden.
    ///   - state: the user's screen state; without an open market the frame is blank.
    ///   - now: for the clock, ages and countdowns.
    ///   - flashing: changed figures, named as in ``flashingFigures(of:)``.
    ///   - size: any size; small ones drop parts.
    ///   - theme: the colors.
    ///   - keys: the key bindings.
    ///   - language: the language of labels.
    /// - Returns: a frame of exactly that size.
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
            layout: MarketDetailLayout(size, view: detail.view),
            frame: Frame(size: size)
        )
        canvas.drawTitle()
        canvas.drawPrice()
        canvas.drawPanes()
        canvas.drawBottom()
        canvas.drawOverlay()
        return canvas.frame
    }

    /// The pane sizes on a screen of this size.
    public static func room(in size: TerminalSize) -> DetailRoom { DetailRoom(size) }

    /// The pane sizes beside the list; nil if both do not fit.
    public static func sizesBesideList(in size: TerminalSize) -> DetailRoom? {
        SplitLayout(size).map { DetailRoom($0.detail) }
    }

    /// The figures that flash when they change: the price and the quantity of each book level.
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

/// Names of the figures that can flash.
enum FigureName {
    static let price = "price"

    static func ask(_ level: OrderBookViewState.Level) -> String { "ask " + level.priceText }

    static func bid(_ level: OrderBookViewState.Level) -> String { "bid " + level.priceText }
}

extension MarketDetailViewState {
    /// Whether any part is still loading.
    var isAwaited: Bool {
        [header.health, orderBook.health, trades.health, chart.health]
            .contains { $0.phase == .loading }
    }
}

/// A frame of a detail in progress.
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

    /// The data health of a pane.
    func health(_ pane: DetailPane) -> HealthViewState {
        switch pane {
        case .book: state.orderBook.health
        case .chart: detail.chart.showsTicks ? state.trades.health : state.chart.health
        case .trades: days?.health ?? state.trades.health
        }
    }
}

extension MarketDetailCanvas {
    /// The narrowest useful sparkline.
    private static let sparklineColumnsMin = 12

    /// Which market this is, what the exchange warns of, the feed, how fresh it is, and the time.
    mutating func drawTitle() {
        let header = state.header
        let marks = WarningLabel(marks: header.marks, now: now, language: language)
        let words = HealthLabel(
            health: header.health,
            feed: document.source.feed,
            now: now,
            language: language
        )
        let clock = TimeText.clock(now)
        let feed = LineSegment(
            MarketListStrings.feedNames(document.source.feed, language),
            style: document.source.feed.titleStyle,
            rank: 0
        )
        let left = [
            LineSegment(
                names.map { star + " " + $0 },
                style: CellStyle(.accent, emphasis: .bold),
                rank: 0
            ),
            // Beside the list, that names the feed of both.
            screen.isSplit ? LineSegment([""], rank: 0) : feed,
            LineSegment(marks.texts, style: .bold, rank: 0),
        ]
        let right = [
            LineSegment(words.texts, style: words.style, rank: 2),
            LineSegment([clock + " KST", clock], style: .dim, rank: 4),
        ]
        FittedLine(left: left.filter(\.isFilled), right: right, width: width)
            .draw(in: &frame, row: layout.title)
    }

    /// The price, its change, whether the coin can be moved, and ninety days as a line.
    mutating func drawPrice() {
        guard let row = layout.price else { return }
        let header = state.header
        let role = CellStyle.Role(header.priceDirection)
        let base = header.health.isOutdated ? CellStyle.dim : .plain
        let style = CellStyle(role, emphasis: base.emphasis.union(.bold))
        let price = header.priceText ?? "-"
        let isFlashing = flashing.contains(FigureName.price)
        // The sign precedes the first figure of the change that is shown.
        let sign = header.priceDirection.sign.map { $0 + " " } ?? ""
        let amount = header.changeAmountText.map { sign + $0 } ?? ""
        let period =
            ChangePeriod(rawValue: header.changePeriod)
            .map { MarketListStrings.period($0)[language] } ?? header.changePeriod
        let rate = header.changeRateText.map { (amount.isEmpty ? sign : "") + $0 } ?? "-"
        let isNormal = header.deposit == .normal && header.withdrawal == .normal
        let transfers = DetailStrings.transfers(header)?[language]
        let left = [
            LineSegment([price], style: isFlashing ? style.reversed : style, rank: 0),
            LineSegment([amount], style: style, rank: 2),
            LineSegment([rate], style: CellStyle(role, emphasis: base.emphasis), rank: 1),
            LineSegment([period], style: .dim, rank: 4),
            LineSegment([transfers ?? ""], style: isNormal ? .dim : .bold, rank: 3),
        ].filter(\.isFilled)
        let line = FittedLine(left: left, right: [], width: width)
        line.draw(in: &frame, row: row)
        drawSparkline(row: row, from: line.leftColumns + FittedLine.gap, base.emphasis)
    }

    private mutating func drawSparkline(
        row: Int,
        from column: Int,
        _ emphasis: CellStyle.Emphasis
    ) {
        guard let line = state.header.sparkline, width - column >= Self.sparklineColumnsMin else {
            return
        }
        let start = max(width - line.opens.count, column)
        Sparkline.draw(
            line.opens,
            row: row,
            columns: start..<width,
            style: CellStyle(emphasis: emphasis),
            into: &frame
        )
    }

    /// The names of the market, longest first.
    private var names: [String] {
        let header = state.header
        let pair = header.symbol + "/" + header.quote
        let (own, other) =
            (header.name[language], header.name[language.other])
        guard let own else { return [pair] }
        let all = [own, other, pair].compactMap { $0 }.joined(separator: " ")
        return [all, own + " " + pair, pair]
    }

    /// The favorite mark; its shape differs, not only its color.
    private var star: String {
        let isFavorite = screen.list.favorites.contains(detail.market)
        return isFavorite ? MarketListStrings.star : MarketListStrings.noStar
    }
}

extension Optional<DirectionViewState> {
    /// A sign for the direction that needs no color.
    var sign: String? {
        switch self {
        case .up: "▲"
        case .down: "▼"
        case .flat, nil: nil
        }
    }
}

extension FeedLabel {
    /// Reversed for any source but the live exchange, so that it is noticed without colors.
    var titleStyle: CellStyle {
        switch self {
        case .live: .plain
        case .simulated, .replay: CellStyle(emphasis: [.bold, .reverse])
        }
    }
}

extension LineSegment {
    /// Whether any variant has text.
    var isFilled: Bool { variants.contains { $0.columns > 0 } }
}

extension FittedLine {
    /// How many columns the parts at the left take.
    var leftColumns: Int {
        left.reduce(0) { $0 + $1.spans.columns } + max(left.count - 1, 0) * Self.gap
    }
}
