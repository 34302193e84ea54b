import DataSourceContracts
import DataSourcesHTTP
import Glibc
import NetworkAddresses
import Synchronization
import TestSupport
import Testing

@Suite(
    "A transport with a rule for addresses opens no other socket",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct CurlHTTPTransportAddressTests {
    private let authority: TestCertificateAuthority

    init() throws { authority = try TestCertificateAuthority() }

    private static func transport(
        trusting file: String? = nil,
        permits: @escaping @Sendable (NetworkAddress) -> Bool
    ) throws(TransportError) -> CurlHTTPTransport {
        try CurlHTTPTransport(
            userAgent: "hoga-tests",
            authorityFile: file,
            proxy: .none,
            permits: permits,
            connectTimeout: .seconds(3_600)
        )
    }

    @Test(
        "a loopback address is refused in every notation, and no connection arrives",
        arguments: [
            "127.0.0.1", "127.1", "127.0.1", "0x7f000001", "0x7f.0.0.1", "0x7f.1", "2130706433",
            "017700000001", "0177.0.0.1", "0177.0.0x0.1", "%31%32%37.0.0.1", "%30x7f.1",
            "0x7F.0X0.0.1", "0", "0.0.0.0", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::1]",
            "[0:0:0:0:0:0:0:1]", "[::]", "localhost", "LOCALHOST", "a.localhost",
        ]
    )
    func notations(host: String) async throws {
        let server = LoopbackServer.http { _ in .text("secret") }
        let transport = try Self.transport { PublicAddresses.contains($0) }
        let result = try await withRunning(transport) { transport in
            await transport.result(.to("https://\(host):\(server.port)/"))
        }
        #expect(result.errorCode == .forbiddenAddress, "\(result)")
        #expect(server.acceptedCount == 0)
    }

    @Test("a refusal names the address")
    func detail() async throws {
        let transport = try Self.transport { _ in false }
        let result = try await withRunning(transport) { transport in
            await transport.result(.to("https://0x7f.1:9/secret?secret"))
        }
        #expect(
            result.error
                == TransportError(.forbiddenAddress, "the address 127.0.0.1 is not permitted")
        )
        #expect(result.error?.isRetryable == false)
    }

    @Test("a name is checked at each connection, so that it cannot lead elsewhere later")
    func rebinding() async throws {
        let server = LoopbackServer.http { _ in
            HTTPAnswer(headers: ["Connection: close"], body: [])
        }
        let front = try TLSProxy(
            to: server.port,
            identity: try authority.identity(for: "DNS:localhost")
        )
        // The name was public at the first lookup and is private at the second.
        let asked = Mutex<[NetworkAddress]>([])
        let isPrivate = Mutex(false)
        let transport = try Self.transport(trusting: authority.certificateFile) { address in
            asked.withLock { $0.append(address) }
            return address.isIPv4 && !isPrivate.withLock { $0 }
        }
        let url = "https://localhost:\(front.port)/"
        try await withRunning(transport) { transport in
            let first = await transport.result(.to(url))
            #expect(first.errorCode == nil)
            isPrivate.withLock { $0 = true }
            let second = await transport.result(.to(url))
            #expect(second.errorCode == .forbiddenAddress)
        }
        #expect(server.acceptedCount == 1)
        let addresses = [NetworkAddress(127, 0, 0, 1), NetworkAddress(ipv6: 1)]
        #expect(Set(asked.withLock { $0 }).isSubset(of: addresses))
    }

    @Test("only https is possible", arguments: ["http", "ftp", "file", "HTTP"])
    func schemes(scheme: String) async throws {
        let server = LoopbackServer.http { _ in .text("secret") }
        let result = try await withRunning(Self.transport { _ in true }) { transport in
            await transport.result(.to("\(scheme)://127.0.0.1:\(server.port)/"))
        }
        #expect(result.errorCode == .badAddress)
        #expect(server.acceptedCount == 0)
    }

    @Test("refused and failed connections leave no descriptor open")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            let port = LoopbackServer.reservedPort()
            let transport = try Self.transport { $0.bits & 1 == 1 }
            try await withRunning(transport) { transport in
                func failures() async -> [TransportError.Code?] {
                    var codes: [TransportError.Code?] = []
                    for host in ["127.0.0.1", "127.0.0.2"] {
                        codes.append(
                            await transport.result(.to("https://\(host):\(port)/")).errorCode
                        )
                    }
                    return codes
                }
                #expect(await failures() == [.cannotConnect, .forbiddenAddress])
                let before = openDescriptors()
                for _ in 0..<100 { _ = await failures() }
                #expect(openDescriptors() == before)
            }
        }
    }

    @Test(
        "libcurl's reading of a URL: scheme, host, address, credentials, fragment",
        arguments: [
            ("https://Example.org/a", "https", "example.org", nil, false, false),
            ("HTTPS://0x7f.1:8/", "https", "127.0.0.1", "127.0.0.1", false, false),
            ("https://[::ffff:10.0.0.1]/", "https", "::ffff:10.0.0.1", "10.0.0.1", false, false),
            ("https://u:p@1.2.3.4/#", "https", "1.2.3.4", "1.2.3.4", true, true),
            ("https://@a/", "https", "a", nil, true, false),
            ("http://a#b", "http", "a", nil, false, true),
            ("https://017700000001.", "https", "017700000001.", nil, false, false),
        ] as [(String, String, String, String?, Bool, Bool)]
    )
    func parts(
        url: String,
        scheme: String,
        host: String,
        address: String?,
        hasCredentials: Bool,
        hasFragment: Bool
    ) throws {
        let parsed = try #require(HTTPAddress(url))
        #expect(parsed.scheme == scheme && parsed.host == host)
        #expect(parsed.address == address.flatMap { NetworkAddress($0) })
        #expect(parsed.hasCredentials == hasCredentials && parsed.hasFragment == hasFragment)
    }

    @Test("other texts are no URL", arguments: ["", "a", "https://", "https://a b/", "//a", "a:b"])
    func noURL(text: String) { #expect(HTTPAddress(text) == nil) }
}

extension Result where Failure == TransportError {
    fileprivate var error: TransportError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// The number of open descriptors of this process.
private func openDescriptors() -> Int {
    (0..<4_096).count { fcntl($0, F_GETFD) >= 0 }
}
