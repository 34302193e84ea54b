import DataSourceContracts
import Domain

/// One request for every market over REST, for minutes whose trades no process received completely.
struct BackfillPass: Sendable {
    /// Maximum number of requests for a market that fails.
    static let attemptsMax = 3

    /// The missing minutes: ascending and disjoint.
    let spans: [Range<Timestamp>]
    /// The remaining markets, in order of requests.
    private(set) var left: ArraySlice<MarketID>
    /// Whether the exchange has covered all gaps of every market it lists so far.
    ///
    /// If it lists none, it has no candles: the gaps remain.
    var isWhole: Bool { coversAll && (hasAnswers || !hasUnknown) }
    private var coversAll = true
    private var hasAnswers = false
    private var hasUnknown = false
    private var attempts: [MarketID: Int] = [:]

    /// Begins a pass.
    init(spans: [Range<Timestamp>], markets: [MarketID]) {
        self.spans = spans
        left = markets[...]
    }

    /// Whether no market is left.
    var isOver: Bool { left.isEmpty }

    /// Records an answer for the first remaining market.
    ///
    /// - Parameter isWhole: whether the answer covers all spans.
    mutating func answered(isWhole: Bool) {
        left.removeFirst()
        hasAnswers = true
        coversAll = coversAll && isWhole
    }

    /// Records that the exchange does not list the first remaining market.
    mutating func wasUnknown() {
        left.removeFirst()
        hasUnknown = true
    }

    /// Records a failure for the first remaining market.
    ///
    /// The market is requested again after the others, a limited number of times.
    mutating func failed() {
        let market = left.removeFirst()
        attempts[market, default: 0] += 1
        if attempts[market, default: 0] < Self.attemptsMax {
            left.append(market)
        } else {
            coversAll = false
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

/// The missing minutes of one market that an answer covers.
struct BackfilledMinutes: Sendable, Hashable {
    /// The rows in those minutes.
    let rows: [StoredCandlesDTO.Row]
    /// The minutes that the answer covers completely.
    let spans: [StoredCandlesDTO.Span]
    /// Whether that is all that was missing.
    let isWhole: Bool

    /// An answer of API 1.x with fewer rows has everything the exchange has: it returns 1,500
    /// minutes with a trade.
    static let rowsMin = 1_000

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - page: one minute candles from REST.
    ///   - isTruncated: whether older ones exist; nil if only their number tells.
    ///   - missing: the spans of minutes: ascending and disjoint.
    init(_ page: CandlePage, isTruncated: Bool? = nil, missing: [Range<Timestamp>]) {
        let converted = StoredCandleMapping.rows(page, since: nil)
        let minute = CandleInterval.minute1
        // A market without recent trades has no row that shows until when it had none.
        let end =
            converted.map { Timestamp(microseconds: $0.span.to) }
            ?? page.candles.first?.openTime
            ?? minute.bucketStart(of: page.requestedAt)
        let isAll = isTruncated.map { !$0 } ?? (page.candles.count < Self.rowsMin)
        let start =
            isAll ? Timestamp(microseconds: .min) : page.candles.first?.openTime ?? end
        let reach = min(start, end)..<end
        let known = missing.map { $0.clamped(to: reach) }.filter { !$0.isEmpty }
        isWhole = known == missing
        spans = MinuteCandleBatchMapping.spans(known)
        rows = (converted?.rows ?? []).filter { row in
            known.contains { $0.contains(Timestamp(microseconds: row.openTime)) }
        }
    }
}
