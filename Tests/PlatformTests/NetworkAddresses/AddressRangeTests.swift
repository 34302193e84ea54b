import NetworkAddresses
import TestSupport
import Testing

@Suite("Address ranges")
struct AddressRangeTests {
    @Test(
        "a range is an address with an optional prefix length",
        arguments: [
            ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0"]),
            ("10.1.2.3/8", ["10.9.9.9"], ["11.1.2.3"]),
            ("127.0.0.1", ["127.0.0.1"], ["127.0.0.2", "::1"]),
            ("0.0.0.0/0", ["255.255.255.255", "0.0.0.0"], ["::", "2001:db8::1"]),
            ("192.168.4.0/23", ["192.168.4.0", "192.168.5.255"], ["192.168.6.0"]),
            ("::1", ["::1"], ["::2", "0.0.0.1"]),
            ("::/0", ["ffff::"], ["1.2.3.4", "::ffff:1.2.3.4"]),
            ("2001:db8::/33", ["2001:db8:7fff::1"], ["2001:db8:8000::"]),
            ("::ffff:10.0.0.0/8", ["10.4.4.4"], ["11.0.0.0"]),
        ]
    )
    func members(text: String, inside: [String], outside: [String]) throws {
        let range = try #require(AddressRange(text))
        for address in inside {
            #expect(range.contains(try #require(NetworkAddress(address))), "\(address)")
        }
        for address in outside {
            #expect(!range.contains(try #require(NetworkAddress(address))), "\(address)")
        }
    }

    @Test("a range contains exactly the addresses with its prefix")
    func prefixes() throws {
        var random = SeededGenerator(seed: 31)
        for _ in 0..<500 {
            let bits = UInt32.random(in: .min ... .max, using: &random)
            let length = Int.random(in: 0...32, using: &random)
            let range = try #require(AddressRange("\(Self.address(bits))/\(length)"))
            #expect(range.contains(Self.address(bits)))
            for bit in 0..<32 {
                let other = bits ^ (0x8000_0000 >> UInt32(bit))
                #expect(range.contains(Self.address(other)) == (bit >= length))
            }
        }
    }

    @Test(
        "other texts are invalid",
        arguments: [
            "", "/", "10", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/129",
            "10.0.0.0/8/8", " 10.0.0.0", "10.0.0.256", "localhost", "10.0.0.0/8 ",
        ]
    )
    func refused(text: String) {
        #expect(AddressRange(text) == nil)
    }

    private static func address(_ bits: UInt32) -> NetworkAddress {
        NetworkAddress(
            UInt8(bits >> 24),
            UInt8(bits >> 16 & 0xff),
            UInt8(bits >> 8 & 0xff),
            UInt8(bits & 0xff)
        )
    }
}
