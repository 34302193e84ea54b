import Domain
import ViewStates

/// Which times are named below the plot, and where.
struct TimeAxis {
    /// A text and the plot columns it covers.
    struct Label: Equatable {
        let columns: Range<Int>
        let text: String
    }

    /// The minimum number of blank columns between two labels.
    private static let gap = 2
    /// Enough labels: finer times are not considered once each label has this many columns.
    private static let columnsPerLabel = 13
    private static let minutesPerDay = 1_440
    /// Minutes of the day that count as round, the roundest first.
    private static let roundMinutes = [1_440, 720, 360, 180, 60, 30, 10, 5, 1]

    /// From left to right, never overlapping.
    private(set) var labels: [Label] = []
    private let width: Int
    private var taken: [Bool]

    /// Names the roundest times that fit: years before months, days before hours.
    ///
    /// - Parameters:
    ///   - opens: when the buckets open, ascending.
    ///   - columns: the column in the middle of each bucket.
    ///   - interval: of the buckets.
    ///   - width: of the plot.
    init(opens: [Timestamp], columns: [Int], interval: CandleInterval, width: Int) {
        self.width = width
        taken = Array(repeating: false, count: max(width, 0))
        let ranks = opens.map { Self.rank($0, interval: interval) }
        for rank in 0...Self.lastRank(interval) {
            for place in opens.indices where ranks[place] == rank {
                let text = Self.text(opens[place], rank: rank, interval: interval)
                add(text, middle: columns[place])
            }
            if labels.count * Self.columnsPerLabel >= width { break }
        }
        labels.sort { $0.columns.lowerBound < $1.columns.lowerBound }
    }

    /// Names the times of trades, to the second, at even distances.
    init(times: [Timestamp], columns: [Int], width: Int) {
        self.width = width
        taken = Array(repeating: false, count: max(width, 0))
        var next = 0
        for (time, column) in zip(times, columns) where column >= next {
            if add(TimeText.clock(time), middle: column) { next = column + Self.columnsPerLabel }
        }
    }

    /// Adds a label centered on a column if there is room.
    @discardableResult
    private mutating func add(_ text: String, middle: Int) -> Bool {
        let length = text.utf8.count
        guard length <= width else { return false }
        let start = min(max(middle - (length - 1) / 2, 0), width - length)
        let columns = start..<(start + length)
        let around = max(start - Self.gap, 0)..<min(columns.upperBound + Self.gap, width)
        guard columns.contains(middle), !taken[around].contains(true) else { return false }
        for column in columns { taken[column] = true }
        labels.append(Label(columns: columns, text: text))
        return true
    }

    /// How round the opening of a bucket is: 0 for the roundest.
    private static func rank(_ open: Timestamp, interval: CandleInterval) -> Int {
        let seoul = SeoulTime(open)
        let (_, month, day) = seoul.civil
        switch interval {
        case .minute1, .minutes3, .minutes5, .minutes10, .minutes30, .hour1, .hours6, .hours12:
            let (hour, minute, _, _) = seoul.clock
            let minutes = hour * 60 + minute
            return roundMinutes.firstIndex { minutes % $0 == 0 } ?? roundMinutes.count - 1
        case .day1:
            if day == 1 { return month == 1 ? 0 : 1 }
            // 1970-01-01 was a Thursday.
            return (seoul.day + 3) % 7 == 0 ? 2 : 3
        case .week1:
            if day <= 7 { return month == 1 ? 0 : 1 }
            return 2
        case .month1:
            if month == 1 { return 0 }
            return month % 3 == 1 ? 1 : 2
        }
    }

    private static func lastRank(_ interval: CandleInterval) -> Int {
        switch interval {
        case .minute1, .minutes3, .minutes5, .minutes10, .minutes30, .hour1, .hours6, .hours12:
            roundMinutes.count - 1
        case .day1: 3
        case .week1, .month1: 2
        }
    }

    private static func text(_ open: Timestamp, rank: Int, interval: CandleInterval) -> String {
        switch interval {
        case .minute1, .minutes3, .minutes5, .minutes10, .minutes30, .hour1, .hours6, .hours12:
            rank == 0 ? AxisText.monthDay(open) : AxisText.hourMinute(open)
        case .day1, .week1: rank == 0 ? AxisText.yearMonth(open) : AxisText.monthDay(open)
        case .month1: AxisText.yearMonth(open)
        }
    }
}
