/// A simulator's counts and markets, for comparison with a client's.
///
/// While ``isAtRest`` is true nothing changes, so both sides can be compared without a race.
public struct SimulatorReport: Sendable, Hashable, Codable {
    /// One market.
    public struct Market: Sendable, Hashable, Codable {
        /// `BTC_KRW`.
        public var market: String
        /// The price of its last trade, in canonical form.
        public var price: String
        /// When it was last traded, in Unix microseconds; nil if not since the start.
        public var lastTradeAt: Int64?
        /// Number of trades since the start.
        public var trades: Int
        /// The opening price of each period (`30M`, `1H`, `12H`, `24H`, `MID`) in the frames of its
        /// last trade; without a trade the current one.
        public var openPrices: [String: String]
        /// The last price of the Seoul day before, in canonical form.
        public var previousClose: String
        /// Whether it is suspended: `[]` in ticker bodies.
        public var isSuspended: Bool
    }

    /// One stream connection, open or closed.
    public struct Connection: Sendable, Hashable, Codable {
        /// The number of the connection, 1 for the first since the start.
        public var number: Int
        /// The version of the API whose stream it is.
        public var api: APIVersion
        /// Number of data frames sent, including broken ones.
        public var frames: Int
        /// Number of deliberately broken frames among them.
        public var brokenFrames: Int
        /// Number of greetings, answers to subscriptions and errors sent.
        public var otherMessages: Int
        /// Number of bytes in the output buffer.
        public var waitingBytes: Int
        /// Whether it is open.
        public var isOpen: Bool
        /// Whether it was dropped because its client read too slowly.
        public var wasTooSlow: Bool
    }

    /// `simulated` or `replay`.
    public var feed: String
    /// Market time in Unix microseconds; nil for a recording.
    public var marketTime: Int64?
    /// Whether emission is paused.
    public var isPaused: Bool
    /// Whether emission is paused and all emitted frames have been written.
    public var isAtRest: Bool
    /// Number of data frames sent on all connections.
    public var frames: Int
    /// Number of REST answers, but for those that a fault or a limit withheld.
    public var answers: Int
    /// Number of connections dropped because their clients read too slowly.
    public var slowConnections: Int
    /// Number of unreadable lines of a recording.
    public var skippedLines: Int
    /// The open connections and the last hundred closed ones.
    public var connections: [Connection]
    /// The markets in order of listing; empty for a replay.
    public var markets: [Market]
}
