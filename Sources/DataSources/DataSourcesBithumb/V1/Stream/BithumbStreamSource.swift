public import DataSourceContracts

/// Opens streams of API 1.x.
///
/// Source: <https://apidocs.bithumb.com>, API v1.2.0 WebSocket, and recordings of 2021 to 2026.
public struct BithumbStreamSource: MarketStreamSource {
    private let transport: any WebSocketTransport
    private let url: String
    private let clock: any Clock<Duration>
    private let timeout: Duration
    private let gathering: Duration

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - transport: opens the connections.
    ///   - url: `ws://` or `wss://`, such as ``BithumbAddresses/streamV1``.
    ///   - clock: measures the time-out; monotonic.
    ///   - timeout: the longest that connecting, the handshake and the greeting may take together.
    ///   - gathering: batches come no closer together than this.
    public init(
        transport: any WebSocketTransport,
        url: String,
        clock: any Clock<Duration>,
        timeout: Duration = .seconds(5),
        gathering: Duration = .milliseconds(10)
    ) {
        self.transport = transport
        self.url = url
        self.clock = clock
        self.timeout = timeout
        self.gathering = gathering
    }

    /// Connects and waits for the server to speak: the exchange greets first.
    ///
    /// What came with the greeting is not lost: the first ``MarketStream/receive()`` returns it.
    ///
    /// - Throws: ``DataSourceError``: `timedOut` when the server stays silent, `malformed` when
    ///   nothing of what it says first can be read, `cancelled` promptly.
    public func connect() async throws(DataSourceError) -> any MarketStream {
        let stopwatch = Stopwatch(clock)
        let connection: any WebSocketConnection
        do {
            connection = try await transport.open(url: url, timeout: timeout)
        } catch {
            throw DataSourceError(error, during: "opening the stream")
        }
        let stream = BithumbStream(connection: connection, gathering: gathering)
        do {
            try await stream.waitForGreeting(within: timeout - stopwatch.elapsed, clock: clock)
        } catch {
            await stream.close()
            throw error
        }
        return stream
    }
}
