import Domain
import JSON

/// One line of a recording.
///
/// `{"at":"2026-11-20T21:03:11.151220+09:00","kind":"frame","text":"…"}`, or with kind `rest` and
/// `path`, `status` and `body`. Unknown kinds and keys are ignored.
enum RecordedLine: Sendable, Equatable {
    /// One text message of the stream.
    case frame(text: [UInt8])
    /// One REST answer.
    case rest(path: String, status: Int, body: [UInt8])
    /// A kind that is not played.
    case other

    /// Why a line cannot be read.
    enum Fault: Error, Equatable {
        /// The line is not a JSON object.
        case notAnObject
        /// `at` is missing or not a time with an offset.
        case noTime
        /// A frame without text, or an answer without path, status or body.
        case incomplete
    }

    /// The maximum nesting of unknown members.
    private static let depthMax = 128

    /// Reads a line and its time.
    static func read(
        _ bytes: [UInt8]
    ) throws(Fault) -> (at: Timestamp, line: RecordedLine) {
        guard let json = try? JSONValue(parsing: bytes, depthMax: depthMax),
            case .object = json
        else { throw .notAnObject }
        func text(_ name: String) -> String? {
            guard case .string(let text)? = json[name] else { return nil }
            return text
        }
        guard let time = text("at"), let at = Timestamp(isoText: Array(time.utf8)) else {
            throw .noTime
        }
        switch text("kind") {
        case "frame":
            guard let message = text("text") else { throw .incomplete }
            return (at, .frame(text: Array(message.utf8)))
        case "rest":
            guard let path = text("path"), let status = json["status"]?.wholeNumber,
                let body = text("body")
            else { throw .incomplete }
            return (at, .rest(path: path, status: status, body: Array(body.utf8)))
        default: return (at, .other)
        }
    }
}

extension Timestamp {
    /// Reads `2026-11-20T21:03:11.151220+09:00`: a date, a time with any fraction, and `Z` or an
    /// offset.
    init?(isoText text: [UInt8]) {
        var fields = TimeFields(text)
        guard let year = fields.digits(4), fields.skip("-"), let month = fields.digits(2),
            fields.skip("-"), let day = fields.digits(2), fields.skip("T") || fields.skip(" "),
            let hour = fields.digits(2), fields.skip(":"), let minute = fields.digits(2),
            fields.skip(":"), let second = fields.digits(2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61,
            let microsecond = fields.fraction(), let offset = fields.offsetMinutes(),
            fields.isAtEnd
        else { return nil }
        let wall = SeoulTime.timestamp(
            year: year,
            month: month,
            day: day,
            hour: hour,
            minute: minute,
            second: second,
            microsecond: microsecond
        )
        // The fields were read as Seoul time; the offset tells which time they are.
        let seoulMinutes = 540
        self = wall.advanced(by: .seconds((seoulMinutes - offset) * 60))
    }
}

/// Reads the fields of a time from the front of a text.
private struct TimeFields {
    private var rest: ArraySlice<UInt8>

    init(_ text: [UInt8]) {
        rest = text[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        guard rest.count >= count else { return nil }
        var value = 0
        for byte in rest.prefix(count) {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        rest.removeFirst(count)
        return value
    }

    /// The microseconds; 0 without a fraction.
    ///
    /// Digits after the sixth are dropped.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        var value = 0
        var count = 0
        while let digit = digits(1) {
            if count < 6 { value = value * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        while count < 6 {
            value *= 10
            count += 1
        }
        return value
    }

    mutating func offsetMinutes() -> Int? {
        if skip("Z") { return 0 }
        let sign = skip("+") ? 1 : (skip("-") ? -1 : 0)
        guard sign != 0, let hours = digits(2) else { return nil }
        _ = skip(":")
        guard let minutes = digits(2) else { return nil }
        return sign * (hours * 60 + minutes)
    }
}
