import DataSourceContracts
import Synchronization
import TestSupport
import Testing

@testable import DataSourcesRecording

/// Collects recorded traffic.
private final class CollectingRecorder: TrafficRecorder {
    private let pages = Mutex<[Traffic]>([])
    var traffic: [Traffic] { pages.withLock { $0 } }
    func record(_ traffic: [Traffic]) async { pages.withLock { $0 += traffic } }
}

@Suite("Recording transports return and record the same traffic", .tags(.threads))
struct RecordingTransportTests {
    private let recorder = CollectingRecorder()

    @Test("every response is recorded, error statuses included; a failure is not")
    func answers() async throws {
        let server = InMemoryHTTPServer { request throws(TransportError) in
            if request.url.contains("dead") { throw TransportError(.cannotConnect, "nobody") }
            let status = request.url.contains("missing") ? 404 : 200
            return HTTPResponse(status: status, headers: ["a": "b"], body: Array("body".utf8))
        }
        let transport = RecordingHTTPTransport(server, recorder: recorder)
        func send(_ url: String) async throws(TransportError) -> HTTPResponse {
            try await transport.send(
                HTTPRequest(url: url, timeout: .seconds(1), bodyBytesMax: 100)
            )
        }
        let answer = try await send("https://host:1/public/orderbook/BTC_KRW?count=30")
        #expect(answer.status == 200)
        #expect(answer.headers == ["a": "b"])
        #expect(answer.body == Array("body".utf8))
        #expect(try await send("http://host/missing").status == 404)
        await #expect(throws: TransportError.self) { try await send("http://host/dead") }
        #expect(
            recorder.traffic == [
                .answer(path: "/public/orderbook/BTC_KRW", status: 200, body: Array("body".utf8)),
                .answer(path: "/missing", status: 404, body: Array("body".utf8)),
            ]
        )
    }

    @Test("received messages are recorded in order, sent ones are not")
    func messages() async throws {
        let server = InMemoryWebSocketServer { $0.deliver("one", "", "three") }
        let transport = RecordingWebSocketTransport(server, recorder: recorder)
        let connection = try await transport.open(
            url: "ws://host",
            timeout: .seconds(1),
            pingInterval: nil
        )
        try await connection.send(text: "a wish")
        let batch = try await connection.receive(batchInterval: .zero)
        #expect(batch.count == 3)
        await connection.close()
        #expect(server.connections[0].isClosed)
        #expect(server.connections[0].sent == ["a wish"])
        #expect(
            recorder.traffic
                == ["one", "", "three"].map { .message(Array($0.utf8)) }
        )
    }

    @Test(
        "an address yields its path",
        arguments: [
            ("http://h/a/b?c=d", "/a/b"), ("https://h:80", "/"), ("http://h/#x", "/"),
            ("http://h/a%20b#c", "/a%20b"), ("/only/path?x", "/only/path"),
        ]
    )
    func path(url: String, expected: String) {
        #expect(RecordingHTTPTransport.path(of: url) == expected)
    }
}
