import Dispatch
import Glibc
import Synchronization

/// A TCP relay between clients and a server on 127.0.0.1 that a test cuts, freezes or closes.
///
/// One thread moves the bytes. ``stop()`` ends it and all connections; so does releasing the relay,
/// a little later.
public final class FaultyRelay: Sendable {
    /// The side whose bytes count.
    public enum Side: Sendable {
        /// Bytes of requests.
        case clients
        /// Bytes of answers.
        case server
    }

    /// The relay's behavior.
    public enum Conduct: Sendable {
        /// Connections are accepted and bytes pass both ways.
        case passing
        /// Connections are accepted, but no byte passes.
        case frozen
        /// New connections are refused; open ones continue.
        case refusing
    }

    /// The port it listens on.
    public let port: UInt16

    private let orders = Mutex(Orders())
    private let cuts = RelayCuts()
    /// A pipe whose second end wakes the thread for orders.
    private let wakeUp: (output: Int32, input: Int32)
    private let thread = DispatchGroup()

    /// Starts a relay.
    ///
    /// - Parameter serverPort: the port of the server, which may start later.
    public init(to serverPort: UInt16) {
        let keeper = LoopbackSocket.keepingPort()
        port = LoopbackSocket.port(of: keeper)
        let wire = RelayWire(
            keeper: keeper,
            port: port,
            serverPort: serverPort,
            cuts: cuts
        )
        // Only the thread uses the sockets from here on.
        nonisolated(unsafe) let own = wire
        var ends: [Int32] = [-1, -1]
        let status = unsafe pipe(&ends)
        precondition(status == 0, "There is no file descriptor left.")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        wakeUp = (ends[0], ends[1])
        let (output, input) = wakeUp
        DispatchQueue(label: "hoga.test.relay").async(group: thread) { [weak self] in
            while let orders = self?.takeOrders(), !orders.isOver {
                unsafe own.obey(orders)
                unsafe own.move(wakeUp: output)
            }
            unsafe own.close()
            Glibc.close(output)
            Glibc.close(input)
        }
    }

    /// Changes how the relay treats connections.
    public func conduct(_ conduct: Conduct) { give { $0.conduct = conduct } }

    /// Resets all connections on both sides.
    public func cut() { give { $0.isCut = true } }

    /// Resets all connections when more than `count` more bytes of one side come; those beyond are
    /// lost.
    public func cut(after count: Int, bytesFrom side: Side) {
        cuts.state.withLock { $0.limit = .bytes(side, count) }
    }

    /// Resets all connections before the first byte of the answer that follows `count` others.
    public func cut(afterAnswers count: Int) {
        cuts.state.withLock { $0.limit = .answers(count, isAnswering: false) }
    }

    /// Cancels a pending cut.
    public func cancelCut() { cuts.state.withLock { $0.limit = nil } }

    /// How often connections were reset.
    public var cutCount: Int { cuts.state.withLock { $0.count } }

    /// Ends the relay and waits for its thread.
    public func stop() {
        give { $0.isOver = true }
        thread.wait()
    }

    private func give(_ change: (inout Orders) -> Void) {
        orders.withLock { orders in
            guard !orders.isOver else { return }
            change(&orders)
            wake()
        }
    }

    private func takeOrders() -> Orders {
        orders.withLock { orders in
            defer { orders.isCut = false }
            return orders
        }
    }

    private func wake() {
        var byte: UInt8 = 1
        _ = unsafe write(wakeUp.input, &byte, 1)
    }

    fileprivate struct Orders {
        var conduct = Conduct.passing
        var isCut = false
        var isOver = false
    }
}

/// The cut that is pending, and the number of cuts.
private final class RelayCuts: Sendable {
    enum Limit {
        /// Bytes of one side that still pass.
        case bytes(FaultyRelay.Side, Int)
        /// Answers that still pass, besides the one that has begun.
        case answers(Int, isAnswering: Bool)
    }

    struct State {
        var limit: Limit?
        var count = 0

        /// Counts bytes that came.
        ///
        /// - Returns: how many of them pass before a cut; nil if all pass, without a cut.
        mutating func admit(_ received: Int, from side: FaultyRelay.Side) -> Int? {
            switch limit {
            case .bytes(side, let left)? where left < received: return left
            case .bytes(side, let left)?: limit = .bytes(side, left - received)
            case .answers(0, isAnswering: false)? where side == .server: return 0
            case .answers(let left, isAnswering: false)? where side == .server:
                limit = .answers(left - 1, isAnswering: true)
            case .answers(let left, isAnswering: true)? where side == .clients:
                limit = .answers(left, isAnswering: false)
            case _: break
            }
            return nil
        }
    }

    let state = Mutex(State())
}

/// The sockets of a relay, used by its thread.
private final class RelayWire {
    private struct Pair {
        let client: Int32
        let server: Int32
    }

    /// Reserves the port while the relay does not listen.
    private let keeper: Int32
    private var listener: Int32
    private let port: UInt16
    private let serverPort: UInt16
    private var pairs: [Pair] = []
    private var conduct = FaultyRelay.Conduct.passing
    private let cuts: RelayCuts
    /// The longest wait before the thread checks whether the relay was released.
    private static let waitMilliseconds: Int32 = 200

    init(keeper: Int32, port: UInt16, serverPort: UInt16, cuts: RelayCuts) {
        self.keeper = keeper
        self.cuts = cuts
        listener = LoopbackSocket.listening(on: port)
        self.port = port
        self.serverPort = serverPort
    }

    func obey(_ orders: FaultyRelay.Orders) {
        if orders.isCut { cut() }
        conduct = orders.conduct
        switch conduct {
        case .refusing:
            guard listener >= 0 else { break }
            Glibc.close(listener)
            listener = -1
        case .passing, .frozen:
            if listener < 0 { listener = LoopbackSocket.listening(on: port) }
        }
    }

    /// Waits for the next event and handles it.
    func move(wakeUp: Int32) {
        let isFrozen = conduct == .frozen
        var waits = [wakeUp, isFrozen ? -1 : listener].map { descriptor in
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        }
        for pair in pairs {
            for descriptor in [pair.client, pair.server] {
                // poll(2) ignores negative descriptors.
                waits.append(
                    pollfd(fd: isFrozen ? -1 : descriptor, events: Int16(POLLIN), revents: 0)
                )
            }
        }
        guard unsafe poll(&waits, nfds_t(waits.count), Self.waitMilliseconds) > 0 else { return }
        if waits[0].revents != 0 {
            var byte: UInt8 = 0
            _ = unsafe read(wakeUp, &byte, 1)
            // Orders come first: bytes after an order must not pass.
            return
        }
        let ready = waits.dropFirst(2).map { $0.revents != 0 }
        for (index, pair) in pairs.enumerated().reversed() {
            var isOpen = true
            if ready[2 * index] { isOpen = pass(from: pair.client, to: pair.server, of: .clients) }
            if isOpen, !pairs.isEmpty, ready[2 * index + 1] {
                isOpen = pass(from: pair.server, to: pair.client, of: .server)
            }
            // A cut has closed all of them.
            if pairs.isEmpty { return }
            if !isOpen { end(pairs.remove(at: index)) }
        }
        if waits[1].revents != 0 { welcome() }
    }

    func close() {
        cut()
        if listener >= 0 { Glibc.close(listener) }
        Glibc.close(keeper)
    }

    private func welcome() {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        guard let server = RelaySocket.connected(to: serverPort) else {
            RelaySocket.reset(client)
            return
        }
        RelaySocket.sendAtOnce(client)
        pairs.append(Pair(client: client, server: server))
    }

    /// Forwards readable bytes.
    ///
    /// - Returns: `false` when one side has closed.
    private func pass(
        from source: Int32,
        to target: Int32,
        of side: FaultyRelay.Side
    ) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let received = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe recv(source, bytes.baseAddress, bytes.count, 0)
        }
        guard received > 0 else { return false }
        // Cancelling waits for this lock: a client that has its whole answer cancels the cut before
        // the next byte.
        return cuts.state.withLock { state in
            let allowed = state.admit(received, from: side)
            guard send(buffer[..<(allowed ?? received)], to: target) else { return false }
            guard allowed != nil else { return true }
            state.limit = nil
            reset(&state)
            return true
        }
    }

    private func send(_ bytes: ArraySlice<UInt8>, to target: Int32) -> Bool {
        let count = bytes.count
        var sent = 0
        while sent < count {
            let step = unsafe bytes.dropFirst(sent).withUnsafeBytes { rest in
                unsafe Glibc.send(target, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard step > 0 else { return false }
            sent += step
        }
        return true
    }

    private func cut() { cuts.state.withLock { reset(&$0) } }

    private func reset(_ state: inout RelayCuts.State) {
        state.count += 1
        for pair in pairs {
            RelaySocket.reset(pair.client)
            RelaySocket.reset(pair.server)
        }
        pairs = []
    }

    private func end(_ pair: Pair) {
        Glibc.close(pair.client)
        Glibc.close(pair.server)
    }
}

/// Socket calls of a relay.
private enum RelaySocket {
    static func connected(to port: UInt16) -> Int32? {
        let made = LoopbackSocket.make()
        guard LoopbackSocket.connect(made, to: port) else {
            close(made)
            return nil
        }
        sendAtOnce(made)
        return made
    }

    static func sendAtOnce(_ socket: Int32) {
        LoopbackSocket.set(socket, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
    }

    /// Closes a socket with a reset instead of a FIN.
    static func reset(_ socket: Int32) {
        LoopbackSocket.set(socket, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        close(socket)
    }
}
