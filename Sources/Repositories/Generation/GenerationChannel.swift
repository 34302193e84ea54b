/// A part of an API generation that the exchange may end alone.
public enum GenerationChannel: Sendable, Hashable, CaseIterable {
    /// Listings, trades and candles over REST.
    case rest
    /// The stream.
    case stream
    /// Order books over REST.
    case books
}
