import HTTPServer
import Synchronization

/// New stream connections on their way from the HTTP server's threads to the stream's own.
final class StreamAcceptQueue: Sendable {
    private struct State {
        var arrivals: [AcceptedStream] = []
        /// Places taken: by connections that are about to come, wait here or are being served.
        var placesTaken = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let placesMax: Int
    private let poller: SocketPoller

    init(connectionsMax: Int, poller: SocketPoller) {
        placesMax = connectionsMax
        self.poller = poller
    }

    /// Takes a place for a connection that is about to come; nil if there is none.
    func reserve() -> StreamSlot? {
        let isTaken = state.withLock { state in
            guard state.placesTaken < placesMax, !state.isClosed else { return false }
            state.placesTaken += 1
            return true
        }
        return isTaken ? StreamSlot(of: self) : nil
    }

    func put(_ socket: consuming UpgradedSocket, at place: StreamSlot) {
        let arrival = AcceptedStream(socket, at: place)
        state.withLock { state in
            if !state.isClosed { state.arrivals.append(arrival) }
        }
        poller.wake()
    }

    func takeAll() -> [AcceptedStream] {
        state.withLock { state in
            defer { state.arrivals = [] }
            return state.arrivals
        }
    }

    /// Lets nobody in any more and closes who waits.
    func close() {
        // Dropped outside the lock, because places give themselves back under it.
        let dropped = state.withLock { state in
            defer { state.arrivals = [] }
            state.isClosed = true
            return state.arrivals
        }
        _ = consume dropped
    }

    fileprivate func release() {
        state.withLock { $0.placesTaken -= 1 }
    }
}

/// The right to one stream connection; it ends with the last reference, also if the client leaves
/// before its socket is handed over.
final class StreamSlot: Sendable {
    private let inbox: StreamAcceptQueue

    fileprivate init(of inbox: StreamAcceptQueue) {
        self.inbox = inbox
    }

    deinit { inbox.release() }
}

/// Carries a socket, which cannot be copied, through containers; it is taken out once.
final class AcceptedStream: Sendable {
    let place: StreamSlot
    private let socket: Mutex<UpgradedSocket?>

    init(_ socket: consuming UpgradedSocket, at place: StreamSlot) {
        self.socket = Mutex(socket)
        self.place = place
    }

    func takeSocket() -> UpgradedSocket? {
        socket.withLock { $0.take() }
    }
}
