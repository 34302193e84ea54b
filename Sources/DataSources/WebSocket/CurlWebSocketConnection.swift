import DataSources
import Synchronization

/// One open WebSocket connection over libcurl.
///
/// The pause between batches runs on the clock and keeps no thread; ``close()`` is noticed at its
/// end, cancellation at once.
final class CurlWebSocketConnection<PacingClock: Clock<Duration>>: WebSocketConnection {
    private let session: WebSocketSession
    private let clock: PacingClock
    /// When the last batch was returned.
    private let lastBatch = Mutex<PacingClock.Instant?>(nil)

    /// Takes over a session whose handshake is done.
    init(session: WebSocketSession, clock: PacingClock) {
        self.session = session
        self.clock = clock
    }

    func send(text: String) async throws(TransportError) {
        session.gate.enter()
        defer { session.gate.leave() }
        let result: Result<Void, TransportError> = await withTaskCancellationHandler {
            do throws(TransportError) {
                return .success(try await session.send(text: text))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            session.gate.wake()
        }
        try result.get()
    }

    func receive(gathering: Duration) async throws(TransportError) -> MessageBatch {
        try await pause(gathering)
        let result = await withTaskCancellationHandler {
            await nextBatch()
        } onCancel: {
            session.gate.wake()
        }
        let batch = try result.get()
        lastBatch.withLock { $0 = clock.now }
        return batch
    }

    func close() async {
        session.gate.enter(toClose: true)
        defer { session.gate.leave() }
        await session.close()
    }

    private func nextBatch() async -> Result<MessageBatch, TransportError> {
        do {
            while true {
                await session.gate.quiet()
                if let batch = try await session.nextBatch() { return .success(batch) }
            }
        } catch {
            return .failure(error)
        }
    }

    /// Waits until that much time has passed since the last batch.
    private func pause(_ gathering: Duration) async throws(TransportError) {
        guard let last = lastBatch.withLock({ $0 }) else { return }
        let next = last.advanced(by: gathering)
        guard clock.now < next else { return }
        do {
            try await clock.sleep(until: next, tolerance: nil)
        } catch {
            throw .taskCancelled
        }
    }
}
