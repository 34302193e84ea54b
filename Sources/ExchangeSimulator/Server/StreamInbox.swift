import HTTPServer
import Synchronization

/// New stream connections on their way from the HTTP server's threads to the stream's own.
final class StreamInbox: Sendable {
    private struct State {
        var arrivals: [StreamArrival] = []
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
    func reserve() -> StreamPlace? {
        let isTaken = state.withLock { state in
            guard state.placesTaken < placesMax, !state.isClosed else { return false }
            state.placesTaken += 1
            return true
        }
        return isTaken ? StreamPlace(of: self) : nil
    }

    func put(_ socket: consuming UpgradedSocket, at place: StreamPlace) {
        let arrival = StreamArrival(socket, at: place)
        state.withLock { state in
            if !state.isClosed { state.arrivals.append(arrival) }
        }
        poller.wake()
    }

    func takeAll() -> [StreamArrival] {
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
final class StreamPlace: Sendable {
    private let inbox: StreamInbox

    fileprivate init(of inbox: StreamInbox) {
        self.inbox = inbox
    }

    deinit { inbox.release() }
}

/// Carries a socket, which cannot be copied, through containers; it is taken out once.
final class StreamArrival: Sendable {
    let place: StreamPlace
    private let socket: Mutex<UpgradedSocket?>

    init(_ socket: consuming UpgradedSocket, at place: StreamPlace) {
        self.socket = Mutex(socket)
        self.place = place
    }

    func takeSocket() -> UpgradedSocket? {
        socket.withLock { $0.take() }
    }
}
