import Domain
import HTTPServer
import WebSocketFraming

/// One stream connection: its socket and its output buffer.
///
/// Used only by the stream's thread. Output beyond the configured bound ends the connection.
final class StreamConnection {
    /// Why a connection has ended.
    enum End {
        /// The client left or broke the protocol, or was dropped.
        case gone
        /// The client read too slowly.
        case tooSlow
    }

    let number: Int
    let api: APIVersion
    private(set) var end: End?
    /// Number of bytes received.
    private(set) var receivedBytes = 0

    private let socket: UpgradedSocket
    /// Held until the connection ends.
    private let place: StreamSlot
    private var framer: WebSocketFramer
    private let isCompressing: Bool
    private var output: [UInt8] = []
    private var outputStart = 0
    private let outputBytesMax: Int
    private var counts: SimulatorReport.Connection
    private var awaitsRoom = false
    /// Whether the connection ends as soon as the output is written.
    private var isAbandoned = false
    /// When a client is dropped that does not close after a close frame; nil until that is written.
    private var leaveBy: Timestamp?

    private static let leaveTime = Duration.seconds(5)

    init(
        _ socket: consuming UpgradedSocket,
        at place: StreamSlot,
        api: APIVersion,
        compression: PerMessageDeflate?,
        number: Int,
        outputBytesMax: Int
    ) {
        self.api = api
        isCompressing = compression != nil
        self.place = place
        self.number = number
        self.outputBytesMax = outputBytesMax
        framer = WebSocketFramer(
            role: .server,
            messageBytesMax: SubscriptionRequest.bytesMax,
            outputBytesMax: outputBytesMax
        )
        if let compression { framer.agree(on: compression) }
        counts = SimulatorReport.Connection(
            number: number,
            api: api,
            frames: 0,
            brokenFrames: 0,
            otherMessages: 0,
            waitingBytes: 0,
            isOpen: true,
            wasTooSlow: false
        )
        self.socket = socket
    }

    var token: UInt64 { UInt64(number) }
    var waitingBytes: Int { output.count - outputStart }
    /// Whether a close frame is queued; nothing can follow it.
    var isClosing: Bool { framer.isClosing }

    var report: SimulatorReport.Connection {
        var report = counts
        report.waitingBytes = waitingBytes
        report.isOpen = end == nil
        report.wasTooSlow = end == .tooSlow
        return report
    }

    /// Begins to report what arrives; false without memory for it.
    func watch(with poller: SocketPoller) -> Bool {
        poller.watch(socket, token: token)
    }

    // MARK: In

    /// Messages that the client sent together with its upgrade request.
    func receiveReadAhead() -> WebSocketMessages {
        let bytes = socket.bytesReadAhead
        return receive(bytes.span)
    }

    /// Reads received bytes.
    ///
    /// - Parameter buffer: room to read into.
    /// - Returns: the complete messages in order.
    func read(into buffer: inout [UInt8]) -> WebSocketMessages {
        switch socket.read(into: &buffer) {
        case .bytes(let count): return receive(buffer.span.extracting(..<count))
        case .wouldBlock: return WebSocketMessages()
        case .closed:
            drop()
            return WebSocketMessages()
        }
    }

    private func receive(_ bytes: Span<UInt8>) -> WebSocketMessages {
        receivedBytes += bytes.count
        do throws(WebSocketError) {
            try framer.receive(bytes)
        } catch {
            // The framer has queued a close frame with the reason.
            isAbandoned = true
        }
        return framer.takeMessages()
    }

    // MARK: Out

    /// Drops a client that does not close in time.
    func advance(to now: Timestamp) {
        guard isClosing, waitingBytes == 0 else { return }
        let deadline = leaveBy ?? now.advanced(by: Self.leaveTime)
        leaveBy = deadline
        if deadline <= now { drop() }
    }

    /// Queues the frames of a batch that are wanted.
    func append(_ batch: borrowing FrameBatch, where isWanted: (FrameBatch.Frame) -> Bool) {
        guard !isClosing, end == nil else { return }
        moveControlOutput()
        if isCompressing {
            compress(batch, where: isWanted)
            return
        }
        var runStart = 0
        var start = 0
        for frame in batch.frames {
            if isWanted(frame) {
                counts.frames += 1
                if frame.isBroken { counts.brokenFrames += 1 }
            } else {
                // Adjacent wanted frames are copied together.
                output.append(contentsOf: batch.bytes[runStart..<start])
                runStart = frame.end
            }
            start = frame.end
        }
        output.append(contentsOf: batch.bytes[runStart..<start])
        checkBound()
    }

    /// Queues the messages of the wanted frames, compressed for this connection.
    private func compress(
        _ batch: borrowing FrameBatch,
        where isWanted: (FrameBatch.Frame) -> Bool
    ) {
        for frame in batch.frames where isWanted(frame) {
            let payload = frame.end - frame.payloadBytes..<frame.end
            do throws(WebSocketError) {
                try framer.queueBinary(batch.bytes.span.extracting(payload))
            } catch {
                end = .tooSlow
                return
            }
            counts.frames += 1
            if frame.isBroken { counts.brokenFrames += 1 }
        }
        moveControlOutput()
    }

    /// Queues one recorded message unchanged.
    func append(recorded text: [UInt8]) {
        guard !isClosing, end == nil else { return }
        do throws(WebSocketError) {
            try framer.queueText(text.span)
            counts.frames += 1
        } catch {
            end = .tooSlow
        }
        moveControlOutput()
    }

    /// Sends a close frame; the client then has some seconds to close.
    func close(code: UInt16, reason: String) {
        guard !isClosing else { return }
        // Fails only if it is closing already, which was checked.
        try? framer.queueClose(code: code, reason: reason)
    }

    /// Ends the connection without a close frame.
    func drop() {
        if end == nil { end = .gone }
    }

    /// Writes what the socket accepts, and asks the poller for room if bytes remain.
    func flush(with poller: SocketPoller) {
        moveControlOutput()
        while end == nil, waitingBytes > 0 {
            switch socket.write(output.span.extracting(outputStart..<output.count)) {
            case .bytes(let count): outputStart += count
            case .wouldBlock:
                askForRoom(true, poller)
                moveOutput()
                return
            case .closed: end = .gone
            }
        }
        output.removeAll(keepingCapacity: output.capacity <= Self.keptCapacityMax)
        outputStart = 0
        askForRoom(false, poller)
        // Both sides have sent a close frame, and ours is written.
        if framer.isClosing, framer.peerClose != nil || isAbandoned { drop() }
    }

    /// Capacity that an empty buffer keeps for the next batch.
    private static let keptCapacityMax = 1_048_576

    /// Sends a message that is no data; API 2.x has binary frames only.
    func send(_ text: String) {
        guard !isClosing else { return }
        counts.otherMessages += 1
        do throws(WebSocketError) {
            switch api {
            case .v1: try framer.queueText(Array(text.utf8))
            case .v2: try framer.queueBinary(Array(text.utf8))
            }
        } catch {
            end = .tooSlow
        }
    }

    /// Drops a client that reads or writes too slowly.
    func dropAsTooSlow() { end = .tooSlow }

    /// Moves greetings, answers and pongs after the queued frames.
    private func moveControlOutput() {
        guard framer.hasOutput else { return }
        output += framer.takeOutput()
        checkBound()
    }

    private func checkBound() {
        if waitingBytes > outputBytesMax { end = .tooSlow }
    }

    /// Removes written bytes once they are most of the buffer.
    private func moveOutput() {
        guard outputStart > output.count / 2 else { return }
        output.removeSubrange(..<outputStart)
        outputStart = 0
    }

    private func askForRoom(_ isWanted: Bool, _ poller: SocketPoller) {
        guard isWanted != awaitsRoom, end == nil else { return }
        awaitsRoom = isWanted
        poller.setAwaitsRoom(isWanted, of: socket, token: token)
    }
}

@available(*, unavailable)
extension StreamConnection: Sendable {}
