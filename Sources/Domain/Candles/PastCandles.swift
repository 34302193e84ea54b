/// All candles of a block.
public struct CandleBlockPage: Sendable, Hashable {
    /// The market.
    public var market: MarketID
    /// The block.
    public var block: CandleBlock
    /// Ascending by open time; a bucket without a candle had no trade.
    public var candles: [Candle]
    /// Whether the market has no candle before those of the block.
    public var isBeginning: Bool

    /// Makes a page.
    public init(market: MarketID, block: CandleBlock, candles: [Candle], isBeginning: Bool) {
        self.market = market
        self.block = block
        self.candles = candles
        self.isBeginning = isBeginning
    }
}

/// Candles of one market and interval that are older than those of its series, block by block.
public struct PastCandles: Sendable {
    private var pages: [Timestamp: CandleBlockPage] = [:]

    /// No candles.
    init() {}

    /// Whether there is no block.
    var isEmpty: Bool { pages.isEmpty }

    /// Whether a block was read, or lies before the market's beginning.
    func holds(_ block: CandleBlock) -> Bool {
        pages[block.start] != nil
            || pages.values.contains { $0.isBeginning && block.start < $0.block.start }
    }

    mutating func keep(_ page: CandleBlockPage) { pages[page.block.start] = page }

    mutating func remove(_ block: CandleBlock) { pages[block.start] = nil }

    /// The newest blocks without a hole among the given ones.
    ///
    /// - Parameters:
    ///   - blocks: successive blocks, the newest first.
    ///   - start: what opens from here on is not wanted.
    /// - Returns: nil if the newest block was not read.
    func run(of blocks: [CandleBlock], before start: Timestamp) -> Run? {
        let held = blocks.lazy.map { pages[$0.start] }.prefix { $0 != nil }.compactMap(\.self)
        guard let newest = held.first, let oldest = held.last else { return nil }
        return Run(
            candles: held.reversed().flatMap(\.candles).filter { $0.openTime < start },
            span: oldest.block.start..<min(newest.block.end, start),
            isBeginning: oldest.isBeginning
        )
    }

    /// Successive past candles.
    struct Run {
        /// Ascending by open time.
        var candles: [Candle]
        /// The time they cover: a bucket without a candle had no trade.
        var span: Range<Timestamp>
        /// Whether the market has no older candle.
        var isBeginning: Bool
    }
}

/// How much is known of the past candles that a reader wants.
public struct PastCandleProgress: Sendable, Hashable {
    /// How many buckets are known.
    public var known: Int
    /// How many are wanted.
    public var of: Int
    /// Whether all blocks with wanted buckets were read.
    public var isComplete: Bool
}

extension MarketDetail {
    /// Whether a block is older than what the series of its interval knows without a hole, and was
    /// not read yet.
    public func lacks(_ block: CandleBlock) -> Bool {
        guard let start = candles[block.interval]?.wholeFrom else { return false }
        return block.start < start && !(past[block.interval]?.holds(block) ?? false)
    }

    /// Whether an open block of an interval was not read yet, and did not fail.
    public func lacksBlocks(of interval: CandleInterval) -> Bool {
        facets.contains { facet in
            guard case .pastCandles(let block) = facet, block.interval == interval else {
                return false
            }
            return failures[facet] == nil && lacks(block)
        }
    }

    /// Whether the API in use has no past candles of an interval.
    public func isUnserved(_ interval: CandleInterval) -> Bool {
        failures.contains { facet, failure in
            guard case .pastCandles(let block) = facet, block.interval == interval else {
                return false
            }
            return failure.failure.code == .unserved
        }
    }

    /// The candles of an interval, with past ones as far as a span needs and has them.
    ///
    /// The cost is linear in the held candles if the span begins before the series, else constant.
    ///
    /// - Parameters:
    ///   - interval: the interval.
    ///   - span: the time of the wanted candles; nil for the series alone.
    /// - Returns: nil if the interval is not open.
    public func series(
        _ interval: CandleInterval,
        reaching span: Range<Timestamp>?
    ) -> CandleSeries? {
        guard let series = candles[interval] else { return nil }
        guard let span, let start = series.wholeFrom, span.lowerBound < start,
            let run = past[interval]?.run(
                of: CandleBlock.blocks(
                    of: interval,
                    in: span.lowerBound..<min(span.upperBound, start)
                ),
                before: start
            )
        else { return series }
        return series.preceded(by: run)
    }

    /// How many buckets of a span are known; nil if the series has all of it.
    public func progress(
        _ interval: CandleInterval,
        in span: Range<Timestamp>
    ) -> PastCandleProgress? {
        guard let start = candles[interval]?.wholeFrom, span.lowerBound < start else { return nil }
        let past = span.lowerBound..<min(span.upperBound, start)
        let blocks = CandleBlock.blocks(of: interval, in: past)
        guard !blocks.isEmpty else { return nil }
        let lacking = blocks.filter(lacks)
        let unknown = lacking.map { block in
            interval.bucketCount(
                from: max(block.start, span.lowerBound),
                to: min(block.end, past.upperBound)
            )
        }
        let of = interval.bucketCount(from: span.lowerBound, to: span.upperBound)
        return PastCandleProgress(
            known: of - unknown.reduce(0, +),
            of: of,
            isComplete: lacking.isEmpty
        )
    }
}
