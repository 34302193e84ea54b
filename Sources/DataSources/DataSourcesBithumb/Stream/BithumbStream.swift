import Concurrency
import DataSourceContracts

/// One stream connection.
///
/// Acknowledgements of API 1.x arrive late (0.3 to 10 s) and name no request: they are returned as
/// statuses. API 2.x sends none, and there each request replaces the one before.
actor BithumbStream: MarketStream {
    private let connection: any WebSocketConnection
    nonisolated let generation: APIGeneration
    private let batchInterval: Duration
    private var decoder: StreamDecoder
    /// The batch with the greeting, until the first ``receive()``.
    private var greeting: StreamBatchDTO?

    init(
        connection: any WebSocketConnection,
        generation: APIGeneration,
        batchInterval: Duration
    ) {
        self.connection = connection
        self.generation = generation
        self.batchInterval = batchInterval
        decoder = StreamDecoder(generation)
    }

    /// Waits for the server's first message, a status or data.
    func waitForGreeting(
        within limit: Duration,
        clock: any Clock<Duration>
    ) async throws(DataSourceError) {
        let batch = decoded(try await firstBatch(within: limit, clock: clock))
        let isReadable = batch.messages.contains { message in
            if case .skipped = message { false } else { true }
        }
        guard isReadable else {
            throw DataSourceError(.malformed, "the stream's first message cannot be read")
        }
        greeting = batch
    }

    func subscribe(_ subscriptions: [StreamSubscriptionDTO]) async throws(DataSourceError) {
        for request in SubscriptionRequest.requests(subscriptions, of: generation) {
            do {
                try await connection.send(text: request.text)
            } catch {
                throw DataSourceError(error, during: "subscribing to \(request.types)")
            }
        }
    }

    func receive() async throws(DataSourceError) -> StreamBatchDTO {
        if let batch = greeting {
            greeting = nil
            return batch
        }
        do {
            return decoded(try await connection.receive(batchInterval: batchInterval))
        } catch {
            throw DataSourceError(error, during: "receiving from the stream")
        }
    }

    func close() async {
        await connection.close()
    }

    private func decoded(_ batch: MessageBatch) -> StreamBatchDTO {
        StreamBatchDTO(messages: decoder.decode(batch), frameCount: batch.count)
    }

    /// The first batch; throws `timedOut` at the limit.
    private func firstBatch(
        within limit: Duration,
        clock: any Clock<Duration>
    ) async throws(DataSourceError) -> MessageBatch {
        let connection = connection
        let batch = try await withTimeout(limit, clock: clock) {
            () async throws(DataSourceError) in
            do throws(TransportError) {
                return try await connection.receive(batchInterval: .zero)
            } catch {
                throw DataSourceError(error, during: "waiting for the greeting")
            }
        }
        guard let batch else {
            throw DataSourceError(.timedOut, "the stream sent no greeting")
        }
        return batch
    }
}
