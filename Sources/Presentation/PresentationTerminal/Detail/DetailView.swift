public import Domain

/// Which panes of a market the user wants to see.
public struct DetailView: Sendable, Hashable {
    /// The pane with the focus, which is always visible.
    public var focus: DetailPane
    /// The chosen layout.
    public var layout: UserSettings.MarketLayout
    /// Whether the focused pane has the whole screen for now.
    public var isMaximized: Bool

    /// Makes a view.
    public init(
        focus: DetailPane = .book,
        layout: UserSettings.MarketLayout = .all,
        isMaximized: Bool = false
    ) {
        self.focus = focus
        self.layout = layout
        self.isMaximized = isMaximized
    }

    /// The panes that are visible on a screen with room for all.
    var panes: Set<DetailPane> {
        if isMaximized { return [focus] }
        switch layout {
        case .all: return Set(DetailPane.allCases)
        case .chartAndBook: return [.chart, focus == .trades ? .trades : .book]
        case .chart: return [focus]
        }
    }

    /// All views.
    static let all = UserSettings.MarketLayout.allCases.flatMap { layout in
        DetailPane.allCases.flatMap { focus in
            [false, true].map { DetailView(focus: focus, layout: layout, isMaximized: $0) }
        }
    }
}

/// The pane sizes of a screen for each view.
public struct DetailRoom: Sendable, Hashable {
    private let sizes: [DetailView: PaneSizes]
    private let usual: PaneSizes

    /// Panes that have the same sizes in every view.
    public init(_ sizes: PaneSizes = PaneSizes()) {
        self.sizes = [:]
        usual = sizes
    }

    /// The panes of a screen's size.
    init(_ size: TerminalSize) {
        var sizes: [DetailView: PaneSizes] = [:]
        for view in DetailView.all {
            let layout = MarketDetailLayout(size, view: view)
            sizes[view] = PaneSizes { pane in
                if layout.visible.contains(pane) { return layout.area(pane) }
                // A hidden pane has the size with which the focus shows it, so that its data is
                // there at once.
                var open = view
                open.focus = pane
                return MarketDetailLayout(size, view: open).area(pane)
            }
        }
        self.sizes = sizes
        usual = PaneSizes()
    }

    /// The pane sizes in a view.
    public subscript(view: DetailView) -> PaneSizes { sizes[view] ?? usual }
}

extension PaneSizes {
    /// The sizes of panes in their areas.
    fileprivate init(area: (DetailPane) -> FrameArea) {
        // The rows of the volume do not depend on the span.
        let nowhere = Timestamp(microseconds: 0)
        let volume = ChartPane.volumeRows(
            in: area(.chart),
            options: ChartPaneOptions(span: nowhere..<nowhere)
        )
        self.init(
            bookRows: BookLayout(area(.book)).levels.count,
            tradeRows: TradeTableLayout(area(.trades)).rows.count,
            chartColumns: MarketDetailLayout.buckets(in: area(.chart)),
            volumeRows: volume?.possible,
            volumeRowsUsual: volume?.present ?? 0
        )
    }
}
