public import Domain

/// The facts of a market that only wide lists show, beside those of ``MarketRowViewState``.
///
/// Part of the screens, not of any document. Unknown values are nil, never zero.
public struct WideRowViewState: Sendable, Hashable {
    /// The change over one period.
    public struct Change: Sendable, Hashable {
        /// The period.
        public var period: ChangePeriod
        /// `+0.21%`, `0.00%`.
        public var rateText: String?
        /// The direction of the rounded change.
        public var direction: DirectionViewState?
        /// Exchange time of the base price of the change.
        public var at: Timestamp?
        /// Whether the change is zero because no trade happened within the period.
        public var noTrade: Bool

        /// Makes a change.
        public init(
            period: ChangePeriod,
            rateText: String?,
            direction: DirectionViewState?,
            at: Timestamp?,
            noTrade: Bool
        ) {
            self.period = period
            self.rateText = rateText
            self.direction = direction
            self.at = at
            self.noTrade = noTrade
        }
    }

    /// In the order of ``WideRowQuery/periods``.
    public var changes: [Change]
    /// 당일 고가: the high since 00:00 in Seoul.
    public var highText: String?
    /// 당일 저가: the low since 00:00 in Seoul.
    public var lowText: String?
    /// The prices of the last 24 hours, one for each hour, oldest first; nil without a line.
    ///
    /// Unknown prices are nil.
    public var line: [FixedDecimal?]?

    /// Makes a row.
    public init(
        changes: [Change],
        highText: String?,
        lowText: String?,
        line: [FixedDecimal?]?
    ) {
        self.changes = changes
        self.highText = highText
        self.lowText = lowText
        self.line = line
    }
}

/// The facts that a wide list shows.
public struct WideRowQuery: Sendable, Hashable {
    /// The periods of which two join the chosen one, the most useful first.
    private static let useful: [ChangePeriod] = [.hours24, .hour1, .midnight]

    /// The periods of changes beside the chosen one.
    public var periods: [ChangePeriod]
    /// Whether high and low of the day and the prices of the last 24 hours are wanted.
    public var hasDay: Bool

    /// Makes a query.
    ///
    /// - Parameters:
    ///   - period: the chosen period; the first two others of 24 hours, one hour and the day since
    ///     midnight join it.
    ///   - hasDay: whether high, low and the prices of the day are wanted.
    public init(beside period: ChangePeriod, hasDay: Bool) {
        periods = Array(Self.useful.filter { $0 != period }.prefix(2))
        self.hasDay = hasDay
    }

    /// The closes that the facts of markets on a screen need.
    func shownPeriods(of markets: [MarketID]) -> Set<ShownPeriod> {
        var shown: Set<ShownPeriod> = []
        for period in periods { shown.formUnion(Set.columns(period, of: markets)) }
        if hasDay { shown.formUnion(markets.map { .line($0) }) }
        return shown
    }
}

/// The facts of some markets that a wide list shows.
public struct WideRows: Sendable, Hashable {
    /// The query.
    public let query: WideRowQuery
    /// By the name of the market.
    private let rows: [String: WideRowViewState]

    /// Makes rows, by the name of the market.
    public init(_ query: WideRowQuery, _ rows: [String: WideRowViewState]) {
        self.query = query
        self.rows = rows
    }

    /// The facts of a row's market; nil if none are known.
    public subscript(row: MarketRowViewState) -> WideRowViewState? { rows[row.market] }
}
