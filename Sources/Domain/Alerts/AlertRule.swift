/// A condition on markets or holdings that fires alerts for a user.
///
/// `AlertRule.parse` and ``text`` are the two directions of its text form; `docs/alerts.md` has the
/// grammar.
public struct AlertRule: Sendable, Hashable {
    /// The most rules of a user.
    ///
    /// One more is refused.
    public static let rulesMax = 200

    /// The markets or holdings that the rule watches.
    public var scope: AlertScope
    /// The watched value.
    public var signal: AlertSignal
    /// The values that fire.
    public var test: AlertTest
    /// Whether the rule fires again.
    public var repetition: AlertRepetition
    /// The exchange time from which on the rule no longer fires; nil for never.
    public var expiresAt: Timestamp?
    /// The user's own words; nil for none.
    public var note: String?
    /// The kind of feed on which the rule was made.
    ///
    /// Data of another kind never fire it.
    public var feed: FeedKind

    /// Makes a rule; ``validate(at:)`` says whether it may be kept.
    public init(
        scope: AlertScope,
        signal: AlertSignal,
        test: AlertTest,
        repetition: AlertRepetition = .once,
        expiresAt: Timestamp? = nil,
        note: String? = nil,
        feed: FeedKind = .live
    ) {
        self.scope = scope
        self.signal = signal
        self.test = test
        self.repetition = repetition
        self.expiresAt = expiresAt
        self.note = note
        self.feed = feed
    }
}

/// The markets or holdings that a rule watches.
public enum AlertScope: Sendable, Hashable {
    /// One market.
    case market(MarketID)
    /// 관심: each of the user's favorites, as they are at the time of the event.
    case favorites
    /// Each market of the exchange.
    case all
    /// 보유자산: the user's holdings and cash as a whole.
    case portfolio
}

/// A value that a rule watches.
///
/// States are 0 or 1, so that one definition of crossing holds for all.
public enum AlertSignal: Sendable, Hashable {
    /// The price of a market, in its quote currency.
    case price
    /// The change over a period, in percent.
    case change(ChangePeriod)
    /// Turnover of the last minutes as a multiple of the average turnover of so many minutes in the
    /// last 24 hours: see ``AlertTurnover``.
    case turnover(minutes: Int)
    /// The spread of the market's book, as ``FixedDecimal/spreadBasisPoints(ask:bid:)`` has it.
    case spread
    /// 체결강도, in percent.
    case strength
    /// 입금: whether deposits of the market's coin are open.
    case deposit
    /// 출금: whether withdrawals of the market's coin are open.
    case withdrawal
    /// 유의: whether the market has an investment warning.
    case caution
    /// 경보: whether the market has an alert of the exchange.
    case exchangeAlert
    /// Whether the exchange lists the market.
    case listed
    /// Whether the market trades; it does not while it is suspended.
    case trading
    /// 평가금액: the value of a portfolio, in won.
    case value
    /// 수익률: profit in percent of the cost, of a portfolio or of the holding of a market's coin.
    case profitRate

    /// The signals that each trade tells.
    static let ofTrades = [.price] + ChangePeriod.allCases.map { AlertSignal.change($0) }

    /// The range of minutes of ``turnover(minutes:)``.
    public static let turnoverMinutes = 1...60
}

/// The values of a signal that fire.
///
/// A rule fires when its signal *crosses* into these values: the value before was not among them.
public enum AlertTest: Sendable, Hashable {
    /// From below the level to the level or above it.
    case above(FixedDecimal)
    /// From above the level to the level or below it.
    case below(FixedDecimal)
    /// Either direction.
    case crosses(FixedDecimal)
    /// From within the limits, which belong to the band, to a value outside.
    case leaves(low: FixedDecimal, high: FixedDecimal)
    /// A state begins (true) or ends.
    case becomes(Bool)
}

/// Whether a rule fires again.
public enum AlertRepetition: Sendable, Hashable {
    /// Once for each market of the scope.
    case once
    /// At each crossing, but not before the pause has passed since the last firing for the same
    /// market, and not before the signal was beyond the level by `ticks` on the other side.
    ///
    /// A crossing within the pause never fires.
    case again(pause: Duration, ticks: Int)

    /// The range of pauses, which are whole seconds.
    public static let pauses: ClosedRange<Duration> = .zero ... .seconds(7 * 86_400)
    /// The range of the hysteresis, in ticks.
    public static let tickCounts = 0...1_000
}

extension AlertSignal {
    /// Whether the signal is a state: on or off.
    public var isState: Bool {
        switch self {
        case .deposit, .withdrawal, .caution, .exchangeAlert, .listed, .trading: true
        case .price, .change, .turnover, .spread, .strength, .value, .profitRate: false
        }
    }

    /// Whether the signal belongs to a coin, whatever its quote currency.
    var isOfAsset: Bool {
        switch self {
        case .deposit, .withdrawal, .profitRate: true
        case .price, .change, .turnover, .spread, .strength, .caution, .exchangeAlert, .listed,
            .trading, .value:
            false
        }
    }

    /// Whether the signal belongs to one user.
    var isOfUser: Bool { self == .value || self == .profitRate }

    /// How much the times may differ at which two processes find one change; nil if they are those
    /// of the exchange.
    var timeDifferenceMax: Duration? {
        switch self {
        // Computed once a second.
        case .turnover, .value, .profitRate: .seconds(5)
        // Read once a minute.
        case .deposit, .withdrawal, .caution, .exchangeAlert, .listed, .trading: .seconds(120)
        // API 1.x tells a trade's time in microseconds, API 2.x in milliseconds, up to one off.
        case .price, .change: .milliseconds(2)
        case .spread, .strength: nil
        }
    }

    /// Whether an alert may be of the change that an earlier firing of another process told.
    func mayBeSame(_ alert: Alert, as fired: AlertState) -> Bool {
        guard let timeDifferenceMax, fired.value == alert.value else { return false }
        return alert.at.duration(since: fired.firedAt) <= timeDifferenceMax
    }

    /// Whether values below zero exist.
    var mayBeNegative: Bool {
        switch self {
        case .change, .profitRate: true
        case .price, .turnover, .spread, .strength, .deposit, .withdrawal, .caution,
            .exchangeAlert, .listed, .trading, .value:
            false
        }
    }

    /// The step of hysteresis at a level: a price step of the market, 0.01 percent points or
    /// multiples, 0.1 basis points, one won.
    func tick(at level: FixedDecimal, quote: Quote) -> FixedDecimal {
        switch self {
        case .price: TickTable.step(for: level, quote: quote)
        case .change, .strength, .profitRate, .turnover:
            FixedDecimal(units: FixedDecimal.unitsPerOne / 100)
        case .spread: FixedDecimal(units: FixedDecimal.unitsPerOne / 10)
        case .value, .deposit, .withdrawal, .caution, .exchangeAlert, .listed, .trading: .one
        }
    }
}
