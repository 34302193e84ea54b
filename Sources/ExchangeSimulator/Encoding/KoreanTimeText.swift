import Domain

/// Parses times of parameters of API 2.x: the wall clock of Seoul.
enum KoreanTimeText: Sendable {
    private static let hours = 0...23
    private static let sixtieths = 0...59

    /// `2026-11-20 09:03:07`, also with a `T`; nil for anything else.
    static func timestamp(_ text: String) -> Timestamp? {
        let halves = text.split(
            separator: text.contains("T") ? "T" : " ",
            omittingEmptySubsequences: false
        )
        guard halves.count == 2, let time = timeOfDay(String(halves[1])),
            halves[1].utf8.contains(UInt8(ascii: ":"))
        else { return nil }
        let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard date.map(\.utf8.count) == [4, 2, 2], let year = number(date[0]),
            let month = number(date[1]), (1...12).contains(month),
            let day = number(date[2]), (1...31).contains(day)
        else { return nil }
        return SeoulTime.timestamp(year: year, month: month, day: day).advanced(by: time)
    }

    /// The time since midnight of `090307` or `09:03:07`; nil for anything else.
    static func timeOfDay(_ text: String) -> Duration? {
        var figures = Array(text.utf8)
        if figures.count == 8, figures[2] == UInt8(ascii: ":"), figures[5] == UInt8(ascii: ":") {
            figures.remove(at: 5)
            figures.remove(at: 2)
        }
        guard figures.count == 6,
            let hour = number(String(decoding: figures[..<2], as: UTF8.self)),
            hours.contains(hour),
            let minute = number(String(decoding: figures[2..<4], as: UTF8.self)),
            sixtieths.contains(minute),
            let second = number(String(decoding: figures[4...], as: UTF8.self)),
            sixtieths.contains(second)
        else { return nil }
        return .seconds((hour * 60 + minute) * 60 + second)
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return text.utf8.allSatisfy(digits.contains) ? Int(text) : nil
    }
}
