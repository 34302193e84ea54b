import DataSourceContracts

/// One connection of API 1.x, from its greeting to its end.
///
/// Acknowledgements come late (0.3 to 10 s) and name no request: they flow through as statuses.
actor BithumbStream: MarketStream {
    private let connection: any WebSocketConnection
    private let gathering: Duration
    private var decoder = StreamDecoder()
    /// What came with the greeting, until somebody asks for it.
    private var greeting: StreamBatchDTO?

    init(connection: any WebSocketConnection, gathering: Duration) {
        self.connection = connection
        self.gathering = gathering
    }

    /// Waits for the server's first words; data count as well as a status.
    func waitForGreeting(
        within limit: Duration,
        clock: any Clock<Duration>
    ) async throws(DataSourceError) {
        let batch = decoded(try await firstBatch(within: limit, clock: clock))
        let isReadable = batch.messages.contains { message in
            if case .skipped = message { false } else { true }
        }
        guard isReadable else {
            throw DataSourceError(.malformed, "the stream's first words cannot be read")
        }
        greeting = batch
    }

    func subscribe(_ subscriptions: [StreamSubscriptionDTO]) async throws(DataSourceError) {
        for subscription in subscriptions {
            do {
                try await connection.send(text: subscription.requestText)
            } catch {
                throw DataSourceError(error, during: "subscribing to \(subscription.type)")
            }
        }
    }

    func receive() async throws(DataSourceError) -> StreamBatchDTO {
        if let batch = greeting {
            greeting = nil
            return batch
        }
        do {
            return decoded(try await connection.receive(gathering: gathering))
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

    /// The first batch, or a time-out, whichever comes first.
    private func firstBatch(
        within limit: Duration,
        clock: any Clock<Duration>
    ) async throws(DataSourceError) -> MessageBatch {
        let connection = connection
        typealias Outcome = Result<MessageBatch, DataSourceError>
        let outcome = await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                do throws(TransportError) {
                    return .success(try await connection.receive(gathering: .zero))
                } catch {
                    return .failure(DataSourceError(error, during: "waiting for the greeting"))
                }
            }
            group.addTask {
                do {
                    try await clock.sleep(for: limit)
                    return .failure(DataSourceError(.timedOut, "the stream sent no greeting"))
                } catch {
                    return .failure(DataSourceError(.cancelled, "waiting for the greeting"))
                }
            }
            let first = await group.next()
            group.cancelAll()
            return first
        }
        guard let outcome else { preconditionFailure("A group of two has a first.") }
        return try outcome.get()
    }
}
