import DataSourceContracts
import DataSourcesHTTP
import TestSupport
import Testing

@Suite(
    "HTTP over real sockets: responses, connections and limits",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct CurlHTTPTransportTests {
    // MARK: Answers

    @Test("a response has its status, its headers by lower-case name and its body")
    func answer() async throws {
        let server = LoopbackServer.http { _ in
            HTTPAnswer(headers: ["X-Twice: 1", "X-TWICE:  2 ", "X-Empty:"], body: [0, 1, 2, 0xff])
        }
        let response = try await withRunning(.forTests()) { transport in
            try await transport.send(.to(server.url("/a?b=c")))
        }
        #expect(response.status == 200)
        #expect(response.body == [0, 1, 2, 0xff])
        #expect(response.headers["x-twice"] == "2")
        #expect(response.headers["x-empty"] == "")
    }

    @Test("a request is a GET with a user agent that accepts gzip")
    func request() async throws {
        let server = LoopbackServer.http { head in .text(head) }
        let response = try await withRunning(.forTests()) { transport in
            try await transport.send(.to(server.url("/a%20b?c=d")))
        }
        let head = String(decoding: response.body, as: UTF8.self)
        #expect(head.hasPrefix("GET /a%20b?c=d HTTP/1.1\r\n"))
        #expect(head.contains("User-Agent: hoga-tests\r\n"))
        let encodings = head.split(separator: "\r\n").first { $0.hasPrefix("Accept-Encoding:") }
        #expect(encodings?.contains("gzip") == true)
    }

    @Test(
        "any complete response is returned, also a redirect",
        arguments: ["204 No Content", "301 Moved", "404 Not Found", "429 Slow Down", "500 Oh"]
    )
    func statuses(status: String) async throws {
        let server = LoopbackServer.http { _ in
            HTTPAnswer(
                status: status,
                headers: ["Location: /elsewhere"],
                body: status.hasPrefix("204") ? [] : [1],
                hasLength: !status.hasPrefix("204")
            )
        }
        let response = try await withRunning(.forTests()) { transport in
            try await transport.send(.to(server.url("/")))
        }
        #expect(status.hasPrefix(String(response.status)))
    }

    @Test("a compressed body arrives decompressed", arguments: [0, 5, 200_000])
    func gzip(count: Int) async throws {
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let server = LoopbackServer.http { _ in
            HTTPAnswer(headers: ["Content-Encoding: gzip"], body: HTTPAnswer.gzip(body))
        }
        let response = try await withRunning(.forTests()) { transport in
            try await transport.send(.to(server.url("/")))
        }
        #expect(response.body == body)
    }

    // MARK: Connections

    @Test("successive requests share one connection")
    func reuse() async throws {
        let server = LoopbackServer.http { _ in .text("again") }
        try await withRunning(.forTests()) { transport in
            for _ in 0..<5 { _ = try await transport.send(.to(server.url("/"))) }
        }
        #expect(server.acceptedCount == 1)
    }

    @Test("a dead kept connection is replaced without an error")
    func staleConnection() async throws {
        // Each connection ends after its response without an announcement.
        let server = LoopbackServer.rude(HTTPAnswer.text("once").bytes)
        try await withRunning(.forTests()) { transport in
            for _ in 0..<5 {
                let response = try await transport.send(.to(server.url("/")))
                #expect(response.body == Array("once".utf8))
            }
        }
        #expect(server.acceptedCount >= 5)
    }

    @Test("concurrent requests get their own responses over few connections")
    func manyAtOnce() async throws {
        let server = LoopbackServer.http { head in
            .text(String(head.split(separator: " ")[1]))
        }
        try await withRunning(.forTests()) { transport in
            let results = await withTaskGroup(of: (Int, String?).self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let response = try? await transport.send(.to(server.url("/\(number)")))
                        return (number, response.map { String(decoding: $0.body, as: UTF8.self) })
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(results.count == 100)
            for (number, text) in results { #expect(text == "/\(number)") }
        }
        #expect(server.acceptedCount <= 6)
    }

    // MARK: Limits

    @Test("a body at the limit passes, one byte more is too large", arguments: BodyForm.allCases)
    func bodyLimit(form: BodyForm) async throws {
        for excess in 0...1 {
            let body = [UInt8](repeating: 65, count: 100_000 + excess)
            let server = LoopbackServer.rude(form.answer(body).bytes)
            let result = try await withRunning(.forTests()) { transport in
                await transport.result(.to(server.url("/"), bodyBytesMax: 100_000))
            }
            if excess == 0, form != .gzip {
                #expect(try result.get().body.count == 100_000)
            } else if excess == 1 {
                #expect(result.errorCode == .tooLarge)
            }
        }
    }

    @Test("a decompressed body beyond the limit is too large")
    func unpackedLimit() async throws {
        let body = HTTPAnswer.gzip(repeating: 65, times: 1_000)
        let server = LoopbackServer.http { _ in
            HTTPAnswer(headers: ["Content-Encoding: gzip"], body: body)
        }
        try await withRunning(.forTests()) { transport in
            let fitting = HTTPRequest.to(server.url("/"), bodyBytesMax: 258_001)
            let unpacked = try await transport.send(fitting).body
            #expect(unpacked == [UInt8](repeating: 65, count: 258_001))
            let tight = HTTPRequest.to(server.url("/"), bodyBytesMax: 258_000)
            #expect(body.count < 10_000)
            #expect(await transport.result(tight).errorCode == .tooLarge)
        }
    }

    @Test("headers without an end are too large")
    func headLimit() async throws {
        let lines = (0..<2_000).map { "X-\($0): \(String(repeating: "a", count: 60))" }
        let server = LoopbackServer.http { _ in HTTPAnswer(headers: lines) }
        let result = try await withRunning(.forTests()) { transport in
            await transport.result(.to(server.url("/")))
        }
        #expect(result.errorCode == .tooLarge)
    }

    @Test("requests beyond the limit are refused until others end")
    func requestLimit() async throws {
        let gate = Gate()
        let server = LoopbackServer.http { _ in
            gate.wait()
            return .text("late")
        }
        try await withRunning(.forTests(requestsMax: 2)) { transport in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        #expect(await transport.result(.to(server.url("/"))).errorCode == nil)
                    }
                }
                while server.acceptedCount < 2 { await Task.yield() }
                #expect(await transport.result(.to(server.url("/"))).errorCode == .other)
                gate.open()
            }
            #expect(await transport.result(.to(server.url("/"))).errorCode == nil)
        }
    }
}

/// The ways in which a server marks the end of a body.
enum BodyForm: CaseIterable {
    case length
    case chunked
    case untilEnd
    case gzip

    func answer(_ body: [UInt8]) -> HTTPAnswer {
        switch self {
        case .length: HTTPAnswer(body: body)
        case .chunked:
            HTTPAnswer(
                headers: ["Transfer-Encoding: chunked"],
                body: Array("\(String(body.count, radix: 16))\r\n".utf8) + body
                    + Array("\r\n0\r\n\r\n".utf8),
                hasLength: false
            )
        case .untilEnd:
            HTTPAnswer(headers: ["Connection: close"], body: body, hasLength: false)
        case .gzip:
            HTTPAnswer(headers: ["Content-Encoding: gzip"], body: HTTPAnswer.gzip(body))
        }
    }
}
