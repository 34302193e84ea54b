import Domain
import ExchangeSimulator

/// The bounds of a signal whose exact value depends on when an instance read what it is made of.
struct BoundedTrail {
    /// The bounds at one moment.
    struct Point {
        var at: Timestamp
        /// Every value that an instance may find, however late its messages come.
        var possible: ClosedRange<FixedDecimal>
        /// Every value that it may find while everything works.
        var usual: ClosedRange<FixedDecimal>
    }

    fileprivate(set) var points: [Point] = []

    /// The points of a span, in order.
    func points(_ span: ClosedRange<Timestamp>) -> ArraySlice<Point> {
        points[
            place(of: span.lowerBound)..<place(of: span.upperBound.advanced(by: .microseconds(1)))
        ]
    }

    /// The place of the first point at a time or later.
    private func place(of time: Timestamp) -> Int {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].at < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The bounds of a market's turnover and of its change over half an hour, second by second.
struct MarketBounds {
    /// The signals that are followed so.
    static let signals: [AlertSignal] = [
        .turnover(minutes: 1), .change(.minutes30), .turnover(minutes: 2),
    ]
    /// How long after a moment its bounds are known: when later trades have been recorded.
    static let delay: Duration = .seconds(5)

    /// The trades of one second.
    private struct Second {
        var number: Int64
        var value: FixedDecimal
        var low: FixedDecimal
        var high: FixedDecimal
        var last: FixedDecimal
    }

    private let market: MarketID
    private(set) var trails: [AlertSignal: BoundedTrail] = [:]
    private var seconds: [Second] = []
    /// The last price before the kept seconds.
    private var priceBefore: FixedDecimal?
    private var dayValues: ClosedRange<FixedDecimal>?

    /// How far a time of an instance may be from the exchange's, in seconds.
    private static let clockError: Int64 = 3
    /// How late a message may be that is not given up, and how late while everything works.
    private static let lateness: (possible: Int64, usual: Int64) = (20, 4)
    /// Trades of this time are kept, in seconds.
    private static let kept: Int64 = 240
    /// How many minutes ago the price may be that a change over half an hour begins with: the
    /// minute before, and those that a coarser candle of ten minutes hides.
    private static let baseAges = 29...42

    init(_ market: MarketID) {
        self.market = market
        for signal in Self.signals { trails[signal] = BoundedTrail() }
    }

    /// Records trades, oldest first.
    mutating func record(_ trades: [Trade]) {
        for trade in trades {
            guard let value = try? trade.price.multiplied(by: trade.quantity, rounding: .halfEven)
            else { continue }
            let number = trade.executedAt.second
            if seconds.last?.number != number {
                seconds.append(
                    Second(
                        number: number,
                        value: .zero,
                        low: trade.price,
                        high: trade.price,
                        last: trade.price
                    )
                )
            }
            let place = seconds.count - 1
            seconds[place].value = (try? seconds[place].value + value) ?? seconds[place].value
            seconds[place].low = min(seconds[place].low, trade.price)
            seconds[place].high = max(seconds[place].high, trade.price)
            seconds[place].last = trade.price
        }
    }

    /// Records the bounds of a moment that is over.
    mutating func look(_ exchange: SteppedSimulator, at now: Timestamp) {
        guard let listed = exchange.markets().first(where: { $0.id == market }) else { return }
        let value = listed.tradeValue24h
        dayValues =
            min(dayValues?.lowerBound ?? value, value)...max(dayValues?.upperBound ?? value, value)
        let at = now.advanced(by: .zero - Self.delay)
        while let first = seconds.first, first.number < at.second - Self.kept {
            priceBefore = first.last
            seconds.removeFirst()
        }
        for signal in Self.signals {
            let bounds: (possible: ClosedRange<FixedDecimal>, usual: ClosedRange<FixedDecimal>)? =
                switch signal {
                case .turnover(let minutes): turnover(of: Int64(minutes), at.second)
                default: change(exchange, at.second, price: listed.price)
                }
            guard let bounds else { continue }
            let point = BoundedTrail.Point(at: at, possible: bounds.possible, usual: bounds.usual)
            trails[signal]?.points.append(point)
        }
    }

    // MARK: Turnover

    private func turnover(
        of minutes: Int64,
        _ second: Int64
    ) -> (possible: ClosedRange<FixedDecimal>, usual: ClosedRange<FixedDecimal>)? {
        guard let dayValues, dayValues.lowerBound.sign > 0 else { return nil }
        func multiple(_ until: Int64, _ day: FixedDecimal, _ isLess: Bool) -> FixedDecimal? {
            let sums = [second - Self.clockError, second + Self.clockError].map { second in
                sum(
                    from: (second / 60 - minutes + 1) * 60,
                    until: min(until, (second / 60 + 1) * 60 - 1)
                )
            }
            guard let sum = isLess ? sums.min() : sums.max() else { return nil }
            return (try? sum.multiplied(by: FixedDecimal(1_440), rounding: .truncate))
                .flatMap { try? $0.divided(by: day, rounding: .truncate) }
                .flatMap { try? $0.divided(by: FixedDecimal(minutes), rounding: .truncate) }
        }
        let high = multiple(second + Self.clockError, dayValues.lowerBound, false)
        let low = multiple(second - Self.lateness.possible, dayValues.upperBound, true)
        let usualLow = multiple(second - Self.lateness.usual, dayValues.upperBound, true)
        guard let high, let low, let usualLow else { return nil }
        return (low...high, usualLow...high)
    }

    /// The turnover of the seconds from one to another, both included.
    private func sum(from first: Int64, until last: Int64) -> FixedDecimal {
        seconds.reduce(.zero) { sum, second in
            guard first <= second.number, second.number <= last else { return sum }
            return (try? sum + second.value) ?? sum
        }
    }

    // MARK: Change

    private func change(
        _ exchange: SteppedSimulator,
        _ second: Int64,
        price: FixedDecimal
    ) -> (possible: ClosedRange<FixedDecimal>, usual: ClosedRange<FixedDecimal>)? {
        let bases = exchange.closes(of: market, minutesAgo: Self.baseAges)
        guard let lowBase = bases.min(), let highBase = bases.max() else { return nil }
        func bounds(_ lateness: Int64) -> ClosedRange<FixedDecimal>? {
            let prices = self.prices(second - lateness...second + Self.clockError, last: price)
            guard let low = MarketTrails.percent(of: prices.lowerBound, from: highBase),
                let high = MarketTrails.percent(of: prices.upperBound, from: lowBase)
            else { return nil }
            return low...high
        }
        guard let possible = bounds(Self.lateness.possible), let usual = bounds(Self.lateness.usual)
        else { return nil }
        return (possible, usual)
    }

    /// The prices of some seconds.
    private func prices(
        _ span: ClosedRange<Int64>,
        last: FixedDecimal
    ) -> ClosedRange<FixedDecimal> {
        let before = seconds.last { $0.number < span.lowerBound }?.last ?? priceBefore
        let inside = seconds.filter { span.contains($0.number) }
        let lows = [before].compactMap(\.self) + inside.map(\.low)
        let highs = [before].compactMap(\.self) + inside.map(\.high)
        return (lows.min() ?? last)...(highs.max() ?? last)
    }
}
