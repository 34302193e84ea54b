import HTTPServer
import Synchronization

/// A stream of events on its way to one client: what is counted of it, and what is given back when
/// it is over, however that comes about.
final class EventStream: Sendable {
    private struct State {
        var byteCount = 0
        var isWhole = false
        var end: (@Sendable () -> Void)?
    }

    private let subscription: StreamSubscription
    private let state: Mutex<State>

    /// Makes a stream.
    ///
    /// - Parameters:
    ///   - subscription: the events.
    ///   - end: gives everything back; is called once, also if nobody ever begins to read.
    init(_ subscription: StreamSubscription, end: @escaping @Sendable () -> Void) {
        self.subscription = subscription
        state = Mutex(State(end: end))
    }

    deinit { close() }

    /// The answer.
    ///
    /// - Parameters:
    ///   - headers: its fields.
    ///   - ended: is told once how many bytes were given to the connection, and whether the end
    ///     was.
    /// - Returns: the stream for the server, which holds this one.
    func answer(
        _ headers: [(name: String, value: String)],
        ended: @escaping @Sendable (_ byteCount: Int, _ isWhole: Bool) -> Void
    ) -> HTTPServerStream {
        HTTPServerStream(
            headers: headers,
            begin: { wake in self.subscription.onUpdate(wake) },
            next: { self.next() },
            ended: {
                self.close()
                let (byteCount, isWhole) = self.state.withLock { ($0.byteCount, $0.isWhole) }
                ended(byteCount, isWhole)
            }
        )
    }

    private func next() -> HTTPServerStream.Piece {
        switch subscription.next() {
        case .bytes(let bytes):
            state.withLock { $0.byteCount += bytes.count }
            return .bytes(bytes)
        case .nothing: return .nothing
        case .end:
            state.withLock { $0.isWhole = true }
            return .end
        }
    }

    private func close() {
        let end = state.withLock { $0.end.take() }
        end?()
    }
}
