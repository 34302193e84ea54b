import DataSourceContracts
import DataSourcesHTTP
import TestSupport
import Testing

@Suite(
    "HTTP faults have distinct errors, and cancellation is prompt",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct CurlHTTPTransportFaultTests {
    private static let longAnswer = HTTPAnswer(body: [UInt8](repeating: 1, count: 1_000)).bytes

    @Test(
        "a truncated or invalid response is an error",
        arguments: [
            ("nothing", [], false, .closed(code: nil, reason: "")),
            ("nothing, with a reset", [], true, .closed(code: nil, reason: "")),
            (
                "half a head", Array("HTTP/1.1 200 OK\r\nX: y\r\n".utf8), false,
                .closed(code: nil, reason: "")
            ),
            (
                "half a header", Array("HTTP/1.1 200 OK\r\nX: ".utf8), false,
                .closed(code: nil, reason: "")
            ),
            ("half a body", Array(longAnswer.dropLast()), false, .closed(code: nil, reason: "")),
            ("no HTTP", Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), false, .protocolViolation),
            (
                "bytes that are not packed",
                HTTPAnswer(headers: ["Content-Encoding: gzip"], body: Array("plain".utf8)).bytes,
                false, .protocolViolation
            ),
            (
                "a chunk without a length",
                HTTPAnswer(
                    headers: ["Transfer-Encoding: chunked"],
                    body: Array("zz\r\n".utf8),
                    hasLength: false
                ).bytes, false, nil
            ),
        ] as [(String, [UInt8], Bool, TransportError.Code?)]
    )
    func brokenAnswer(
        what: String,
        bytes: [UInt8],
        reset: Bool,
        code: TransportError.Code?
    ) async throws {
        let server = LoopbackServer.rude(bytes, reset: reset)
        let result = try await withRunning(.forTests()) { transport in
            await transport.result(.to(server.url("/")))
        }
        let found = try #require(result.errorCode, "\(what) was taken for an answer")
        if let code { #expect(found == code, "\(what)") }
    }

    @Test("a refused connection is cannotConnect")
    func refused() async throws {
        let port = LoopbackServer.reservedPort()
        let result = try await withRunning(.forTests()) { transport in
            await transport.result(.to("http://127.0.0.1:\(port)/"))
        }
        #expect(result.errorCode == .cannotConnect)
    }

    @Test("an invalid host name is nameNotResolved")
    func unknownName() async throws {
        // RFC 6761 keeps this top-level name free for ever.
        let result = try await withRunning(.forTests()) { transport in
            await transport.result(.to("http://nobody.invalid/"))
        }
        #expect(result.errorCode == .nameNotResolved)
    }

    @Test(
        "an invalid or unsupported address is refused",
        arguments: [
            "", "example.test/path", "ftp://127.0.0.1/", "file:///etc/passwd", "http://",
            "http://127.0.0.1:99999/", "http://a b/", "http://user:word@127.0.0.1/",
            "http://127.0.0.1/\r\nX: y",
        ]
    )
    func badAddress(url: String) async throws {
        let result = try await withRunning(.forTests()) { transport in
            await transport.result(.to(url))
        }
        #expect(result.errorCode == .badAddress)
    }

    @Test("a silent server fails at the time-out")
    func timeout() async throws {
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            connection.waitForEnd()
        }
        try await withRunning(.forTests()) { transport in
            let slow = HTTPRequest.to(server.url("/"), timeout: .milliseconds(50))
            #expect(await transport.result(slow).errorCode == .timedOut)
            // No time at all must not mean endless time.
            let none = HTTPRequest.to(server.url("/"), timeout: .zero)
            #expect(await transport.result(none).errorCode == .timedOut)
        }
    }

    @Test("cancellation ends a pending request and its connection")
    func cancellation() async throws {
        let (requests, arrived) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let (ends, ended) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            _ = try connection.receiveHead()
            arrived.yield()
            connection.waitForEnd()
            ended.yield()
        }
        try await withRunning(.forTests()) { transport in
            let code = await withTaskGroup(of: TransportError.Code?.self) { group in
                group.addTask { await transport.result(.to(server.url("/"))).errorCode }
                for await _ in requests { break }
                group.cancelAll()
                return await group.next() ?? nil
            }
            #expect(code == .cancelled)
            // The server sees its end while the transport still runs.
            for await _ in ends { break }
        }
    }

    @Test("a request cancelled before sending sends nothing")
    func cancelledBefore() async throws {
        let server = LoopbackServer.http { _ in .text("") }
        try await withRunning(.forTests()) { transport in
            let code = await withTaskGroup(of: TransportError.Code?.self) { group in
                group.cancelAll()
                group.addTask { await transport.result(.to(server.url("/cancelled"))).errorCode }
                return await group.next() ?? nil
            }
            #expect(code == .cancelled)
            _ = try await transport.send(.to(server.url("/")))
        }
        #expect(server.acceptedCount == 1)
    }

    @Test("requests before run wait for it; requests after its end are cancelled")
    func outsideOfRun() async throws {
        let server = LoopbackServer.http { _ in .text("") }
        let transport = try CurlHTTPTransport.forTests()
        try await withThrowingTaskGroup(of: TransportError.Code?.self) { group in
            group.addTask { await transport.result(.to(server.url("/"))).errorCode }
            for _ in 0..<100 { await Task.yield() }
            #expect(server.acceptedCount == 0)
            try await withRunning(transport) { _ in
                let early = try await group.next()
                #expect(early == .some(nil))
            }
        }
        #expect(await transport.result(.to(server.url("/"))).errorCode == .cancelled)
    }

    @Test("the end of run cancels requests in flight")
    func endOfRun() async throws {
        let (requests, arrived) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let server = LoopbackServer { connection throws(LoopbackConnection.Failure) in
            _ = try connection.receiveHead()
            arrived.yield()
            connection.waitForEnd()
        }
        let transport = try CurlHTTPTransport.forTests()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                #expect(await transport.result(.to(server.url("/"))).errorCode == .cancelled)
            }
            group.addTask {
                await withTaskGroup(of: Void.self) { running in
                    running.addTask { await transport.run() }
                    for await _ in requests { break }
                    running.cancelAll()
                }
            }
        }
    }

    @Test("a second run stops the program")
    func secondRun() async {
        await #expect(processExitsWith: .failure) {
            let transport = try CurlHTTPTransport.forTests()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await transport.run() }
                group.cancelAll()
            }
            await transport.run()
        }
    }
}
