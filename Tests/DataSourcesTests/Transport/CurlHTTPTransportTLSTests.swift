import DataSourceContracts
import DataSourcesHTTP
import Foundation
import TestSupport
import Testing

@Suite(
    "HTTP over TLS trusts the system's and the private authority only",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct CurlHTTPTransportTLSTests {
    private let authority: TestCertificateAuthority
    private let server = LoopbackServer.http { _ in .text("secret") }

    init() throws {
        authority = try TestCertificateAuthority()
    }

    private func result(
        showing name: String,
        host: String = "127.0.0.1",
        trusting file: String?
    ) async throws -> Result<HTTPResponse, TransportError> {
        let front = try TLSProxy(to: server.port, identity: try authority.identity(for: name))
        return try await withRunning(.forTests(authorityFile: file)) { transport in
            await transport.result(.to("https://\(host):\(front.port)/"))
        }
    }

    @Test("a server of the private authority is trusted with its file")
    func trusted() async throws {
        let result = try await result(
            showing: "IP:127.0.0.1",
            trusting: authority.certificateFile
        )
        #expect(try result.get().body == Array("secret".utf8))
    }

    @Test("a server of the private authority is untrusted without its file")
    func unknownAuthority() async throws {
        let result = try await result(showing: "IP:127.0.0.1", trusting: nil)
        #expect(result.errorCode == .untrusted)
    }

    @Test(
        "a certificate for another name is untrusted",
        arguments: ["IP:127.0.0.2", "DNS:a.test"]
    )
    func otherName(name: String) async throws {
        let result = try await result(showing: name, trusting: authority.certificateFile)
        #expect(result.errorCode == .untrusted)
    }

    @Test("certificates of another authority stay untrusted")
    func otherAuthority() async throws {
        let other = try TestCertificateAuthority()
        let result = try await result(showing: "IP:127.0.0.1", trusting: other.certificateFile)
        #expect(result.errorCode == .untrusted)
    }

    @Test("a server without TLS is cannotConnect")
    func plainServer() async throws {
        let plain = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            _ = try connection.receive()
            try connection.send(HTTPAnswer(status: "400 Bad Request").bytes)
            connection.waitForEnd()
        }
        let result = try await withRunning(.forTests()) { transport in
            await transport.result(.to("https://127.0.0.1:\(plain.port)/"))
        }
        #expect(result.errorCode == .cannotConnect)
    }

    @Test("a file without a certificate is refused before sending")
    func uselessFile() throws {
        let missing = authority.folder + "/missing.pem"
        let key = authority.folder + "/authority.key"
        for file in [missing, key, authority.folder] {
            let error = #expect(throws: TransportError.self) {
                try CurlHTTPTransport.forTests(authorityFile: file)
            }
            #expect(error?.code == .untrusted)
            #expect(error?.detail.contains(file) == true)
        }
    }

    @Test("TLS 1.1 is refused even where OpenSSL's configuration permits it")
    func oldVersion() async {
        // OpenSSL reads its configuration once, so a process of its own is needed.
        await #expect(processExitsWith: .success) {
            let authority = try TestCertificateAuthority()
            let file = authority.folder + "/openssl.cnf"
            try Self.permissiveConfiguration.write(
                toFile: file,
                atomically: true,
                encoding: .utf8
            )
            unsafe setenv("OPENSSL_CONF", file, 1)
            let server = LoopbackServer.http { _ in .text("secret") }
            let identity = try authority.identity(for: "IP:127.0.0.1")
            let authorityFile = authority.certificateFile
            for (version, isPermitted) in [("TLSv1_1", false), ("TLSv1_2", true)] {
                let front = try TLSProxy(to: server.port, identity: identity, version: version)
                let result = try await withRunning(.forTests(authorityFile: authorityFile)) {
                    await $0.result(.to("https://127.0.0.1:\(front.port)/"))
                }
                precondition((try? result.get().status == 200) == (isPermitted ? true : nil))
            }
        }
    }

    private static let permissiveConfiguration = """
        openssl_conf = init
        [init]
        ssl_conf = ssl
        [ssl]
        system_default = all
        [all]
        MinProtocol = TLSv1
        CipherString = DEFAULT:@SECLEVEL=0
        """

    @Test("HTTP/2 is offered and HTTP/1.1 accepted", arguments: [["http/1.1"], []])
    func applicationProtocol(offered: [String]) async throws {
        let front = try TLSProxy(
            to: server.port,
            identity: try authority.identity(for: "IP:127.0.0.1"),
            applicationProtocols: offered
        )
        let file = authority.certificateFile
        try await withRunning(.forTests(authorityFile: file)) { transport in
            let response = try await transport.send(.to("https://127.0.0.1:\(front.port)/"))
            #expect(response.status == 200)
        }
        #expect(try front.nextApplicationProtocol() == offered.first ?? "")
    }

    @Test("a server that prefers HTTP/2 gets it")
    func secondVersion() async throws {
        let front = try TLSProxy(
            to: server.port,
            identity: try authority.identity(for: "IP:127.0.0.1"),
            applicationProtocols: ["h2", "http/1.1"]
        )
        let file = authority.certificateFile
        // The server behind speaks HTTP/1.1 only, so the response fails; the negotiation counts.
        let result = try await withRunning(.forTests(authorityFile: file)) { transport in
            await transport.result(.to("https://127.0.0.1:\(front.port)/"))
        }
        #expect(try front.nextApplicationProtocol() == "h2")
        #expect(result.errorCode != nil)
    }
}
