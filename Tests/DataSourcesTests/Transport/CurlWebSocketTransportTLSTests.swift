import DataSourceContracts
import DataSourcesWebSocket
import TestSupport
import Testing

@Suite("WebSockets over TLS", .tags(.threads), .timeLimit(.minutes(30)))
struct CurlWebSocketTransportTLSTests {
    private let authority: TestCertificateAuthority
    private let server = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
        // Many messages in few TLS records: most are decrypted before they are read.
        let message = WebSocketFrame.text(String(repeating: "a", count: 100)).bytes
        let messages = Array(repeatElement(message, count: 500).joined())
        for _ in 0..<10 { try peer.send(raw: messages) }
        while true { try peer.send(String(decoding: try peer.next().payload, as: UTF8.self)) }
    }

    init() throws {
        authority = try TestCertificateAuthority()
    }

    @Test("all bytes inside TLS are received with the authority's file")
    func trusted() async throws {
        let front = try TLSProxy(
            to: server.port,
            identity: try authority.identity(for: "IP:127.0.0.1"),
            applicationProtocols: ["h2", "http/1.1"]
        )
        let transport = try CurlWebSocketTransport.forTests(
            authorityFile: authority.certificateFile
        )
        let url = "wss://127.0.0.1:\(front.port)/"
        try await withConnection(to: url, over: transport) { connection in
            let texts = try await connection.messages(5_000)
            #expect(texts == [String](repeating: String(repeating: "a", count: 100), count: 5_000))
            let long = String(repeating: "호가", count: 20_000)
            try await connection.send(text: long)
            let echo = try await connection.messages(1)
            #expect(echo == [long])
        }
        // The front would rather have HTTP/2, in which there is no upgrade.
        #expect(try front.nextApplicationProtocol() == "http/1.1")
    }

    @Test("a server without the authority's file, or with another name, is untrusted")
    func untrusted() async throws {
        let file = authority.certificateFile
        for (name, authorityFile) in [("IP:127.0.0.1", nil), ("IP:127.0.0.2", file)] {
            let front = try TLSProxy(to: server.port, identity: try authority.identity(for: name))
            let transport = try CurlWebSocketTransport.forTests(authorityFile: authorityFile)
            let url = "wss://127.0.0.1:\(front.port)/"
            #expect(await transport.errorCode(opening: url) == .untrusted)
        }
    }

    @Test("a connection without a TLS close is closed without a code")
    func endOfFile() async throws {
        let ending = LoopbackServer.webSocket { peer throws(LoopbackConnection.Failure) in
            try peer.send("last")
        }
        let front = try TLSProxy(
            to: ending.port,
            identity: try authority.identity(for: "IP:127.0.0.1")
        )
        let transport = try CurlWebSocketTransport.forTests(
            authorityFile: authority.certificateFile
        )
        let url = "wss://127.0.0.1:\(front.port)/"
        try await withConnection(to: url, over: transport) { connection in
            let texts = try await connection.messages(1)
            #expect(texts == ["last"])
            #expect(await connection.ending() == .closed(code: nil, reason: ""))
        }
    }

    @Test("a missing authority file is refused before connecting")
    func uselessFile() {
        let error = #expect(throws: TransportError.self) {
            try CurlWebSocketTransport.forTests(authorityFile: authority.folder + "/missing.pem")
        }
        #expect(error?.code == .untrusted)
    }
}
