/// How much of a coin a user holds.
public struct Holding: Sendable, Hashable {
    /// How many coins a user may hold; one more is refused.
    public static let holdingsMax = 1_000

    /// The coin.
    public var asset: Asset
    /// The quantity; above zero.
    public var quantity: FixedDecimal
    /// 매수평균가: the average price paid, in won; nil if the user does not know it.
    public var averagePrice: FixedDecimal?

    /// Makes a holding.
    public init(asset: Asset, quantity: FixedDecimal, averagePrice: FixedDecimal?) {
        self.asset = asset
        self.quantity = quantity
        self.averagePrice = averagePrice
    }
}
