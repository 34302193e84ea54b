/// What a simulator has sent and where its markets stand, for comparison with what clients have.
///
/// While ``isAtRest`` is true nothing changes, so both sides can be compared at leisure.
public struct SimulatorReport: Sendable, Hashable, Codable {
    /// One market.
    public struct Market: Sendable, Hashable, Codable {
        /// `BTC_KRW`.
        public var market: String
        /// The price of its last trade, in canonical form.
        public var price: String
        /// When it was last traded, in Unix microseconds; nil if not since the start.
        public var lastTradeAt: Int64?
        /// How many trades it had since the start.
        public var trades: Int
        /// The opening price of each period (`30M`, `1H`, `12H`, `24H`, `MID`), as the frames of
        /// its last trade said; without a trade as it is now.
        public var openPrices: [String: String]
        /// Whether it is suspended: `[]` in ticker bodies.
        public var isSuspended: Bool
    }

    /// One stream connection, open or not.
    public struct Connection: Sendable, Hashable, Codable {
        /// The number of the connection, 1 for the first since the start.
        public var number: Int
        /// How many data frames were sent on it, broken ones included.
        public var frames: Int
        /// How many of them were broken on purpose.
        public var brokenFrames: Int
        /// How many greetings, answers to subscriptions and errors were sent on it.
        public var otherMessages: Int
        /// How many bytes still wait to be sent.
        public var waitingBytes: Int
        /// Whether it is open.
        public var isOpen: Bool
        /// Whether it was dropped because its client read too slowly.
        public var wasTooSlow: Bool
    }

    /// `simulated` or `replay`.
    public var feed: String
    /// How far the simulated market has come on its own clock, in Unix microseconds; nil for a
    /// recording.
    public var marketTime: Int64?
    /// Whether emission is paused.
    public var isPaused: Bool
    /// Whether emission is paused and everything that was emitted has been written.
    public var isAtRest: Bool
    /// How many data frames were sent on all connections together.
    public var frames: Int
    /// How many connections were dropped because their clients read too slowly.
    public var slowConnections: Int
    /// How many lines of a recording were skipped because they are not readable.
    public var skippedLines: Int
    /// The connections: those that are open and the last hundred that were.
    public var connections: [Connection]
    /// The markets in the order of listing; none for a replay.
    public var markets: [Market]
}
