/// Sends one HTTP request and returns the whole answer: what REST clients need of a network.
///
/// Implementations keep connections alive between requests, ask for gzip and hand out decoded
/// bodies. They know nothing of markets, categories or retries.
public protocol HTTPTransport: Sendable {
    /// Performs a GET.
    ///
    /// - Returns: any complete answer, whatever its status: 404 and 500 are answers.
    /// - Throws: ``TransportError`` when there is no complete answer; `cancelled` when the calling
    ///   task is cancelled, promptly.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// One GET request.
public struct HTTPRequest: Sendable, Hashable {
    /// The absolute address, already percent-encoded.
    public var url: String
    /// The longest the whole exchange may take, connecting included.
    public var timeout: Duration
    /// The longest answer that is accepted, in bytes after decompression.
    public var bodyBytesMax: Int

    /// Makes a request; the limits have no defaults so that each caller states its own.
    public init(url: String, timeout: Duration, bodyBytesMax: Int) {
        self.url = url
        self.timeout = timeout
        self.bodyBytesMax = bodyBytesMax
    }
}

/// A complete answer.
public struct HTTPResponse: Sendable {
    /// The HTTP status code, 100..599.
    public var status: Int
    /// Header values by lower-case name; of repeated headers the last one.
    public var headers: [String: String]
    /// The body after decompression.
    public var body: [UInt8]

    /// Makes an answer.
    public init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
