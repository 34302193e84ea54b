/// The prices of a market over the last day, for a line of 24 points.
extension MarketBoard {
    /// Points of a line: one for each of the last 24 hours of the clock, the running one included.
    public static let dayLineCount = 24
    /// Fewer known hours make no line.
    private static let dayLineHoursMin = 2

    /// The closes of the last hours of the clock, oldest first, and as the last one the current
    /// price; nil in place of an unknown close, and where the market was not traded before.
    ///
    /// Only closes in memory count: pages of candles and the market's own trades.
    ///
    /// - Parameters:
    ///   - market: a market of this board.
    ///   - now: the local wall clock.
    /// - Returns: ``dayLineCount`` prices; nil if fewer than two past closes are known.
    public func dayLine(of market: MarketState, now: Timestamp) -> [FixedDecimal?]? {
        guard !market.isStored, let price = market.price, let index = indexes[market.id] else {
            return nil
        }
        let closes = dayLineMoments(now).map { self.closes[index].close(at: $0).price }
        guard closes.count(where: { $0 != nil }) >= Self.dayLineHoursMin else { return nil }
        return closes + [price]
    }

    /// The close that a day line lacks; nil if all of them are known, or are not to be had.
    func dayLineNeed(of index: Int, _ now: Timestamp) -> CloseNeed? {
        let market = markets[index]
        let day = ChangePeriod.hours24
        guard market.isTrading, !market.isStored, market.price != nil, let window = day.window,
            !market.isWithoutTrade(in: window, now: now),
            let moment = dayLineMoments(now).first(where: {
                closes[index].close(at: $0) == .unknown
            })
        else { return nil }
        return CloseNeed(market: market.id, period: day, moment: moment, reason: .line)
    }

    /// The ends of the hours before the running one.
    private func dayLineMoments(_ now: Timestamp) -> [Timestamp] {
        let hour = CandleInterval.hour1.bucketStart(of: minute(at: knownTime(at: now)))
        return (0..<(Self.dayLineCount - 1)).reversed().map {
            hour.advanced(by: .seconds(-3_600 * $0))
        }
    }
}
