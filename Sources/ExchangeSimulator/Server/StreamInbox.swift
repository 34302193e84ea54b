import HTTPServer
import Synchronization

/// New stream connections on their way from the HTTP server's threads to the stream's own.
final class StreamInbox: Sendable {
    private struct State {
        var sockets: [SocketBox] = []
        /// Connections that were let in and are not gone: the ones here and those being served.
        var connections = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let connectionsMax: Int
    private let poller: SocketPoller

    init(connectionsMax: Int, poller: SocketPoller) {
        self.connectionsMax = connectionsMax
        self.poller = poller
    }

    /// Takes a place for a connection that is about to come; false if all are taken.
    ///
    /// A client that leaves before its socket is handed over keeps its place until the simulator
    /// ends: such clients are rare, and the bound holds.
    func reserve() -> Bool {
        state.withLock { state in
            guard state.connections < connectionsMax, !state.isClosed else { return false }
            state.connections += 1
            return true
        }
    }

    func put(_ socket: consuming UpgradedSocket) {
        let box = SocketBox(socket)
        state.withLock { state in
            if !state.isClosed { state.sockets.append(box) }
        }
        poller.wake()
    }

    func takeAll() -> [SocketBox] {
        state.withLock { state in
            defer { state.sockets = [] }
            return state.sockets
        }
    }

    /// Gives a place back.
    func release() {
        state.withLock { $0.connections -= 1 }
    }

    /// Lets nobody in any more and closes who waits.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.sockets = []
        }
    }
}

/// Carries a socket, which cannot be copied, through containers; it is taken out once.
final class SocketBox: Sendable {
    private let content: Mutex<UpgradedSocket?>

    init(_ socket: consuming UpgradedSocket) {
        content = Mutex(socket)
    }

    func take() -> UpgradedSocket? {
        content.withLock { $0.take() }
    }
}
