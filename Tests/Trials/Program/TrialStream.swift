import DataSourceContracts
import HTTPServer
import NetworkAddresses
import Synchronization
import TestSupport
import WebSocketFraming

/// One stream connection over a ``TrialNetwork``: real frames, in virtual time.
final class TrialStream: WebSocketConnection {
    /// A message on its way.
    private struct Flight {
        var arrivesAt: Duration
        var number: Int
        var message: [UInt8]
    }

    private struct State: ~Copyable {
        var socket: UpgradedSocket?
        /// Room to read into.
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var framer: WebSocketFramer
        /// Received bytes that the framer gets later, in small pieces.
        var unread: [UInt8] = []
        var flights: [Flight] = []
        var sent = 0
        /// When the last message arrives that is not late: a slow way keeps the order.
        var lastArrival: Duration = .zero
        var inbox = MessageBatch()
        var end: TransportError?
        var isDead = false
        var receiver: CheckedContinuation<Void, Never>?
        var pingAt: Duration?
    }

    /// The way that its faults are those of.
    let path: TrialPath
    private let network: TrialNetwork
    private let pingInterval: Duration?
    private let state: Mutex<State>

    /// The bound of messages that wait for the reader; then the exchange feels back pressure.
    private static let waitingBytesMax = 4 << 20
    /// The longest slice.
    private static let sliceBytesMax = 700

    init(
        _ upgrade: HTTPServerUpgrade,
        _ path: TrialPath,
        of network: TrialNetwork,
        at address: NetworkAddress,
        _ pingInterval: Duration?
    ) throws(TransportError) {
        self.path = path
        self.network = network
        self.pingInterval = pingInterval
        var framer = WebSocketFramer(
            role: .client { network.bits() },
            messageBytesMax: 8 << 20,
            outputBytesMax: 1 << 20
        )
        let chosen = upgrade.headers.first { $0.name == "Sec-WebSocket-Extensions" }?.value
        do throws(WebSocketError) {
            if let compression = try PerMessageDeflate.accepted(chosen) {
                framer.agree(on: compression)
            }
        } catch {
            throw TransportError(.protocolViolation, error.description)
        }
        let socket: UpgradedSocket
        do throws(HTTPServerError) {
            socket = try UpgradedSocket.pair(at: address, upgrade.takeOver)
        } catch {
            throw TransportError(.other, error.description)
        }
        state = Mutex(State(socket: socket, framer: framer))
        let now = network.clock.now.offset
        state.withLock { $0.pingAt = pingInterval.map { now + $0 } }
    }

    /// The fields of a request that the exchange accepts.
    static func requestFields(offersCompression: Bool) -> [(name: String, value: String)] {
        let fields = [
            (name: "Upgrade", value: "websocket"), (name: "Connection", value: "Upgrade"),
            (name: "Sec-WebSocket-Version", value: WebSocketHandshake.version),
            (
                name: "Sec-WebSocket-Key",
                value: WebSocketHandshake.clientKey(
                    randomBytes: [UInt8](repeating: 7, count: WebSocketHandshake.keyByteCount)
                )
            ),
        ]
        guard offersCompression else { return fields }
        return fields + [(name: "Sec-WebSocket-Extensions", value: PerMessageDeflate.offer)]
    }

    /// Whether nothing can arrive any more.
    var isOver: Bool { state.withLock { $0.end != nil } }

    /// Ends the connection after what has arrived.
    func end(_ error: TransportError) {
        wake { state in
            state.end = state.end ?? error
            state.socket = nil
        }
    }

    // MARK: In

    /// Reads what the exchange has sent, and delivers what is due.
    func carry() {
        let conditions = network.conditions(path)
        let now = network.clock.now.offset
        wake { state in
            if conditions.isHalfOpen, !state.isDead {
                state.isDead = true
                network.count("half-open \(path)")
            }
            guard !state.isDead, state.end == nil else { return }
            read(&state, conditions)
            ping(&state, at: now)
            write(&state)
            receive(&state, conditions, at: now)
            deliver(&state, at: now)
        }
    }

    private func read(_ state: inout State, _ conditions: TrialNetwork.Conditions) {
        while state.inbox.bytes.count < Self.waitingBytesMax, state.socket != nil {
            switch state.socket?.read(into: &state.buffer) {
            case .bytes(let count): state.unread += state.buffer[..<count]
            case .wouldBlock: return
            case .closed, nil:
                state.socket = nil
                state.end = TransportError(.closed(code: nil, reason: ""), "ended by the exchange")
            }
        }
    }

    /// Gives the framer what has arrived, and sends each message on its way.
    private func receive(
        _ state: inout State,
        _ conditions: TrialNetwork.Conditions,
        at now: Duration
    ) {
        guard !state.unread.isEmpty else { return }
        // The last slice arrives with the next step.
        var rest = state.unread[...]
        repeat {
            var count = rest.count
            if conditions.isSlicing {
                count = min(count, network.number(1...Self.sliceBytesMax))
                network.count("sliced \(path)")
            }
            do throws(WebSocketError) {
                try state.framer.receive(Array(rest.prefix(count)))
            } catch {
                state.end = TransportError(.protocolViolation, error.description)
            }
            rest = rest.dropFirst(count)
        } while rest.count > Self.sliceBytesMax
        state.unread = Array(rest)
        let messages = state.framer.takeMessages()
        for index in 0..<messages.count { fly(Array(messages[index]), &state, conditions, now) }
        if let close = state.framer.peerClose {
            let code = close.code.map(Int.init)
            state.end = TransportError(.closed(code: code, reason: close.reason), "closed")
        }
    }

    private func fly(
        _ message: [UInt8],
        _ state: inout State,
        _ conditions: TrialNetwork.Conditions,
        _ now: Duration
    ) {
        if network.draws(conditions.lostPerMille) { return network.count("lost \(path)") }
        var copies = 1
        if network.draws(conditions.duplicatedPerMille) {
            copies = 2
            network.count("duplicated \(path)")
        }
        var message = message
        if network.draws(conditions.corruptedPerMille) {
            message = network.garbled(message)
            network.count("corrupted \(path)")
        }
        for _ in 0..<copies {
            var arrivesAt = max(now + conditions.delay, state.lastArrival)
            state.lastArrival = arrivesAt
            if conditions.delay > .zero { network.count("slow \(path)") }
            if network.draws(conditions.latePerMille) {
                let late = Int(TrialNetwork.lateness.milliseconds)
                arrivesAt += .milliseconds(network.number(1...late))
                network.count("late \(path)")
            }
            state.sent += 1
            state.flights.append(
                Flight(arrivesAt: arrivesAt, number: state.sent, message: message)
            )
        }
    }

    private func deliver(_ state: inout State, at now: Duration) {
        let due = state.flights.filter { $0.arrivesAt <= now }
        guard !due.isEmpty else { return }
        state.flights.removeAll { $0.arrivesAt <= now }
        for flight in due.sorted(by: { ($0.arrivesAt, $0.number) < ($1.arrivesAt, $1.number) }) {
            state.inbox.append(flight.message)
        }
    }

    // MARK: Out

    private func ping(_ state: inout State, at now: Duration) {
        guard let pingInterval, let due = state.pingAt, due <= now else { return }
        state.pingAt = now + pingInterval
        try? state.framer.queuePing()
    }

    private func write(_ state: inout State) {
        guard state.framer.hasOutput else { return }
        let bytes = state.framer.takeOutput()
        // A request fits into the buffer of a socket.
        _ = state.socket?.write(bytes.span)
    }

    func send(text: String) async throws(TransportError) {
        let failure = state.withLock { state -> TransportError? in
            if let end = state.end { return end }
            try? state.framer.queueText(Array(text.utf8))
            if !state.isDead { write(&state) }
            return nil
        }
        if let failure { throw failure }
    }

    func receive(batchInterval: Duration) async throws(TransportError) -> MessageBatch {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.inbox.count > 0 || state.end != nil || Task.isCancelled { return true }
                    precondition(state.receiver == nil, "One task receives at a time.")
                    state.receiver = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let receiver = state.withLock { $0.receiver.take() }
            receiver?.resume()
        }
        if Task.isCancelled { throw TransportError(.cancelled, "while receiving") }
        let answer = state.withLock { state -> Result<MessageBatch, TransportError> in
            if state.inbox.count > 0 {
                defer { state.inbox = MessageBatch() }
                return .success(state.inbox)
            }
            return .failure(state.end ?? TransportError(.other, "woken for nothing"))
        }
        return try answer.get()
    }

    func close() async {
        end(TransportError(.closed(code: nil, reason: ""), "closed by the client"))
    }

    /// Changes the state, and wakes the receiver if there is something for it.
    private func wake(_ change: (inout State) -> Void) {
        let receiver = state.withLock { state in
            change(&state)
            let isReady = state.inbox.count > 0 || state.end != nil
            return isReady ? state.receiver.take() : nil
        }
        receiver?.resume()
    }
}
