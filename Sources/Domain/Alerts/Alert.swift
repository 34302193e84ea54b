/// A firing of a rule.
///
/// Rule, subject, time and direction identify it: a rule fires at most once at one moment.
public struct Alert: Sendable, Hashable {
    /// The rule.
    public var rule: AlertRuleID
    /// The market, coin or portfolio whose signal crossed.
    public var subject: AlertSubject
    /// Exchange time of the first value known to be beyond the level.
    public var at: Timestamp
    /// The first value beyond the level: a price, a percentage, …; 0 or 1 of a state.
    public var value: FixedDecimal
    /// Whether the signal rose or fell to it.
    public var direction: Direction
    /// Why the alert is late; nil if it is not.
    public var lateness: Lateness?

    /// The direction of a crossing.
    public enum Direction: Sendable, Hashable, CaseIterable {
        /// The signal rose.
        case up
        /// The signal fell.
        case down
    }

    /// Why an alert is late.
    public enum Lateness: String, Sendable, Hashable, CaseIterable {
        /// The signal crossed while hoga did not run; the true time may be earlier.
        case away
        /// The signal crossed while the feed was interrupted, or before the market's trades were
        /// subscribed; the true time may be earlier.
        case interrupted
        /// The crossing was found in trades that were read again; its time is the true one.
        case repaired
    }

    /// Makes an alert.
    public init(
        rule: AlertRuleID,
        subject: AlertSubject,
        at: Timestamp,
        value: FixedDecimal,
        direction: Direction,
        lateness: Lateness? = nil
    ) {
        self.rule = rule
        self.subject = subject
        self.at = at
        self.value = value
        self.direction = direction
        self.lateness = lateness
    }
}

/// Identifies a rule in the process and its store.
public struct AlertRuleID: Sendable, Hashable, Comparable {
    /// The user whose rule it is.
    public let owner: UserID
    /// The number among the rules of the user, from 1; never given twice.
    public let number: Int64

    /// Makes an id.
    public init(_ number: Int64, of owner: UserID) {
        self.owner = owner
        self.number = number
    }

    /// By numbers, then by users.
    public static func < (left: AlertRuleID, right: AlertRuleID) -> Bool {
        (left.number, left.owner.number) < (right.number, right.owner.number)
    }
}

/// The market, coin or portfolio of a signal.
public struct AlertSubject: Sendable, Hashable {
    /// The user whose holdings are valued; nil if the signal is the same for everybody.
    public let owner: UserID?
    /// The market; of a coin its won market; nil of a whole portfolio.
    public let market: MarketID?

    /// The subject of a signal of a market, or of its coin.
    public init(_ signal: AlertSignal, of market: MarketID, owner: UserID) {
        self.owner = signal.isOfUser ? owner : nil
        let won = signal.isOfAsset ? MarketID(symbol: market.symbol, quote: .krw) : nil
        self.market = won ?? market
    }

    /// A market.
    public init(_ market: MarketID) {
        owner = nil
        self.market = market
    }

    /// The portfolio of a user.
    public init(portfolioOf owner: UserID) {
        self.owner = owner
        market = nil
    }

    init(owner: UserID?, market: MarketID?) {
        self.owner = owner
        self.market = market
    }
}

/// The value of a signal at one moment.
public struct AlertObservation: Sendable, Hashable {
    /// The signal.
    public var signal: AlertSignal
    /// Its subject.
    public var subject: AlertSubject
    /// The value; 0 or 1 of a state.
    public var value: FixedDecimal
    /// Exchange time of the value.
    public var at: Timestamp
    /// Source of the value.
    ///
    /// A stored value never fires; it is what the first live one is compared with.
    public var source: MarketState.ValueSource
    /// Whether ``at`` is the exact time of the trade that made the price, though a frame or listing
    /// told it: those of API 1.x have times of their own.
    var isTradeTime = false
    /// Whether the value is older than it may be, so that it is ignored.
    public var isStale: Bool

    /// Makes an observation.
    public init(
        _ signal: AlertSignal,
        of subject: AlertSubject,
        _ value: FixedDecimal,
        at: Timestamp,
        source: MarketState.ValueSource = .ticker,
        isStale: Bool = false
    ) {
        self.signal = signal
        self.subject = subject
        self.value = value
        self.at = at
        self.source = source
        self.isStale = isStale
    }

    /// The price of a trade.
    public init(_ trade: Trade) {
        self.init(
            .price,
            of: AlertSubject(trade.market),
            trade.price,
            at: trade.executedAt,
            source: .trade
        )
    }

    /// Whether it is of the stream, so that the prices until then are known.
    var tellsStream: Bool { signal == .price && (source == .trade || source == .ticker) }

    /// A state that is on or off.
    public init(
        _ signal: AlertSignal,
        of subject: AlertSubject,
        isOn: Bool,
        at: Timestamp
    ) {
        self.init(signal, of: subject, isOn ? .one : .zero, at: at)
    }
}

/// The price of a trade that was read again.
public struct AlertPricePoint: Sendable, Hashable {
    /// The price.
    public var price: FixedDecimal
    /// Exchange time.
    public var at: Timestamp
    /// Whether trades just before it are still missing.
    public var isAfterGap: Bool
    /// Whether ``at`` is only the second of the trade, as REST of API 1.x tells it.
    public var isOfSecond: Bool

    /// Makes a point; by default one with an exact time that follows the trade before it.
    public init(
        price: FixedDecimal,
        at: Timestamp,
        isAfterGap: Bool = false,
        isOfSecond: Bool = false
    ) {
        self.price = price
        self.at = at
        self.isAfterGap = isAfterGap
        self.isOfSecond = isOfSecond
    }
}

/// An event that rules are evaluated on.
public enum AlertEvent: Sendable, Hashable {
    /// A value.
    case observed(AlertObservation)
    /// Consecutive trades of a market, oldest first, some of which were lost and read again: from
    /// the last one known before the loss to the first one after it.
    ///
    /// They may be known already, in part or all.
    case repaired(MarketID, [AlertPricePoint])
    /// All markets of a quote currency that the exchange lists.
    case listed(Quote, Set<MarketID>, at: Timestamp)
    /// The feed was lost or went stale, or a new subscription begins: values are unknown from the
    /// newest one to the next one.
    case interrupted
}
