import Domain
import ViewStates
import TestSupport
import Testing

@Suite("Text of times: Seoul time with its offset, round-tripping exactly")
struct TimeTextTests {
    @Test(
        "a time is written in Seoul time, whatever the machine's time zone",
        arguments: [
            (0, "1970-01-01T09:00:00.000000+09:00"),
            (-1, "1970-01-01T08:59:59.999999+09:00"),
            (1_646_110_029_000_000, "2022-03-01T13:47:09.000000+09:00"),
            // 15:00 UTC is midnight in Seoul.
            (1_709_132_400_000_000, "2024-02-29T00:00:00.000000+09:00"),
            (1_709_132_399_999_999, "2024-02-28T23:59:59.999999+09:00"),
            (1_795_176_191_100_000, "2026-11-20T21:03:11.100000+09:00"),
            (253_402_268_399_999_999, "9999-12-31T23:59:59.999999+09:00"),
        ] as [(Int64, String)]
    )
    func known(microseconds: Int64, text: String) {
        let moment = Timestamp(microseconds: microseconds)
        #expect(TimeText.iso(moment) == text)
        #expect(TimeText.timestamp(iso: text) == moment)
        #expect(TimeText.clock(moment) == String(text.dropFirst(11).prefix(8)))
    }

    @Test("random times of the years 0000 to 9999 round-trip")
    func roundTrip() {
        var generator = SeededGenerator(seed: 4)
        let first = SeoulTime.timestamp(year: 0, month: 1, day: 1).microseconds
        let end = SeoulTime.timestamp(year: 10_000, month: 1, day: 1).microseconds
        for _ in 0..<5_000 {
            let moment = Timestamp(microseconds: .random(in: first..<end, using: &generator))
            let text = TimeText.iso(moment)
            #expect(text.utf8.count == 32)
            #expect(TimeText.timestamp(iso: text) == moment, "\(text)")
        }
    }

    @Test("a later time has a greater text")
    func order() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<1_000 {
            let first = Timestamp(
                microseconds: .random(in: 0..<4_000_000_000_000_000, using: &generator)
            )
            let second = first.advanced(
                by: .microseconds(.random(in: 1..<1_000_000_000_000, using: &generator))
            )
            #expect(TimeText.iso(first) < TimeText.iso(second))
        }
    }

    @Test(
        "text in any other form is rejected",
        arguments: [
            "", "2026-11-20", "2026-11-20T21:03:11+09:00", "2026-11-20T21:03:11.1+09:00",
            "2026-11-20T21:03:11.100000Z", "2026-11-20T12:03:11.100000+00:00",
            "2026-11-20 21:03:11.100000+09:00", "2026-11-20T21:03:11,100000+09:00",
            "2026-11-20T21:03:11.100000+09:0O", "2026-11-20T21:03:11.100000+09:00 ",
            "2026-11-20T21:03:11.10000a+09:00", "+026-11-20T21:03:11.100000+09:00",
            // Fields out of their range.
            "2026-02-29T00:00:00.000000+09:00", "2026-04-31T00:00:00.000000+09:00",
            "2026-00-10T00:00:00.000000+09:00", "2026-13-10T00:00:00.000000+09:00",
            "2026-01-00T00:00:00.000000+09:00", "2026-01-01T24:00:00.000000+09:00",
            "2026-01-01T00:60:00.000000+09:00", "2026-01-01T00:00:60.000000+09:00",
            // Digits, but not those of ASCII.
            "２026-11-20T21:03:11.1000+09:00", "٢٠٢٦-11-20T21:03:11.10+09:00",
        ]
    )
    func refused(text: String) {
        #expect(TimeText.timestamp(iso: text) == nil)
    }

    @Test(
        "a date is the day in Seoul",
        arguments: [
            (1_709_132_400_000_000, "2024-02-29"), (1_709_132_399_999_999, "2024-02-28"),
            (0, "1970-01-01"), (253_402_268_399_999_999, "9999-12-31"),
        ] as [(Int64, String)]
    )
    func date(microseconds: Int64, text: String) {
        #expect(TimeText.date(Timestamp(microseconds: microseconds)) == text)
    }

    @Test(
        "ISO 8601 times are parsed with any offset and fraction",
        arguments: [
            "2026-11-20T21:03:11.100000+09:00", "2026-11-20T21:03:11.1+09:00",
            "2026-11-20T12:03:11.1Z", "2026-11-20T12:03:11.100000999Z",
            "2026-11-20T12:03:11.100+00:00", "2026-11-20T12:03:11.10-00:00",
            "2026-11-20T03:33:11.1-08:30", "2026-11-21T12:02:11.1+23:59",
            // A plus sign that a form decoded to a space.
            "2026-11-20T21:03:11.1 09:00",
        ]
    )
    func iso8601(text: String) {
        let moment = Timestamp(microseconds: 1_795_176_191_100_000)
        #expect(TimeText.timestamp(iso8601: text) == moment)
    }

    @Test("every written time is also parsed as ISO 8601")
    func bothReaders() {
        var generator = SeededGenerator(seed: 6)
        let first = SeoulTime.timestamp(year: 0, month: 1, day: 1).microseconds
        let end = SeoulTime.timestamp(year: 10_000, month: 1, day: 1).microseconds
        for _ in 0..<1_000 {
            let moment = Timestamp(microseconds: .random(in: first..<end, using: &generator))
            #expect(TimeText.timestamp(iso8601: TimeText.iso(moment)) == moment)
        }
    }

    @Test(
        "text other than an ISO 8601 time with an offset is rejected",
        arguments: [
            "", "Z", "+09:00", "now", "1795176191151", "2026-11-20", "2026-11-20T21:03:11",
            "2026-11-20T21:03+09:00", "2026-11-20T21:03:11.+09:00", "2026-11-20T21:03:11.Z",
            "2026-11-20T21:03:11.0123456789Z", "2026-11-20T21:03:11,1Z", "2026-11-20T21:03:11z",
            "2026-11-20t21:03:11Z", "2026-11-20 21:03:11Z", "2026-11-20T21:03:11+0900",
            "2026-11-20T21:03:11+09", "2026-11-20T21:03:11+24:00", "2026-11-20T21:03:11+09:60",
            "2026-11-20T21:03:11*09:00", "2026-02-29T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-11-20T21:03:11.1a+09:00", "2026-11-20T21:03:11ZZ", "2026-11-20T21:03:11+0a:00",
            "２026-11-20T21:03Z",
        ]
    )
    func noTime(text: String) {
        #expect(TimeText.timestamp(iso8601: text) == nil)
    }
}
