import DataSourceContracts
import Domain

/// One reading of every market over REST, for minutes that nobody heard all trades of.
struct BackfillPass: Sendable {
    /// How often a market is asked for whose reading fails.
    static let attemptsMax = 3

    /// The minutes that are missing: ascending, apart from each other.
    let spans: [Range<Timestamp>]
    /// The markets that are left, in the order in which they are asked for.
    private(set) var left: ArraySlice<MarketID>
    /// Whether the exchange told everything of every market that it knows, so far.
    ///
    /// If it knows none it knows no candles: what is missing stays missing.
    var isWhole: Bool { hasToldAll && (hasTold || !hasUnknown) }
    private var hasToldAll = true
    private var hasTold = false
    private var hasUnknown = false
    private var attempts: [MarketID: Int] = [:]

    /// Begins a pass.
    init(spans: [Range<Timestamp>], markets: [MarketID]) {
        self.spans = spans
        left = markets[...]
    }

    /// Whether no market is left.
    var isOver: Bool { left.isEmpty }

    /// Notes that the first market that is left was read.
    ///
    /// - Parameter isWhole: whether the answer told all of the spans.
    mutating func told(isWhole: Bool) {
        left.removeFirst()
        hasTold = true
        hasToldAll = hasToldAll && isWhole
    }

    /// Notes that the exchange does not know the first market that is left.
    mutating func wasUnknown() {
        left.removeFirst()
        hasUnknown = true
    }

    /// Notes that the first market that is left could not be read: it is asked for again after the
    /// others, but not for ever.
    mutating func failed() {
        let market = left.removeFirst()
        attempts[market, default: 0] += 1
        if attempts[market, default: 0] < Self.attemptsMax {
            left.append(market)
        } else {
            hasToldAll = false
        }
    }

    /// The times of a span that are not covered.
    static func missing(
        in span: Range<Timestamp>,
        covered: [StoredCandlesDTO.Span]
    ) -> [Range<Timestamp>] {
        var missing: [Range<Timestamp>] = []
        var from = span.lowerBound
        for known in covered where known.from < known.to {
            let start = Timestamp(microseconds: known.from)
            if from < min(start, span.upperBound) {
                missing.append(from..<min(start, span.upperBound))
            }
            from = max(from, Timestamp(microseconds: known.to))
        }
        if from < span.upperBound { missing.append(from..<span.upperBound) }
        return missing
    }
}

/// What a reading of one market tells of minutes that are missing.
struct BackfilledMinutes: Sendable, Hashable {
    /// The rows in those minutes.
    let rows: [StoredCandlesDTO.Row]
    /// Which of the minutes the reading told all of.
    let spans: [StoredCandlesDTO.Span]
    /// Whether that is all that was missing.
    let isWhole: Bool

    /// With fewer rows than this an answer holds all that the exchange has: it tells 1,500 minutes
    /// with a trade.
    static let rowsMin = 1_000

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - page: candles of one minute as REST told them.
    ///   - missing: the spans of minutes: ascending, apart from each other.
    init(_ page: CandlePage, missing: [Range<Timestamp>]) {
        let told = StoredCandleMapping.rows(page, since: nil)
        let minute = CandleInterval.minute1
        // A market that was not traded lately has no row that would tell until when it was not.
        let end =
            told.map { Timestamp(microseconds: $0.span.to) }
            ?? page.candles.first?.openTime
            ?? minute.bucketStart(of: page.requestedAt)
        let isAll = page.candles.count < Self.rowsMin
        let start =
            isAll ? Timestamp(microseconds: .min) : page.candles.first?.openTime ?? end
        let reach = min(start, end)..<end
        let known = missing.map { $0.clamped(to: reach) }.filter { !$0.isEmpty }
        isWhole = known == missing
        spans = MinuteCandleBatchMapping.spans(known)
        rows = (told?.rows ?? []).filter { row in
            known.contains { $0.contains(Timestamp(microseconds: row.openTime)) }
        }
    }
}
