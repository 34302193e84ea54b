import HTTPServer
import Synchronization

/// An event stream to one client: counts its bytes and releases its resources once, also if the
/// response is never sent.
final class EventStream: Sendable {
    private struct State {
        var byteCount = 0
        var isComplete = false
        var release: (@Sendable () -> Void)?
    }

    private let subscription: StreamSubscription
    private let state: Mutex<State>

    /// Makes a stream.
    ///
    /// - Parameters:
    ///   - subscription: the events.
    ///   - release: releases the subscription and the quota; called once.
    init(_ subscription: StreamSubscription, release: @escaping @Sendable () -> Void) {
        self.subscription = subscription
        state = Mutex(State(release: release))
    }

    deinit { close() }

    /// The response, which retains this stream.
    ///
    /// - Parameters:
    ///   - headers: its header fields.
    ///   - ended: receives the number of bytes sent, and whether the stream was sent to its end.
    /// - Returns: the stream for the server.
    func response(
        _ headers: [(name: String, value: String)],
        ended: @escaping @Sendable (_ byteCount: Int, _ isComplete: Bool) -> Void
    ) -> HTTPServerStream {
        HTTPServerStream(
            headers: headers,
            begin: { wake in self.subscription.onUpdate(wake) },
            next: { self.next() },
            ended: {
                self.close()
                let (byteCount, isComplete) =
                    self.state.withLock { ($0.byteCount, $0.isComplete) }
                ended(byteCount, isComplete)
            }
        )
    }

    private func next() -> HTTPServerStream.Chunk {
        switch subscription.next() {
        case .bytes(let bytes):
            state.withLock { $0.byteCount += bytes.count }
            return .bytes(bytes)
        case .nothing: return .nothing
        case .end:
            state.withLock { $0.isComplete = true }
            return .end
        }
    }

    private func close() {
        let release = state.withLock { $0.release.take() }
        release?()
    }
}
