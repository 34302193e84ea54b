import Glibc
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite("At the stop whatever has arrived is answered, and nothing else is waited for")
struct EventLoopStopTests {
    private static let request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    private static func rules(_ answer: HTTPServerResponse) -> ServerContext {
        ServerContext(.local(), refusal: HTTPServerRejection.plain) { _ in .response(answer) }
    }

    private static func stop(_ served: ManualEventLoop) {
        served.loop.handle(.stop(secondsMax: 5))
    }

    @Test("A request that nobody has looked at yet is answered", arguments: [0, 1, 2], [1, 3])
    func arrived(before: Int, count: Int) throws {
        let served = try ManualEventLoop(Self.rules(.text("yes")))
        for _ in 0..<before {
            try served.client.send(Self.request)
            try served.awaitArrival()
            served.happened(ManualEventLoop.readable)
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
        "A connection on which no whole request has come is closed",
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

    @Test("Whoever stands in line is answered at its turn")
    func line() throws {
        let served = try ManualEventLoop(Self.rules(.text("yes")))
        try served.client.send(String(repeating: Self.request, count: 100))
        try served.awaitArrival()
        served.happened(ManualEventLoop.readable)
        #expect(served.connection.isTurnQueued)
        Self.stop(served)
        #expect(served.takeMail() == 1)
        let text = String(decoding: try served.client.receiveAll(), as: UTF8.self)
        let answers = text.split(separator: "HTTP/1.1 200 OK\r\n")
        #expect(answers.count > 1)
        #expect(
            answers.map { $0.contains("Connection: close\r\n") }
                == answers.indices.map { $0 == answers.count - 1 }
        )
    }

    @Test("Behind an answer that is on its way what has arrived is answered", arguments: [0, 1])
    func onItsWay(count: Int) throws {
        // Far more than the kernel's buffers hold.
        let long = HTTPServerResponse.text(String(repeating: "0123456789", count: 1_600_000))
        let served = try ManualEventLoop(Self.rules(long))
        try served.client.send(Self.request)
        try served.awaitArrival()
        served.happened(ManualEventLoop.readable)
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
            served.happened(ManualEventLoop.writable)
        }
        let bodies = received / long.bodyByteCount
        #expect(bodies == 1 + count)
    }
}
