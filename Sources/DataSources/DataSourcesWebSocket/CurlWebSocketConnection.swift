import DataSourceContracts
import Synchronization

/// One open WebSocket connection over libcurl.
///
/// The pause between batches runs on the clock and keeps no thread; ``close()`` is noticed at its
/// end, cancellation at once.
final class CurlWebSocketConnection<PacingClock: Clock<Duration>>: WebSocketConnection {
    private let session: WebSocketSession
    private let clock: PacingClock
    /// From this size on, in bytes, a batch says that there is more than the pace allows: the next
    /// one is not waited for, else a busy stream would be held back until its server gives up.
    private let crowdedBatchBytes: Int
    /// When the last batch was returned; nil if the next one need not wait.
    private let lastBatch = Mutex<PacingClock.Instant?>(nil)

    /// Takes over a session whose handshake is done, and whose batches are at most that large.
    init(session: WebSocketSession, clock: PacingClock, batchBytesMax: Int) {
        self.session = session
        self.clock = clock
        crowdedBatchBytes = batchBytesMax / 2
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
        let isCrowded = batch.bytes.count >= crowdedBatchBytes
        lastBatch.withLock { $0 = isCrowded ? nil : clock.now }
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
