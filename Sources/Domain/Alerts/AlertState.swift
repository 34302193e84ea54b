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

    /// Whether the firing may tell a crossing that another source has at this time.
    ///
    /// One stream has milliseconds where the other has microseconds. REST and frames may have told
    /// a trade that is read again in whole seconds.
    func mayTell(crossingAt time: Timestamp, isReadAgain: Bool) -> Bool {
        if firedAt == TradeHistory.Resolution.millisecond.start(of: time) { return true }
        guard isReadAgain else { return false }
        return firedAt == TradeHistory.Resolution.second.start(of: time) || mayBeBefore(time)
    }

    /// Whether two processes told the same firing of a rule with these triggers, each with the time
    /// that its source has.
    func isSame(as other: AlertState, of triggers: [AlertTrigger]) -> Bool {
        if firedAt == other.firedAt { return true }
        let unit = unit == .second ? unit : other.unit
        return unit.start(of: firedAt) == unit.start(of: other.firedAt)
            && Alert.Direction.allCases.contains { direction in
                triggers.isReached(direction, by: value)
                    && triggers.isReached(direction, by: other.value)
            }
    }

    private var unit: TradeHistory.Resolution {
        firedAt == TradeHistory.Resolution.second.start(of: firedAt) ? .second : .millisecond
    }

    /// When a crossing in a direction became possible again.
    subscript(direction: Alert.Direction) -> Timestamp? {
        get { direction == .up ? rearmedUpAt : rearmedDownAt }
        set { if direction == .up { rearmedUpAt = newValue } else { rearmedDownAt = newValue } }
    }

    /// Whether a crossing in a direction was possible again before a time: a time of whole seconds
    /// may be of a later trade of its second.
    func isArmed(_ direction: Alert.Direction, before time: Timestamp) -> Bool {
        guard let armedAt = self[direction] else { return false }
        return mayBeRounded(armedAt) ? armedAt.second < time.second : armedAt < time
    }

    /// Notes a time at which a crossing in a direction is possible again; the first one counts.
    mutating func arm(_ direction: Alert.Direction, at time: Timestamp) {
        guard let known = self[direction] else {
            self[direction] = time
            return
        }
        let isOfSecond = mayBeRounded(known) && known.second == time.second
        self[direction] = isOfSecond ? max(known, time) : min(known, time)
    }

    private func mayBeRounded(_ time: Timestamp) -> Bool {
        time == TradeHistory.Resolution.second.start(of: time)
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

    /// Whether the process that saved the values knew a signal's value after a time.
    ///
    /// A price, and a change, is known as long as the stream goes on, others when they are read.
    func knows(_ key: AlertGaugeKey, after time: Timestamp) -> Bool {
        guard let gauge = gauges[key] else { return false }
        if gauge.at > time { return true }
        let end = gauge.knownUntil ?? liveUntil
        return AlertSignal.ofTrades.contains(key.signal) && end.map { $0 > time } ?? false
    }

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
