/// Sends HTTP requests and returns whole responses, for REST clients.
///
/// Implementations keep connections alive, ask for gzip and return decoded bodies. They know
/// nothing of markets, categories or retries.
public protocol HTTPTransport: Sendable {
    /// Performs a request.
    ///
    /// - Returns: a complete response of any status, 404 and 500 included.
    /// - Throws: ``TransportError`` without a complete response; `cancelled` promptly when the
    ///   calling task is cancelled.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// One request; a GET by default.
public struct HTTPRequest: Sendable, Hashable {
    /// The HTTP method.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        /// Reads a resource.
        case get = "GET"
        /// Makes a resource.
        case post = "POST"
        /// Replaces a resource.
        case put = "PUT"
        /// Changes part of a resource.
        case patch = "PATCH"
        /// Removes a resource.
        case delete = "DELETE"
    }

    /// The absolute address, already percent-encoded.
    public var url: String
    /// The longest that the whole request may take, connecting included.
    public var timeout: Duration
    /// The longest accepted body in bytes after decompression.
    public var bodyBytesMax: Int
    /// The HTTP method.
    public var method = Method.get
    /// Headers beside those of every request.
    public var headers: [HTTPField] = []
    /// The body, sent as UTF-8; empty for none.
    public var body = ""

    /// Makes a request; the limits have no defaults so that each caller states its own.
    public init(url: String, timeout: Duration, bodyBytesMax: Int) {
        self.url = url
        self.timeout = timeout
        self.bodyBytesMax = bodyBytesMax
    }
}

/// A request header.
///
/// Its description holds the name alone, because values may be secrets.
public struct HTTPField: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The name, such as `If-Match`.
    public let name: String
    /// The value.
    public let value: String

    /// Makes a header; nil if the name or the value holds a control character.
    public init?(_ name: String, _ value: String) {
        let isLine: (String) -> Bool = { text in text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }
        guard !name.isEmpty, isLine(name), isLine(value) else { return nil }
        self.name = name
        self.value = value
    }

    /// The name, and that there is a value.
    public var description: String { name + ": …" }

    /// Empty, so that a dump of a request holds no secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A complete response.
public struct HTTPResponse: Sendable {
    /// The HTTP status code, 100..599.
    public var status: Int
    /// Header values by lower-case name; of repeated headers the last one.
    public var headers: [String: String]
    /// The body after decompression.
    public var body: [UInt8]

    /// Makes a response.
    public init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
