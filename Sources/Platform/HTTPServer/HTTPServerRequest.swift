internal import Synchronization

/// One complete request, copied out of the server: it may be kept as long as one likes.
///
/// Where a client sends the same request again, without a body, it may be the same one here, on
/// whichever of its connections: an answer that was left in its ``memory`` is then given again.
public final class HTTPServerRequest: Sendable {
    /// The method, upper case as sent; a HEAD request says `GET` here.
    public let method: String
    /// Whether the client asked with HEAD: the answer's body is left out for it.
    public let isHead: Bool
    /// The path, percent-decoded.
    ///
    /// It starts with `/`, is valid UTF-8 and holds no zero byte: requests that break this are
    /// answered with 400 before they get here. `%2F` stays as it came: it divides no parts.
    public let path: String
    /// The query's parameters in the order sent, decoded as forms are (`+` is a space); a name
    /// without `=` has an empty value.
    public let query: [(name: String, value: String)]
    /// Who sent it, as the socket says.
    public let remoteAddress: NetworkAddress
    /// The body, at most as long as the configuration allows.
    public let body: [UInt8]
    /// Room for an answer that stands.
    public let memory = HTTPServerMemory()

    private let headers: HeaderTable

    init(
        method: String,
        path: String,
        query: [(name: String, value: String)],
        remoteAddress: NetworkAddress,
        headers: HeaderTable
    ) {
        isHead = method == "HEAD"
        self.method = isHead ? "GET" : method
        self.path = path
        self.query = query
        self.remoteAddress = remoteAddress
        self.headers = headers
        body = []
    }

    /// The same request with a body.
    init(_ other: HTTPServerRequest, body: [UInt8]) {
        method = other.method
        isHead = other.isHead
        path = other.path
        query = other.query
        remoteAddress = other.remoteAddress
        headers = other.headers
        self.body = body
    }

    /// The value of a header; repeated headers are joined by `, ` as RFC 9110, 5.3 says.
    ///
    /// - Parameter lowercaseName: the name in lower case, `if-none-match`.
    /// - Returns: nil if the header is absent; bytes that are not UTF-8 are replaced.
    public func header(_ lowercaseName: String) -> String? {
        headers.value(of: lowercaseName)
    }

    /// The value of the first query parameter of this name; nil if there is none.
    public func parameter(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}

/// What a handler remembers of a request, for when it comes again.
///
/// Bound: one answer. It is let go of with the connections that sent the request, when it is over,
/// or when many others were sent since.
public final class HTTPServerMemory: Sendable {
    private let kept = Mutex<(any CachedResponse)?>(nil)

    init() {}

    /// The answer that was left here; nil if none was yet, or not lately.
    public var answer: (any CachedResponse)? { kept.withLock { $0 } }

    /// Leaves an answer in place of the one that was left before.
    public func remember(_ answer: some CachedResponse) {
        kept.withLock { $0 = answer }
    }

    func forget() { kept.withLock { $0 = nil } }

    func forgetIfOver() {
        kept.withLock { kept in
            if kept?.isOver ?? false { kept = nil }
        }
    }
}
