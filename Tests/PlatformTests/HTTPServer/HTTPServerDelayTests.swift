import Dispatch
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("Delayed and deferred replies", .tags(.threads))
struct HTTPServerDelayTests {
    @Test("a delayed response comes after its delay, and the connection stays open")
    func due() throws {
        let server = try Self.server(milliseconds: 20)
        defer { server.stop() }
        let client = try TCPClient(port: server.port)
        for _ in 0..<2 {
            try client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
            try client.send("GET /fast HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.receiveAnswer().body == Array("later".utf8))
            #expect(try client.receiveAnswer().body == Array("now".utf8))
        }
    }

    @Test("one thread answers others meanwhile; stopping sends delayed responses at once")
    func stop() throws {
        let arrived = Signal()
        let server = try Self.server(milliseconds: 3_600_000) { arrived.send() }
        let client = try TCPClient(port: server.port)
        try client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
        arrived.wait()
        let other = try TCPClient(port: server.port)
        try other.send("GET /fast HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try other.receiveAnswer().body == Array("now".utf8))
        server.stop()
        #expect(try client.receiveAnswer().body == Array("later".utf8))
    }

    @Test("a deferred reply is made when its wait ends, from any thread")
    func awaited() throws {
        for isAtOnce in [true, false] {
            let begun = EndBox()
            let server = try Self.server(awaiting: 3_600_000) { end in
                if isAtOnce { end() }
                begun.send(end)
            }
            defer { server.stop() }
            let client = try TCPClient(port: server.port)
            for _ in 0..<2 {
                try client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
                try client.send("GET /fast HTTP/1.1\r\nHost: h\r\n\r\n")
                let end = begun.receive()
                // Ending twice is ending once.
                end()
                end()
                #expect(try client.receiveAnswer().body == Array("later".utf8))
                #expect(try client.receiveAnswer().body == Array("now".utf8))
            }
        }
    }

    @Test("a deferred reply is made after its time-out, and when the server stops")
    func awaitedInVain() throws {
        let quick = try Self.server(awaiting: 20) { _ in }
        defer { quick.stop() }
        let client = try TCPClient(port: quick.port)
        try client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receiveAnswer().body == Array("later".utf8))

        let begun = Signal()
        let patient = try Self.server(awaiting: 3_600_000) { _ in begun.send() }
        let other = try TCPClient(port: patient.port)
        try other.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
        begun.wait()
        patient.stop()
        #expect(try other.receiveAnswer().body == Array("later".utf8))
    }

    @Test("a wait that continues during a stop delays it until the response")
    func atWork() throws {
        let word = Mutex("too early")
        let (begun, idle) = (EndBox(), Signal())
        var configuration = HTTPServer.Configuration.local()
        (configuration.threads, configuration.stopSecondsMax) = (1, 3_600)
        let server = try HTTPServer(configuration) { request in
            let isAtWork = request.path == "/work"
            return .deferred(
                HTTPServerDeferredReply(
                    milliseconds: 3_600_000,
                    continuesDuringStop: isAtWork,
                    begin: { end in if isAtWork { begun.send(end) } else { idle.send() } },
                    reply: { .response(.text(isAtWork ? word.withLock { $0 } : "stopping")) }
                )
            )
        }
        let (working, waiting) = (
            try TCPClient(port: server.port), try TCPClient(port: server.port)
        )
        try working.send("GET /work HTTP/1.1\r\nHost: h\r\n\r\n")
        let end = begun.receive()
        try waiting.send("GET /idle HTTP/1.1\r\nHost: h\r\n\r\n")
        idle.wait()
        let stopped = Signal()
        DispatchQueue(label: "hoga.test.stop").async {
            server.stop()
            stopped.send()
        }
        // A wait that does not continue during a stop ends at once.
        #expect(try waiting.receiveAnswer().body == Array("stopping".utf8))
        word.withLock { $0 = "done" }
        end()
        #expect(try working.receiveAnswer().body == Array("done".utf8))
        stopped.wait()
    }

    @Test("a client may disconnect while its reply is deferred")
    func awaitedByNobody() throws {
        let begun = EndBox()
        let server = try Self.server(awaiting: 3_600_000) { begun.send($0) }
        defer { server.stop() }
        do {
            let client = try TCPClient(port: server.port)
            try client.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = begun.receive()
            let left = try TCPClient(port: server.port)
            try left.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
        }
        begun.receive()()
        let other = try TCPClient(port: server.port)
        try other.send("GET /fast HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try other.receiveAnswer().body == Array("now".utf8))
    }

    private static func server(
        awaiting milliseconds: Int,
        begin: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration.local()
        configuration.threads = 1
        return try HTTPServer(configuration) { request in
            guard request.path == "/slow" else { return .response(.text("now")) }
            return .deferred(
                HTTPServerDeferredReply(
                    milliseconds: milliseconds,
                    continuesDuringStop: false,
                    begin: begin,
                    reply: { .response(.text("later")) }
                )
            )
        }
    }

    private static func server(
        milliseconds: Int,
        onSlow: @escaping @Sendable () -> Void = {}
    ) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration.local()
        configuration.threads = 1
        return try HTTPServer(configuration) { request in
            guard request.path == "/slow" else { return .response(.text("now")) }
            onSlow()
            return .delayed(.text("later"), milliseconds: milliseconds)
        }
    }
}

/// Hands what ends a wait from the server's thread to a test.
private final class EndBox: Sendable {
    private let filled = Signal()
    private let ends = Mutex<[@Sendable () -> Void]>([])

    func send(_ end: @escaping @Sendable () -> Void) {
        ends.withLock { $0.append(end) }
        filled.send()
    }

    func receive() -> @Sendable () -> Void {
        filled.wait()
        return ends.withLock { $0.removeFirst() }
    }
}
