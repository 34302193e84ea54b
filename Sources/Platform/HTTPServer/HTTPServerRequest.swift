public import NetworkAddresses

/// A complete request; it shares no memory with the server.
public final class HTTPServerRequest: Sendable {
    /// The method as sent; `GET` for a HEAD request.
    public let method: String
    /// Whether the method was HEAD: the response is sent without its body.
    public let isHead: Bool
    /// The path, percent-decoded except for `%2F`, which separates no segments.
    ///
    /// The path starts with `/`, is valid UTF-8 and holds no zero byte: other requests are answered
    /// with 400 before they reach the handler.
    public let path: String
    /// The query's parameters in their order, form-decoded (`+` is a space); a name without `=`
    /// has an empty value.
    public let query: [(name: String, value: String)]
    /// The peer's address.
    public let remoteAddress: NetworkAddress
    /// The body, within the configured limit.
    public let body: [UInt8]

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

    /// A GET request without a connection, for a handler of this process.
    ///
    /// - Returns: nil if the target is invalid, which a server refuses.
    package convenience init?(
        getting target: String,
        from remoteAddress: NetworkAddress,
        headers: [(name: String, value: String)]
    ) {
        let parts = Array(target.utf8)
            .split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = RequestTarget.path(parts[0]),
            let query = RequestTarget.parameters(parts.count > 1 ? parts[1] : [])
        else { return nil }
        var table = HeaderTable()
        for (name, value) in headers {
            table.append(name: Array(name.utf8)[...], value: Array(value.utf8)[...])
        }
        self.init(
            method: "GET",
            path: path,
            query: query,
            remoteAddress: remoteAddress,
            headers: table
        )
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

    /// The value of a header field; repeated fields are joined by `, ` (RFC 9110, 5.3).
    ///
    /// - Parameter lowercaseName: the name in lower case, `if-none-match`.
    /// - Returns: nil without the field; invalid UTF-8 is replaced.
    public func header(_ lowercaseName: String) -> String? {
        headers.value(of: lowercaseName)
    }

    /// The value of the first query parameter of this name; nil without one.
    public func parameter(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
