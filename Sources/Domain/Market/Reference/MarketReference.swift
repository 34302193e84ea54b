/// What a board knows of markets and coins beside their prices.
public struct MarketReference: Sendable {
    /// The names of coins; nil until somebody told them.
    public internal(set) var names: CoinNames?
    /// The exchange's warnings; nil until they were read.
    public internal(set) var marks: MarketWarnings?
    /// Deposits and withdrawals.
    public internal(set) var assets = AssetStates()

    /// Nothing is known.
    public init() {}
}
