import Dispatch
import Glibc
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("Server lifecycle", .tags(.threads))
struct HTTPServerLifecycleTests {
    @Test("an address in use is named in the error")
    func addressInUse() throws {
        let first = try HTTPServer(.local()) { _ in .response(.text("1")) }
        defer { first.stop() }
        var configuration = HTTPServer.Configuration.local()
        configuration.port = first.port
        #expect(throws: HTTPServerError(.addressInUse, address: "127.0.0.1:\(first.port)")) {
            _ = try HTTPServer(configuration) { _ in .response(.text("2")) }
        }
    }

    @Test(
        "an unknown host is named in the error",
        arguments: [("192.0.2.1", "192.0.2.1:0"), ("", ":0"), ("::zz", "[::zz]:0")]
    )
    func badAddress(host: String, name: String) {
        var configuration = HTTPServer.Configuration.local()
        configuration.host = host
        #expect(throws: HTTPServerError(.badAddress, address: name)) {
            _ = try HTTPServer(configuration) { _ in .response(.text("2")) }
        }
    }

    @Test("stopping closes the listening socket exactly once")
    func closedOnce() async throws {
        let isOver = Mutex(false)
        async let lost = descriptorsLost(until: { isOver.withLock { $0 } })
        defer { isOver.withLock { $0 = true } }
        for _ in 0..<150 {
            try HTTPServer(.local()) { _ in .response(.text("1")) }.stop()
        }
        isOver.withLock { $0 = true }
        #expect(await lost == 0)
    }

    /// Opens and closes descriptors, and counts those closed by another thread.
    @concurrent
    private func descriptorsLost(until isOver: @Sendable () -> Bool) async -> Int {
        var lost = 0
        while !isOver() {
            let descriptors = (0..<8).map { _ in dup(STDERR_FILENO) }
            lost += descriptors.count { close($0) != 0 }
        }
        return lost
    }

    @Test("stopping finishes requests in flight, refuses new ones and is idempotent")
    func stop() async throws {
        let gate = Gate()
        var configuration = HTTPServer.Configuration.local()
        // Kept open, so that no other process listens on the port after the stop.
        configuration.port = LoopbackServer.reservedPort()
        let server = try HTTPServer(configuration) { _ in
            gate.enter()
            return .response(.text("late"))
        }
        let client = try TCPClient(port: server.port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        gate.awaitEntry()
        async let stopped: Void = stopAndAgain(server)
        gate.open()
        #expect(try client.receiveAnswer().body == Array("late".utf8))
        await stopped
        #expect(try client.receiveAll().isEmpty)
        #expect(throws: TCPClient.Failure.self) { _ = try TCPClient(port: server.port) }
    }

    @Test("clients that never pause do not delay a stop", arguments: [false, true])
    func stopUnderLoad(isShared: Bool) throws {
        var configuration = HTTPServer.Configuration.local()
        configuration.stopSecondsMax = 3_600
        let shared = HTTPServerResponse.text("yes")
        let server = try HTTPServer(configuration) { _ in
            .response(isShared ? shared : .text("yes"))
        }
        let client = try TCPClient(port: server.port)
        // Pipelined: there is always a further request.
        let requests = String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 50)
        try client.send(requests)
        let answer = try client.receiveAnswer()
        #expect(answer.body == Array("yes".utf8))
        let stopped = Signal()
        DispatchQueue(label: "stop").async {
            server.stop()
            stopped.send()
        }
        while true {
            do {
                try client.send(requests)
                if try client.receive().isEmpty { break }
            } catch TCPClient.Failure.closed {
                break
            }
        }
        stopped.wait()
    }

    @Test("a response in flight at the stop is the last of its connection")
    func lastAnswer() throws {
        var configuration = HTTPServer.Configuration.local()
        (configuration.threads, configuration.stopSecondsMax) = (1, 3_600)
        configuration.port = LoopbackServer.reservedPort()
        // Far more than the kernel's buffers hold.
        let answer = HTTPServerResponse.text(String(repeating: "0123456789", count: 6_400_000))
        let server = try HTTPServer(configuration) { _ in .response(answer) }
        let stopped = Signal()
        do {
            let client = try TCPClient(port: server.port)
            try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try client.receiveHeader()
            DispatchQueue(label: "stop").async {
                server.stop()
                stopped.send()
            }
            // The server accepts no more connections: it is stopping.
            while (try? TCPClient(port: server.port)) != nil {}
            _ = try client.receive(count: answer.body.count)
            #expect(try client.receiveAll().isEmpty)
        }
        stopped.wait()
    }

    @concurrent
    private func stopAndAgain(_ server: HTTPServer) async {
        server.stop()
        server.stop()
    }

    @Test("one response is sent on many connections, pipelined or not")
    func sharedAnswer() throws {
        let body = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        let answer = HTTPServerResponse(
            status: 200,
            headers: [("ETag", "\"1\"")],
            body: body
        )
        let server = try HTTPServer(.local()) { _ in .response(answer) }
        defer { server.stop() }
        let clients = try (0..<8).map { _ in try TCPClient(port: server.port) }
        for client in clients {
            try client.send(String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 3))
        }
        for client in clients {
            for _ in 0..<3 {
                let received = try client.receiveAnswer()
                #expect(received.header.contains("ETag: \"1\"\r\n"))
                #expect(received.body == body)
            }
        }
    }

    @Test("a client beyond its connections has the last one closed")
    func connectionsPerClient() throws {
        var configuration = HTTPServer.Configuration.local()
        configuration.connectionsPerClientMax = 2
        let server = try HTTPServer(configuration) { _ in .response(.text("yes")) }
        defer { server.stop() }
        let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
        let clients = try (0..<2).map { _ in try TCPClient(port: server.port) }
        for client in clients {
            try client.send(request)
            #expect(try client.receiveAnswer().body == Array("yes".utf8))
        }
        let third = try TCPClient(port: server.port)
        #expect(throws: TCPClient.Failure.self) {
            try third.send(request)
            _ = try third.receiveAnswer()
        }
    }

    @Test("an upgraded socket outlives the server")
    func upgrade() throws {
        let handed = Mailbox()
        let server = try HTTPServer(.local()) { request in
            guard request.header("upgrade") == "echo" else { return .response(.text("plain")) }
            return .upgrade(
                HTTPServerUpgrade(headers: [("Upgrade", "echo"), ("Connection", "Upgrade")]) {
                    handed.put($0)
                }
            )
        }
        let client = try TCPClient(port: server.port)
        try client.send(
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nearly"
        )
        let header = try client.receiveHeader()
        #expect(header.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
        #expect(header.contains("Upgrade: echo\r\n"))
        let socket = handed.take()
        server.stop()

        // Bytes right after the request are either read ahead or still in the socket.
        var bytes = socket.bytesReadAhead
        var buffer = [UInt8](repeating: 0, count: 64)
        while bytes.count < 5 {
            if case .bytes(let count) = socket.read(into: &buffer) { bytes += buffer[..<count] }
        }
        #expect(bytes == Array("early".utf8))
        #expect(socket.read(into: &buffer) == .wouldBlock)
        #expect(socket.write(Array("back".utf8).span) == .bytes(4))
        #expect(try client.receive(count: 4) == Array("back".utf8))
        socket.close()
        #expect(try client.receive().isEmpty)
    }
}

/// Holds a handler until the test releases it.
private final class Gate: Sendable {
    private let entered = Signal()
    private let opened = Signal()

    func enter() {
        entered.send()
        opened.wait()
    }
    func awaitEntry() { entered.wait() }
    func open() { opened.send() }
}
