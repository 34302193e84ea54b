public import Domain

/// Formats and parses times of Asia/Seoul.
public enum TimeText: Sendable {
    /// `2026-11-20T21:03:11.100000+09:00`.
    public static func iso(_ timestamp: Timestamp) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        appendISO(timestamp, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text that ``iso(_:)`` returns.
    public static func appendISO(_ timestamp: Timestamp, to bytes: inout [UInt8]) {
        let seoul = SeoulTime(timestamp)
        let (year, month, day) = seoul.civil
        let (hour, minute, second, microsecond) = seoul.clock
        append(year, width: 4, to: &bytes)
        append(month, width: 2, after: "-", to: &bytes)
        append(day, width: 2, after: "-", to: &bytes)
        append(hour, width: 2, after: "T", to: &bytes)
        append(minute, width: 2, after: ":", to: &bytes)
        append(second, width: 2, after: ":", to: &bytes)
        append(microsecond, width: 6, after: ".", to: &bytes)
        bytes.append(contentsOf: "+09:00".utf8)
    }

    /// `2026-11-20`.
    public static func date(_ timestamp: Timestamp) -> String {
        let (year, month, day) = SeoulTime(timestamp).civil
        var bytes: [UInt8] = []
        append(year, width: 4, to: &bytes)
        append(month, width: 2, after: "-", to: &bytes)
        append(day, width: 2, after: "-", to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `21:03:11`.
    public static func clock(_ timestamp: Timestamp) -> String {
        let (hour, minute, second, _) = SeoulTime(timestamp).clock
        var bytes: [UInt8] = []
        append(hour, width: 2, to: &bytes)
        append(minute, width: 2, after: ":", to: &bytes)
        append(second, width: 2, after: ":", to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses the form of ``iso(_:)``; nil for any other.
    public static func timestamp(iso text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        let pattern = Array("0000-00-00T00:00:00.000000+09:00".utf8)
        guard bytes.count == pattern.count else { return nil }
        for (byte, expected) in zip(bytes, pattern).dropLast(6) {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            guard expected == UInt8(ascii: "0") ? isDigit : byte == expected else { return nil }
        }
        guard bytes.suffix(6).elementsEqual(pattern.suffix(6)) else { return nil }
        func number(_ range: Range<Int>) -> Int {
            bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        let timestamp = SeoulTime.timestamp(
            year: number(0..<4),
            month: number(5..<7),
            day: number(8..<10),
            hour: number(11..<13),
            minute: number(14..<16),
            second: number(17..<19),
            microsecond: number(20..<26)
        )
        // 31 February becomes another date, so its text differs.
        return iso(timestamp) == text ? timestamp : nil
    }

    /// Parses ISO 8601 with seconds, at most nine fraction digits and an offset:
    /// `2026-11-20T21:03:11+09:00`, `2026-11-20T12:03:11.5Z`.
    ///
    /// A space counts as the plus sign of the offset, because form decoding turns `+` into a space.
    ///
    /// - Returns: nil for any other form or an invalid date; fraction digits after the sixth are
    ///   dropped.
    public static func timestamp(iso8601 text: String) -> Timestamp? {
        var bytes = Array(text.utf8)
        let offset: Duration
        if bytes.last == UInt8(ascii: "Z") {
            bytes.removeLast()
            offset = .zero
        } else {
            let zone = bytes.suffix(6)
            guard zone.count == 6, let read = utcOffset(Array(zone)) else { return nil }
            bytes.removeLast(6)
            offset = read
        }
        let fraction = bytes.dropFirst(19)
        if !fraction.isEmpty {
            guard (2...10).contains(fraction.count), fraction.first == UInt8(ascii: ".") else {
                return nil
            }
        }
        // Converted to the form of `iso`, then shifted by the offset.
        let digits = fraction.dropFirst() + repeatElement(UInt8(ascii: "0"), count: 6)
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        let local =
            bytes.prefix(19) + [UInt8(ascii: ".")] + digits.prefix(6) + Array("+09:00".utf8)
        return timestamp(iso: String(decoding: local, as: UTF8.self))?
            .advanced(by: SeoulTime.offset - offset)
    }

    /// Parses `+09:00`; nil from a day on.
    private static func utcOffset(_ bytes: [UInt8]) -> Duration? {
        let digits = [bytes[1], bytes[2], bytes[4], bytes[5]].map { Int($0) - 0x30 }
        guard bytes[3] == UInt8(ascii: ":"), digits.allSatisfy({ (0...9).contains($0) }) else {
            return nil
        }
        let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard hours < 24, minutes < 60 else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        switch bytes[0] {
        case UInt8(ascii: "+"), UInt8(ascii: " "): return .seconds(seconds)
        case UInt8(ascii: "-"): return .seconds(-seconds)
        default: return nil
        }
    }

    private static func append(
        _ number: Int,
        width: Int,
        after separator: Unicode.Scalar? = nil,
        to bytes: inout [UInt8]
    ) {
        if let separator { bytes.append(UInt8(ascii: separator)) }
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: width))
        var rest = number
        var position = start + width - 1
        while rest > 0, position >= start {
            bytes[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            position -= 1
        }
    }
}
