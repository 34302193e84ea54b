public import Domain

/// Axis labels of a chart: dates, times and rounded quantities.
///
/// All times are Asia/Seoul.
public enum AxisText: Sendable {
    private static let suffixes: [(from: Int64, suffix: String)] = [
        (1_000_000_000_000, "T"), (1_000_000_000, "B"), (1_000_000, "M"), (1_000, "K"),
    ]
    /// Significant digits of a quantity below one.
    private static let smallDigits = 2
    private static let fractionDigitsMax = 8

    /// `2026-11`.
    public static func yearMonth(_ time: Timestamp) -> String {
        String(TimeText.date(time).dropLast(3))
    }

    /// `11-20`.
    public static func monthDay(_ time: Timestamp) -> String {
        let (_, month, day) = SeoulTime(time).civil
        return padded(month, to: 2) + "-" + padded(day, to: 2)
    }

    /// `21:03`.
    public static func hourMinute(_ time: Timestamp) -> String {
        let (hour, minute, _, _) = SeoulTime(time).clock
        return padded(hour, to: 2) + ":" + padded(minute, to: 2)
    }

    /// The opening of a bucket, as precise as its interval.
    ///
    /// `2026-11-20 21:03`, `2026-11-20` or `2026-11`; the short form drops the year if it has a
    /// day.
    public static func bucket(
        _ open: Timestamp,
        interval: CandleInterval,
        isShort: Bool = false
    ) -> String {
        let day = isShort ? monthDay(open) : TimeText.date(open)
        switch interval {
        case .minute1, .minutes3, .minutes5, .minutes10, .minutes30, .hour1, .hours6, .hours12:
            return day + " " + hourMinute(open)
        case .day1, .week1: return day
        case .month1: return yearMonth(open)
        }
    }

    /// A quantity in at most seven characters, up to 999 trillion: `12.3K`, `803.1`, `0.0012`;
    /// truncated, not rounded.
    public static func compact(_ quantity: FixedDecimal) -> String {
        let size = quantity.magnitude
        for (from, suffix) in suffixes where size >= FixedDecimal(from) {
            let scaled = FixedDecimal(units: quantity.units / Int128(from))
            return NumberText.grouped(cut(scaled, digits: 1), fractionDigitsMin: 1) + suffix
        }
        return NumberText.grouped(cut(quantity, digits: digits(of: size)), fractionDigitsMin: 0)
    }

    /// The decimals of a quantity below 1,000.
    private static func digits(of size: FixedDecimal) -> Int {
        if size >= FixedDecimal(100) { return 1 }
        if size >= FixedDecimal.one { return 2 }
        var zeros = 0
        var rest = size.units
        while rest > 0, rest < FixedDecimal.unitsPerOne / 10, zeros < fractionDigitsMax {
            rest *= 10
            zeros += 1
        }
        return min(zeros + smallDigits, fractionDigitsMax)
    }

    private static func cut(_ value: FixedDecimal, digits: Int) -> FixedDecimal {
        (try? value.rounded(toFractionDigits: digits, .truncate)) ?? value
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(width - text.utf8.count, 0)) + text
    }
}
