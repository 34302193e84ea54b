/// The last value of a signal, which the next one is compared with.
struct AlertGauge: Sendable, Hashable {
    /// The range of values without an interruption in between, or of backfilled trades.
    struct Stretch: Sendable, Hashable {
        var start: Timestamp
        var low: FixedDecimal
        var high: FixedDecimal
        /// Whether it begins with a trade, as trades that are read again end with one.
        var isOfTrades: Bool
        /// Whether all values are of the millisecond of ``start``, so that a later one begins the
        /// next stretch; not stored.
        var isOfMoment = false

        /// Whether the stretch is later than trades that are read again and end at this time.
        ///
        /// They have all trades of their last moment. REST may have truncated its time to the
        /// second, in which a listing may be older than the last trade.
        func follows(_ end: Timestamp) -> Bool {
            let isExact = end.microseconds % 1_000_000 != 0
            return isExact ? end.isMillisecond(before: start) : start.second > end.second
        }

        mutating func widen(to value: FixedDecimal) {
            low = min(low, value)
            high = max(high, value)
        }
    }

    /// Maximum number of earlier stretches: for each gap of a tape listings in it, the first trades
    /// after it and the others, and those that were read again.
    static let stretchesMax = 4 * TradeTape.gapsMax

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
        if knownUntil == nil, isOfOtherTime {
            // A process that has not seen the value itself does not know what came after it.
            lose(at: at, .interrupted)
        } else {
            knownUntil = knownUntil.map { max($0, at) }
        }
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

extension AlertGauge {
    /// A first value.
    init(_ observation: AlertObservation, knownUntil: Timestamp?) {
        self.init(
            value: observation.value,
            at: observation.at,
            source: observation.source,
            knownUntil: knownUntil
        )
        isTradeTime = observation.isTradeTime
        beginStretch(with: observation)
    }

    /// Takes the next value.
    mutating func follow(_ observation: AlertObservation) {
        // The first trade after an interruption is where trades that are read again end.
        let isFirstTrade = observation.source == .trade && current?.isOfTrades == false
        let isContinued = knownUntil == nil && !isFirstTrade
        if observation.at != at || observation.value != value {
            isOfFiring = false
            valueBefore = value
        }
        if observation.source != .listing { valueBefore = nil }
        value = observation.value
        at = observation.at
        source = observation.source
        isTradeTime = observation.isTradeTime
        knownUntil = nil
        guard observation.signal == .price else { return }
        guard isContinued, let current else {
            if let current { add(current) }
            return beginStretch(with: observation)
        }
        if current.isOfMoment, current.start.isMillisecond(before: at) {
            add(current)
            beginStretch(with: observation, isOfMoment: false)
        } else {
            self.current?.widen(to: value)
        }
    }

    private mutating func beginStretch(
        with observation: AlertObservation,
        isOfMoment: Bool = true
    ) {
        guard observation.signal == .price, observation.source != .store else { return }
        let isOfTrades = observation.source == .trade
        var stretch = Stretch(of: observation.value, from: observation.at, isOfTrades: isOfTrades)
        stretch.isOfMoment = isOfMoment && isOfTrades
        current = stretch
    }
}

extension AlertGauge.Stretch {
    /// A stretch with its first value.
    init(of value: FixedDecimal, from start: Timestamp, isOfTrades: Bool = true) {
        self.init(start: start, low: value, high: value, isOfTrades: isOfTrades)
    }
}
