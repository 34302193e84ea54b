import DataSourceContracts
import DataSourcesHTTP
import Synchronization
import TestSupport
import Testing

@Suite("Event streams over real sockets", .tags(.threads), .timeLimit(.minutes(30)))
struct CurlEventStreamTests {
    private static let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// A piece of a body as one chunk.
    private static func chunk(_ text: String) -> String {
        "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
    }

    /// A server that sends the head, then the test's bytes.
    private static func server(
        _ serve:
            @escaping @Sendable (LoopbackConnection) throws(LoopbackConnection.Failure) -> Void
    ) -> LoopbackServer {
        LoopbackServer { connection throws(LoopbackConnection.Failure) in
            _ = try connection.receiveHead()
            try connection.send(head)
            try serve(connection)
        }
    }

    /// Reads a number of events.
    private static func events(
        _ count: Int,
        of stream: any EventStreamConnection
    ) async throws(TransportError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        while events.count < count { events += try await stream.receive().events }
        return events
    }

    @Test("events arrive from pieces, with comments and any line ends")
    func pieces() async throws {
        let gate = Gate()
        let server = Self.server { connection throws(LoopbackConnection.Failure) in
            try connection.send(Self.chunk("retry: 1500\r\n\r\nevent: snap"))
            try connection.send(Self.chunk("shot\r\nid: k-1\r\ndata: {\"a\":"))
            try connection.send(Self.chunk("1}\r\n\r\n: beat\n\n"))
            gate.wait()
            try connection.send(Self.chunk("event: patch\nid: k-2\ndata: {}\n\n"))
            connection.waitForEnd()
        }
        try await withRunning(.forTests()) { transport in
            let stream = try await transport.open(.to(server.url("/v1/stream")))
            #expect(stream.status == 200)
            #expect(stream.headers["content-type"] == "text/event-stream")
            let first = try await Self.events(1, of: stream)
            #expect(first.map(\.name) == ["snapshot"] && first[0].lastEventID == "k-1")
            #expect(String(decoding: first[0].data, as: UTF8.self) == "{\"a\":1}")
            gate.open()
            let second = try await Self.events(1, of: stream)
            #expect(second.map(\.lastEventID) == ["k-2"])
            stream.close()
        }
    }

    @Test("the end of a stream, proper or not, is an error", arguments: [true, false])
    func end(isProper: Bool) async throws {
        let server = Self.server { connection throws(LoopbackConnection.Failure) in
            try connection.send(Self.chunk("data: a\n\n") + (isProper ? "0\r\n\r\n" : ""))
        }
        try await withRunning(.forTests()) { transport in
            let stream = try await transport.open(.to(server.url("/")))
            #expect(try await Self.events(1, of: stream).count == 1)
            do throws(TransportError) {
                while true { _ = try await stream.receive() }
            } catch {
                #expect(error.code == .closed(code: nil, reason: ""))
            }
        }
    }

    @Test("an event beyond the bound ends the stream")
    func tooLarge() async throws {
        let server = Self.server { connection throws(LoopbackConnection.Failure) in
            let line = Self.chunk("data: " + String(repeating: "x", count: 10_000) + "\n")
            while true { try connection.send(line) }
        }
        try await withRunning(.forTests()) { transport in
            let request = HTTPRequest.to(server.url("/"), bodyBytesMax: 100_000)
            let stream = try await transport.open(request)
            do throws(TransportError) {
                while true { _ = try await stream.receive() }
            } catch {
                #expect(error.code == .tooLarge)
            }
            stream.close()
        }
    }

    @Test("a late reader gets all events after back pressure")
    func lateReader() async throws {
        let sent = Atomic<Int>(0)
        let count = 200
        let server = Self.server { connection throws(LoopbackConnection.Failure) in
            let piece = Self.chunk("data: " + String(repeating: "y", count: 65_528) + "\n\n")
            for _ in 0..<count {
                try connection.send(piece)
                sent.wrappingAdd(65_536, ordering: .relaxed)
            }
            connection.waitForEnd()
        }
        try await withRunning(.forTests()) { transport in
            let stream = try await transport.open(.to(server.url("/")))
            // More than may wait for a reader has come by now.
            while sent.load(ordering: .relaxed) < 1 << 20 { await Task.yield() }
            let events = try await Self.events(count, of: stream)
            #expect(events.count == count && events.allSatisfy { $0.data.count == 65_528 })
            stream.close()
        }
    }

    @Test("a response that is no stream is read completely")
    func refusal() async throws {
        let server = LoopbackServer.http { _ in
            HTTPAnswer(status: "429 Slow", headers: ["Retry-After: 7"], body: Array("{}".utf8))
        }
        try await withRunning(.forTests()) { transport in
            let stream = try await transport.open(.to(server.url("/")))
            #expect(stream.status == 429 && stream.headers["retry-after"] == "7")
            #expect(try await stream.body() == Array("{}".utf8))
        }
    }

    @Test("an unreachable server is an error; cancelling ends the stream at once")
    func absentAndCancelled() async throws {
        let port = LoopbackServer.reservedPort()
        let ended = Gate()
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            defer { ended.open() }
            _ = try connection.receiveHead()
            connection.waitForEnd()
        }
        try await withRunning(.forTests()) { transport in
            do throws(TransportError) {
                _ = try await transport.open(.to("http://127.0.0.1:\(port)/"))
                Issue.record("nobody listens there")
            } catch {
                #expect(error.code == .cannotConnect)
            }
            let code = await withTaskGroup(of: TransportError.Code?.self) { group in
                group.addTask {
                    do throws(TransportError) {
                        _ = try await transport.open(.to(server.url("/")))
                        return nil
                    } catch {
                        return error.code
                    }
                }
                while server.acceptedCount == 0 { await Task.yield() }
                group.cancelAll()
                return await group.next() ?? nil
            }
            #expect(code == .cancelled)
            try await onBlockingThread { ended.wait() }
        }
    }

    @Test("a change is sent with its method, headers and body", arguments: ["PUT", "PATCH"])
    func change(method: String) async throws {
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            let head = try connection.receiveHead()
            var body: [UInt8] = []
            while body.count < 14 { body += try connection.receive() }
            try connection.send(
                HTTPAnswer(body: Array(head.utf8) + body).bytes
            )
        }
        var request = HTTPRequest.to(server.url("/v1/me/cash"))
        request.method = try #require(HTTPRequest.Method(rawValue: method))
        request.headers = [
            try #require(HTTPField("Content-Type", "application/json")),
            try #require(HTTPField("If-Match", "\"u1-2\"")),
        ]
        request.body = "{\"name\":\"원\"}"
        let sent = request
        let response = try await withRunning(.forTests()) { transport in
            try await transport.send(sent)
        }
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.hasPrefix("\(method) /v1/me/cash HTTP/1.1\r\n"))
        #expect(text.contains("Content-Type: application/json\r\n"))
        #expect(text.contains("If-Match: \"u1-2\"\r\n") && text.contains("Content-Length: 14\r\n"))
        #expect(text.hasSuffix("\r\n\r\n{\"name\":\"원\"}"))
    }

    @Test("a header with a control character is refused", arguments: ["a\r\nb", "a\nb", "a\u{0}b"])
    func noInjection(value: String) {
        #expect(HTTPField("X-Name", value) == nil && HTTPField(value, "x") == nil)
        let secret = HTTPField("Authorization", "Bearer secret")
        #expect(secret.map { "\($0)" } == "Authorization: …")
    }
}
