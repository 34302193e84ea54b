/// A range of addresses with a common prefix, `10.0.0.0/8`, or a single address.
public struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    private let isIPv4: Bool
    /// The common bits; the others are zero.
    private let network: UInt128
    private let mask: UInt128
    /// The range as it was written.
    public let description: String

    /// Parses a range; nil for an invalid text.
    ///
    /// Bits behind the prefix are ignored: `10.1.2.3/8` is `10.0.0.0/8`.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = NetworkAddress(parts[0]) else {
            return nil
        }
        let width = address.isIPv4 ? 32 : 128
        var length = width
        if parts.count == 2 {
            guard let number = Int(parts[1]), (0...width).contains(number), parts[1].first != "+"
            else { return nil }
            length = number
        }
        let all = UInt128.max >> UInt128(128 - width)
        mask = length == 0 ? 0 : all & (all << UInt128(width - length))
        isIPv4 = address.isIPv4
        network = address.bits & mask
        description = text
    }

    /// Whether the range contains an address.
    public func contains(_ address: NetworkAddress) -> Bool {
        address.isIPv4 == isIPv4 && address.bits & mask == network
    }
}
