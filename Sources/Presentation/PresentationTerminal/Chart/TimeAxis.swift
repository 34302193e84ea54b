import Domain
import ViewStates

/// Which times are named below the plot, and where.
struct TimeAxis {
    /// A text and the plot columns it covers.
    struct Label: Equatable {
        let columns: Range<Int>
        /// The column of the time itself.
        let anchor: Int
        let text: String
    }

    /// The minimum number of blank columns between two labels.
    private static let gap = 2
    /// The distance of trade times in columns.
    private static let columnsPerLabel = 13

    /// From left to right, never overlapping.
    private(set) var labels: [Label] = []
    private let width: Int

    /// Names buckets at regular steps of the calendar in Seoul: the finest steps that fit.
    ///
    /// If the only steps that fit are so coarse that none begins in the plot, some of the finer
    /// ones are named instead.
    ///
    /// - Parameters:
    ///   - opens: when the buckets open, ascending.
    ///   - columns: the column in the middle of each bucket.
    ///   - interval: of the buckets.
    ///   - width: of the plot.
    init(opens: [Timestamp], columns: [Int], interval: CandleInterval, width: Int) {
        self.width = width
        var tooFine: CalendarStep?
        for step in CalendarStep.all {
            if addLabels(opens, columns, interval, step, skips: false), !labels.isEmpty { return }
            if !labels.isEmpty { tooFine = step }
            labels = []
        }
        if let tooFine { _ = addLabels(opens, columns, interval, tooFine, skips: true) }
    }

    /// Names the times of trades, to the second, at even distances.
    init(times: [Timestamp], columns: [Int], width: Int) {
        self.width = width
        var next = 0
        for (time, column) in zip(times, columns) where column >= next {
            if add(TimeText.clock(time), at: column) { next = column + Self.columnsPerLabel }
        }
    }

    /// Names the buckets with which a step of the calendar begins.
    ///
    /// - Returns: false as soon as a label has no room, except at the edges of the plot; with
    ///   `skips` such labels are left out.
    private mutating func addLabels(
        _ opens: [Timestamp],
        _ columns: [Int],
        _ interval: CandleInterval,
        _ step: CalendarStep,
        skips: Bool
    ) -> Bool {
        guard let first = opens.first else { return true }
        var number = step.number(of: interval.advanced(first, by: -1))
        var named: Timestamp?
        for (open, column) in zip(opens, columns) {
            let next = step.number(of: open)
            if next == number { continue }
            number = next
            let text = Self.text(open, after: named, step, interval)
            if add(text, at: column) {
                named = open
                continue
            }
            // A label at an edge is moved into the plot, where it may be in the way.
            let half = (text.utf8.count - 1) / 2
            if skips || column + text.utf8.count - half > width { continue }
            if labels.count == 1, labels[0].anchor < (labels[0].columns.count - 1) / 2 {
                labels = []
                if add(text, at: column) {
                    named = open
                    continue
                }
            }
            if labels.isEmpty { continue }
            return false
        }
        return true
    }

    /// Adds a label centered on a column if there is room behind the last one.
    private mutating func add(_ text: String, at middle: Int) -> Bool {
        let length = text.utf8.count
        guard length <= width else { return false }
        let start = min(max(middle - (length - 1) / 2, 0), width - length)
        let columns = start..<(start + length)
        let free = labels.last.map { $0.columns.upperBound + Self.gap } ?? 0
        guard columns.contains(middle), start >= free else { return false }
        labels.append(Label(columns: columns, anchor: middle, text: text))
        return true
    }

    private static func text(
        _ open: Timestamp,
        after last: Timestamp?,
        _ step: CalendarStep,
        _ interval: CandleInterval
    ) -> String {
        let seoul = SeoulTime(open)
        switch interval {
        case .minute1, .minutes3, .minutes5, .minutes10, .minutes30, .hour1, .hours6, .hours12:
            guard case .minutes = step else { return AxisText.monthDay(open) }
            let isNewDay = last.map { SeoulTime($0).day != seoul.day } ?? false
            return isNewDay || seoul.microsecondOfDay == 0
                ? AxisText.monthDay(open) : AxisText.hourMinute(open)
        case .day1, .week1:
            let (year, month, _) = seoul.civil
            let isNewYear = last.map { SeoulTime($0).civil.year != year } ?? step.isMonths
            return month == 1 && isNewYear || step.isWholeYears
                ? AxisText.yearMonth(open) : AxisText.monthDay(open)
        case .month1: return AxisText.yearMonth(open)
        }
    }
}

/// A regular step of the calendar in Seoul.
enum CalendarStep: Equatable {
    /// Minutes that divide a day.
    case minutes(Int)
    case day
    /// From Monday.
    case week
    /// From January if they divide a year, else from the year 0.
    case months(Int)

    /// From the finest to the coarsest.
    static let all: [CalendarStep] =
        [1, 5, 10, 30, 60, 180, 360, 720].map(minutes) + [.day, .week]
        + [1, 3, 6, 12, 24, 60, 120, 240].map(months)

    var isMonths: Bool {
        if case .months = self { return true }
        return false
    }

    var isWholeYears: Bool {
        if case .months(let months) = self { return months >= 12 }
        return false
    }

    /// The number of the step that holds a moment; moments of one step have the same.
    func number(of time: Timestamp) -> Int {
        let seoul = SeoulTime(time)
        switch self {
        case .minutes(let minutes):
            let minute = Int(seoul.microsecondOfDay / 60_000_000)
            return seoul.day * (1_440 / minutes) + minute / minutes
        case .day: return seoul.day
        // 1970-01-01 was a Thursday.
        case .week: return Self.floored(seoul.day + 3, by: 7)
        case .months(let months):
            let (year, month, _) = seoul.civil
            return Self.floored(year * 12 + month - 1, by: months)
        }
    }

    private static func floored(_ number: Int, by divisor: Int) -> Int {
        number >= 0 ? number / divisor : (number - divisor + 1) / divisor
    }
}
