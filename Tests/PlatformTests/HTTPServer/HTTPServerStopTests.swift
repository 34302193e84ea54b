import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("Completion of responses", .tags(.threads))
struct HTTPServerStopTests {
    @Test("responses that share a body each complete")
    func whole() throws {
        let body = [UInt8](repeating: 7, count: 400_000)
        let ends = Ends()
        let server = try HTTPServer(.local()) { request in
            .response(
                HTTPServerResponse(
                    status: 200,
                    headers: [("X-Number", request.parameter("n") ?? "")],
                    body: body,
                    ended: ends.record
                )
            )
        }
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        for number in 0..<3 {
            try client.send("GET /?n=\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
            let answer = try client.receiveAnswer()
            #expect(answer.header.contains("X-Number: \(number)\r\n"))
            #expect(answer.body.count == body.count && answer.body.allSatisfy { $0 == 7 })
            #expect(ends.next() == true)
        }
        try client.send("HEAD /?n=4 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveHeader().contains("Content-Length: 400000\r\n"))
        #expect(ends.next() == true)
        #expect(ends.count == 4)
    }

    @Test("a response whose client disconnects is incomplete")
    func departure() throws {
        // Far more than the kernel's buffers hold.
        let body = [UInt8](repeating: 7, count: 64_000_000)
        let ends = Ends()
        let server = try HTTPServer(.local()) { _ in
            .response(
                HTTPServerResponse(status: 200, headers: [], body: body, ended: ends.record)
            )
        }
        defer { server.stop() }
        do {
            let client = try TCPClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try client.receiveHeader()
        }
        #expect(ends.next() == false)
        #expect(ends.count == 1)
    }

    @Test("a client slower than the least rate is disconnected")
    func slowReader() throws {
        // Far more than the kernel's buffers hold.
        let body = [UInt8](repeating: 7, count: 64_000_000)
        let ends = Ends()
        var configuration = HTTPServer.Configuration.local()
        (configuration.idleTimeoutSeconds, configuration.sentBytesPerSecondMin) = (1, .max)
        configuration.threads = 1
        let server = try HTTPServer(configuration) { request in
            .response(
                request.path == "/long"
                    ? HTTPServerResponse(
                        status: 200,
                        headers: [],
                        body: body,
                        ended: ends.record
                    ) : .text("short")
            )
        }
        defer { server.stop() }
        let slow = try TCPClient(port: server.port)
        try slow.send("GET /long HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try slow.receiveHeader()
        // The client receives everything slowly unless the server disconnects it.
        for _ in 0..<200_000 where ends.count == 0 {
            _ = try? slow.receive(count: 320)
            // A client that is late itself is disconnected as well: a new one continues.
            guard let other = try? TCPClient(port: server.port) else { continue }
            try? other.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try? other.receiveAnswer()
        }
        try #require(ends.count == 1)
        #expect(ends.next() == false)
    }

    @Test("a response that is never sent completes when it is released")
    func unsent() {
        let ends = Ends()
        _ = HTTPServerResponse(status: 200, headers: [], body: [], ended: ends.record)
        #expect(ends.next() == false)
        #expect(ends.count == 1)
    }

    @Test("a response keeps its status, headers and body")
    func parts() {
        let answer = HTTPServerResponse(
            status: 404,
            headers: [("A", "1"), ("B", "2"), ("A", "3")],
            body: [1, 2]
        )
        #expect(answer.status == 404 && answer.body.count == 2)
        #expect(answer.headers.map(\.name) == ["A", "B", "A"])
        #expect(answer.headers.map(\.value) == ["1", "2", "3"])
    }
}

/// Collects the completions of responses.
private final class Ends: Sendable {
    private let signal = Signal()
    private let values = Mutex<[Bool]>([])
    private let all = Mutex(0)

    var count: Int { all.withLock { $0 } }

    var record: @Sendable (Bool) -> Void {
        { isComplete in
            self.all.withLock { $0 += 1 }
            self.values.withLock { $0.append(isComplete) }
            self.signal.send()
        }
    }

    func next() -> Bool {
        signal.wait()
        return values.withLock { $0.removeFirst() }
    }
}
