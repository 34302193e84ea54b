/// A number of the wire without loss: `mantissa` × 10^−`scale`.
///
/// `"-1.40"` is −140 with scale 2; `1.4E-7` is 14 with scale 8; `.9159` is 9159 with scale 4. The
/// mantissa holds 38 digits. A longer number is a decoding failure of its entry, never a rounded
/// value.
public struct WireDecimal: Sendable, Hashable {
    /// All digits as one integer, signed.
    public var mantissa: Int128
    /// The number of fraction digits; negative for trailing zeros (`1e3` is 1 with scale −3).
    public var scale: Int

    /// Makes a number.
    public init(mantissa: Int128, scale: Int) {
        self.mantissa = mantissa
        self.scale = scale
    }
}
