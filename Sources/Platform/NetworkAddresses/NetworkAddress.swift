package import Glibc

/// The IP address of a peer; limits per client count its ``network``.
///
/// An IPv4-mapped IPv6 address (`::ffff:1.2.3.4`) equals the IPv4 address.
public struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
    /// Whether it is an IPv4 address.
    public let isIPv4: Bool
    /// The address as a number: the first byte of `127.0.0.1` is the highest of 32 bits.
    public let bits: UInt128

    /// Makes an IPv4 address from its four bytes.
    public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
        self.init(ipv4: UInt32(a) << 24 | UInt32(b) << 16 | UInt32(c) << 8 | UInt32(d))
    }

    private init(ipv4 bits: UInt32) {
        isIPv4 = true
        self.bits = UInt128(bits)
    }

    /// Makes an IPv6 address from its 128 bits.
    public init(ipv6 bits: UInt128) {
        let isMapped = bits >> 32 == 0xffff
        isIPv4 = isMapped
        self.bits = isMapped ? bits & 0xffff_ffff : bits
    }

    /// Reads a socket address; `0.0.0.0` for families other than IPv4 and IPv6.
    package init(_ address: UnsafePointer<sockaddr>?) {
        // The family determines the structure behind the pointer.
        guard let address = unsafe address else {
            self.init(0, 0, 0, 0)
            return
        }
        let raw = unsafe UnsafeRawPointer(address)
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET:
            let value = unsafe raw.loadUnaligned(as: sockaddr_in.self)
            self.init(ipv4: UInt32(bigEndian: value.sin_addr.s_addr))
        case AF_INET6:
            let value = unsafe raw.loadUnaligned(as: sockaddr_in6.self)
            let words = unsafe value.sin6_addr.__in6_u.__u6_addr32
            let all = [words.0, words.1, words.2, words.3]
            self.init(ipv6: all.reduce(0) { $0 << 32 | UInt128(UInt32(bigEndian: $1)) })
        default:
            self.init(0, 0, 0, 0)
        }
    }

    /// Whether the address is of this machine only: 127.0.0.0/8, or ::1.
    public var isLoopback: Bool { isIPv4 ? bits >> 24 == 127 : bits == 1 }

    /// The network that counts as one client: a single IPv4 address, or an IPv6 /56 prefix, which
    /// providers assign to one site (RFC 6177).
    public var network: NetworkAddress {
        isIPv4 ? self : NetworkAddress(ipv6: (bits >> Self.hostBits) << Self.hostBits)
    }

    /// The bits of an IPv6 address behind its /56 prefix.
    private static let hostBits = 72

    /// `127.0.0.1`, or eight groups in hexadecimal.
    public var description: String {
        let group = isIPv4 ? 8 : 16
        return stride(from: (isIPv4 ? 32 : 128) - group, through: 0, by: -group)
            .map { shift in
                let part = UInt32(truncatingIfNeeded: bits >> UInt128(shift))
                return isIPv4 ? String(part & 0xff) : String(part & 0xffff, radix: 16)
            }
            .joined(separator: isIPv4 ? "." : ":")
    }
}

extension NetworkAddress {
    /// Parses an address: `127.0.0.1`, `2001:db8::1`, `::ffff:1.2.3.4`; nil for anything else.
    ///
    /// Ports, zones and brackets are invalid, and so are leading zeros in IPv4, which some parsers
    /// read as octal. Source: RFC 4291, 2.2.
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

    /// The longest text: six groups and an IPv4 address.
    private static let textLengthMax = 45

    private static func ipv6Bits(_ text: some StringProtocol) -> UInt128? {
        guard text.utf8.count <= textLengthMax, text.contains(":") else { return nil }
        let text = String(text)
        guard let gap = text.firstRange(of: "::") else {
            guard let groups = groups(text[...]), groups.count == 8 else { return nil }
            return bits(groups)
        }
        // A second `::` leaves an empty group, which is invalid.
        guard let left = groups(text[..<gap.lowerBound]),
            let right = groups(text[gap.upperBound...]), left.count + right.count < 8
        else { return nil }
        let zeros = [UInt16](repeating: 0, count: 8 - left.count - right.count)
        return bits(left + zeros + right)
    }

    /// The 16-bit groups on one side of `::`; the last may be an IPv4 address.
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
