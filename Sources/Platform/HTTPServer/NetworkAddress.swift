internal import CHTTPParser
internal import Glibc

/// The address of a peer without its port; limits per client are counted by its ``network``.
///
/// An IPv4 address that came in over IPv6 (`::ffff:1.2.3.4`) is the IPv4 address.
public struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
    /// Whether it is an IPv4 address.
    public let isIPv4: Bool
    /// The address in network order, the first byte of `127.0.0.1` uppermost of 32 bits.
    public let bits: UInt128

    /// Makes an IPv4 address: 127, 0, 0, 1.
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
    init(_ address: UnsafePointer<sockaddr>?) {
        // The family says which structure the library's pointer points to.
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

    /// What is one client's: of IPv6 the network of 64 bits that one household has.
    public var network: NetworkAddress {
        isIPv4 ? self : NetworkAddress(ipv6: (bits >> 64) << 64)
    }

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
