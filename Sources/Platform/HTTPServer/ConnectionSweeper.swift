internal import CMicroHTTPD
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Runs a ``ConnectionSweep`` on a timer, shuts down what it names, and looks for streams whose
/// clients have left.
final class ConnectionSweeper: Sendable {
    private let sweep: Mutex<ConnectionSweep>
    private let queue = DispatchQueue(label: "hoga.httpserver.sweep")

    /// Often enough that a limit of a second means about that.
    private static let callsPerSecond = 2

    private let openStreams: OpenStreams

    init(requestSecondsMax: Int, openStreams: OpenStreams) {
        self.openStreams = openStreams
        sweep = Mutex(
            ConnectionSweep(callsMax: max(1, requestSecondsMax) * Self.callsPerSecond)
        )
        scheduleNext()
    }

    private func scheduleNext() {
        let interval = DispatchTimeInterval.milliseconds(1_000 / Self.callsPerSecond)
        // Weak: the last reference ends the series.
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in
            self?.sweepOnce()
            self?.scheduleNext()
        }
    }

    func add(_ record: ConnectionRecord) {
        sweep.withLock { $0.add(record) }
    }

    /// Forgets a connection; called before its descriptor is closed, so that a descriptor which is
    /// known here is always that connection's.
    func remove(descriptor: Int32) {
        sweep.withLock { $0.remove(descriptor: descriptor) }
    }

    private func sweepOnce() {
        sweep.withLock { sweep in
            for descriptor in sweep.overdue(bytesReceived: Self.bytesReceived) {
                // Its thread sees an end of input and closes it.
                _ = shutdown(descriptor, Int32(SHUT_RDWR))
            }
        }
        openStreams.wakeDeparted()
    }

    private static func bytesReceived(_ descriptor: Int32) -> UInt64 {
        hoga_tcp_bytes_received(descriptor)
    }
}
