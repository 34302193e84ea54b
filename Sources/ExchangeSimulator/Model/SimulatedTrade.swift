import Domain

/// One trade of one market.
struct SimulatedTrade: Sendable, Equatable {
    /// In units of the market's ladder.
    var price: Int64
    /// In units of 10⁻⁸ coins, above zero.
    var quantity: Int64
    /// Whether the taker bought.
    var isBuy: Bool
    /// Whether the price is above that of the trade before.
    var isUp: Bool
    var at: Timestamp

    /// How many fraction digits a quantity has.
    static let quantityDigits = 8
    /// How many fraction digits a sum of quantities has: histories hold finer dust.
    static let volumeDigits = 10

    /// The quantity in volume units.
    var volume: Int128 { Int128(quantity) * 100 }
}
