/// Opens streams of live market data.
public protocol MarketStreamSource: Sendable {
    /// Connects and waits for the server's greeting, if it sends one; nothing is subscribed yet.
    ///
    /// - Throws: ``DataSourceError``; `cancelled` promptly when the task is cancelled.
    func connect() async throws(DataSourceError) -> any MarketStream
}

/// One live connection.
///
/// At most one task calls ``receive()`` at a time.
public protocol MarketStream: Sendable {
    /// The API of the server.
    ///
    /// One of 1.x acknowledges each subscription with a status, some time later; one of 2.x does
    /// not.
    var generation: APIGeneration { get }

    /// Subscribes a full list; sending a type again replaces its list.
    ///
    /// In API 2.x a call replaces all lists of the calls before.
    func subscribe(_ subscriptions: [StreamSubscriptionDTO]) async throws(DataSourceError)

    /// Waits for messages and returns all that arrived together, decoded, in order.
    ///
    /// - Throws: ``DataSourceError``: `ended` at the end of a recording, `disconnected` when the
    ///   connection was lost.
    func receive() async throws(DataSourceError) -> StreamBatchDTO

    /// Frees the connection; idempotent.
    func close() async
}

/// One subscription request, in the words of API 1.x.
///
/// A stream of API 2.x writes `trade` for `transaction`, `orderbook` for `orderbooksnapshot`, and
/// `KRW-BTC` for `BTC_KRW`. It has no changes of order books and no tick types.
public struct StreamSubscriptionDTO: Sendable, Hashable {
    /// `ticker`, `transaction`, `orderbookdepth` or `orderbooksnapshot`.
    public var type: String
    /// `BTC_KRW`, …: the full list.
    public var symbols: [String]
    /// For `ticker`: of `30M`, `1H`, `12H`, `24H`, `MID`; else empty.
    public var tickTypes: [String]

    /// Makes a subscription.
    public init(type: String, symbols: [String], tickTypes: [String] = []) {
        self.type = type
        self.symbols = symbols
        self.tickTypes = tickTypes
    }
}

/// Messages that arrived together.
public struct StreamBatchDTO: Sendable {
    /// The messages in order; an unreadable frame is `skipped`.
    public var messages: [StreamMessageDTO]
    /// The number of WebSocket messages that held them.
    public var frameCount: Int

    /// Makes a batch.
    public init(messages: [StreamMessageDTO], frameCount: Int) {
        self.messages = messages
        self.frameCount = frameCount
    }
}
