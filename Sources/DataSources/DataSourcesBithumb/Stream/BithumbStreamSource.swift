import Concurrency
public import DataSourceContracts

/// Opens streams of one API generation.
///
/// Source: <https://apidocs.bithumb.com>, API v1.2.0 and v2.1.5 WebSocket, and recordings of 2021
/// to 2026.
public struct BithumbStreamSource: MarketStreamSource {
    /// The time between pings to API 2.x, which ends connections that sent nothing for 60 s.
    private static let pingInterval = Duration.seconds(20)

    private let transport: any WebSocketTransport
    private let generation: APIGeneration
    private let url: String
    private let clock: any Clock<Duration>
    private let timeout: Duration
    private let batchInterval: Duration
    private let offersCompression: Bool

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - transport: opens the connections.
    ///   - generation: the API that the server speaks.
    ///   - url: `ws://` or `wss://`, such as ``BithumbAddresses/streamV1``.
    ///   - clock: measures the time-out; monotonic.
    ///   - timeout: the longest that connecting, the handshake and the greeting take together.
    ///   - batchInterval: the shortest time between two batches.
    ///   - offersCompression: whether the server may compress its messages; nil for what suits the
    ///     address.
    public init(
        transport: any WebSocketTransport,
        generation: APIGeneration,
        url: String,
        clock: any Clock<Duration>,
        timeout: Duration = .seconds(5),
        batchInterval: Duration = .milliseconds(10),
        offersCompression: Bool? = nil
    ) {
        self.transport = transport
        self.generation = generation
        self.url = url
        self.clock = clock
        self.timeout = timeout
        self.batchInterval = batchInterval
        self.offersCompression =
            offersCompression ?? Self.gainsFromCompression(url, of: generation)
    }

    /// Whether compressed messages are worth their decompression.
    ///
    /// Compression leaves a quarter to a third of the bytes of order books and doubles the CPU time
    /// from socket to book: at 1,700 frames/s 0.6 to 0.8 MB/s instead of 2.4 MB/s, for 1 to 2 % of
    /// a core more (`Benchmarks/socket_books.py`). Over a network the bytes are dearer. On the same
    /// machine, where `ws:` leads to the simulator, they cost nothing. API 1.x was never seen to
    /// compress.
    private static func gainsFromCompression(_ url: String, of generation: APIGeneration) -> Bool {
        generation == .v2 && url.lowercased().hasPrefix("wss:")
    }

    /// Connects; in API 1.x also waits for the greeting that the exchange sends first.
    ///
    /// The first ``MarketStream/receive()`` returns the batch with the greeting.
    ///
    /// - Throws: ``DataSourceError``: `timedOut` without a greeting, `malformed` when its batch
    ///   holds no readable message, `cancelled` promptly.
    public func connect() async throws(DataSourceError) -> any MarketStream {
        let deadline = Deadline(after: timeout, clock: clock)
        let connection: any WebSocketConnection
        do {
            connection = try await transport.open(
                url: url,
                timeout: timeout,
                pingInterval: generation == .v2 ? Self.pingInterval : nil,
                offersCompression: offersCompression
            )
        } catch {
            throw DataSourceError(error, during: "opening the stream")
        }
        let stream = BithumbStream(
            connection: connection,
            generation: generation,
            batchInterval: batchInterval
        )
        guard generation == .v1 else { return stream }
        do {
            try await stream.waitForGreeting(within: deadline.remaining, clock: clock)
        } catch {
            await stream.close()
            throw error
        }
        return stream
    }
}
