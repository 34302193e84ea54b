import NetworkAddresses
import Testing

@Suite("Network addresses")
struct NetworkAddressTests {
    @Test("an IPv4-mapped address equals the IPv4 address")
    func mapped() {
        let mapped = NetworkAddress(ipv6: 0xffff_c000_0207)
        #expect(mapped == NetworkAddress(192, 0, 2, 7))
        #expect(mapped.isIPv4 && mapped.description == "192.0.2.7")
    }

    @Test(
        "addresses are formatted in full",
        arguments: [
            (NetworkAddress(127, 0, 0, 1), "127.0.0.1"),
            (NetworkAddress(255, 255, 255, 255), "255.255.255.255"),
            (NetworkAddress(ipv6: 1), "0:0:0:0:0:0:0:1"),
            (
                NetworkAddress(ipv6: 0x2001_0db8_0000_0000_0000_0000_0000_ff00),
                "2001:db8:0:0:0:0:0:ff00"
            ),
        ]
    )
    func description(address: NetworkAddress, text: String) {
        #expect(address.description == text)
    }

    @Test("IPv6 loopback is not an IPv4 address")
    func families() {
        #expect(!NetworkAddress(ipv6: 1).isIPv4)
        #expect(NetworkAddress(ipv6: 1) != NetworkAddress(0, 0, 0, 1))
    }
}
