import Domain
import ViewStates
import Testing

@Suite("Axis labels are short and in Seoul time")
struct AxisTextTests {
    /// 2026-11-19 15:05 UTC is the 20th in Seoul.
    private static let time = Timestamp(milliseconds: 1_795_100_700_000)

    @Test(
        "a bucket's label has the precision of its interval",
        arguments: [
            (CandleInterval.minute1, "2026-11-20 00:05", "11-20 00:05"),
            (.hours12, "2026-11-20 00:05", "11-20 00:05"), (.day1, "2026-11-20", "11-20"),
            (.week1, "2026-11-20", "11-20"), (.month1, "2026-11", "2026-11"),
        ]
    )
    func buckets(interval: CandleInterval, long: String, short: String) {
        #expect(AxisText.bucket(Self.time, interval: interval) == long)
        #expect(AxisText.bucket(Self.time, interval: interval, isShort: true) == short)
    }

    @Test("year and month, month and day, hour and minute are formatted")
    func parts() {
        #expect(AxisText.yearMonth(Self.time) == "2026-11")
        #expect(AxisText.monthDay(Self.time) == "11-20")
        #expect(AxisText.hourMinute(Self.time) == "00:05")
    }

    @Test(
        "a compact quantity is truncated to its leading digits",
        arguments: [
            ("0", "0"), ("0.00001234", "0.000012"), ("0.0912", "0.091"), ("0.5", "0.5"),
            ("1.239", "1.23"), ("45.1234", "45.12"), ("803.19", "803.1"), ("999.99", "999.9"),
            ("1000", "1.0K"), ("12399", "12.3K"), ("999999", "999.9K"), ("1000000", "1.0M"),
            ("2500000000", "2.5B"), ("999900000000000", "999.9T"),
        ]
    )
    func compact(quantity: String, text: String) throws {
        #expect(try AxisText.compact(FixedDecimal(parsing: quantity)) == text)
    }
}
