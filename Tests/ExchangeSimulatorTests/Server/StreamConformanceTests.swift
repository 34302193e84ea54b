import Compression
import ExchangeSimulator
import TestSupport
import Testing
import WebSocketFraming

@Suite("The simulated stream conforms to RFC 6455 and RFC 7692", .tags(.threads))
struct StreamConformanceTests {
    /// The longest request that the simulator reads.
    private static let requestBytesMax = 131_072
    private static let mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]

    // One simulator a group: making one takes longer than its cases.

    @Test(
        "API 1.x reads frames and refuses each message once",
        arguments: ["1", "2", "3", "4", "5", "6", "7", "9", "10"]
    )
    func plain(group: String) async throws {
        let examples = WebSocketCase.all.filter { $0.group == group }
        try #require(!examples.isEmpty)
        try await SimulatorFixture.run { simulator in
            for example in examples { try Self.check(example, simulator) }
        }
    }

    private static func check(_ example: WebSocketCase, _ simulator: ExchangeSimulator) throws {
        let ending = example.ending(bytesMax: requestBytesMax)
        let messages = example.messages(bytesMax: requestBytesMax)
        let (socket, _) = try StreamClient.open(simulator, .v1)
        var peer = StreamPeer(socket, isCompressed: false)
        try peer.play(example, mask: mask, closes: ending == .open) { peer in
            peer.count(of: "Invalid Filter Syntax") == messages.count
                && peer.pongs.last == example.lastPing
        }
        #expect(peer.closes.map { Array($0.prefix(2)) } == [ending.closePayload], "\(example)")
        // A close that comes together with messages leaves them without answers.
        #expect(peer.count(of: "Invalid Filter Syntax") <= messages.count, "\(example)")
        #expect(peer.hasMasks == false, "\(example)")
    }

    @Test("API 2.x reads compressed requests", arguments: 1...7)
    func compressed(group: Int) async throws {
        let examples = WebSocketCompressionCase.withParameters.filter {
            $0.example().number.hasPrefix("13.\(group).")
        }
        try #require(!examples.isEmpty)
        try await SimulatorFixture.run { simulator in
            for (index, example) in examples.enumerated() {
                try Self.check(example, simulator, from: UInt8(index + 1))
            }
        }
    }

    private static func check(
        _ example: WebSocketCompressionCase,
        _ simulator: ExchangeSimulator,
        from sourceByte: UInt8
    ) throws {
        let parameters = example.parameters
        // Each request replaces the one before; one that was read wrongly would be refused.
        let requests = example.example(isCompressed: !parameters.isDeclined) { count, number in
            let market = number.isMultiple(of: 2) ? "KRW-BTC" : "KRW-ETH"
            let text = #"[{"ticket":"t\#(number)"},{"type":"ticker","codes":["\#(market)"]}]"#
            return Array(text.utf8)
                + [UInt8](repeating: 0x20, count: max(0, count - text.utf8.count))
        }
        let (socket, head) = try StreamClient.open(
            simulator,
            .v2,
            extensions: parameters.offer,
            from: sourceByte
        )
        let isCompressed = head.contains("Sec-WebSocket-Extensions: permessage-deflate")
        #expect(isCompressed == !parameters.isDeclined, "\(example)")
        var peer = StreamPeer(socket, isCompressed: isCompressed)
        try peer.play(requests, mask: mask, closes: true) { peer in
            peer.count(of: #""type":"ticker""#) > 0
        }
        #expect(peer.closes == [WebSocketCase.Ending.open.closePayload], "\(example)")
        #expect(peer.count(of: #""error""#) == 0, "\(example)")
    }
}

/// Plays a case on a connection to the simulator and keeps everything that it sends.
private struct StreamPeer: ~Copyable {
    private let socket: TCPClient
    private var inflater: MessageInflater?
    private var unread: [UInt8] = []
    private var messages: [String] = []
    private(set) var pongs: [[UInt8]] = []
    /// The payloads of closes.
    private(set) var closes: [[UInt8]] = []
    private(set) var hasMasks = false

    /// The longest message of the simulator.
    private static let messageBytesMax = 1 << 20

    init(_ socket: TCPClient, isCompressed: Bool) {
        self.socket = socket
        inflater = isCompressed ? MessageInflater(keepsContext: true) : nil
    }

    /// The number of messages with a text in them.
    func count(of text: String) -> Int { messages.count { $0.contains(text) } }

    /// Sends the frames and reads to the end.
    ///
    /// - Parameters:
    ///   - example: the frames.
    ///   - mask: the masking key of each frame.
    ///   - isClosing: whether a close follows the frames.
    ///   - isDone: what comes true before that.
    /// - Throws: if the simulator sends no close.
    mutating func play(
        _ example: WebSocketCase,
        mask: [UInt8],
        closes isClosing: Bool,
        when isDone: (borrowing StreamPeer) -> Bool
    ) throws {
        do {
            for bytes in example.writes(mask: mask) { try socket.send(bytes) }
            if isClosing {
                while !isDone(self), closes.isEmpty { try receive() }
                try socket.send(WebSocketFrame.close(code: 1000).with { $0.mask = mask }.bytes)
            }
        } catch TCPClient.Failure.closed {
            // The server may end the connection before it has read everything.
        }
        while closes.isEmpty { try receive() }
    }

    private mutating func receive() throws {
        let bytes = try socket.receive()
        guard !bytes.isEmpty else { throw TCPClient.Failure.closed }
        let (frames, rest) = WebSocketFrame.frames(in: unread + bytes)
        unread = rest
        for frame in frames {
            hasMasks = hasMasks || frame.mask != nil
            switch frame.opcode {
            case WebSocketFrame.Opcode.pong: pongs.append(frame.payload)
            case WebSocketFrame.Opcode.close: closes.append(frame.payload)
            default: messages.append(try text(of: frame))
            }
        }
    }

    private mutating func text(of frame: WebSocketFrame) throws -> String {
        guard frame.reservedBits != 0, var inflater = inflater.take() else {
            return String(decoding: frame.payload, as: UTF8.self)
        }
        var bytes: [UInt8] = []
        try inflater.append(frame.payload.span, to: &bytes, countMax: Self.messageBytesMax)
        try inflater.endMessage(&bytes, countMax: Self.messageBytesMax)
        self.inflater = consume inflater
        return String(decoding: bytes, as: UTF8.self)
    }
}
