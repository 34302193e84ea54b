/// The intervals of charts, as written in paths.
enum ChartInterval: String, Sendable, CaseIterable {
    case minute1 = "1m"
    case minutes3 = "3m"
    case minutes5 = "5m"
    case minutes10 = "10m"
    case minutes30 = "30m"
    case hour1 = "1h"
    case hours6 = "6h"
    case hours12 = "12h"
    case hours24 = "24h"

    var minutes: Int {
        switch self {
        case .minute1: 1
        case .minutes3: 3
        case .minutes5: 5
        case .minutes10: 10
        case .minutes30: 30
        case .hour1: 60
        case .hours6: 360
        case .hours12: 720
        case .hours24: 1_440
        }
    }

    /// Maximum number of rows in an answer.
    ///
    /// 1m, 10m, 30m and 1h as recorded in 2022. Days are unbounded on the exchange; the others are
    /// unknown.
    var rowsMax: Int {
        switch self {
        case .minute1: 1_500
        case .minutes3: 501
        case .minutes5: 1_501
        case .minutes10, .minutes30: 3_001
        case .hour1: 5_001
        case .hours6, .hours12: 1_000
        case .hours24: 10_000
        }
    }

    /// Whether the last 25 hours have all of its rows, so that it needs no archive.
    var isOfLastMinutes: Bool {
        switch self {
        case .minute1, .minutes3: true
        case .minutes5, .minutes10, .minutes30, .hour1, .hours6, .hours12, .hours24: false
        }
    }

    /// The first minute of the bucket around a minute.
    ///
    /// Buckets lie on the Seoul day, which up to one hour equals the UTC grid.
    func start(of minute: Int) -> Int {
        minute - SeoulMinute.sinceMidnight(minute) % minutes
    }

    /// The minute that a row has as its time.
    ///
    /// In running rows of 10m and 30m the exchange sends the minute of the last trade, and in those
    /// of 24h its hour. 1m and 1h were recorded on the grid.
    func writtenMinute(of row: CandleRow, isRunning: Bool) -> Int {
        guard isRunning else { return row.start }
        switch self {
        case .minutes10, .minutes30: return row.last
        case .hours24: return ChartInterval.hour1.start(of: row.last)
        case .minute1, .minutes3, .minutes5, .hour1, .hours6, .hours12: return row.start
        }
    }

    /// How many copies of one old row the exchange sends.
    ///
    /// Nine copies of one 10m row and two of one 24h row were recorded.
    var copiesOfRepeatedRow: Int {
        switch self {
        case .minutes10: 9
        case .hours24: 2
        case .minute1, .minutes3, .minutes5, .minutes30, .hour1, .hours6, .hours12: 1
        }
    }
}

/// One bucket of a chart with trades, in exact numbers.
struct CandleRow: Sendable, Equatable {
    /// The first minute of the bucket, since the Unix epoch.
    var start: Int
    /// The minute of the last trade.
    var last: Int
    var open: Int64
    var high: Int64
    var low: Int64
    var close: Int64
    /// In units of 10⁻⁸ coins; smaller remainders are dropped.
    var volume: Int128
    /// Price × volume, in value units.
    var value: Int128

    /// The row of one period; nil if it has no trades.
    init?(_ minute: Minute, start: Int, last: Int) {
        guard minute.hasTrades else { return nil }
        self.start = start
        self.last = last
        open = minute.open
        high = minute.high
        low = minute.low
        close = minute.close
        volume = minute.wholeVolume
        value = minute.value
    }

    mutating func add(_ later: CandleRow) {
        last = later.last
        high = max(high, later.high)
        low = min(low, later.low)
        close = later.close
        volume += later.volume
        value += later.value
    }

    /// Whether all trades of the row lie in these minutes.
    func isInside(_ minutes: Range<Int>) -> Bool {
        minutes.contains(start) && minutes.contains(last)
    }
}

extension [CandleRow] {
    /// Adds a later row of the same bucket.
    mutating func fold(_ row: CandleRow, by span: ChartInterval) {
        fold(row, startingAt: span.start(of: row.start))
    }

    /// Adds a later row of the same bucket, which begins at `start`.
    mutating func fold(_ row: CandleRow, startingAt start: Int) {
        if let last = indices.last, self[last].start == start {
            self[last].add(row)
        } else {
            var first = row
            first.start = start
            append(first)
        }
    }

    /// The same trades in longer buckets.
    func folded(by span: ChartInterval) -> [CandleRow] {
        var rows: [CandleRow] = []
        rows.reserveCapacity(count / Swift.max(1, span.minutes) + 1)
        for row in self { rows.fold(row, by: span) }
        return rows
    }
}
