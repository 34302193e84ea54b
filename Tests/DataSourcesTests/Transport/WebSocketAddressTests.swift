import DataSourceContracts
import Testing

@testable import DataSourcesWebSocket

@Suite("A WebSocket address is parsed or refused")
struct WebSocketAddressTests {
    @Test(
        "valid schemes, ports, paths and hosts are parsed",
        arguments: [
            ("ws://a.test", "http://a.test:80/", "a.test", "/"),
            ("wss://a.test/", "https://a.test:443/", "a.test", "/"),
            ("WSS://a.test:443/pub/ws", "https://a.test:443/", "a.test", "/pub/ws"),
            ("ws://a.test:443/", "http://a.test:443/", "a.test:443", "/"),
            (
                "ws://127.0.0.1:8080/a?b=c:d@e", "http://127.0.0.1:8080/", "127.0.0.1:8080",
                "/a?b=c:d@e"
            ),
            ("ws://a.test?b=/c", "http://a.test:80/", "a.test", "/?b=/c"),
            ("ws://[::1]", "http://[::1]:80/", "[::1]", "/"),
            ("wss://[2001:db8::1]:9/x", "https://[2001:db8::1]:9/", "[2001:db8::1]:9", "/x"),
        ]
    )
    func parts(text: String, connectURL: String, host: String, path: String) throws {
        let address = try WebSocketAddress(text)
        #expect(address.connectURL == connectURL)
        #expect(address.host == host)
        #expect(address.path == path)
    }

    @Test(
        "invalid addresses are refused",
        arguments: [
            "", "ws", "ws:", "ws:/a.test", "ws://", "ws:///path", "ws://:80/", "ws://?a",
            "http://a.test/",
            "ftp://a.test/", "://a.test/", "ws://a.test:0/", "ws://a.test:65536/",
            "ws://a.test:+1/",
            "ws://a.test:/", "ws://a.test:1:2/", "ws://user@a.test/", "ws://user:word@a.test/",
            "ws://a.test/#top", "ws://a.test/a b", "ws://a.test/\r\nX: y", "ws://a.test/가",
            "ws://[::1/", "ws://[]/", "ws://[::1]x/", "ws://a.test\\b/", " ws://a.test/",
        ]
    )
    func refused(text: String) {
        let error = #expect(throws: TransportError.self) { try WebSocketAddress(text) }
        #expect(error?.code == .badAddress)
        #expect(error?.detail.contains("word") == false, "credentials must not reach logs")
    }
}
