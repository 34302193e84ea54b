/// Frames that a peer sends on a new WebSocket, and what RFC 6455 demands of the end that reads
/// them.
///
/// The numbers are those of the test suite Autobahn, so that results can be compared; frames and
/// names are our own. That suite tests programs that echo messages. hoga does not: each message
/// that would be echoed must be delivered once, in order and unchanged, or be read as a request.
public struct WebSocketCase: Sendable, CustomStringConvertible {
    /// How the frames are cut into writes.
    public enum Writes: Sendable {
        /// One write for all of them.
        case together
        /// One write for each frame.
        case frames
        /// One write for each number of bytes.
        case pieces(Int)

        /// One write for each byte.
        public static let octets = Writes.pieces(1)
    }

    /// How the connection ends.
    public enum Ending: Sendable, Equatable {
        /// The connection stays open: the reading end answers pings, and a close with code 1000
        /// behind the frames.
        case open
        /// The close among the frames is answered with its code; nil if it has none.
        case closed(UInt16?)
        /// The reading end fails the connection with this code.
        case fails(UInt16)
    }

    /// The number of the case.
    public let number: String
    /// The subject of the case in a few words.
    public let name: String
    /// How the frames are written.
    public private(set) var writes: Writes

    // Made when needed: all cases together hold some hundred megabytes.
    private let makeFrames: @Sendable () -> [WebSocketFrame]
    private let makeMessages: @Sendable () -> [[UInt8]]
    private let plainEnding: Ending

    /// Makes a case.
    ///
    /// - Parameters:
    ///   - number: the number of the case.
    ///   - name: its subject in a few words.
    ///   - frames: the frames in order, without masks.
    ///   - writes: how they are written.
    ///   - messages: the payloads that are delivered.
    ///   - ending: how the connection ends, if no message is too long.
    public init(
        _ number: String,
        _ name: String,
        _ frames: @autoclosure @escaping @Sendable () -> [WebSocketFrame],
        writes: Writes = .together,
        delivers messages: @autoclosure @escaping @Sendable () -> [[UInt8]] = [],
        _ ending: Ending = .open
    ) {
        self.number = number
        self.name = name
        self.writes = writes
        makeFrames = frames
        makeMessages = messages
        plainEnding = ending
    }

    /// Number and name.
    public var description: String { "\(number) \(name)" }

    /// The frames in order, without masks.
    public var frames: [WebSocketFrame] { makeFrames() }

    /// The part of the number before the first dot.
    public var group: Substring { number.prefix { $0 != "." } }

    /// The same case, written byte by byte.
    public var octets: Self {
        var copy = self
        copy.writes = .octets
        return copy
    }

    /// The payloads that an end delivers whose messages have at most so many bytes.
    public func messages(bytesMax: Int) -> [[UInt8]] {
        Array(makeMessages().prefix { $0.count <= bytesMax })
    }

    /// How the connection ends at an end whose messages have at most so many bytes.
    public func ending(bytesMax: Int) -> Ending {
        makeMessages().contains { $0.count > bytesMax } ? .fails(1009) : plainEnding
    }

    /// The payload of the last ping before the end, which must be answered.
    ///
    /// Section 5.5.3 of RFC 6455 lets an end answer the last of several pings only.
    public var lastPing: [UInt8]? {
        let open = frames.prefix { $0.opcode != WebSocketFrame.Opcode.close }
        return open.last { $0.opcode == WebSocketFrame.Opcode.ping }?.payload
    }

    /// The bytes of each write.
    ///
    /// - Parameter mask: the masking key of each frame; nil for a server's frames.
    /// - Returns: the writes in order.
    public func writes(mask: [UInt8]?) -> [[UInt8]] {
        let frames = frames
        // Masking megabytes takes long in a debug build; zeros change nothing.
        let isLong = frames.reduce(0) { $0 + $1.payload.count } > 1 << 19
        let mask = isLong ? mask.map { _ in [0, 0, 0, 0] } : mask
        let parts = frames.map { frame in frame.with { $0.mask = mask }.bytes }
        let bytes = parts.reduce(into: []) { $0 += $1 }
        switch writes {
        case .together: return [bytes]
        case .frames: return parts
        case .pieces(let count):
            return stride(from: 0, to: bytes.count, by: count).map {
                Array(bytes[$0..<min($0 + count, bytes.count)])
            }
        }
    }
}

extension WebSocketCase {
    /// All cases without extensions.
    public static let all = small + sizes

    /// The cases without long messages.
    public static let small = framing + text + closing

    /// A case with one text message in one frame, which is delivered.
    static func text(_ number: String, _ name: String, _ text: String) -> Self {
        let frame = WebSocketFrame.text(text)
        return Self(number, name, [frame], delivers: [frame.payload])
    }
}

extension WebSocketFrame {
    /// The first or a middle part of a text message.
    static func begun(_ text: String) -> Self { Self.text(text).with { $0.isFinal = false } }

    /// A binary message in one frame.
    static func binary(_ payload: [UInt8]) -> Self { Self(Opcode.binary, payload) }

    /// A ping.
    static func ping(_ payload: String = "") -> Self { Self(Opcode.ping, Array(payload.utf8)) }

    /// A pong.
    static func pong(_ payload: String = "") -> Self { Self(Opcode.pong, Array(payload.utf8)) }

    /// A middle part of a message, or the last one.
    static func continuation(_ text: String, isFinal: Bool) -> Self {
        Self(Opcode.continuation, Array(text.utf8)).with { $0.isFinal = isFinal }
    }

    /// A message in fragments of so many bytes; the last one may be shorter.
    public static func fragments(
        of payload: [UInt8],
        _ opcode: UInt8,
        bytes count: Int
    ) -> [Self] {
        stride(from: 0, to: max(1, payload.count), by: count).map { start in
            let end = min(start + count, payload.count)
            return Self(start == 0 ? opcode : Opcode.continuation, Array(payload[start..<end]))
                .with { $0.isFinal = end == payload.count }
        }
    }
}

extension WebSocketCase.Ending {
    /// The code that the reading end sends in its close, as bytes; empty for none.
    public var closePayload: [UInt8] {
        switch self {
        case .open: WebSocketFrame.close(code: 1000).payload
        case .closed(let code): code.map { WebSocketFrame.close(code: $0).payload } ?? []
        case .fails(let code): WebSocketFrame.close(code: code).payload
        }
    }
}
