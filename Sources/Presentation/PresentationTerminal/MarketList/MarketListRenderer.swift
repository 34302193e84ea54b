public import Domain
public import ViewStates

/// Draws the list screen: a pure function of the document, the screen's state, the time and a size.
public enum MarketListRenderer: Sendable {
    /// Draws one picture.
    ///
    /// - Parameters:
    ///   - document: the rows of the list's window.
    ///   - pinned: the rows of the block above the list.
    ///   - state: what the user has set.
    ///   - now: for the clock, ages and countdowns.
    ///   - flashing: names of the markets whose price has just changed.
    ///   - size: any; below 20 × 5 parts are left out.
    ///   - keys: what is offered.
    ///   - language: of the screen's own words.
    /// - Returns: a picture of exactly that size.
    public static func render(
        document: MarketListDocument,
        pinned: [MarketRowViewState],
        state: ScreenState,
        now: Timestamp,
        flashing: Set<String>,
        size: TerminalSize,
        keys: KeyTable = .screens,
        language: Language
    ) -> Frame {
        var canvas = MarketListCanvas(
            document: document,
            pinned: pinned,
            screen: state,
            now: now,
            flashing: flashing,
            size: size,
            keys: keys,
            language: language
        )
        canvas.drawTitle()
        canvas.drawTabs()
        canvas.drawList()
        canvas.drawBottom()
        canvas.drawOverlay()
        canvas.drawForm()
        return canvas.frame
    }

    /// How many markets a screen of this size shows at once.
    public static func visibleRows(in size: TerminalSize) -> Int {
        let layout = MarketListLayout(size)
        return layout.rows.count / layout.rowHeight
    }
}

/// A picture of the list screen in the making.
struct MarketListCanvas {
    let document: MarketListDocument
    let pinned: [MarketRowViewState]
    let screen: ScreenState
    let now: Timestamp
    let flashing: Set<String>
    let keys: KeyTable
    let language: Language
    let layout: MarketListLayout
    /// The names of the user's favourites.
    let favorites: Set<String>
    /// Whether it is a part of a picture, with an open market at its right.
    var isBesideDetail = false
    var frame: Frame

    init(
        document: MarketListDocument,
        pinned: [MarketRowViewState],
        screen: ScreenState,
        now: Timestamp,
        flashing: Set<String>,
        size: TerminalSize,
        keys: KeyTable,
        language: Language
    ) {
        self.document = document
        self.pinned = pinned
        self.screen = screen
        self.now = now
        self.flashing = flashing
        favorites = Set(screen.list.favorites.map(\.name))
        self.keys = keys
        self.language = language
        layout = MarketListLayout(size)
        frame = Frame(size: size)
    }

    var state: MarketListScreenState { screen.list }
    var health: HealthViewState { document.state.health }
    var width: Int { frame.size.columns }
    /// Whether keys go to the list.
    var hasKeys: Bool { !isBesideDetail || screen.frontDetail == nil }
}
