/// The change of a price over a period; nil means unknown, never zero.
public struct PriceChange: Sendable, Hashable {
    /// In percent, as printed by the exchange or rounded to two decimals.
    public var ratePercent: FixedDecimal?
    /// In the quote currency.
    public var amount: FixedDecimal?
    /// Exchange time of the frame with the base price.
    public var at: Timestamp?
    /// Whether the change is exactly zero because the period had no trade.
    public var isWithoutTrade: Bool

    /// An unknown change.
    public static let unknown = PriceChange(
        ratePercent: nil,
        amount: nil,
        at: nil,
        isWithoutTrade: false
    )
}

extension MarketState {
    /// The change over a period.
    ///
    /// - Parameters:
    ///   - period: the period.
    ///   - now: the local wall clock, because ages are measured from receive times.
    ///   - day: the current Seoul day; the previous close of another day counts as unknown.
    ///   - close: the close at the beginning of the period that ends at its time; it is the base
    ///     until a frame tells one.
    /// - Returns: the exchange's own figures while its price is current; otherwise recomputed from
    ///   the base of the newest frame, rounded half away from zero to two decimals. Rate and amount
    ///   have one base: where the exchange tells the rate alone, both are of a known close.
    func change(
        over period: ChangePeriod,
        now: Timestamp,
        day: Int?,
        base close: (price: FixedDecimal, at: Timestamp)? = nil
    ) -> PriceChange {
        // The time since a stored price is unknown.
        guard let price, !isStored else { return .unknown }
        guard let window = period.window else {
            guard previousCloseDay == day else { return .unknown }
            if isQuietToday { return withoutTrade(at: nil) }
            guard let previousClose else { return .unknown }
            return Self.change(of: price, from: previousClose, at: nil)
        }
        let held = frame(of: period)
        if isWithoutTrade(in: window, now: now) { return withoutTrade(at: held?.at) }
        let computed = close.map { Self.change(of: price, from: $0.price, at: $0.at) } ?? .unknown
        guard let held else { return computed }
        if held.reportedPrice == price, held.reportedAmount != nil || computed == .unknown {
            return PriceChange(
                ratePercent: held.reportedRate,
                amount: held.reportedAmount,
                at: held.at,
                isWithoutTrade: false
            )
        }
        guard let base = held.base else { return computed }
        return Self.change(of: price, from: base, at: held.at)
    }

    /// The newest frame of a period; nil if the price is so much newer that frames are missing.
    ///
    /// A frame of each period comes with each trade of API 1.x. Beside API 2.x its stream may be
    /// lost while prices go on.
    func frame(of period: ChangePeriod) -> ChangeBase? {
        guard let held = bases[period], held.source != .listing, let priceAt else {
            return bases[period]
        }
        return priceAt.duration(since: held.at) > Self.frameLagMax ? nil : held
    }

    /// How much older than the price the newest frame of a period may be.
    private static var frameLagMax: Duration { .seconds(60) }

    /// Whether a window had no trade.
    func isWithoutTrade(in window: Duration, now: Timestamp) -> Bool {
        isQuiet24h || now.duration(since: activeAt) > window
    }

    /// The parts that look different to a reader at the moment of the change.
    func facetsChanged(since before: MarketState, at now: Timestamp, day: Int?) -> MarketFacets {
        var facets: MarketFacets = []
        if price != before.price || priceAt != before.priceAt || tick != before.tick {
            facets.insert(.price)
        }
        if tradeValue24h != before.tradeValue24h { facets.insert(.tradeValue) }
        if isTrading != before.isTrading { facets.insert(.trading) }
        if today(on: day) != before.today(on: day) || volume24h != before.volume24h
            || tradeStrengthPercent != before.tradeStrengthPercent
        {
            facets.insert(.figures)
        }
        if isChangeDifferent(from: before, at: now, day: day) { facets.insert(.change) }
        return facets
    }

    /// Whether the change of any period, computed at the current price, differs.
    private func isChangeDifferent(from before: MarketState, at now: Timestamp, day: Int?) -> Bool {
        let isDayTold =
            isQuiet24h != before.isQuiet24h || isQuietToday != before.isQuietToday
            || previousClose != before.previousClose || previousCloseDay != before.previousCloseDay
        let idle = now.duration(since: activeAt)
        let idleBefore = now.duration(since: before.activeAt)
        var before = before
        before.price = price
        return ChangePeriod.allCases.contains { period in
            let isIdleTold = period.window.map { (idle > $0) != (idleBefore > $0) } ?? false
            guard isDayTold || isIdleTold || bases[period] != before.bases[period] else {
                return false
            }
            return change(over: period, now: now, day: day)
                != before.change(over: period, now: now, day: day)
        }
    }

    private func withoutTrade(at: Timestamp?) -> PriceChange {
        PriceChange(ratePercent: .zero, amount: .zero, at: at, isWithoutTrade: true)
    }

    private static func change(
        of price: FixedDecimal,
        from base: FixedDecimal,
        at: Timestamp?
    ) -> PriceChange {
        let hundred = FixedDecimal(100)
        guard let amount = try? price - base,
            let share = try? amount.multiplied(by: hundred, rounding: .halfEven),
            // Truncated first: rounding twice could turn slightly less than a half into a half.
            let percent = try? share.divided(by: base, rounding: .truncate),
            let rate = try? percent.rounded(toFractionDigits: 2, .halfAwayFromZero)
        else { return .unknown }
        return PriceChange(ratePercent: rate, amount: amount, at: at, isWithoutTrade: false)
    }
}
