internal import CMicroHTTPD
internal import Dispatch
internal import Synchronization

/// Connections that wait, suspended, until their answer is due.
///
/// Bounded by the server's connections: each waits for one answer.
final class DelayedAnswers: Sendable {
    private enum Phase {
        case serving
        /// The server stops: only what outlasts that may wait.
        case stopping
        /// Nobody may.
        case over
    }

    private struct Waiting {
        var next: UInt64 = 0
        var connections: [UInt64: (connection: SuspendableConnection, outlastsStop: Bool)] = [:]
        var phase = Phase.serving

        func isAllowed(outlastsStop: Bool) -> Bool {
            switch phase {
            case .serving: true
            case .stopping: outlastsStop
            case .over: false
            }
        }
    }

    private let waiting = Mutex(Waiting())
    private let queue = DispatchQueue(label: "hoga.httpserver.delay")

    /// Suspends a connection for a time.
    ///
    /// Called by the access handler of that connection, the one place that may suspend it.
    ///
    /// - Parameters:
    ///   - connection: the connection.
    ///   - milliseconds: how long at the most.
    ///   - outlastsStop: whether stopping the server lets it go on for a while.
    ///   - began: is given what ends the wait earlier.
    /// - Returns: false if the server is stopping and the answer is due now.
    func suspend(
        _ connection: SuspendableConnection,
        milliseconds: Int,
        outlastsStop: Bool = false,
        began: (@escaping @Sendable () -> Void) -> Void = { _ in }
    ) -> Bool {
        let number: UInt64? = waiting.withLock { waiting in
            guard waiting.isAllowed(outlastsStop: outlastsStop) else { return nil }
            waiting.next += 1
            waiting.connections[waiting.next] = (connection, outlastsStop)
            // Under the lock: stopping either sees this connection suspended or not at all.
            connection.suspend()
            return waiting.next
        }
        guard let number else { return false }
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            self?.resume(number)
        }
        began { [weak self] in self?.resume(number) }
        return true
    }

    /// Answers everybody now whose wait does not outlast this, and lets nobody else wait any more.
    func stop() {
        waiting.withLock { waiting in
            waiting.phase = .stopping
            for (number, wait) in waiting.connections where !wait.outlastsStop {
                waiting.connections[number] = nil
                wait.connection.resume()
            }
        }
    }

    /// Answers everybody now and lets nobody wait any more.
    func end() {
        waiting.withLock { waiting in
            waiting.phase = .over
            for wait in waiting.connections.values { wait.connection.resume() }
            waiting.connections = [:]
        }
    }

    private func resume(_ number: UInt64) {
        waiting.withLock { waiting in
            waiting.connections.removeValue(forKey: number)?.connection.resume()
        }
    }
}

/// A connection between its suspension and its resumption.
///
/// Unchecked: the library allows resuming from any thread, and keeps a suspended connection until
/// it is resumed; ``DelayedAnswers`` does that exactly once, before the daemon stops.
@safe
struct SuspendableConnection: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    func suspend() { unsafe MHD_suspend_connection(pointer) }
    func resume() { unsafe MHD_resume_connection(pointer) }
}
