import HTTPServer
import NetworkAddresses
import Synchronization
import TestSupport
import Testing

@Suite("Requests and responses", .tags(.threads))
struct HTTPServerTests {
    @Test("GET, HEAD and POST reach the handler completely")
    func requestParts() throws {
        let seen = Mutex<[HTTPServerRequest]>([])
        let server = try HTTPServer(.local()) { request in
            seen.withLock { $0.append(request) }
            return .response(.text("hello"))
        }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)

        try client.send("GET /a%20b/%EA%B0%80?x=1&y=a%2Bb+c&x=2&flag HTTP/1.1\r\nHost: h\r\n")
        try client.send("X-Tag: one\r\nx-tag: two\r\n\r\n")
        let first = try client.receiveAnswer()
        #expect(first.header.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(first.body == Array("hello".utf8))

        try client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
        let head = try client.receiveHeader()
        #expect(head.contains("Content-Length: 5\r\n"))

        try client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
        #expect(try client.receiveAnswer().body == Array("hello".utf8))

        let requests = seen.withLock { $0 }
        try #require(requests.count == 3)
        #expect(requests[0].method == "GET" && !requests[0].isHead)
        #expect(requests[0].path == "/a b/가")
        #expect(requests[0].query.map(\.name) == ["x", "y", "x", "flag"])
        #expect(requests[0].query.map(\.value) == ["1", "a+b c", "2", ""])
        #expect(requests[0].header("x-tag") == "one, two")
        #expect(requests[0].header("x-other") == nil)
        #expect(requests[0].remoteAddress.description == "127.0.0.1")
        #expect(requests[1].method == "GET" && requests[1].isHead)
        #expect(requests[2].method == "POST" && requests[2].body == Array("abc".utf8))
    }
}

extension HTTPServer.Configuration {
    /// A small server on any free port, which closes nothing for lack of time.
    static func local(bodyBytesMax: Int = 1_024) -> HTTPServer.Configuration {
        HTTPServer.Configuration(
            host: "127.0.0.1",
            port: 0,
            threads: 2,
            connectionsMax: 64,
            connectionsPerClientMax: 64,
            idleTimeoutSeconds: 3_600,
            sentBytesPerSecondMin: 16_384,
            requestSecondsMax: 3_600,
            headerBytesMax: 8_192,
            bodyBytesMax: bodyBytesMax,
            stopSecondsMax: 5
        )
    }
}

extension HTTPServerResponse {
    /// 200 with a text.
    static func text(_ text: String) -> HTTPServerResponse {
        HTTPServerResponse(
            status: 200,
            headers: [("Content-Type", "text/plain")],
            body: Array(text.utf8)
        )
    }
}
