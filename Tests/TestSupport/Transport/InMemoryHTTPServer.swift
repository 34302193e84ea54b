public import DataSourceContracts
import Synchronization

/// An HTTP server without a network: a handler answers each request.
///
/// A body beyond the request's limit throws `tooLarge`, a cancelled task `cancelled`. A handler
/// that returns nil never answers.
public final class InMemoryHTTPServer: HTTPTransport {
    /// Answers one request; nil leaves the caller waiting until it is cancelled.
    public typealias Handler =
        @Sendable (HTTPRequest) throws(TransportError) -> HTTPResponse?

    private let handler: Handler
    private let log = Mutex<[HTTPRequest]>([])

    /// Creates a server.
    public init(handler: @escaping Handler) { self.handler = handler }

    /// A server with one response for every request.
    public convenience init(status: Int = 200, headers: [String: String] = [:], body: String) {
        self.init { _ in
            HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        }
    }

    /// Every request so far.
    public var requests: [HTTPRequest] { log.withLock { $0 } }

    /// Answers a request through the handler.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        if Task.isCancelled { throw TransportError(.cancelled, "before sending") }
        log.withLock { $0.append(request) }
        guard let response = try handler(request) else {
            await untilCancelled()
            throw TransportError(.cancelled, "while waiting for an answer")
        }
        guard response.body.count <= request.bodyBytesMax else {
            throw TransportError(.tooLarge, "the body is over the limit")
        }
        return response
    }
}

/// Suspends until the task is cancelled.
func untilCancelled() async {
    let (stream, continuation) = AsyncStream<Never>.makeStream(bufferingPolicy: .bufferingNewest(1))
    // Iterating a stream without elements ends only by cancellation.
    for await _ in stream {}
    continuation.finish()
}
