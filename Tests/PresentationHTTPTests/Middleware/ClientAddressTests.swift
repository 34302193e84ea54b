import HTTPServer
import NetworkAddresses
import Testing

@testable import PresentationHTTP

@Suite("Client address")
struct ClientAddressTests {
    private static let proxies = ["10.0.0.0/8", "::1"].compactMap { AddressRange($0) }

    @Test(
        "only entries of trusted proxies count",
        arguments: [
            // Without a trusted proxy the client wrote the header itself.
            ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
            ("10.0.0.1", nil, "10.0.0.1"),
            ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
            ("10.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"),
            ("10.0.0.1", "198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
            ("10.0.0.1", "198.51.100.1,203.0.113.9 ,\t10.0.0.2", "203.0.113.9"),
            ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
            ("::1", "2001:db8::7", "2001:db8::7"),
            ("::1", "[2001:db8::7]:4711", "2001:db8::7"),
            ("10.0.0.1", "203.0.113.9:4711", "203.0.113.9"),
            // An invalid entry ends the search at the proxy that wrote it.
            ("10.0.0.1", "unknown", "10.0.0.1"),
            ("10.0.0.1", "203.0.113.9, _hidden, 10.0.0.2", "10.0.0.2"),
            ("10.0.0.1", "", "10.0.0.1"),
            ("10.0.0.1", "203.0.113.9,", "10.0.0.1"),
            ("10.0.0.1", "[::1", "10.0.0.1"),
        ] as [(String, String?, String)]
    )
    func clients(peer: String, header: String?, expected: String) throws {
        let clients = ClientAddress(trustedProxies: Self.proxies)
        let client = clients.client(of: try #require(NetworkAddress(peer))) { header }
        #expect(client == NetworkAddress(expected))
    }

    @Test("without trusted proxies the header is not read")
    func nobodyTrusted() throws {
        let clients = ClientAddress(trustedProxies: [])
        let peer = NetworkAddress(10, 0, 0, 1)
        let client = clients.client(of: peer) {
            Issue.record("the header was read")
            return "203.0.113.9"
        }
        #expect(client == peer)
    }

    @Test("the number of entries that are read is bounded")
    func longHeader() throws {
        let clients = ClientAddress(trustedProxies: Self.proxies)
        let header = Array(repeating: "10.0.0.2", count: 5_000).joined(separator: ",")
        let client = clients.client(of: NetworkAddress(10, 0, 0, 1)) { "203.0.113.9," + header }
        #expect(client == NetworkAddress(10, 0, 0, 2))
    }
}
