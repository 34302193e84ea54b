import TestSupport
import Testing

@testable import HTTPServer

@Suite(
    "An answer that stands is given to whoever asks in the same words, and to nobody else",
    .tags(.threads)
)
struct CachedResponseTests {
    private static let head = "GET /a?x=1 HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\n\r\n"

    private func withServer(
        _ notes: Notes = Notes(),
        _ body: (HTTPServer, Notes) throws -> Void
    ) throws {
        var configuration = HTTPServer.Configuration.local()
        // One loop, whose connections know of one another.
        configuration.threads = 1
        let server = try HTTPServer(configuration, handler: notes.handle)
        defer { server.stop() }
        try body(server, notes)
    }

    private func ask(_ client: TCPClient, _ text: String) throws -> String {
        try client.send(text)
        return try take(client)
    }

    private func take(_ client: TCPClient) throws -> String {
        String(decoding: try client.receiveAnswer().body, as: UTF8.self)
    }

    @Test("The same words get it, pipelined or not, on any connection of the client")
    func same() throws {
        try withServer { server, notes in
            let client = try TCPClient(port: server.port)
            #expect(try ask(client, Self.head) == "handled 1")
            for _ in 0..<3 { #expect(try ask(client, Self.head) == "note 1") }
            try client.send(String(repeating: Self.head, count: 3))
            for _ in 0..<3 { #expect(try take(client) == "note 1") }
            // In pieces, too.
            let cut = Self.head.index(Self.head.startIndex, offsetBy: 9)
            try client.send(String(Self.head[..<cut]))
            try client.send(String(Self.head[cut...]))
            #expect(try take(client) == "note 1")
            let other = try TCPClient(port: server.port)
            for _ in 0..<2 { #expect(try ask(other, Self.head) == "note 1") }
            #expect(notes.requests.count == 1)
            let ends = try #require(notes.notes.first).ends
            // The last one may be told of when it has been read already.
            #expect(ends.names.prefix(8) == (1...8).map(String.init)[...])
            #expect(ends.wholes.allSatisfy { $0 })
        }
    }

    @Test("It has the shared fields, its own, a length and a date")
    func fields() throws {
        try withServer { server, _ in
            let client = try TCPClient(port: server.port)
            _ = try ask(client, Self.head)
            try client.send(Self.head)
            let header = try client.receiveAnswer().header
            let lines = header.split(separator: "\r\n").map(String.init)
            let told = lines.filter { !$0.hasPrefix("Date: ") }
            #expect(
                told == ["HTTP/1.1 200 OK", "X-Shared: all", "Content-Length: 6", "X-Number: 1-th"]
            )
            #expect(lines.count == 5)
        }
    }

    @Test("A 304 has neither body nor length")
    func notModified() throws {
        try withServer(Notes { _ in Note("ignored", status: 304) }) { server, _ in
            let client = try TCPClient(port: server.port)
            _ = try ask(client, Self.head)
            try client.send(Self.head + Self.head)
            for _ in 0..<2 {
                let header = try client.receiveHeader()
                #expect(header.hasPrefix("HTTP/1.1 304 Not Modified\r\n"))
                #expect(!header.contains("Content-Length"))
            }
        }
    }

    @Test(
        "Whatever is not the same is another question, and is what it says",
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
        try withServer { server, notes in
            let client = try TCPClient(port: server.port)
            #expect(try ask(client, Self.head) == "handled 1")
            #expect(try ask(client, Self.head) == "note 1")
            #expect(try ask(client, head) == "handled 2")
            #expect(try ask(client, head) == "note 2")
            // Nor is the first one taken for the other.
            #expect(try ask(client, Self.head) == "note 1")
            let request = notes.requests[1]
            let target = try #require(head.split(separator: " ").dropFirst().first)
            #expect(head.hasPrefix(request.method + " "))
            #expect(target.hasPrefix(request.path))
            let query = request.query.map { "\($0.name)=\($0.value)" }
            #expect(
                (query.isEmpty ? "" : "?") + query.joined(separator: "&")
                    == target.dropFirst(request.path.count)
            )
            #expect((request.header("x-tag") == nil) == !head.contains("X-Tag"))
        }
    }

    @Test("Another client is asked for itself")
    func clients() throws {
        try withServer { server, notes in
            let here = try TCPClient(port: server.port)
            let there = try TCPClient(port: server.port, from: 2)
            #expect(try ask(here, Self.head) == "handled 1")
            #expect(try ask(there, Self.head) == "handled 2")
            #expect(try ask(here, Self.head) == "note 1")
            #expect(try ask(there, Self.head) == "note 2")
            #expect(Set(notes.requests.map(\.remoteAddress.description)).count == 2)
        }
    }

    @Test("HEAD is another question than GET, and gets no body")
    func head() throws {
        try withServer { server, notes in
            let client = try TCPClient(port: server.port)
            #expect(try ask(client, Self.head) == "handled 1")
            for _ in 0..<2 {
                try client.send(Self.head.replacing("GET", with: "HEAD"))
                // Had a body followed HEAD, it would be taken for the head of the next answer.
                #expect(try client.receiveHeader().contains("Content-Length: "))
            }
            #expect(try ask(client, Self.head) == "note 1")
            #expect(notes.requests.map(\.isHead) == [false, true])
            #expect(notes.notes[1].ends == .init(names: ["1"], wholes: [true]))
        }
    }

    @Test(
        "Whoever has to be told of the connection is told, and what has a body is handled",
        arguments: [
            "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc",
            "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ]
    )
    func never(words: String) throws {
        try withServer { server, notes in
            let client = try TCPClient(port: server.port)
            for number in 1...3 { #expect(try ask(client, words) == "handled \(number)") }
            let requests = notes.requests
            #expect(words.contains("abc") == requests.allSatisfy { $0.body == Array("abc".utf8) })
        }
    }

    @Test("Whoever closes behind the answer is handled each time")
    func closing() throws {
        try withServer { server, _ in
            for number in 1...3 {
                let client = try TCPClient(port: server.port)
                try client.send("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                let answer = String(decoding: try client.receiveAll(), as: UTF8.self)
                #expect(answer.contains("Connection: close\r\n"))
                #expect(answer.hasSuffix("handled \(number)"))
            }
        }
    }

    @Test("Long heads are read right, the same or not", arguments: [4_000, 4_096, 4_200, 8_000])
    func longHeads(count: Int) throws {
        try withServer { server, notes in
            let client = try TCPClient(port: server.port)
            let start = String(repeating: "x", count: count - 100)
            var handled: [String: Int] = [:]
            for end in ["a", "a", "b", "b", "a"] {
                let head = "GET /\(end) HTTP/1.1\r\nHost: h\r\nX-Tag: \(start)\(end)\r\n\r\n"
                let number = notes.requests.count + 1
                let isKnown = head.utf8.count <= KnownHead.bytesMax && handled[end] != nil
                let answer = try ask(client, head)
                #expect(answer == (isKnown ? "note \(handled[end] ?? 0)" : "handled \(number)"))
                if !isKnown { handled[end] = number }
                let last = try #require(notes.requests.last)
                if !isKnown { #expect(last.header("x-tag") == start + end) }
            }
        }
    }
}

@Suite("An answer that stands ends once, and is let go of", .tags(.threads))
struct StandingAnswerEndTests {
    private static let head = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test("When it is over, the handler is asked, and its next answer stands")
    func over() throws {
        let notes = Notes()
        let server = try HTTPServer(.local(), handler: notes.handle)
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        for number in 1...3 {
            try client.send(Self.head + Self.head)
            let answers = try (0..<2).map { _ in
                String(decoding: try client.receiveAnswer().body, as: UTF8.self)
            }
            #expect(answers == ["handled \(number)", "note \(number)"])
            notes.notes.last?.finish()
        }
    }

    @Test("A client that takes part of it and leaves had not the whole")
    func leaving() throws {
        let text = String(repeating: "0123456789", count: 1_000_000)
        let notes = Notes { _ in Note(text) }
        let server = try HTTPServer(.local(), handler: notes.handle)
        do {
            let client = try TCPClient(port: server.port)
            client.shrinkReceiveBuffer(to: 4_096)
            try client.send(Self.head)
            _ = try client.receiveAnswer()
            try client.send(Self.head)
            // The beginning is there, so it was begun; the rest has no room.
            _ = try client.receive(count: 1_000)
        }
        // Ends what is in flight, or finds that the client has left.
        server.stop()
        #expect(notes.notes.first?.ends == .init(names: ["1"], wholes: [false]))
    }

    @Test("One that does not fit into the system's buffers goes out in pieces and is whole")
    func inPieces() throws {
        let text = String(repeating: "0123456789", count: 2_000_000)
        let notes = Notes { _ in Note(text) }
        let server = try HTTPServer(.local(), handler: notes.handle)
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        try client.send(Self.head)
        _ = try client.receiveAnswer()
        for _ in 0..<3 {
            try client.send(Self.head)
            #expect(try client.receiveAnswer().body == Array(text.utf8))
        }
        // The next question comes behind the end of the answers before it.
        #expect(notes.notes.first?.ends.wholes.prefix(2) == [true, true])
    }
}
