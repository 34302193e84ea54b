extension NetworkAddress {
    /// Reads an address: `127.0.0.1`, `2001:db8::1`, `::ffff:1.2.3.4`; nil for anything else.
    ///
    /// Neither a port nor a zone nor brackets are part of an address. Source: RFC 4291, 2.2;
    /// numbers of IPv4 have no leading zeros, because some read those as octal.
    public init?(_ text: some StringProtocol) {
        if let bits = Self.ipv4Bits(text) {
            self.init(ipv6: 0xffff << 32 | UInt128(bits))
        } else if let bits = Self.ipv6Bits(text) {
            self.init(ipv6: bits)
        } else {
            return nil
        }
    }

    private static func ipv4Bits(_ text: some StringProtocol) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy(isDigit),
                part.utf8.count == 1 || part.first != "0", let byte = UInt8(part)
            else { return nil }
            bits = bits << 8 | UInt32(byte)
        }
        return bits
    }

    /// The longest text: eight groups, the last two written as IPv4.
    private static let textLengthMax = 45

    private static func ipv6Bits(_ text: some StringProtocol) -> UInt128? {
        guard text.utf8.count <= textLengthMax, text.contains(":") else { return nil }
        let text = String(text)
        guard let gap = text.firstRange(of: "::") else {
            guard let groups = groups(text[...]), groups.count == 8 else { return nil }
            return bits(groups)
        }
        // A second gap leaves a part that begins with a colon, or an empty group.
        guard let left = groups(text[..<gap.lowerBound]),
            let right = groups(text[gap.upperBound...]), left.count + right.count < 8
        else { return nil }
        let zeros = [UInt16](repeating: 0, count: 8 - left.count - right.count)
        return bits(left + zeros + right)
    }

    /// The groups of 16 bits on one side of the gap; the last may be an IPv4 address.
    private static func groups(_ text: Substring) -> [UInt16]? {
        if text.isEmpty { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, let bits = ipv4Bits(part) {
                groups += [UInt16(bits >> 16), UInt16(bits & 0xffff)]
                continue
            }
            guard (1...4).contains(part.utf8.count), let group = UInt16(part, radix: 16),
                part.first != "+"
            else { return nil }
            groups.append(group)
        }
        return groups
    }

    private static func bits(_ groups: [UInt16]) -> UInt128 {
        groups.reduce(0) { $0 << 16 | UInt128($1) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
