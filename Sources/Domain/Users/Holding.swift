/// A user's holding of a coin.
public struct Holding: Sendable, Hashable {
    /// The most holdings of a user.
    ///
    /// One more is refused.
    public static let holdingsMax = 1_000

    /// The coin.
    public var asset: Asset
    /// The quantity, above zero.
    public var quantity: FixedDecimal
    /// 매수평균가: the average price paid, in won; nil if unknown.
    public var averagePrice: FixedDecimal?

    /// Makes a holding.
    public init(asset: Asset, quantity: FixedDecimal, averagePrice: FixedDecimal?) {
        self.asset = asset
        self.quantity = quantity
        self.averagePrice = averagePrice
    }
}
