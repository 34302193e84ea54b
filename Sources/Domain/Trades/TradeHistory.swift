/// Past trades of one market from REST: one contiguous run up to the time of the request.
public struct TradeHistory: Sendable, Hashable {
    /// The unit of the times.
    public enum Resolution: Sendable, Hashable {
        /// Whole seconds, as in API 1.x; the trades of one second are in order.
        case second
        /// Whole milliseconds, as in API 2.x; the order within one is unknown.
        case millisecond

        private var microseconds: Int64 {
            switch self {
            case .second: 1_000_000
            case .millisecond: 1_000
            }
        }

        /// The start of the unit that contains a moment.
        public func start(of moment: Timestamp) -> Timestamp {
            let unit = microseconds
            return Timestamp(microseconds: moment.microseconds.floorDivided(by: unit) * unit)
        }
    }

    /// Why the run begins where it does.
    public enum Beginning: Sendable, Hashable {
        /// The reader has all the trades that it asked for.
        case asRequested
        /// The run begins with the last trade before those that were asked for; the exchange serves
        /// no earlier one.
        case oldestServed
        /// The run ends before the trades that were asked for.
        case short(DataRepair.Reason)
        /// No earlier trade exists.
        case firstTrade
    }

    /// One trade.
    public struct Row: Sendable, Hashable {
        /// Exchange time, a multiple of the history's unit.
        public var at: Timestamp
        /// The price in the quote currency.
        public var price: FixedDecimal
        /// The base quantity.
        public var quantity: FixedDecimal
        /// The side of the taker.
        public var side: Trade.Side

        /// Makes a trade.
        public init(
            at: Timestamp,
            price: FixedDecimal,
            quantity: FixedDecimal,
            side: Trade.Side
        ) {
            self.at = at
            self.price = price
            self.quantity = quantity
            self.side = side
        }
    }

    /// The market.
    public var market: MarketID
    /// The unit of the times.
    public var resolution: Resolution
    /// Oldest first; trades of one moment in their original order.
    public let rows: [Row]
    /// Why there is no row before the oldest one.
    public var beginning: Beginning
    /// When the newest rows were requested, in exchange time; nil if that is unknown.
    public var requestedAt: Timestamp?

    /// Makes a history from rows in any order.
    ///
    /// API 1.x sends the oldest first, its own example the newest first; the times decide.
    public init(
        market: MarketID,
        resolution: Resolution = .second,
        rows: [Row],
        beginning: Beginning = .asRequested,
        requestedAt: Timestamp? = nil
    ) {
        self.market = market
        self.resolution = resolution
        self.rows = rows.oldestFirst
        self.beginning = beginning
        self.requestedAt = requestedAt
    }

    /// Whether rows of whole milliseconds from `oldest` on have every trade after a known one.
    ///
    /// Only a row before its millisecond proves it, by more than the clocks of REST and stream may
    /// differ.
    public static func hasAll(after trade: Timestamp, from oldest: Timestamp) -> Bool {
        oldest.advanced(by: ExpectedRepeats.clockDifference)
            < Resolution.millisecond.start(of: trade)
    }

    /// Whether rows of whole milliseconds from `oldest` on begin with a known trade, if its
    /// millisecond has no other trade.
    public static func begins(with trade: Timestamp, from oldest: Timestamp) -> Bool {
        oldest.advanced(by: .zero - ExpectedRepeats.clockDifference)
            <= Resolution.millisecond.start(of: trade)
    }
}

extension [TradeHistory.Row] {
    /// Rows by time; trades of one moment keep their order.
    ///
    /// Rows sent newest first are reversed.
    fileprivate var oldestFirst: [TradeHistory.Row] {
        guard let first, let last else { return self }
        let rows = first.at > last.at ? Array(reversed()) : self
        let isAscending = zip(rows, rows.dropFirst()).allSatisfy { $0.at <= $1.at }
        if isAscending { return rows }
        // The standard library's sort is stable, but its documentation does not promise it.
        return rows.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }
}
