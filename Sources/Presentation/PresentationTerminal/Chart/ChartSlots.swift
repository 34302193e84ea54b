import Domain
import ViewStates

/// The trades of one or more buckets as four prices and a volume.
struct ChartBar: Equatable {
    var open: FixedDecimal
    var high: FixedDecimal
    var low: FixedDecimal
    var close: FixedDecimal
    var volume: FixedDecimal

    init(_ candle: ChartViewState.Candle) {
        open = candle.open
        high = candle.high
        low = candle.low
        close = candle.close
        volume = candle.volume
    }

    /// Merges the following candle.
    mutating func append(_ candle: ChartViewState.Candle) {
        high = max(high, candle.high)
        low = min(low, candle.low)
        close = candle.close
        volume = (try? volume + candle.volume) ?? FixedDecimal(units: .max)
    }

    var direction: DirectionViewState {
        if close == open { return .flat }
        return close > open ? .up : .down
    }
}

/// One place of the plot: a bucket, or several that share a column.
struct ChartSlot: Equatable {
    /// The columns of the plot, at least one.
    let columns: Range<Int>
    /// The visible buckets, by their number.
    let buckets: Range<Int>
    /// The candles of the buckets as indexes into the chart; empty without trades.
    var candles: Range<Int>
    /// The merged candles.
    var bar: ChartBar?
    /// Whether trades of a bucket without a candle were lost.
    var isMissing = false

    /// The index of the newest candle.
    var lastCandle: Int? { candles.isEmpty ? nil : candles.upperBound - 1 }
}

/// The visible buckets side by side.
///
/// All slots have the same number of columns and of buckets, so that bodies are equally wide and
/// volumes comparable; columns that are left over stay free at the left. A plot narrower than the
/// buckets folds neighbors into one column: the first open, the last close, the highest high, the
/// lowest low, and the sum of the volumes.
struct ChartSlots {
    /// A plot that is short of a column for every tenth bucket drops the oldest buckets instead of
    /// halving the width of all, or folding them.
    private static let droppedPart = 10

    /// When each visible bucket opens.
    let opens: [Timestamp]
    /// From left to right.
    private(set) var slots: [ChartSlot]
    /// How many columns and buckets each slot has.
    let grid: ChartGrid
    /// The minimum columns of a body.
    let bodyColumns: Int
    /// Whether bodies fill their slots: while not every slot has a column to spare, a blank one
    /// would look like a bucket without trades.
    let isTight: Bool
    /// The columns of a slot at the left of its body.
    private let indent: Int
    private let width: Int

    init(chart: ChartViewState, span: Range<Timestamp>, width: Int) {
        self.width = max(width, 1)
        let all = Self.opens(span: span, interval: CandleInterval(rawValue: chart.interval))
        grid = Self.grid(buckets: all.count, width: self.width)
        let (pitch, folded) = (grid.pitch, grid.folded)
        let count = min(all.count / folded, self.width / pitch)
        opens = Array(all.suffix(count * folded))
        // An odd number of columns has one in the middle, for the wick; one stays free as a gap.
        let widest = max(pitch - 1, 1)
        bodyColumns = widest % 2 == 1 ? widest : widest - 1
        isTight = pitch < 2
        indent = max(pitch - 1 - bodyColumns, 0)
        let start = self.width - count * pitch
        slots = (0..<count).map { place in
            let column = start + place * pitch
            return ChartSlot(
                columns: column..<(column + pitch),
                buckets: (place * folded)..<((place + 1) * folded),
                candles: 0..<0
            )
        }
        place(chart.candles, end: span.upperBound)
        mark(chart.gaps, end: span.upperBound)
    }

    private static func grid(buckets: Int, width: Int) -> ChartGrid {
        guard buckets > 0 else { return ChartGrid(pitch: 1, folded: 1) }
        let kept = buckets - buckets / droppedPart
        let pitch = width / kept
        return pitch > 0
            ? ChartGrid(pitch: pitch, folded: 1)
            : ChartGrid(pitch: 1, folded: (kept + width - 1) / width)
    }

    /// The plot columns of a slot's body.
    func bodyRange(_ slot: ChartSlot) -> Range<Int> {
        if isTight { return slot.columns }
        let start = min(slot.columns.lowerBound + indent, slot.columns.upperBound - 1)
        return start..<min(start + bodyColumns, slot.columns.upperBound)
    }

    /// The column of the plot in the middle of a slot's body.
    func middle(_ slot: ChartSlot) -> Int {
        let body = bodyRange(slot)
        return body.lowerBound + (body.count - 1) / 2
    }

    /// The slot that holds a bucket.
    func slot(ofBucket bucket: Int) -> ChartSlot? {
        slots.first { $0.buckets.contains(bucket) }
    }

    /// The number of the bucket that holds a moment; nil outside of the visible ones.
    func bucket(holding time: Timestamp, before end: Timestamp) -> Int? {
        guard time < end else { return nil }
        return opens.lastIndex { $0 <= time }
    }

    private static func opens(span: Range<Timestamp>, interval: CandleInterval?) -> [Timestamp] {
        guard let interval, !span.isEmpty else { return [] }
        var opens: [Timestamp] = []
        opens.reserveCapacity(ChartPaneOptions.bucketsRange.upperBound)
        var open = interval.bucketStart(of: span.lowerBound)
        while open < span.upperBound, opens.count < ChartPaneOptions.bucketsRange.upperBound {
            opens.append(open)
            let next = interval.nextBucket(after: open)
            // The last representable timestamp has no next bucket.
            if next <= open { break }
            open = next
        }
        return opens
    }

    /// When the first bucket behind a slot opens.
    private func end(of slot: ChartSlot, last end: Timestamp) -> Timestamp {
        slot.buckets.upperBound < opens.count ? opens[slot.buckets.upperBound] : end
    }

    private mutating func place(_ candles: [ChartViewState.Candle], end: Timestamp) {
        guard let first = opens.first else { return }
        var index = Self.firstIndex(in: candles) { $0.openTime >= first }
        for place in slots.indices {
            let limit = self.end(of: slots[place], last: end)
            let start = index
            while index < candles.count, candles[index].openTime < limit {
                if slots[place].bar == nil {
                    slots[place].bar = ChartBar(candles[index])
                } else {
                    slots[place].bar?.append(candles[index])
                }
                index += 1
            }
            slots[place].candles = start..<index
        }
    }

    private mutating func mark(_ gaps: [GapViewState], end: Timestamp) {
        guard let first = opens.first else { return }
        for gap in gaps where gap.reason == .missing && gap.to > first && gap.from < end {
            let start = Self.firstIndex(in: slots) { self.end(of: $0, last: end) > gap.from }
            for place in start..<slots.count {
                if opens[slots[place].buckets.lowerBound] >= gap.to { break }
                slots[place].isMissing = true
            }
        }
    }

    /// The first index from which a condition holds (binary search).
    private static func firstIndex<Element>(
        in elements: [Element],
        where condition: (Element) -> Bool
    ) -> Int {
        var low = 0
        var high = elements.count
        while low < high {
            let middle = (low + high) / 2
            if condition(elements[middle]) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
