/// Price steps by price band.
///
/// Data, not code: the table in the command-line kit that the exchange publishes (0.8.5, seen
/// 2026-11). A finer step shown by a market's order book takes precedence.
public enum TickTable: Sendable {
    /// A price band and its step.
    public struct Band: Sendable, Hashable {
        /// The lowest price of the band, in the quote currency.
        public let from: FixedDecimal
        /// Prices in the band are multiples of this.
        public let step: FixedDecimal

        /// Makes a band.
        public init(from: FixedDecimal, step: FixedDecimal) {
            self.from = from
            self.step = step
        }
    }

    /// Bands of won markets, ascending.
    public static let krw: [Band] = [
        Band(from: .zero, step: FixedDecimal(units: FixedDecimal.unitsPerOne / 10_000)),
        Band(from: FixedDecimal(1), step: FixedDecimal(units: FixedDecimal.unitsPerOne / 1_000)),
        Band(from: FixedDecimal(10), step: FixedDecimal(units: FixedDecimal.unitsPerOne / 100)),
        Band(from: FixedDecimal(100), step: FixedDecimal(1)),
        Band(from: FixedDecimal(5_000), step: FixedDecimal(5)),
        Band(from: FixedDecimal(10_000), step: FixedDecimal(10)),
        Band(from: FixedDecimal(50_000), step: FixedDecimal(50)),
        Band(from: FixedDecimal(100_000), step: FixedDecimal(100)),
        Band(from: FixedDecimal(500_000), step: FixedDecimal(500)),
        Band(from: FixedDecimal(1_000_000), step: FixedDecimal(1_000)),
    ]

    /// The one band of bitcoin markets.
    public static let btc: [Band] = [
        Band(
            from: .zero,
            step: FixedDecimal(units: FixedDecimal.unitsPerOne / 100_000_000)
        )
    ]

    /// The step at a price; negative prices count as zero.
    public static func step(for price: FixedDecimal, quote: Quote) -> FixedDecimal {
        let bands = quote == .krw ? krw : btc
        return (bands.last { $0.from <= price } ?? bands[0]).step
    }
}
