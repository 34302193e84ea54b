import HTTPServer
import Synchronization
import WebSocketFraming

/// Passes new stream connections from the HTTP server's threads to the stream's thread.
///
/// Bound: `connectionsMax` slots of connections that are being accepted, queued or served. Without
/// a free slot ``reserve()`` returns nil and the connection is refused.
final class StreamAcceptQueue: Sendable {
    private struct State {
        var arrivals: [AcceptedStream] = []
        /// Reserved slots: connections being accepted, queued or served.
        var reservedSlots = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let slotsMax: Int
    private let poller: SocketPoller

    init(connectionsMax: Int, poller: SocketPoller) {
        slotsMax = connectionsMax
        self.poller = poller
    }

    /// Reserves a slot for a connection; nil if none is free.
    func reserve() -> StreamSlot? {
        let isTaken = state.withLock { state in
            guard state.reservedSlots < slotsMax, !state.isClosed else { return false }
            state.reservedSlots += 1
            return true
        }
        return isTaken ? StreamSlot(of: self) : nil
    }

    func put(
        _ socket: consuming UpgradedSocket,
        at place: StreamSlot,
        of api: APIVersion,
        compression: PerMessageDeflate?
    ) {
        let arrival = AcceptedStream(socket, at: place, of: api, compression: compression)
        state.withLock { state in
            if !state.isClosed { state.arrivals.append(arrival) }
        }
        poller.wake()
    }

    func removeAll() -> [AcceptedStream] {
        state.withLock { state in
            defer { state.arrivals = [] }
            return state.arrivals
        }
    }

    /// Refuses further connections and closes the queued ones.
    func close() {
        // Released outside the lock, because slots lock it when they are freed.
        let dropped = state.withLock { state in
            defer { state.arrivals = [] }
            state.isClosed = true
            return state.arrivals
        }
        _ = consume dropped
    }

    fileprivate func release() {
        state.withLock { $0.reservedSlots -= 1 }
    }
}

/// A reserved slot for one stream connection.
///
/// The last reference frees it, also if the client leaves before its socket is handed over.
final class StreamSlot: Sendable {
    private let inbox: StreamAcceptQueue

    fileprivate init(of inbox: StreamAcceptQueue) {
        self.inbox = inbox
    }

    deinit { inbox.release() }
}

/// Carries a socket, which cannot be copied, through containers; it can be removed once.
final class AcceptedStream: Sendable {
    let place: StreamSlot
    let api: APIVersion
    let compression: PerMessageDeflate?
    private let socket: Mutex<UpgradedSocket?>

    init(
        _ socket: consuming UpgradedSocket,
        at place: StreamSlot,
        of api: APIVersion,
        compression: PerMessageDeflate?
    ) {
        self.api = api
        self.compression = compression
        self.socket = Mutex(socket)
        self.place = place
    }

    func removeSocket() -> UpgradedSocket? {
        socket.withLock { $0.take() }
    }
}
