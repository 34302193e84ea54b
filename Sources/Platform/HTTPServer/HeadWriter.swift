internal import CHTTPParser
internal import Glibc

/// Writes what stands before the body of an answer.
struct HeadWriter {
    /// What is said about the body.
    enum Framing {
        /// So many bytes; they need not be sent.
        case length(Int)
        /// Chunks of unknown number.
        case chunks
        /// Nothing: there is none, or the connection's end is its end.
        case none
    }

    /// What is said about the connection.
    enum Connection {
        /// It goes on, which needs no word.
        case goesOn
        /// It goes on, though the client is of HTTP/1.0.
        case staysOpen
        /// This is the last answer.
        case closes
        /// It leaves HTTP.
        case leaves
    }

    /// `Date: …` of the second that was told last.
    private var date: [UInt8] = []
    private var dateSecond = Int.min

    /// Writes a head over what is there.
    mutating func write(
        _ status: Int,
        _ fields: [HTTPServerFields],
        _ framing: Framing,
        _ connection: Connection,
        into bytes: inout [UInt8]
    ) {
        bytes.removeAll(keepingCapacity: true)
        Self.begin(status, fields, framing, into: &bytes)
        tellDate()
        bytes += date
        switch connection {
        case .goesOn: break
        case .staysOpen: bytes += Self.keepAlive
        case .closes: bytes += Self.close
        case .leaves: bytes += Self.upgrade
        }
        bytes += Self.lineEnd
    }

    /// Writes the head of an answer that stands over what is there.
    mutating func write(
        _ head: StandingHead,
        _ fields: HTTPFieldWriter,
        into bytes: inout [UInt8]
    ) {
        bytes.removeAll(keepingCapacity: true)
        bytes += head.bytes
        tellDate()
        bytes += date
        bytes += fields.bytes
        bytes += Self.lineEnd
    }

    /// The beginning of a head that does not depend on the time or the connection.
    static func beginning(
        _ status: Int,
        _ fields: [HTTPServerFields],
        _ framing: Framing
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        begin(status, fields, framing, into: &bytes)
        return bytes
    }

    private static func begin(
        _ status: Int,
        _ fields: [HTTPServerFields],
        _ framing: Framing,
        into bytes: inout [UInt8]
    ) {
        bytes += statusLines[status - firstStatus]
        for fields in fields { bytes += fields.bytes }
        switch framing {
        case .length(let count):
            bytes += contentLength
            append(count, to: &bytes)
            bytes += lineEnd
        case .chunks: bytes += chunked
        case .none: break
        }
    }

    static func append(_ number: Int, radix: Int = 10, to bytes: inout [UInt8]) {
        bytes += String(number, radix: radix).utf8
    }

    static let lineEnd: [UInt8] = [13, 10]
    private static let contentLength = Array("Content-Length: ".utf8)
    private static let chunked = Array("Transfer-Encoding: chunked\r\n".utf8)
    private static let keepAlive = Array("Connection: keep-alive\r\n".utf8)
    private static let close = Array("Connection: close\r\n".utf8)
    private static let upgrade = Array("Connection: Upgrade\r\n".utf8)

    private static let firstStatus = 100
    private static let statusLines: [[UInt8]] = (firstStatus...599).map { status in
        // The texts are constants of the library.
        let text = unsafe String(cString: hoga_http_status_text(Int32(status)))
        return Array("HTTP/1.1 \(status) \(text == "<unknown>" ? "Unknown" : text)\r\n".utf8)
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The form of RFC 9110, 5.6.7, in English wherever the program runs.
    private mutating func tellDate() {
        var now = time(nil)
        if now == dateSecond { return }
        dateSecond = now
        var parts = unsafe tm()
        _ = unsafe gmtime_r(&now, &parts)
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let (day, number) = unsafe (parts.tm_wday, parts.tm_mday)
        let (month, year) = unsafe (parts.tm_mon, parts.tm_year)
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map(two)
        let text = "\(Self.days[Int(day)]), \(two(number)) \(Self.months[Int(month)])"
        let time = clock.joined(separator: ":")
        date = Array("Date: \(text) \(1_900 + year) \(time) GMT\r\n".utf8)
    }
}
