/// Sends one HTTP request and returns the whole answer: what REST clients need of a network.
///
/// Implementations keep connections alive between requests, ask for gzip and hand out decoded
/// bodies. They know nothing of markets, categories or retries.
public protocol HTTPTransport: Sendable {
    /// Performs a request.
    ///
    /// - Returns: any complete answer, whatever its status: 404 and 500 are answers.
    /// - Throws: ``TransportError`` when there is no complete answer; `cancelled` when the calling
    ///   task is cancelled, promptly.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// One request; a GET unless it says otherwise.
public struct HTTPRequest: Sendable, Hashable {
    /// What is done with the address.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        /// It is read.
        case get = "GET"
        /// What is there is replaced.
        case put = "PUT"
        /// Some of what is there is changed.
        case patch = "PATCH"
        /// What is there is removed.
        case delete = "DELETE"
    }

    /// The absolute address, already percent-encoded.
    public var url: String
    /// The longest the whole exchange may take, connecting included.
    public var timeout: Duration
    /// The longest answer that is accepted, in bytes after decompression.
    public var bodyBytesMax: Int
    /// What is done with the address.
    public var method = Method.get
    /// Lines of the head beside those that every request has.
    public var headers: [HTTPField] = []
    /// What is sent along: text in UTF-8; empty for nothing.
    public var body = ""

    /// Makes a request; the limits have no defaults so that each caller states its own.
    public init(url: String, timeout: Duration, bodyBytesMax: Int) {
        self.url = url
        self.timeout = timeout
        self.bodyBytesMax = bodyBytesMax
    }
}

/// A line of a request's head.
///
/// It describes itself by its name alone: values may be secrets.
public struct HTTPField: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The name, such as `If-Match`.
    public let name: String
    /// The value.
    public let value: String

    /// Makes a line.
    ///
    /// - Returns: nil where the name or the value holds what would end the line.
    public init?(_ name: String, _ value: String) {
        let isLine: (String) -> Bool = { text in text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }
        guard !name.isEmpty, isLine(name), isLine(value) else { return nil }
        self.name = name
        self.value = value
    }

    /// The name, and that there is a value.
    public var description: String { name + ": …" }

    /// Nothing: a dump of a request does not hold its secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
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
