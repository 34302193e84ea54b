import Domain
import HTTPServer
import WebSocketFraming

/// One stream connection: its socket, its filter, and its output buffer.
///
/// Used only by the stream's thread. Output beyond the configured bound ends the connection.
final class StreamSession {
    /// Why a session has ended.
    enum End {
        /// The client left or broke the protocol, or was dropped.
        case gone
        /// The client read too slowly.
        case tooSlow
    }

    let number: Int
    var filter = SubscriptionFilter()
    /// Position in a recording; nil before the first subscription.
    var playback: Playback?
    private(set) var end: End?
    private(set) var isGreeted = false

    private let socket: UpgradedSocket
    /// Held until the session ends.
    private let place: StreamSlot
    private var framer: WebSocketFramer
    private var output: [UInt8] = []
    private var outputStart = 0
    private let outputBytesMax: Int
    private var acknowledgementsDue: [Timestamp] = []
    private var counts: SimulatorReport.Connection
    private var awaitsRoom = false
    /// Whether the session ends as soon as the output is written.
    private var isAbandoned = false
    /// When a client is dropped that does not close after a close frame; nil until that is written.
    private var leaveBy: Timestamp?

    private static let leaveTime = Duration.seconds(5)
    /// Maximum number of outstanding answers to subscriptions; only a broken client exceeds it.
    private static let acknowledgementsMax = 1_000

    init(
        _ socket: consuming UpgradedSocket,
        at place: StreamSlot,
        number: Int,
        outputBytesMax: Int
    ) {
        self.place = place
        self.number = number
        self.outputBytesMax = outputBytesMax
        framer = WebSocketFramer(
            role: .server,
            messageBytesMax: SubscriptionRequest.bytesMax,
            outputBytesMax: outputBytesMax
        )
        counts = SimulatorReport.Connection(
            number: number,
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

    func watch(with poller: SocketPoller) {
        poller.watch(socket, token: token)
    }

    // MARK: In

    /// Requests that the client sent together with its upgrade request.
    func receiveReadAhead() -> [SubscriptionRequest] {
        let bytes = socket.bytesReadAhead
        return receive(bytes.span)
    }

    /// Reads received bytes.
    ///
    /// - Parameter buffer: room to read into.
    /// - Returns: the requests in order; refusals are answered here.
    func read(into buffer: inout [UInt8]) -> [SubscriptionRequest] {
        switch socket.read(into: &buffer) {
        case .bytes(let count): return receive(buffer.span.extracting(..<count))
        case .wouldBlock: return []
        case .closed:
            drop()
            return []
        }
    }

    private func receive(_ bytes: Span<UInt8>) -> [SubscriptionRequest] {
        do throws(WebSocketError) {
            try framer.receive(bytes)
        } catch {
            // The framer has queued a close frame with the reason.
            isAbandoned = true
        }
        let messages = framer.takeMessages()
        var requests: [SubscriptionRequest] = []
        for index in 0..<messages.count {
            do throws(SubscriptionRequest.Refusal) {
                requests.append(try SubscriptionRequest(messages[index]))
            } catch {
                send(error.answer)
            }
        }
        return requests
    }

    // MARK: Out

    func greet() {
        isGreeted = true
        send(SubscriptionRequest.greeting)
    }

    func owe(acknowledgementAt time: Timestamp) {
        guard acknowledgementsDue.count < Self.acknowledgementsMax else {
            end = .tooSlow
            return
        }
        acknowledgementsDue.append(time)
    }

    /// Sends due answers, and drops a client that does not close in time.
    func advance(to now: Timestamp) {
        if isClosing, waitingBytes == 0 {
            let deadline = leaveBy ?? now.advanced(by: Self.leaveTime)
            leaveBy = deadline
            if deadline <= now { drop() }
        }
        guard !acknowledgementsDue.isEmpty else { return }
        let due = acknowledgementsDue.count { $0 <= now }
        acknowledgementsDue.removeAll { $0 <= now }
        for _ in 0..<due { send(SubscriptionRequest.acknowledgement) }
    }

    /// Queues the frames of a batch that the filter selects.
    func append(_ batch: borrowing FrameBatch) {
        guard !isClosing, end == nil, !filter.kinds.isEmpty else { return }
        moveControlOutput()
        var runStart = 0
        var start = 0
        for frame in batch.frames {
            if filter.wants(frame.kind, ofMarketAt: frame.market) {
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
        acknowledgementsDue = []
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

    private func send(_ text: String) {
        guard !isClosing else { return }
        counts.otherMessages += 1
        do throws(WebSocketError) {
            try framer.queueText(Array(text.utf8))
        } catch {
            end = .tooSlow
        }
    }

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
extension StreamSession: Sendable {}
