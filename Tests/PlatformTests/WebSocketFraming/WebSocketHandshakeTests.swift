import Testing
import WebSocketFraming

@Suite("A handshake upgrades HTTP to a WebSocket by RFC 6455")
struct WebSocketHandshakeTests {
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private static let acceptValue = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    // MARK: The client's request

    @Test("the RFC's key yields the RFC's accept value")
    func acceptExample() {
        #expect(
            WebSocketHandshake.clientKey(randomBytes: Array("the sample nonce".utf8)) == Self.key
        )
        #expect(WebSocketHandshake.acceptValue(forKey: Self.key) == Self.acceptValue)
    }

    @Test("a request names the host, the path and version 13")
    func request() {
        let text = WebSocketHandshake.requestText(
            host: "example.test:8080",
            path: "/pub/ws?a=b",
            key: Self.key,
            userAgent: "hoga/1"
        )
        let expected = [
            "GET /pub/ws?a=b HTTP/1.1", "Host: example.test:8080", "Upgrade: websocket",
            "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13", "User-Agent: hoga/1", "", "",
        ]
        #expect(text == expected.joined(separator: "\r\n"))
    }

    @Test("a host with a line break stops the program")
    func injection() async {
        await #expect(processExitsWith: .failure) {
            _ = WebSocketHandshake.requestText(
                host: "a\r\nX: y",
                path: "/",
                key: "k",
                userAgent: "u"
            )
        }
    }

    // MARK: The server's answer

    private static let accepted = [
        "HTTP/1.1 101 Switching Protocols", "Upgrade: WebSocket", "connection: keep-alive, upgrade",
        "Sec-WebSocket-Accept: \(acceptValue)", "Server: x", "", "",
    ].joined(separator: "\r\n")

    @Test("an upgrade in pieces of any size is accepted, and frames follow it", arguments: 1...9)
    func accepted(pieceLength: Int) throws {
        let bytes = Array(Self.accepted.utf8) + [0x81, 0x00]
        var reader = WebSocketResponseReader(key: Self.key)
        var consumed = 0
        var outcome = WebSocketResponseReader.Outcome.needMore
        for start in stride(from: 0, to: bytes.count, by: pieceLength) where outcome == .needMore {
            let piece = Array(bytes[start..<min(start + pieceLength, bytes.count)])
            outcome = try reader.receive(piece)
            if case .accepted(let count) = outcome {
                consumed = start + count
            }
        }
        #expect(consumed == bytes.count - 2)
    }

    @Test(
        "a response without an upgrade is a refusal with status and reason phrase",
        arguments: [
            ("HTTP/1.1 429 Too Many Requests", 429, "Too Many Requests"),
            ("HTTP/1.1 200 OK", 200, "OK"), ("HTTP/1.0 503 ", 503, ""), ("HTTP/1.1 403", 403, ""),
            ("HTTP/1.1 500 a\u{1b}[31mb", 500, "a[31mb"),
        ]
    )
    func refused(line: String, status: Int, reason: String) throws {
        var reader = WebSocketResponseReader(key: Self.key)
        let head = line + "\r\nContent-Type: text/html\r\n\r\n<html>"
        #expect(try reader.receive(Array(head.utf8)) == .refused(status: status, reason: reason))
    }

    @Test(
        "a response that is neither is a violation",
        arguments: [
            ("Server: x", "no colon here", WebSocketViolation.malformedResponse),
            ("HTTP/1.1 101", "HTTP/1.1 1x1", .malformedResponse),
            ("HTTP/1.1 101", "HTTP/1.1 600", .malformedResponse),
            ("HTTP/1.1 101", "SSH-2.0-x", .malformedResponse),
            ("HTTP/1.1 101", "HTTP/2 101", .malformedResponse),
            ("Upgrade: WebSocket", "Upgrade: h2c", .incompleteUpgrade),
            ("connection: keep-alive, upgrade", "Connection: close", .incompleteUpgrade),
            ("s3pPLM", "S3pPLM", .wrongAcceptValue),
            ("Sec-WebSocket-Accept", "X-Accept", .wrongAcceptValue),
            ("Server: x", "Sec-WebSocket-Extensions: permessage-deflate", .unofferedChoice),
            ("Server: x", "Sec-WebSocket-Protocol: chat", .unofferedChoice),
        ]
    )
    func violation(original: String, replacement: String, violation: WebSocketViolation) {
        let head = Self.accepted.split(separator: original).joined(separator: replacement)
        let whole = Self.accepted.hasPrefix(original) ? replacement + head : head
        var reader = WebSocketResponseReader(key: Self.key)
        #expect(throws: WebSocketError.violation(violation)) {
            try reader.receive(Array(whole.utf8))
        }
    }

    @Test("a response without an end fails at the size limit")
    func endless() throws {
        var reader = WebSocketResponseReader(key: Self.key)
        let limit = WebSocketResponseReader.headBytesMax
        #expect(try reader.receive([UInt8](repeating: 65, count: limit)) == .needMore)
        #expect(throws: WebSocketError.violation(.oversizedResponse)) {
            try reader.receive([65])
        }
    }

    // MARK: The server's check of a request

    private static let upgrade = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": key,
    ]

    @Test("a valid upgrade request gets its accept value")
    func validUpgrade() throws {
        #expect(
            try WebSocketHandshake.acceptValue { Self.upgrade[$0] } == Self.acceptValue
        )
        var loose = Self.upgrade
        loose["Upgrade"] = "h2c, WebSocket"
        loose["Connection"] = "keep-alive,\tUPGRADE"
        #expect(try WebSocketHandshake.acceptValue { loose[$0] } == Self.acceptValue)
    }

    @Test(
        "an invalid upgrade request is refused with its reason",
        arguments: [
            ("Upgrade", nil, WebSocketUpgradeError.notAnUpgrade), ("Upgrade", "h2c", .notAnUpgrade),
            ("Connection", nil, .notAnUpgrade), ("Connection", "close", .notAnUpgrade),
            ("Sec-WebSocket-Version", nil, .unsupportedVersion),
            ("Sec-WebSocket-Version", "8", .unsupportedVersion),
            ("Sec-WebSocket-Key", nil, .malformedKey), ("Sec-WebSocket-Key", "", .malformedKey),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=", .malformedKey),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQAA", .malformedKey),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j!Q==", .malformedKey),
        ] as [(String, String?, WebSocketUpgradeError)]
    )
    func invalidUpgrade(name: String, value: String?, error: WebSocketUpgradeError) {
        var headers = Self.upgrade
        headers[name] = value
        #expect(throws: error) { try WebSocketHandshake.acceptValue { headers[$0] } }
        #expect([400, 426].contains(error.status))
    }
}
