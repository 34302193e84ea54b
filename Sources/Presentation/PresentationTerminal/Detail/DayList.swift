public import Domain
public import ViewStates

/// The days of a market as a list: 일별.
public struct DayList: Sendable, Equatable {
    /// One day.
    public struct Row: Sendable, Equatable {
        /// `2026-11-20`, Seoul time.
        public var dateText: String
        /// 종가: the last price, `143,210,000`.
        public var closeText: String
        /// Against the day before in the list, `-1,945,000`; nil for the oldest.
        public var changeAmountText: String?
        /// The same in percent, `-1.34%`.
        public var changeRateText: String?
        /// The direction of the rounded change.
        public var direction: DirectionViewState?
        /// 거래량: base volume.
        public var volumeText: String
    }

    /// How fresh and complete the days are.
    public let health: HealthViewState
    /// Newest first.
    public let rows: [Row]

    /// Lists the candles of a chart with a daily interval.
    ///
    /// The change refers to the close of the previous day with trades. The oldest day has none and
    /// is omitted if the list is full.
    public init(_ chart: ChartViewState, quote: Quote) {
        health = chart.health
        var rows: [Row] = []
        rows.reserveCapacity(chart.candles.count)
        var before: FixedDecimal?
        for candle in chart.candles {
            rows.append(Row(candle, before: before, quote: quote))
            before = candle.close
        }
        self.rows = rows.reversed().prefix(MarketDetailScreenState.daysMax).map { $0 }
    }
}

extension DayList.Row {
    fileprivate init(_ candle: ChartViewState.Candle, before: FixedDecimal?, quote: Quote) {
        dateText = String(TimeText.iso(candle.openTime).prefix(10))
        closeText = NumberText.price(candle.close, quote: quote)
        volumeText = NumberText.quantity(candle.volume)
        guard let before, let amount = try? candle.close - before,
            let ratio = try? amount.divided(by: before, rounding: .halfEven),
            let percent = try? ratio.multiplied(by: FixedDecimal(100), rounding: .halfEven),
            let rate = try? percent.rounded(toFractionDigits: 2, .halfAwayFromZero)
        else { return }
        changeAmountText = NumberText.amount(amount, price: candle.close, quote: quote)
        changeRateText = NumberText.rate(rate)
        direction = rate.isZero ? .flat : (rate.sign > 0 ? .up : .down)
    }
}
