/// The next part of a stream.
public enum StreamChunk: Sendable, Equatable {
    /// One or more events, framed as Server-Sent Events.
    case bytes([UInt8])
    /// Nothing until the subscription wakes its reader.
    case nothing
    /// The end of the stream.
    case end
}

/// Encodes events of `text/event-stream`.
///
/// Source: WHATWG HTML, "Server-sent events" (2026-11-20).
enum EventFrame {
    /// `event: bye`: the server closes the stream; the client may reconnect.
    static let bye = Array("event: bye\ndata: {}\n\n".utf8)

    /// An event with JSON on one line as data.
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

    /// `event: bookmark`: the reader's position while nothing changes.
    static func bookmark(id: String) -> [UInt8] {
        event("bookmark", id: id, data: Array("{}".utf8))
    }

    /// The delay before a client reconnects.
    static func retry(milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }
}
/// Why a stream cannot begin.
public enum StreamRejection: Error, Sendable, Equatable {
    /// The limit on streamed documents is reached; those without readers are released within a
    /// minute.
    case tooManyTopics
    /// The topics of the client, or of all, take as many bytes as allowed.
    case tooManyBytes
    /// The limit on followed markets and intervals is reached.
    case tooManyInterests
    /// The document is stored and shows no market data.
    case notStreamed
    /// The process is stopping.
    case stopping
}
