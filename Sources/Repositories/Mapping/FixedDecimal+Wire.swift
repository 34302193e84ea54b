import DataSourceContracts
import Domain

extension FixedDecimal {
    /// The value of a wire number; digits beyond the eighteenth are rounded half-even.
    ///
    /// - Throws: `overflow` when the number is out of range.
    init(_ wire: WireDecimal) throws(FixedDecimalError) {
        try self.init(mantissa: wire.mantissa, scale: wire.scale)
    }
}
