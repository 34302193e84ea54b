/// What a stream sends next.
public enum StreamChunk: Sendable, Equatable {
    /// One or more events, framed as Server-Sent Events.
    case bytes([UInt8])
    /// Nothing until the subscription is woken.
    case nothing
    /// Nothing more ever: the stream is to be closed.
    case end
}

/// Events as lines of `text/event-stream`.
///
/// Source: WHATWG HTML, "Server-sent events", seen 2026-11-20.
enum EventFrame {
    /// `event: bye`: the server closes the stream, and the client may come back.
    static let bye = Array("event: bye\ndata: {}\n\n".utf8)

    /// An event whose data are JSON on one line.
    static func event(_ name: String, id: String, data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + name.utf8.count + id.utf8.count + 24)
        bytes.append(contentsOf: "event: ".utf8)
        bytes.append(contentsOf: name.utf8)
        bytes.append(contentsOf: "\nid: ".utf8)
        bytes.append(contentsOf: id.utf8)
        bytes.append(contentsOf: "\ndata: ".utf8)
        bytes.append(contentsOf: data)
        bytes.append(contentsOf: "\n\n".utf8)
        return bytes
    }

    /// `event: bookmark`: nothing is new, and this is where the reader is.
    static func bookmark(id: String) -> [UInt8] {
        event("bookmark", id: id, data: Array("{}".utf8))
    }

    /// How long a client waits before it comes back.
    static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }
}
