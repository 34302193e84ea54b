import Domain
import ViewStates

/// A chart as the content of a file.
struct ChartFile {
    /// The format, by the end of the file's name.
    enum Format: String, CaseIterable {
        /// A picture of lines and rectangles.
        case svg
        /// The characters of the screen.
        case text = "txt"

        /// The format of a file name; nil for other ends and for a name that is an end alone.
        init?(of name: String) {
            let format = Self.allCases.first { name.lowercased().hasSuffix("." + $0.rawValue) }
            let base = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            guard let format, base.count > format.rawValue.count + 1 else { return nil }
            self = format
        }
    }

    /// The size of a chart in characters.
    private static let textSize = TerminalSize(columns: 120, rows: 36)

    let chart: ChartViewState
    let trades: TradesViewState
    let market: MarketID
    let options: ChartPaneOptions
    let theme: Theme
    let language: Language
    /// The time of the data.
    let asOf: Timestamp
    /// The source of the data.
    let feed: FeedLabel

    /// Whether there is a price to draw.
    var hasPrices: Bool {
        options.style == .ticks
            ? !trades.rows.isEmpty
            : chart.candles.contains { options.span.contains($0.openTime) }
    }

    /// The name that is offered for a file.
    static func name(
        of market: MarketID,
        _ interval: CandleInterval,
        at time: Timestamp,
        _ format: Format
    ) -> String {
        let date = TimeText.date(time).filter(\.isNumber)
        let clock = TimeText.clock(time).filter(\.isNumber)
        return "hoga-\(market.name)-\(interval.rawValue)-\(date)-\(clock).\(format.rawValue)"
    }

    /// The content in a format.
    func content(_ format: Format) -> String {
        switch format {
        case .svg: ChartPicture(self).text
        case .text: text
        }
    }

    /// The market, the time of the data, their source unless it is the live exchange, and their
    /// freshness unless it is live.
    var heading: String {
        let time = "\(TimeText.date(asOf)) \(TimeText.clock(asOf)) KST"
        var parts = ["\(market.symbol)/\(market.quote.rawValue)", time]
        if feed != .live { parts.append(MarketListStrings.feed(feed)[language]) }
        if chart.health.phase != .ready || chart.health.error != nil {
            let label = HealthLabel(health: chart.health, feed: feed, now: asOf, language: language)
            parts += label.texts.prefix(1)
        }
        return parts.joined(separator: "  ")
    }

    /// The settings of all parts.
    var context: ChartContext {
        ChartContext(
            options: options,
            quote: market.quote,
            theme: theme,
            language: language,
            health: chart.health
        )
    }

    private var text: String {
        var frame = Frame(size: Self.textSize)
        ChartPane.draw(
            chart: chart,
            trades: trades,
            options: options,
            quote: market.quote,
            theme: Theme(colors: .none),
            language: language,
            into: &frame,
            area: FrameArea(frame.size)
        )
        let lines = [heading] + frame.lines
        return lines.map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}

extension ChartFile {
    /// The chart of an open market as it is drawn.
    init(
        _ document: MarketDetailDocument,
        _ detail: MarketDetailScreenState,
        now: Timestamp,
        theme: Theme,
        language: Language
    ) {
        self.init(
            chart: document.state.chart,
            trades: document.state.trades,
            market: detail.market,
            options: detail.chartOptions(now: now),
            theme: theme,
            language: language,
            asOf: document.asOf,
            feed: document.source.feed
        )
    }
}
