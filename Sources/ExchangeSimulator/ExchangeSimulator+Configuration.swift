public import Domain

extension ExchangeSimulator {
    /// Where a simulator listens, what it plays and what it bounds.
    public struct Configuration: Sendable, Hashable {
        /// The address to listen on, `127.0.0.1`.
        public var host: String
        /// The port to listen on; 0 takes any free one, told by ``ExchangeSimulator/restURL``.
        public var port: UInt16
        /// What it plays.
        public var feed: Feed
        /// How long the answer to a subscription may take; the exchange took 0.3 to 10.3 seconds.
        public var acknowledgementDelay: ClosedRange<Duration> = .milliseconds(300)...(.seconds(10))
        /// How many REST requests a client may make in a second and in each category.
        public var requestsPerSecondMax = 150
        /// How a request beyond that is refused: nobody has recorded what the exchange does.
        public var refusal = Refusal.status429
        /// The most stream output that waits for one connection, in bytes; a connection whose
        /// client reads too slowly for it is dropped and counted.
        public var outputBytesMax = 16 * 1_024 * 1_024
        /// The most stream connections at one time; further ones are refused with 503.
        public var streamConnectionsMax = 256

        /// Makes a configuration with the exchange's own limits.
        public init(host: String, port: UInt16, feed: Feed) {
            self.host = host
            self.port = port
            self.feed = feed
        }
    }

    /// What a simulator plays.
    public enum Feed: Sendable, Hashable {
        /// Markets made up from a seed; replies carry `x-hoga-feed: simulated`.
        case simulation(Simulation)
        /// A recording; replies carry `x-hoga-feed: replay`.
        case replay(Replay)
    }

    /// How a REST request beyond the limit is refused.
    public enum Refusal: String, Sendable, Hashable, CaseIterable {
        /// HTTP status 429.
        case status429 = "429"
        /// HTTP status 200 with the exchange's own status 5600 in the body.
        case status5600 = "5600"
    }

    /// A market made up from a seed.
    public struct Simulation: Sendable, Hashable {
        /// What decides every price and trade.
        public var seed: UInt64
        /// How many `ticker` and `transaction` frames a connection gets in a second if it has
        /// subscribed to all of them that anybody subscribes to.
        public var framesPerSecond: Int
        /// How many markets are quoted in won, 1 or more.
        public var wonMarkets = 480
        /// How many markets are quoted in bitcoin.
        public var bitcoinMarkets = 13
        /// How many of the won markets are never traded: coins without a trade in 24 hours.
        public var quietWonMarkets = 3
        /// How many of the won markets trade so rarely that most of their minutes are empty; at
        /// most a twentieth of those that trade.
        public var illiquidWonMarkets = 5
        /// How many of the bitcoin markets are never traded.
        public var quietBitcoinMarkets = 1
        /// How many further coins are listed in won and suspended: `[]` in ticker bodies.
        public var suspendedMarkets = 1
        /// How many `orderbookdepth` frames of about 20 levels and 1.9 kB all followed books make
        /// in a second together, 1 or more; nil for the exchange's own pace, four a second on the
        /// busiest market.
        public var bookFramesPerSecond: Int?
        /// What coins are called in `market/all`; one that is not named here is called by its code.
        public var names = CoinNames([:])

        /// Makes a simulation of the exchange's size in 2026.
        public init(seed: UInt64, framesPerSecond: Int) {
            self.seed = seed
            self.framesPerSecond = framesPerSecond
        }
    }

    /// A recording and how fast it is played.
    public struct Replay: Sendable, Hashable {
        /// A recording file (`.jsonl`), or a folder with `rest/…` and `frames.jsonl`.
        public var path: String
        /// How fast it is played.
        public var speed: Speed

        /// Makes a replay.
        public init(path: String, speed: Speed) {
            self.path = path
            self.speed = speed
        }
    }

    /// How fast a recording is played.
    public enum Speed: Sendable, Hashable {
        /// So many times as fast as it was recorded; above 0, at most ``factorMax``.
        case times(Double)
        /// As fast as each client reads.
        case maximum

        /// The largest factor.
        public static let factorMax: Double = 1_000
    }
}

/// Why a simulator could not be started.
public enum ExchangeSimulatorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// It cannot listen there, or the system refused; the text names address and remedy.
    case cannotListen(String)
    /// The recording cannot be played; the text names file, line and remedy.
    case badRecording(String)
    /// A figure of the configuration is out of its range.
    case badConfiguration(String)

    /// What failed and what to do.
    public var description: String {
        switch self {
        case .cannotListen(let text), .badRecording(let text), .badConfiguration(let text): text
        }
    }
}
