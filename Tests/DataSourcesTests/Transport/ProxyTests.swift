import DataSourceContracts
import DataSourcesHTTP
import DataSourcesWebSocket
import Glibc
import TestSupport
import Testing

/// Each test is a process of its own, because the environment belongs to the whole process.
@Suite("A proxy of the environment is used", .tags(.threads))
struct ProxyTests {
    @Test("a plain request goes to the proxy with its absolute address")
    func request() async {
        await #expect(processExitsWith: .success) {
            let proxy = LoopbackServer.http { head in .text(head) }
            useProxy(on: proxy.port)
            let response = try await withRunning(.forTests()) { transport in
                try await transport.send(.to("http://nobody.invalid/a"))
            }
            let head = String(decoding: response.body, as: UTF8.self)
            #expect(head.hasPrefix("GET http://nobody.invalid/a HTTP/1.1\r\n"))
        }
    }

    @Test("a WebSocket goes through a tunnel of the proxy, encrypted or not")
    func tunnel() async {
        await #expect(processExitsWith: .success) {
            let proxy = LoopbackServer { connection throws(LoopbackConnection.Failure) in
                let head = try connection.receiveHead()
                try connection.send("HTTP/1.1 200 Connection established\r\nX-Proxy: y\r\n\r\n")
                let peer = try WebSocketPeer(accepting: connection)
                try peer.send(String(head.split(separator: "\r\n")[0]))
                peer.waitForEnd()
            }
            useProxy(on: proxy.port)
            let texts = try await withConnection(
                to: "ws://nobody.invalid/pub/ws",
                over: .forTests()
            ) { try await $0.messages(1) }
            #expect(texts == ["CONNECT nobody.invalid:80 HTTP/1.1"])
        }
    }

    @Test("a refused tunnel is an error of the proxy, not of the exchange")
    func refusal() async {
        await #expect(processExitsWith: .success) {
            let proxy = LoopbackServer.http { _ in HTTPAnswer(status: "403 Forbidden") }
            useProxy(on: proxy.port)
            let transport = try CurlWebSocketTransport.forTests()
            for url in ["ws://nobody.invalid/", "wss://nobody.invalid/"] {
                #expect(await transport.errorCode(opening: url) == .proxy)
            }
        }
    }

    @Test("an explicit proxy, or none, overrides the environment")
    func choice() async {
        await #expect(processExitsWith: .success) {
            let server = LoopbackServer.http { _ in .text("straight") }
            let proxy = LoopbackServer.http { _ in .text("through the proxy") }
            useProxy(on: 9)
            unsafe setenv("no_proxy", "*", 1)
            let url = "http://127.0.0.1:\(server.port)/"
            let named = ProxyChoice.address("http://127.0.0.1:\(proxy.port)")
            for (choice, text) in [(named, "through the proxy"), (.none, "straight")] {
                let response = try await withRunning(.forTests(proxy: choice)) { transport in
                    try await transport.send(.to(url))
                }
                #expect(String(decoding: response.body, as: UTF8.self) == text)
            }
        }
    }

    @Test("an unreachable proxy is an error of the proxy", arguments: ["ws", "wss"])
    func away(scheme: String) async throws {
        let port = LoopbackServer.reservedPort()
        let transport = try CurlWebSocketTransport.forTests(
            proxy: .address("http://127.0.0.1:\(port)")
        )
        #expect(await transport.errorCode(opening: scheme + "://nobody.invalid/") == .proxy)
    }

    @Test("an unknown proxy name is an error of the proxy")
    func unknownName() async throws {
        let transport = try CurlWebSocketTransport.forTests(
            proxy: .address("http://nobody.invalid:3128")
        )
        #expect(await transport.errorCode(opening: "wss://127.0.0.1/") == .proxy)
    }
}

/// Makes every transfer of this process go through a proxy on this port of 127.0.0.1.
private func useProxy(on port: UInt16) {
    for name in ["http_proxy", "https_proxy"] {
        unsafe setenv(name, "http://127.0.0.1:\(port)", 1)
    }
    for name in ["no_proxy", "NO_PROXY"] { unsafe unsetenv(name) }
}
