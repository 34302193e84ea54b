import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("A request that a connection sends again is the same one, with what was remembered of it")
struct HTTPServerMemoryTests {
    /// What a handler remembers.
    private final class Note: Sendable {
        let text: String
        init(_ text: String) { self.text = text }
    }

    /// The requests that came, in order, each with what was remembered of it before.
    private final class Seen: Sendable {
        private let kept = Mutex<[(request: HTTPServerRequest, note: String?)]>([])

        var all: [(request: HTTPServerRequest, note: String?)] { kept.withLock { $0 } }

        /// Answers with what was remembered, and remembers the number of the request.
        func handle(_ request: HTTPServerRequest) -> HTTPServerReply {
            let note = request.memory.recall(Note.self)?.text
            let number = kept.withLock { kept in
                kept.append((request, note))
                return kept.count
            }
            request.memory.remember(Note("\(number)"))
            return .response(.text(note ?? "nothing"))
        }
    }

    private static let head = "GET /a?x=1 HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\n\r\n"

    private func withServer(_ body: (HTTPServer, Seen) throws -> Void) throws {
        let seen = Seen()
        let server = try HTTPServer(.local(), handler: seen.handle)
        defer { server.stop() }
        try body(server, seen)
    }

    private func ask(_ client: TCPClient, _ text: String) throws -> String {
        try client.send(text)
        return String(decoding: try client.receiveAnswer().body, as: UTF8.self)
    }

    @Test("The same head is the same object, pipelined or not, and remembers")
    func same() throws {
        try withServer { server, seen in
            let client = try TCPClient(port: server.port)
            let notes = try (0..<3).map { _ in try ask(client, Self.head) }
            try client.send(String(repeating: Self.head, count: 3))
            let others = try (0..<3).map { _ in
                String(decoding: try client.receiveAnswer().body, as: UTF8.self)
            }
            #expect(notes + others == ["nothing", "1", "2", "3", "4", "5"])
            let requests = seen.all.map(\.request)
            #expect(requests.count == 6 && requests.allSatisfy { $0 === requests[0] })
            #expect(requests[0].path == "/a" && requests[0].parameter("x") == "1")
            #expect(requests[0].header("x-tag") == "one")
        }
    }

    @Test(
        "Whatever is not the same has a memory of its own, and is what it says",
        arguments: [
            "GET /a?x=1 HTTP/1.1\r\nHost: h\r\nX-Tag: two\r\n\r\n",
            "GET /a?x=1 HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\nX-Tag: \r\n\r\n",
            "GET /a?x=1 HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\nX-Tag: one\r\n\r\n",
            "GET /a?x=1 HTTP/1.1\r\nHost: h\r\nX-Ta: gone\r\n\r\n",
            "GET /a?x=1 HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET /a?x=2 HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\n\r\n",
            "GET /a?x=1&x=1 HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\n\r\n",
            "GET /a?x1= HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\n\r\n",
            "GET /a HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\n\r\n",
            "GET /ax=1 HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\n\r\n",
            "GET /b?x=1 HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\n\r\n",
            "DELETE /a?x=1 HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\n\r\n",
        ]
    )
    func others(head: String) throws {
        try withServer { server, seen in
            let client = try TCPClient(port: server.port)
            #expect(try ask(client, Self.head) == "nothing")
            #expect(try ask(client, Self.head) == "1")
            #expect(try ask(client, head) == "nothing")
            // Nor is the first one taken for the other.
            _ = try ask(client, Self.head)
            let requests = seen.all.map(\.request)
            #expect(requests[2] !== requests[1] && requests[3] !== requests[2])
            let target = try #require(head.split(separator: " ").dropFirst().first)
            #expect(head.hasPrefix(requests[2].method + " "))
            #expect(target.hasPrefix(requests[2].path))
            let query = requests[2].query.map { "\($0.name)=\($0.value)" }
            #expect(
                (query.isEmpty ? "" : "?") + query.joined(separator: "&")
                    == target.dropFirst(requests[2].path.count)
            )
            #expect((requests[2].header("x-tag") == nil) == !head.contains("X-Tag"))
            #expect(requests[3].header("x-tag") == "one" && requests[3].parameter("x") == "1")
        }
    }

    @Test("HEAD is another request than GET, though it says GET")
    func head() throws {
        try withServer { server, seen in
            let client = try TCPClient(port: server.port)
            #expect(try ask(client, Self.head) == "nothing")
            try client.send(Self.head.replacing("GET", with: "HEAD"))
            _ = try client.receiveHeader()
            // Had a body followed HEAD, it would be taken for the head of this answer.
            _ = try ask(client, Self.head)
            let requests = seen.all.map(\.request)
            #expect(requests.map(\.isHead) == [false, true, false])
            #expect(requests[1] !== requests[0] && requests[2] !== requests[1])
            #expect(seen.all[1].note == nil)
        }
    }

    @Test("Another connection remembers nothing of the first")
    func connections() throws {
        try withServer { server, seen in
            let clients = try (0..<3).map { _ in try TCPClient(port: server.port) }
            for _ in 0..<2 { for client in clients { _ = try ask(client, Self.head) } }
            let all = seen.all
            #expect(all.map(\.note) == [nil, nil, nil, "1", "2", "3"])
            for number in 0..<3 {
                #expect(all[number].request === all[number + 3].request)
                #expect(all[number].request !== all[(number + 1) % 3].request)
            }
        }
    }

    @Test(
        "What comes with a body is a request of its own, however alike",
        arguments: [false, true]
    )
    func bodies(isChunked: Bool) throws {
        try withServer { server, seen in
            let client = try TCPClient(port: server.port)
            let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 3"
            let head = "POST /a HTTP/1.1\r\nHost: h\r\n\(length)\r\n\r\n"
            for body in ["abc", "abc", "abd", "abc"] {
                let text = isChunked ? "3\r\n\(body)\r\n0\r\n\r\n" : body
                #expect(try ask(client, head + text) == "nothing")
                #expect(seen.all.last?.request.body == Array(body.utf8))
            }
            let requests = seen.all.map(\.request)
            for (index, request) in requests.enumerated() {
                #expect(requests[..<index].allSatisfy { $0 !== request })
                #expect(request.method == "POST" && request.path == "/a")
            }
        }
    }

    @Test("Long heads are read right, the same or not", arguments: [4_000, 4_096, 4_200, 8_000])
    func longHeads(count: Int) throws {
        try withServer { server, seen in
            let client = try TCPClient(port: server.port)
            let start = String(repeating: "x", count: count - 100)
            for end in ["a", "a", "b", "b", "a"] {
                let head = "GET /\(end) HTTP/1.1\r\nHost: h\r\nX-Tag: \(start)\(end)\r\n\r\n"
                _ = try ask(client, head)
                let last = try #require(seen.all.last).request
                #expect(last.path == "/\(end)" && last.header("x-tag") == start + end)
            }
            let all = seen.all
            #expect(all[2].request !== all[1].request && all[2].note == nil)
            #expect(all[4].request !== all[3].request)
        }
    }
}
