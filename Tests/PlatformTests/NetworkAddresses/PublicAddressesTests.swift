import NetworkAddresses
import TestSupport
import Testing

@Suite("Public addresses")
struct PublicAddressesTests {
    @Test(
        "the edges of a special range are not public, and its neighbors are",
        arguments: [
            ("0.0.0.0", "0.255.255.255", nil, "1.0.0.0"),
            ("10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
            ("100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"),
            ("127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"),
            ("169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"),
            ("172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"),
            ("192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"),
            ("192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"),
            ("192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"),
            ("192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"),
            ("198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"),
            ("198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"),
            ("203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"),
            ("224.0.0.0", "255.255.255.255", "223.255.255.255", nil),
            ("::", "64:ff9b::", nil, "64:ff9b::100:0"),
            ("64:ff9b::ffff:ffff", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", nil, "2000::"),
            ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff::", "2001:200::"),
            ("2001:db8::", "2001:db8:ffff::ffff", "2001:db7:ffff::", "2001:db9::"),
            ("2002::", "2002:ffff::ffff", "2001:ffff::", "2003::"),
            ("3fff::", "3fff:fff:ffff::ffff", "3ffe:ffff::", "3fff:1000::"),
            ("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff::", nil),
        ] as [(String, String, String?, String?)]
    )
    func edges(first: String, last: String, before: String?, after: String?) throws {
        for text in [first, last] {
            #expect(!PublicAddresses.contains(try #require(NetworkAddress(text))), "\(text)")
        }
        for text in [before, after].compactMap(\.self) {
            #expect(PublicAddresses.contains(try #require(NetworkAddress(text))), "\(text)")
        }
    }

    @Test(
        "well-known addresses",
        arguments: [
            ("127.0.0.1", false), ("0.0.0.0", false), ("169.254.169.254", false),
            ("255.255.255.255", false), ("::", false), ("::1", false), ("fe80::1", false),
            ("fc00::1", false), ("fd12:3456::1", false), ("fec0::1", false), ("ff02::1", false),
            ("100::1", false), ("64:ff9b:1::1", false), ("2001:0:1:2::3", false),
            ("2002:7f00:1::", false), ("::127.0.0.1", false), ("::8.8.8.8", false),
            ("8.8.8.8", true), ("1.1.1.1", true), ("2606:4700:4700::1111", true),
            ("2a00:1450:4001::1", true),
        ]
    )
    func known(text: String, isPublic: Bool) throws {
        #expect(PublicAddresses.contains(try #require(NetworkAddress(text))) == isPublic)
    }

    @Test("an IPv4 address that is mapped or translated is as public as by itself")
    func embedded() throws {
        var random = SeededGenerator(seed: 93)
        let known: [UInt32] = [0x7f00_0001, 0x0a00_0001, 0xa9fe_a9fe, 0, .max, 0x0808_0808]
        let others = (0..<2_000).map { _ in UInt32.random(in: 0 ... .max, using: &random) }
        for bits in known + others {
            let plain = NetworkAddress(ipv6: 0xffff << 32 | UInt128(bits))
            let translated = NetworkAddress(ipv6: 0x64_ff9b << 96 | UInt128(bits))
            #expect(plain.isIPv4 && !translated.isIPv4)
            #expect(PublicAddresses.contains(plain) == PublicAddresses.contains(translated))
        }
    }
}
