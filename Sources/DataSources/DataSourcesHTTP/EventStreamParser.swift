import DataSourceContracts

/// Parses `text/event-stream`: a pure parser that takes its bytes in any pieces.
///
/// Source: WHATWG HTML, "Server-sent events", seen 2026-11-20.
///
/// Bound: `eventBytesMax` bytes of one event, its unfinished line included. A longer event is an
/// error, and the parser cannot continue after it.
struct EventStreamParser {
    private let eventBytesMax: Int
    /// The unfinished line.
    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var lastEventID = ""
    /// Whether the last line ended with a carriage return, which a line feed may follow.
    private var isAfterReturn = false
    /// Whether a byte order mark may come first.
    private var isAtStart = true

    /// Makes a parser at the start of a stream.
    init(eventBytesMax: Int) {
        precondition(eventBytesMax > 0, "An event may have bytes.")
        self.eventBytesMax = eventBytesMax
    }

    /// Parses the next bytes.
    ///
    /// - Returns: the events that they complete.
    /// - Throws: ``TransportError`` `tooLarge`.
    mutating func parse(_ bytes: [UInt8]) throws(TransportError) -> EventBatch {
        var batch = EventBatch()
        var rest = bytes[...]
        if isAfterReturn, let first = rest.first {
            isAfterReturn = false
            if first == Self.lineFeed { rest.removeFirst() }
        }
        while let end = rest.firstIndex(where: { $0 == Self.lineFeed || $0 == Self.carriageReturn })
        {
            try append(rest[..<end])
            var next = end + 1
            if rest[end] == Self.carriageReturn {
                if next == rest.endIndex {
                    isAfterReturn = true
                } else if rest[next] == Self.lineFeed {
                    next += 1
                }
            }
            rest = rest[next...]
            endLine(&batch)
        }
        try append(rest)
        return batch
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(TransportError) {
        guard line.count + data.count + bytes.count <= eventBytesMax else {
            throw TransportError(.tooLarge, "an event exceeds \(eventBytesMax) bytes")
        }
        line += bytes
    }

    private mutating func endLine(_ batch: inout EventBatch) {
        defer { line.removeAll(keepingCapacity: true) }
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return dispatch(&batch) }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        // A line that begins with a colon is a comment.
        guard colon != 0 else { return }
        var value = line[(colon.map { $0 + 1 } ?? line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        switch String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(Self.lineFeed) }
            hasData = true
            data += value
        case "id":
            // The specification ignores an id with a zero byte.
            if !value.contains(0) { lastEventID = String(decoding: value, as: UTF8.self) }
        case "retry":
            let isNumber = value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
            if isNumber, let milliseconds = Int32(String(decoding: value, as: UTF8.self)) {
                batch.retry = .milliseconds(milliseconds)
            }
        default: break
        }
    }

    private mutating func dispatch(_ batch: inout EventBatch) {
        if hasData {
            batch.events.append(
                ServerSentEvent(
                    name: name.isEmpty ? "message" : name,
                    lastEventID: lastEventID,
                    data: data
                )
            )
        }
        name = ""
        data = []
        hasData = false
    }
}
