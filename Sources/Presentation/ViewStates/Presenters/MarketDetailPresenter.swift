public import Domain

/// Turns a board and a query into one market's detail as screen and JSON show it.
public struct MarketDetailPresenter: Sendable {
    /// The names of coins.
    public let names: CoinNames

    /// Makes a presenter.
    public init(names: CoinNames) {
        self.names = names
    }
}
