/// A server that speaks as the exchange does: a feature of the program and the bench of its tests.
public final class ExchangeSimulator: Sendable {
}
extension ExchangeSimulator {
    /// A market made up from a seed.
    public struct Simulation: Sendable, Hashable {
        /// How many markets are quoted in won, 1 or more.
        public var wonMarkets: Int
        /// How many markets are quoted in bitcoin.
        public var bitcoinMarkets: Int
        /// How many of the won markets are never traded: coins without a trade in 24 hours.
        public var quietWonMarkets: Int
        /// How many of the bitcoin markets are never traded.
        public var quietBitcoinMarkets: Int
        /// How many further coins are listed in won and suspended: `[]` in ticker bodies.
        public var suspendedMarkets: Int
        /// How many stream frames a connection gets in a second if it subscribes everything.
        public var framesPerSecond: Int
        /// What decides every price and trade.
        public var seed: UInt64

        /// Makes a simulation of the exchange's size in 2026.
        public init(
            seed: UInt64,
            framesPerSecond: Int,
            wonMarkets: Int = 480,
            bitcoinMarkets: Int = 13,
            quietWonMarkets: Int = 3,
            quietBitcoinMarkets: Int = 1,
            suspendedMarkets: Int = 1
        ) {
            self.seed = seed
            self.framesPerSecond = framesPerSecond
            self.wonMarkets = wonMarkets
            self.bitcoinMarkets = bitcoinMarkets
            self.quietWonMarkets = quietWonMarkets
            self.quietBitcoinMarkets = quietBitcoinMarkets
            self.suspendedMarkets = suspendedMarkets
        }
    }
}
