/// A moving average of closes: its kind and window.
public struct MovingAverage: Sendable, Hashable, Comparable {
    /// How values are weighted.
    public enum Kind: Sendable, Hashable {
        /// SMA: all alike.
        case simple
        /// EMA: newer ones more, see ``ExponentialAverage``.
        case exponential
    }

    /// The windows that a chart may have, in candles.
    public static let windowRange = 2...400
    /// The simple averages that the indicator menu always lists.
    public static let usual = CandleSeries.averageWindows.map { MovingAverage(.simple, window: $0) }

    /// How values are weighted.
    public let kind: Kind
    /// The window in candles, within ``windowRange``.
    public let window: Int

    /// Makes an average.
    ///
    /// - Precondition: the window is within ``windowRange``.
    public init(_ kind: Kind, window: Int) {
        precondition(Self.windowRange.contains(window), "a window has 2 to 400 candles")
        self.kind = kind
        self.window = window
    }

    /// Whether it is one of ``usual``.
    public var isUsual: Bool { Self.usual.contains(self) }

    /// Simple averages first, the shortest window first.
    public static func < (left: Self, right: Self) -> Bool {
        guard left.kind == right.kind else { return left.kind == .simple }
        return left.window < right.window
    }

    /// Parses a window after its kind: `EMA 50`, `sma20`; a window alone is a simple average.
    ///
    /// - Throws: ``InputError`` for other words and for windows outside of ``windowRange``.
    public init(parsing text: String) throws(InputError) {
        var rest = text.filter { $0 != " " }.lowercased()[...]
        guard !rest.isEmpty else { throw InputError(.empty) }
        var kind = Kind.simple
        if rest.hasPrefix("ema") {
            kind = .exponential
            rest = rest.dropFirst(3)
        } else if rest.hasPrefix("sma") {
            rest = rest.dropFirst(3)
        }
        // Digits of other scripts are none of these.
        guard let window = Int(rest), rest.allSatisfy(\.isASCII), rest.allSatisfy(\.isNumber),
            Self.windowRange.contains(window)
        else { throw InputError(.noAverage(Self.windowRange)) }
        self.init(kind, window: window)
    }
}

/// An indicator of closes that a chart can show besides averages.
public enum ChartStudy: Sendable, Hashable, CaseIterable {
    /// ``BollingerBands`` of 20 candles and 2 deviations.
    case bands
    /// ``RelativeStrengthIndex`` of 14 changes.
    case strength
    /// ``MACD`` of 12, 26 and 9.
    case convergence
}

/// The indicators of a chart.
public struct IndicatorSelection: Sendable, Hashable {
    /// The averages of closes.
    public var averages: Set<MovingAverage>
    /// The studies.
    public var studies: Set<ChartStudy>

    /// Makes a selection, empty by default.
    public init(averages: Set<MovingAverage> = [], studies: Set<ChartStudy> = []) {
        self.averages = averages
        self.studies = studies
    }

    /// Whether nothing is selected.
    public var isEmpty: Bool { averages.isEmpty && studies.isEmpty }

    /// The greatest ``lead``: older candles come in blocks of few, each with several requests.
    public static let leadMax = 1_000

    /// How many candles before one its indicators need, at most ``leadMax``.
    ///
    /// Smoothed ones depend on all candles before: this many leave the first ones a weight of less
    /// than 10⁻⁹, or 0.7 % for the longest exponential average.
    public var lead: Int {
        let ofAverages = averages.map { average in
            switch average.kind {
            case .simple: average.window - 1
            // (1 − 2 ÷ (n + 1)) to the power of 10.5 n.
            case .exponential: average.window * 21 / 2
            }
        }
        let ofStudies = studies.map { study in
            switch study {
            case .bands: 19
            case .strength: 300
            case .convergence: 380
            }
        }
        return min((ofAverages + ofStudies).max() ?? 0, Self.leadMax)
    }
}
