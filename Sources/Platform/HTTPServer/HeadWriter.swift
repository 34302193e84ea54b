internal import CHTTPParser
internal import Glibc

/// Writes the heads of responses.
struct HeadWriter {
    /// How the end of the body is announced.
    enum Framing {
        /// `Content-Length`; also for HEAD, whose body is not sent.
        case length(Int)
        /// `Transfer-Encoding: chunked`.
        case chunks
        /// No field: no body, or a body that ends with the connection.
        case none
    }

    /// The `Connection` field.
    enum Connection {
        /// No field: HTTP/1.1 connections stay open.
        case implied
        /// Stays open for a client of HTTP/1.0.
        case keepAlive
        /// The last response.
        case close
        /// The protocol changes.
        case upgrade
    }

    private let second: @Sendable () -> Int
    /// The `Date` field of `dateSecond`.
    private var date: [UInt8] = []
    private var dateSecond = Int.min

    /// Makes a writer.
    ///
    /// - Parameter second: the time for `Date`, in Unix seconds.
    init(second: @escaping @Sendable () -> Int) { self.second = second }

    /// Replaces `bytes` with a head.
    mutating func write(
        _ status: Int,
        _ fields: [HTTPServerFields],
        _ framing: Framing,
        _ connection: Connection,
        into bytes: inout [UInt8]
    ) {
        bytes.removeAll(keepingCapacity: true)
        bytes += Self.statusLines[status - Self.firstStatus]
        for fields in fields { bytes += fields.bytes }
        switch framing {
        case .length(let count):
            bytes += Self.contentLength
            Self.append(count, to: &bytes)
            bytes += Self.lineEnd
        case .chunks: bytes += Self.chunked
        case .none: break
        }
        updateDate()
        bytes += date
        switch connection {
        case .implied: break
        case .keepAlive: bytes += Self.keepAlive
        case .close: bytes += Self.close
        case .upgrade: bytes += Self.upgrade
        }
        bytes += Self.lineEnd
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
        // The library returns constant strings.
        let text = unsafe String(cString: hoga_http_status_text(Int32(status)))
        return Array("HTTP/1.1 \(status) \(text == "<unknown>" ? "Unknown" : text)\r\n".utf8)
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Formats the time once a second (RFC 9110, 5.6.7), in English whatever the locale.
    private mutating func updateDate() {
        var now = second()
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
