/// The indicators of all candles of a series, kept as the series grows.
///
/// An update computes what is new: usually the newest candle alone. A change of an older candle
/// computes all again. Every value is the one that `docs/indicators.md` defines from the first
/// candle of the series on. Closes above 10¹⁸ are not supported. Bounded by the length of the
/// series.
public struct IndicatorSeries: Sendable {
    /// The selected indicators.
    public let selection: IndicatorSelection
    /// The averages by window and kind, each with a value for each candle.
    public private(set) var averages: [MovingAverage: [FixedDecimal?]] = [:]
    /// The Bollinger bands of each candle; empty unless selected.
    public private(set) var bands: [BollingerBands?] = []
    /// The relative strength index of each candle; empty unless selected.
    public private(set) var strength: [FixedDecimal?] = []
    /// MACD of each candle; empty unless selected.
    public private(set) var convergence: [MACD.Value?] = []
    /// How many values were computed, for tests of the updates.
    private(set) var computedCount = 0

    private var opens: [Timestamp] = []
    private var closes: [FixedDecimal] = []
    /// The state before the newest candle, which may still change.
    private var settled: Accumulators

    /// Makes a series without candles.
    public init(_ selection: IndicatorSelection) {
        self.selection = selection
        settled = Accumulators(selection)
    }

    /// How many candles it holds.
    public var count: Int { closes.count }

    /// Adopts the candles of a series, ascending.
    ///
    /// - Parameters:
    ///   - count: how many there are.
    ///   - candle: opening and close of a candle by its index.
    public mutating func update(
        count: Int,
        candle: (Int) -> (open: Timestamp, close: FixedDecimal)
    ) {
        var kept = 0
        while kept < min(count, closes.count) {
            let (open, close) = candle(kept)
            guard opens[kept] == open, closes[kept] == close else { break }
            kept += 1
        }
        if kept == count, kept == closes.count { return }
        let reusable = max(closes.count - 1, 0)
        if kept < reusable || count <= reusable {
            self = IndicatorSeries(selection, computed: computedCount)
            kept = 0
        } else {
            removeNewest(from: reusable)
            kept = reusable
        }
        // Moved out and back: a copy would cost its size for each candle.
        var state = settled
        settled = Accumulators(IndicatorSelection())
        for index in kept..<count {
            if index + 1 == count { settled = state }
            let (open, close) = candle(index)
            opens.append(open)
            closes.append(close)
            append(&state)
        }
        if count == 0 { settled = state }
    }

    private init(_ selection: IndicatorSelection, computed: Int) {
        self.init(selection)
        computedCount = computed
    }

    private mutating func removeNewest(from index: Int) {
        opens.removeSubrange(index...)
        closes.removeSubrange(index...)
        for average in selection.averages { averages[average]?.removeSubrange(index...) }
        if !bands.isEmpty { bands.removeSubrange(index...) }
        if !strength.isEmpty { strength.removeSubrange(index...) }
        if !convergence.isEmpty { convergence.removeSubrange(index...) }
    }

    /// Appends the values of the newest close.
    private mutating func append(_ state: inout Accumulators) {
        let index = closes.count - 1
        computedCount += 1
        for average in selection.averages {
            let value: FixedDecimal?
            switch average.kind {
            case .simple: value = state.addSimple(average.window, closes)
            case .exponential: value = state.exponential[average]?.add(closes[index])
            }
            averages[average, default: []].append(value)
        }
        for study in selection.studies {
            switch study {
            case .bands:
                bands.append(BollingerBands(closes: closes[...], window: 20, deviations: 2))
            case .strength: strength.append(state.strength.add(closes[index]))
            case .convergence: convergence.append(state.convergence.add(closes[index]))
            }
        }
    }
}

/// The sums and smoothed values of the candles before the next one.
private struct Accumulators: Sendable {
    /// Sums of the last closes in units, by window.
    private var sums: [Int: Int128] = [:]
    var exponential: [MovingAverage: ExponentialAverage] = [:]
    var strength = RelativeStrengthIndex()
    var convergence = MACD()

    init(_ selection: IndicatorSelection) {
        for average in selection.averages where average.kind == .exponential {
            exponential[average] = ExponentialAverage(window: average.window)
        }
    }

    /// The simple average that ends with the newest close; nil for fewer than the window.
    mutating func addSimple(_ window: Int, _ closes: [FixedDecimal]) -> FixedDecimal? {
        let index = closes.count - 1
        var sum = sums[window, default: 0] &+ closes[index].units
        if index >= window { sum &-= closes[index - window].units }
        sums[window] = sum
        return index >= window - 1 ? FixedDecimal.mean(ofSum: sum, count: window) : nil
    }
}
