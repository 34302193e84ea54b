import Compression
import WebSocketFraming

extension FuzzTarget {
    // MARK: Frames

    /// Frames of either side: pieces give the same messages, close and fault as the whole, and
    /// messages stay within their bound.
    func judgeWebSocketFrames(_ input: FuzzInput) throws(FuzzFinding) {
        var input = input
        let options = input.byte()
        let seed = input.byte()
        let setup = FramerSetup(
            isServer: options & 1 != 0,
            compression: options & 2 == 0
                ? nil
                : PerMessageDeflate(
                    serverKeepsContext: options & 4 != 0,
                    clientKeepsContext: options & 8 != 0
                ),
            messageBytesMax: options & 16 == 0 ? 1_024 : 64
        )
        let bytes = input.bytes
        let whole = setup.received([bytes])
        let sliced = setup.received(pieces(of: bytes, seed: seed))
        try requireEqual(sliced, whole, "what pieces of frames give")
        for message in whole.messages {
            try require(message.count <= setup.messageBytesMax, "a message exceeds its bound")
        }
        if case .some(let failure) = whole.failure {
            try require(failure.closeCode != nil, "a fault of the peer has no close code")
        }
        try checkOutput(of: whole, setup)
        try checkEcho(of: whole.messages, setup)
    }

    /// The other side reads the output without a fault.
    private func checkOutput(
        of received: FramerResult,
        _ setup: FramerSetup
    ) throws(FuzzFinding) {
        var peer = setup
        peer.isServer.toggle()
        let answer = peer.received([received.output])
        try requireEqual(answer.failure, nil, "the peer reads the answer")
        if let close = received.peerClose, received.failure == nil {
            try requireEqual(answer.peerClose?.code, close.code, "a close is answered")
        }
    }

    /// Messages that are sent arrive.
    private func checkEcho(of messages: [[UInt8]], _ setup: FramerSetup) throws(FuzzFinding) {
        var framer = setup.framer(outputBytesMax: 1 << 20)
        for message in messages {
            do throws(WebSocketError) {
                try framer.queueBinary(message)
            } catch {
                throw FuzzFinding("a message cannot be queued: \(error)")
            }
        }
        var peer = setup
        peer.isServer.toggle()
        let arrived = peer.received([framer.takeOutput()])
        try requireEqual(arrived.failure, nil, "the peer reads sent messages")
        try requireEqual(arrived.messages, messages, "messages of the peer")
    }

    // MARK: Handshakes

    /// Heads of handshakes: pieces give the same outcome as the whole, and extensions that a
    /// server accepts are ones that a client takes.
    func judgeWebSocketHandshakes(_ input: FuzzInput) throws(FuzzFinding) {
        var input = input
        let seed = input.byte()
        let offers = input.byte() & 1 != 0
        let head = input.bytes
        let key = "AAAAAAAAAAAAAAAAAAAAAA=="
        let whole = outcome(of: [head], key, offers)
        try requireEqual(
            outcome(of: pieces(of: head, seed: seed), key, offers),
            whole,
            "the outcome of pieces"
        )
        if case .success(.refused(let status, let reason)) = whole {
            try require((100...599).contains(status) && status != 101, "status \(status)")
            try require(!reason.utf8.contains { $0 < 0x20 }, "a reason has controls")
        }
        guard let text = input.text else { return }
        for keepsContext in [true, false] {
            guard let choice = PerMessageDeflate.choice(among: text, keepsContext: keepsContext)
            else { continue }
            let accepted = try? PerMessageDeflate.accepted(choice.answer)
            try requireEqual(accepted, choice.parameters, "an answer that the client reads")
        }
        let fields = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let values = ["Upgrade", "Connection", "Sec-WebSocket-Version", "Sec-WebSocket-Key"]
        let upgrade = try? WebSocketHandshake.acceptValue { name in
            values.firstIndex(of: name).flatMap { $0 < fields.count ? fields[$0] : nil }
        }
        if let upgrade { try requireEqual(upgrade.utf8.count, 28, "length of an accept value") }
    }

    /// The offset of the first frame, counted from the start of the head.
    private func outcome(
        of pieces: [[UInt8]],
        _ key: String,
        _ offers: Bool
    ) -> Result<WebSocketResponseReader.Outcome, WebSocketError> {
        var reader = WebSocketResponseReader(key: key, hasOfferedCompression: offers)
        var count = 0
        do throws(WebSocketError) {
            for piece in pieces {
                switch try reader.receive(piece) {
                case .needMore: count += piece.count
                case .accepted(let consumed):
                    return .success(.accepted(bytesConsumed: count + consumed))
                case .refused(let status, let reason):
                    return .success(.refused(status: status, reason: reason))
                }
            }
            return .success(.needMore)
        } catch {
            return .failure(error)
        }
    }
}

/// One end of a connection.
private struct FramerSetup {
    var isServer: Bool
    var compression: PerMessageDeflate?
    var messageBytesMax: Int

    func framer(outputBytesMax: Int) -> WebSocketFramer {
        var framer = WebSocketFramer(
            role: isServer ? .server : .client(maskKey: { 0x0102_0304 }),
            messageBytesMax: messageBytesMax,
            outputBytesMax: outputBytesMax
        )
        if let compression { framer.agree(on: compression) }
        return framer
    }

    func received(_ pieces: [[UInt8]]) -> FramerResult {
        var framer = framer(outputBytesMax: 4_096)
        var result = FramerResult()
        for piece in pieces {
            do throws(WebSocketError) {
                try framer.receive(piece)
            } catch {
                result.failure = error
            }
            let taken = framer.takeMessages()
            result.messages += (0..<taken.count).map { Array(taken[$0]) }
        }
        result.peerClose = framer.peerClose
        result.output = framer.takeOutput()
        return result
    }
}

private struct FramerResult: Equatable {
    var messages: [[UInt8]] = []
    var failure: WebSocketError?
    var peerClose: WebSocketClose?
    var output: [UInt8] = []
}
