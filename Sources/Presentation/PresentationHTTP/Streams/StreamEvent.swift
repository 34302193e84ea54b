import Compression

/// One or more events as bytes, for all readers that reach the same revision from the same one.
struct StreamEvent: Sendable {
    /// The events, framed as Server-Sent Events.
    let bytes: [UInt8]
    /// The same for readers that accept gzip; nil if none does.
    let deflated: DeflatedBytes?
}

/// How one stream sends its events.
enum StreamCoding: Sendable {
    case identity
    /// Parts of one gzip member, whose header is sent with the first.
    case gzip(GzipStream, hasBegun: Bool)

    /// The coding of a new stream.
    init(isGzip: Bool) { self = isGzip ? .gzip(GzipStream(), hasBegun: false) : .identity }

    /// Whether events must be compressed.
    var isGzip: Bool {
        switch self {
        case .identity: false
        case .gzip: true
        }
    }

    /// The bytes that send an event.
    mutating func encode(_ event: StreamEvent) -> [UInt8] {
        guard case .gzip = self else { return event.bytes }
        return append(event.deflated ?? DeflatedBytes(storing: event.bytes))
    }

    /// The bytes that send a short event of one reader.
    mutating func encode(short bytes: [UInt8]) -> [UInt8] {
        guard case .gzip = self else { return bytes }
        return append(DeflatedBytes(storing: bytes))
    }

    /// The bytes that end the stream behind its last event.
    var end: [UInt8] {
        switch self {
        case .identity: []
        case .gzip(let stream, let hasBegun):
            (hasBegun ? [] : GzipStream.header) + stream.trailer
        }
    }

    private mutating func append(_ part: DeflatedBytes) -> [UInt8] {
        guard case .gzip(var stream, let hasBegun) = self else { return [] }
        stream.append(part)
        self = .gzip(stream, hasBegun: true)
        return hasBegun ? part.blocks : GzipStream.header + part.blocks
    }
}
