import Testing
import WebSocketFraming

@Suite("The agreement on permessage-deflate")
struct CompressionHandshakeTests {
    private static func parameters(server: Bool, client: Bool) -> PerMessageDeflate {
        PerMessageDeflate(serverKeepsContext: server, clientKeepsContext: client)
    }

    @Test(
        "a client accepts the parameters that a server may choose",
        arguments: [
            ("permessage-deflate", true, true),
            ("permessage-deflate; client_no_context_takeover", true, false),
            ("permessage-deflate;server_no_context_takeover", false, true),
            (
                " permessage-deflate ;\tserver_no_context_takeover ; client_no_context_takeover ",
                false, false
            ),
            ("permessage-deflate; server_max_window_bits=15", true, true),
            ("permessage-deflate; server_max_window_bits=8", true, true),
            (#"permessage-deflate; server_max_window_bits="10""#, true, true),
        ]
    )
    func accepted(value: String, server: Bool, client: Bool) throws {
        #expect(
            try PerMessageDeflate.accepted(value) == Self.parameters(server: server, client: client)
        )
    }

    @Test("a client goes on without compression if the server chose none", arguments: [nil, ""])
    func declined(value: String?) throws {
        #expect(try PerMessageDeflate.accepted(value) == nil)
    }

    @Test(
        "a client fails the connection for everything that does not belong to its offer",
        arguments: [
            "x-webkit-deflate-frame", "permessage-bzip2", "permessage-deflate, permessage-deflate",
            "permessage-deflate; unknown", "permessage-deflate; client_max_window_bits",
            "permessage-deflate; client_max_window_bits=15",
            "permessage-deflate; server_max_window_bits",
            "permessage-deflate; server_max_window_bits=7",
            "permessage-deflate; server_max_window_bits=16",
            "permessage-deflate; server_max_window_bits=015",
            "permessage-deflate; server_max_window_bits=+9",
            "permessage-deflate; server_max_window_bits=",
            "permessage-deflate; server_max_window_bits=1 0",
            "permessage-deflate; server_no_context_takeover=true",
            "permessage-deflate; client_no_context_takeover=1",
            "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
            "permessage-deflate; server_no_context_takeover=\"\"", "permessage-deflate;",
            "permessage-deflate;;server_no_context_takeover", ",permessage-deflate", ",", ";",
            "permessage deflate", "\"permessage-deflate\"", "PERMESSAGE-DEFLATE",
        ]
    )
    func unoffered(value: String) {
        #expect(throws: WebSocketError.violation(.unofferedChoice)) {
            try PerMessageDeflate.accepted(value)
        }
    }

    @Test(
        "a server chooses the first offer that it can keep",
        arguments: [
            ("permessage-deflate", true, true, "permessage-deflate"),
            (
                PerMessageDeflate.offer, true, false,
                "permessage-deflate; client_no_context_takeover"
            ),
            (
                "permessage-deflate; server_no_context_takeover", false, true,
                "permessage-deflate; server_no_context_takeover"
            ),
            ("permessage-deflate; client_max_window_bits", true, true, "permessage-deflate"),
            ("permessage-deflate; client_max_window_bits=10", true, true, "permessage-deflate"),
            (
                "x-custom, permessage-deflate; server_max_window_bits=10, permessage-deflate", true,
                true, "permessage-deflate"
            ),
        ]
    )
    func choice(offer: String, server: Bool, client: Bool, answer: String) throws {
        let choice = try #require(PerMessageDeflate.choice(among: offer, keepsContext: true))
        #expect(choice.parameters == Self.parameters(server: server, client: client))
        #expect(choice.answer == answer)
        #expect(try PerMessageDeflate.accepted(choice.answer) == choice.parameters)
        let single = try #require(PerMessageDeflate.choice(among: offer, keepsContext: false))
        #expect(single.parameters == Self.parameters(server: false, client: client))
        #expect(try PerMessageDeflate.accepted(single.answer) == single.parameters)
    }

    @Test(
        "a server declines offers that it cannot keep or read",
        arguments: [
            nil, "", "x-custom", "permessage-deflate; unknown",
            "permessage-deflate; server_max_window_bits=10",
            "permessage-deflate; server_max_window_bits",
            "permessage-deflate; client_max_window_bits=16",
            "permessage-deflate; server_no_context_takeover=1",
            "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
            "permessage-deflate;", "permessage-deflate; =", "permessage-deflate, ;",
        ]
    )
    func declinedOffer(offer: String?) {
        #expect(PerMessageDeflate.choice(among: offer, keepsContext: true)?.answer == nil)
    }

    @Test("the request offers compression only if asked to")
    func request() {
        let texts = [nil, PerMessageDeflate.offer].map { extensions in
            WebSocketHandshake.requestText(
                host: "host",
                path: "/",
                key: WebSocketHandshake.clientKey(randomBytes: [UInt8](repeating: 1, count: 16)),
                userAgent: "test",
                extensions: extensions
            )
        }
        #expect(!texts[0].contains("Extensions"))
        #expect(
            texts[1].hasSuffix(
                "\r\nSec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover"
                    + "\r\n\r\n"
            )
        )
    }

    @Test("a response with compression is read if it was offered, and refused if not")
    func response() throws {
        let key = WebSocketHandshake.clientKey(randomBytes: [UInt8](repeating: 1, count: 16))
        let head = [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: \(WebSocketHandshake.acceptValue(forKey: key))",
            "Sec-WebSocket-Extensions: permessage-deflate", "", "",
        ].joined(separator: "\r\n")
        var reader = WebSocketResponseReader(key: key, hasOfferedCompression: true)
        #expect(
            try reader.receive(Array(head.utf8)) == .accepted(bytesConsumed: head.utf8.count)
        )
        #expect(reader.compression == Self.parameters(server: true, client: true))
        var strict = WebSocketResponseReader(key: key)
        #expect(throws: WebSocketError.violation(.unofferedChoice)) {
            try strict.receive(Array(head.utf8))
        }
    }
}
