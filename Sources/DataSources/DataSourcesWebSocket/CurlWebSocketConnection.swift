import Concurrency
import DataSourceContracts
import Synchronization

/// One open WebSocket connection over libcurl.
///
/// The pause between batches runs on the clock and blocks no thread. A ``close()`` during the pause
/// takes effect at its end, a cancellation at once.
final class CurlWebSocketConnection: WebSocketConnection {
    private let session: WebSocketSession
    private let clock: any Clock<Duration>
    /// From this size on, in bytes, a batch counts as full: the next one follows without a pause,
    /// because a busy stream that is held back would be dropped by its server.
    private let fullBatchBytes: Int
    /// Started when the last batch was returned; nil if the next one needs no pause.
    private let sinceLastBatch = Mutex<Stopwatch?>(nil)

    /// Makes a connection of a session whose handshake is done.
    ///
    /// - Parameters:
    ///   - session: owns the socket.
    ///   - clock: measures the pause between batches.
    ///   - batchBytesMax: the size at which the session returns a batch.
    init(session: WebSocketSession, clock: any Clock<Duration>, batchBytesMax: Int) {
        self.session = session
        self.clock = clock
        fullBatchBytes = batchBytesMax / 2
    }

    func send(text: String) async throws(TransportError) {
        session.turnstile.enter()
        defer { session.turnstile.leave() }
        let result: Result<Void, TransportError> = await withTaskCancellationHandler {
            do throws(TransportError) {
                return .success(try await session.send(text: text))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            session.turnstile.wake()
        }
        try result.get()
    }

    func receive(batchInterval: Duration) async throws(TransportError) -> MessageBatch {
        try await pause(batchInterval)
        let result = await withTaskCancellationHandler {
            await nextBatch()
        } onCancel: {
            session.turnstile.wake()
        }
        let batch = try result.get()
        let isFull = batch.bytes.count >= fullBatchBytes
        sinceLastBatch.withLock { $0 = isFull ? nil : Stopwatch(clock) }
        return batch
    }

    func close() async {
        session.turnstile.enter(toClose: true)
        defer { session.turnstile.leave() }
        await session.close()
    }

    private func nextBatch() async -> Result<MessageBatch, TransportError> {
        do {
            while true {
                await session.turnstile.untilIdle()
                if let batch = try await session.nextBatch() { return .success(batch) }
            }
        } catch {
            return .failure(error)
        }
    }

    /// Waits until `interval` has passed since the last batch.
    private func pause(_ interval: Duration) async throws(TransportError) {
        guard let last = sinceLastBatch.withLock({ $0 }) else { return }
        let remaining = interval - last.elapsed
        guard remaining > .zero else { return }
        do {
            try await clock.sleep(for: remaining)
        } catch {
            throw .taskCancelled
        }
    }
}
