/// The last firing of a rule for one subject.
///
/// A rule that has not fired has none: the values of the signal are kept once for all rules.
public struct AlertState: Sendable, Hashable {
    /// Exchange time of the newest firing.
    ///
    /// An earlier crossing that is found later is not told.
    public var firedAt: Timestamp
    /// The value that fired.
    ///
    /// A store keeps it with the alert, but the values of signals only now and then.
    public var value: FixedDecimal
    /// The first time after it at which the signal was beyond the hysteresis below the level, so
    /// that a rise may fire; nil if it was not.
    public var rearmedUpAt: Timestamp?
    /// The same above the level, for a fall.
    public var rearmedDownAt: Timestamp?
    /// Whether ``firedAt`` may be only the millisecond, or the second, of the firing; not stored.
    ///
    /// So it is of trades that REST of API 1.x told, and of firings that a store told, which
    /// another process may have found.
    var isRounded = false

    /// A state just after a firing.
    public init(firedAt: Timestamp, value: FixedDecimal) {
        self.firedAt = firedAt
        self.value = value
    }

    /// Whether a value of a time is later than the firing.
    func isBefore(_ time: Timestamp) -> Bool {
        guard isRounded else { return firedAt <= time }
        return unit.start(of: firedAt) < unit.start(of: time)
    }

    /// Whether a value of a time may be earlier or later than the firing.
    func mayBeBefore(_ time: Timestamp) -> Bool {
        isRounded && unit.start(of: firedAt) == unit.start(of: time)
    }

    /// Whether two processes told the same firing, each with the time that its source has.
    func isSame(as other: AlertState) -> Bool {
        let unit = unit == .second ? unit : other.unit
        return unit.start(of: firedAt) == unit.start(of: other.firedAt)
    }

    private var unit: TradeHistory.Resolution {
        firedAt == TradeHistory.Resolution.second.start(of: firedAt) ? .second : .millisecond
    }

    /// When a crossing in a direction became possible again.
    subscript(direction: Alert.Direction) -> Timestamp? {
        get { direction == .up ? rearmedUpAt : rearmedDownAt }
        set { if direction == .up { rearmedUpAt = newValue } else { rearmedDownAt = newValue } }
    }

    /// Times in microseconds and the value, `-` where unknown:
    /// `1795176191151220 150000000 - 1795176191200000`.
    public var text: String {
        [
            AlertText.text(firedAt), value.canonicalText, AlertText.text(rearmedUpAt),
            AlertText.text(rearmedDownAt),
        ].joined(separator: " ")
    }

    /// Parses ``text``; nil for any other text.
    public init?(text: String) {
        let fields = text.split(separator: " ", omittingEmptySubsequences: false)
        guard fields.count == 4, let firedAt = AlertText.time(fields[0]),
            let value = try? FixedDecimal(parsing: String(fields[1])),
            let up = AlertText.optionalTime(fields[2]),
            let down = AlertText.optionalTime(fields[3])
        else { return nil }
        self.init(firedAt: firedAt, value: value)
        rearmedUpAt = up
        rearmedDownAt = down
    }
}

/// The last value of a signal, which the next one is compared with.
struct AlertGauge: Sendable, Hashable {
    /// The range of values without an interruption in between, or of backfilled trades.
    struct Stretch: Sendable, Hashable {
        var start: Timestamp
        var low: FixedDecimal
        var high: FixedDecimal
        /// Whether it begins with a trade, as trades that are read again end with one.
        var isOfTrades: Bool

        /// Whether the stretch is later than trades that are read again and end at this time.
        ///
        /// REST may have truncated the time to the second. A stretch of trades may begin with the
        /// last trade that is read again; a listing of the same second may be older than it.
        func follows(_ end: Timestamp) -> Bool {
            let isExact = end.microseconds % 1_000_000 != 0
            return isOfTrades || isExact ? start >= end : start.second > end.second
        }

        mutating func widen(to value: FixedDecimal) {
            low = min(low, value)
            high = max(high, value)
        }
    }

    /// Maximum number of earlier stretches: for each gap of a tape listings in it, trades after it
    /// and those that were read again.
    static let stretchesMax = 3 * TradeTape.gapsMax

    var value: FixedDecimal
    var at: Timestamp
    var source: MarketState.ValueSource
    /// See ``AlertObservation/isTradeTime``; not stored.
    var isTradeTime = false
    /// Whether the value is that of a firing which a store told, so that an observed one of its
    /// millisecond may be older; not stored.
    var isOfFiring = false
    /// The value before, of one that a listing told; not stored.
    ///
    /// A trade just before the listing's time may have come before the listing or after it.
    var valueBefore: FixedDecimal?
    /// Until when the value is known to have been the current one; nil while the feed goes on.
    var knownUntil: Timestamp?
    /// Why it is not known after that.
    var loss = Alert.Lateness.interrupted
    /// Values since the newest interruption; nil without one, and for signals other than prices.
    var current: Stretch?
    /// Earlier stretches, in order of arrival.
    ///
    /// They tell whether a rule that fires late was beyond its hysteresis since.
    var past: [Stretch] = []

    /// Whether a value replaces this one: as prices do on the board, but for trades at another
    /// price that came before it.
    func isReplaced(
        by newValue: FixedDecimal,
        at newAt: Timestamp,
        _ newSource: MarketState.ValueSource
    ) -> Bool {
        if isOfFiring, newValue != value { return at.isMillisecond(before: newAt) }
        if newSource == .trade, source == .trade { return newAt >= at }
        // A frame that has the time of its second may be older than a listing in it; its trades
        // follow.
        let start = TradeHistory.Resolution.second.start(of: newAt)
        if newSource == .ticker, source == .listing, !isTradeTime, newValue != value {
            if newAt == start, newAt.second == at.second { return false }
        }
        guard newSource == .trade, newValue != value else {
            return MarketState.isNewer(newAt, newSource, than: at, source)
        }
        let millisecond = TradeHistory.Resolution.millisecond
        let (new, held) = (millisecond.start(of: newAt), millisecond.start(of: at))
        // A frame or listing tells the last price of its moment. A listing without the time of that
        // trade may be of a moment before its own; a frame comes before its trades, and may have
        // the time of its second.
        if isTradeTime { return new > held }
        guard source == .ticker else { return newAt.second >= at.second && new != held }
        let isOfSecond = at == TradeHistory.Resolution.second.start(of: at)
        return isOfSecond ? newAt.second > at.second : new > held
    }

    /// Whether this value may be older than one that does not replace it.
    ///
    /// A frame has the time of its second, the firing of another process that of its millisecond.
    func mayBeOlder(
        than newValue: FixedDecimal,
        at newAt: Timestamp,
        _ newSource: MarketState.ValueSource
    ) -> Bool {
        guard newValue != value else { return false }
        let millisecond = TradeHistory.Resolution.millisecond
        if isOfFiring { return millisecond.start(of: newAt) == millisecond.start(of: at) }
        let second = TradeHistory.Resolution.second.start(of: at)
        return newSource == .trade && source == .ticker && at == second
            && newAt.second == at.second
    }

    /// The value that a new one is compared with.
    ///
    /// A trade that may have come before the listing of its second crosses only what lies between
    /// it and both values.
    func base(of new: FixedDecimal, at newAt: Timestamp) -> FixedDecimal {
        guard let valueBefore, source == .listing, newAt < at else { return value }
        return if valueBefore < new, value < new {
            max(valueBefore, value)
        } else if valueBefore > new, value > new {
            min(valueBefore, value)
        } else {
            new
        }
    }

    /// Takes a later value that a rule fired at and that was not kept.
    ///
    /// - Parameters:
    ///   - fired: the firing.
    ///   - direction: its direction; nil if both are possible.
    ///   - restored: the value that was saved before the firing; nil if it was saved after it, or
    ///     if nothing was restored. A firing of the same moment is later than it.
    mutating func catchUp(
        with fired: AlertState,
        _ direction: Alert.Direction?,
        since restored: FixedDecimal?
    ) {
        // The two streams of a value that is observed may have other times of one trade.
        let isOfOtherTime =
            knownUntil == nil ? at.isMillisecond(before: fired.firedAt) : fired.firedAt > at
        let isLater =
            isOfOtherTime
            || (fired.firedAt == at && isPassed(by: fired.value, direction, since: restored))
        guard isLater else { return }
        value = fired.value
        isOfFiring = true
        valueBefore = nil
        at = fired.firedAt
        knownUntil = knownUntil.map { max($0, at) }
    }

    /// Whether another value of this moment is likely to be the later one, and none was observed
    /// since.
    ///
    /// A rise passes lower values, a fall higher ones; without a direction, the farthest from the
    /// restored value is the last.
    private func isPassed(
        by other: FixedDecimal,
        _ direction: Alert.Direction?,
        since restored: FixedDecimal?
    ) -> Bool {
        guard let restored, knownUntil != nil, loss == .away else { return false }
        switch direction {
        case .up: return other > value
        case .down: return other < value
        case nil:
            guard let far = try? other - restored, let near = try? value - restored else {
                return false
            }
            return far.units.magnitude > near.units.magnitude
        }
    }

    /// Notes that later values are not known.
    ///
    /// - Parameters:
    ///   - time: until when this value is known to have been the current one; nil for its own time.
    ///   - cause: the reason.
    mutating func lose(at time: Timestamp?, _ cause: Alert.Lateness) {
        guard knownUntil == nil else {
            // A restart is told even if the feed was lost before it.
            if cause == .away { loss = cause }
            return
        }
        knownUntil = max(time ?? at, at)
        loss = cause
    }

    /// All stretches.
    var stretches: [Stretch] { past + (current.map { [$0] } ?? []) }

    /// Keeps a stretch that has ended; the oldest one is evicted.
    mutating func add(_ stretch: Stretch) {
        past.append(stretch)
        if past.count > Self.stretchesMax { past.removeFirst() }
    }
}

/// A signal of one subject.
struct AlertGaugeKey: Sendable, Hashable {
    var signal: AlertSignal
    var subject: AlertSubject
}

/// All that the rules of a process remember, as fields that a store can keep.
public struct AlertBookState: Sendable, Hashable {
    /// The kind of feed that the values are of.
    public let feed: FeedKind
    /// Exchange time of the newest data of the stream.
    var liveUntil: Timestamp?
    var gauges: [AlertGaugeKey: AlertGauge] = [:]
    /// The newest listing of each quote currency, as a state that is on.
    var listings: [Quote: AlertGauge] = [:]
    /// States of the rules that have fired.
    public var fired: [AlertRuleID: [AlertSubject: AlertState]] = [:]

    /// A state without values and firings.
    public init(feed: FeedKind) { self.feed = feed }

    /// Makes all values those of a process that has ended.
    mutating func restart() {
        let until = liveUntil
        for key in gauges.keys { gauges[key]?.lose(at: until, .away) }
        for quote in listings.keys { listings[quote]?.lose(at: until, .away) }
    }
}

extension Timestamp {
    /// Whether it is of an earlier millisecond.
    func isMillisecond(before other: Timestamp) -> Bool {
        let millisecond = TradeHistory.Resolution.millisecond
        return millisecond.start(of: self) < millisecond.start(of: other)
    }
}
