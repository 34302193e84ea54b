import Glibc
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Stopping an event loop")
struct EventLoopStopTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    private static func rules(_ answer: HTTPServerResponse) -> ServerContext {
        ServerContext(.local(), rejection: HTTPServerRejection.plain) { _ in .response(answer) }
    }

    private static func stop(_ served: ManualEventLoop) {
        served.loop.handle(.stop(secondsMax: 5))
    }

    @Test("a request that arrived before the stop is answered", arguments: [0, 1, 2], [1, 3])
    func arrived(before: Int, count: Int) throws {
        let served = try ManualEventLoop(Self.rules(.text("yes")))
        for _ in 0..<before {
            try served.client.send(Self.request)
            try served.awaitArrival()
            served.deliver(ManualEventLoop.readable)
            let answer = try served.client.receiveAnswer()
            #expect(!answer.header.contains("Connection: close\r\n"))
        }
        try served.client.send(String(repeating: Self.request, count: count))
        try served.awaitArrival()
        Self.stop(served)
        let answer = try served.client.receiveAnswer()
        #expect(answer.header.contains("Connection: close\r\n"))
        #expect(answer.body == Array("yes".utf8))
        #expect(try served.client.receiveAll().isEmpty)
    }

    @Test(
        "a connection without a complete request is closed",
        arguments: ["", "\r\n", "GET / HT", "GET / HTTP/1.1\r\nHost: h\r\n"]
    )
    func silent(begun: String) throws {
        let served = try ManualEventLoop(Self.rules(.text("yes")))
        if !begun.isEmpty {
            try served.client.send(begun)
            try served.awaitArrival()
        }
        Self.stop(served)
        #expect(served.loop.connectionCount == 0)
        #expect(try served.client.receiveAll().isEmpty)
    }

    @Test("a connection with a queued turn is answered at its turn")
    func line() throws {
        let served = try ManualEventLoop(Self.rules(.text("yes")))
        try served.client.send(String(repeating: Self.request, count: 100))
        try served.awaitArrival()
        served.deliver(ManualEventLoop.readable)
        #expect(served.connection.isTurnQueued)
        Self.stop(served)
        #expect(served.deliverMessages() == 1)
        let text = String(decoding: try served.client.receiveAll(), as: UTF8.self)
        let answers = text.split(separator: "HTTP/1.1 200 OK\r\n")
        #expect(answers.count > 1)
        #expect(
            answers.map { $0.contains("Connection: close\r\n") }
                == answers.indices.map { $0 == answers.count - 1 }
        )
    }

    @Test("a request behind a response in flight is answered", arguments: [0, 1])
    func onItsWay(count: Int) throws {
        // More than the kernel buffers.
        let long = HTTPServerResponse.text(String(repeating: "0123456789", count: 1_600_000))
        let served = try ManualEventLoop(Self.rules(long))
        try served.client.send(Self.request)
        try served.awaitArrival()
        served.deliver(ManualEventLoop.readable)
        if count > 0 {
            try served.client.send(Self.request)
            try served.awaitArrival()
        }
        Self.stop(served)
        var received = 0
        while true {
            let bytes = try served.client.receive()
            if bytes.isEmpty { break }
            received += bytes.count
            served.deliver(ManualEventLoop.writable)
        }
        let bodies = received / long.body.count
        #expect(bodies == 1 + count)
    }
}
