import Domain

/// The possible prices of a market, as multiples of the smallest step of its quote currency.
///
/// A won price counts 0.0001 won, a bitcoin price 0.00000001 bitcoin, so every price of the tick
/// table is an exact integer.
struct PriceGrid: Sendable {
    /// Number of fraction digits of a price unit: 4 for won, 8 for bitcoin.
    let fractionDigits: Int
    private let bands: [Band]

    private struct Band: Sendable {
        let from: Int64
        let step: Int64
    }

    static let krw = PriceGrid(table: TickTable.krw)
    static let btc = PriceGrid(table: TickTable.btc)

    static func of(_ quote: Quote) -> PriceGrid {
        switch quote {
        case .krw: krw
        case .btc: btc
        }
    }

    private init(table: [TickTable.Band]) {
        let digits = table.map(\.step.significantFractionDigits).max() ?? 0
        fractionDigits = digits
        var divisor: Int128 = FixedDecimal.unitsPerOne
        for _ in 0..<digits { divisor /= 10 }
        bands = table.map { band in
            Band(from: Int64(band.from.units / divisor), step: Int64(band.step.units / divisor))
        }
    }

    /// The smallest price above zero.
    var lowest: Int64 { bands[0].step }

    /// The distance to the next higher price.
    func step(at price: Int64) -> Int64 {
        var (low, high) = (0, bands.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if bands[middle].from <= price { low = middle } else { high = middle }
        }
        return bands[low].step
    }

    /// The next higher price.
    func above(_ price: Int64) -> Int64 {
        price + step(at: price)
    }

    /// The next lower price, or the lowest one.
    func below(_ price: Int64) -> Int64 {
        // At the start of a band the step of the band below applies.
        max(lowest, price - step(at: price - 1))
    }

    /// The highest price of the grid not above `value`, at least the lowest one.
    func price(atMost value: Int64) -> Int64 {
        let step = step(at: value)
        return max(lowest, value / step * step)
    }

    /// Whether a value is on the grid.
    func contains(_ value: Int64) -> Bool {
        value > 0 && value % step(at: value) == 0
    }

    /// The exact decimal value of a price.
    func decimal(_ price: Int64) -> FixedDecimal {
        var factor: Int128 = FixedDecimal.unitsPerOne
        for _ in 0..<fractionDigits { factor /= 10 }
        return FixedDecimal(units: Int128(price) * factor)
    }
}
