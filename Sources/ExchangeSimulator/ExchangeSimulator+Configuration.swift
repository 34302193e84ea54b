public import Domain

extension ExchangeSimulator {
    /// The address, feed and bounds of a simulator.
    public struct Configuration: Sendable, Hashable {
        /// The address to listen on, `127.0.0.1`.
        public var host: String
        /// The port to listen on.
        ///
        /// 0 selects a free one, see ``ExchangeSimulator/restURL``.
        public var port: UInt16
        /// The source of data.
        public var feed: Feed
        /// Delay of the answer to a subscription; the exchange took 0.3 to 10.3 seconds.
        public var acknowledgementDelay: ClosedRange<Duration> = .milliseconds(300)...(.seconds(10))
        /// How many REST requests a client may make per second and category.
        public var requestsPerSecondMax = 150
        /// How a request beyond that is refused.
        ///
        /// The exchange's behavior was never recorded.
        public var refusal = Refusal.status429
        /// Maximum output buffered for one stream connection, in bytes.
        ///
        /// A connection that exceeds it is dropped and counted.
        public var outputBytesMax = 16 * 1_024 * 1_024
        /// How the stream of API 2.x compresses messages for clients that offer it.
        public var compression = Compression.withContext
        /// Maximum number of stream connections; further ones are refused with 503.
        public var streamConnectionsMax = 256

        /// Makes a configuration with the exchange's own limits.
        public init(host: String, port: UInt16, feed: Feed) {
            self.host = host
            self.port = port
            self.feed = feed
        }
    }

    /// The source of a simulator's data.
    public enum Feed: Sendable, Hashable {
        /// Markets generated from a seed; answers have `x-hoga-feed: simulated`.
        case simulation(Simulation)
        /// A recording; answers have `x-hoga-feed: replay`.
        case replay(Replay)
    }

    /// How a REST request beyond the limit is refused.
    public enum Refusal: String, Sendable, Hashable, CaseIterable {
        /// HTTP status 429.
        case status429 = "429"
        /// HTTP status 200 with the exchange's own status 5600 in the body.
        case status5600 = "5600"
    }

    /// How messages of the stream are compressed; whether the exchange keeps the context was never
    /// recorded.
    public enum Compression: String, Sendable, Hashable, CaseIterable {
        /// Offers are declined.
        case off
        /// Each message on its own.
        case withoutContext
        /// Each message refers to the ones before it, unless the client asks for the opposite.
        case withContext
    }

    /// A market generated from a seed.
    public struct Simulation: Sendable, Hashable {
        /// Determines every price and trade.
        public var seed: UInt64
        /// Number of `ticker` and `transaction` frames per second for the subscriptions of all
        /// connections together; a connection gets the frames of its own subscriptions.
        public var framesPerSecond: Int
        /// Number of markets quoted in won, 1 or more.
        public var wonMarkets = 480
        /// Number of markets quoted in bitcoin.
        public var bitcoinMarkets = 13
        /// Number of won markets without a trade in 24 hours.
        public var quietWonMarkets = 3
        /// Number of won markets that trade so rarely that most minutes are empty; at most a
        /// twentieth of those that trade.
        public var illiquidWonMarkets = 5
        /// Number of bitcoin markets that never trade.
        public var quietBitcoinMarkets = 1
        /// Number of additional suspended won markets: `[]` in ticker bodies.
        public var suspendedMarkets = 1
        /// Number of `orderbookdepth` frames per second of all followed books together, 1 or more.
        ///
        /// A frame has about 20 levels and 1.9 kB. Nil selects the exchange's own pace, four a
        /// second on the busiest market.
        public var bookFramesPerSecond: Int?
        /// Names of coins in `market/all`; the code is used for missing names.
        public var names = CoinNames([:])

        /// Makes a simulation of the exchange's size in 2026.
        public init(seed: UInt64, framesPerSecond: Int) {
            self.seed = seed
            self.framesPerSecond = framesPerSecond
        }
    }

    /// A recording and its playback speed.
    public struct Replay: Sendable, Hashable {
        /// A recording file (`.jsonl`), or a folder with `rest/…` and `frames.jsonl`.
        public var path: String
        /// The playback speed.
        public var speed: Speed

        /// Makes a replay.
        public init(path: String, speed: Speed) {
            self.path = path
            self.speed = speed
        }
    }

    /// The playback speed of a recording.
    public enum Speed: Sendable, Hashable {
        /// A multiple of the recorded speed; above 0, at most ``factorMax``.
        case times(Double)
        /// As fast as each client reads.
        case maximum

        /// The largest factor.
        public static let factorMax: Double = 1_000
    }
}

/// Why a simulator could not be started.
public enum ExchangeSimulatorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address is not available; the text has address and remedy.
    case cannotListen(String)
    /// The recording cannot be played; the text has file, line and remedy.
    case badRecording(String)
    /// A number of the configuration is out of range.
    case badConfiguration(String)

    /// The problem and its remedy.
    public var description: String {
        switch self {
        case .cannotListen(let text), .badRecording(let text), .badConfiguration(let text): text
        }
    }
}
