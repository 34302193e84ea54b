/// One complete request, copied out of the server: it may be kept as long as one likes.
public struct HTTPServerRequest: Sendable {
    /// The method, upper case as sent; a HEAD request says `GET` here.
    public let method: String
    /// Whether the client asked with HEAD: the answer's body is left out for it.
    public let isHead: Bool
    /// The path, percent-decoded.
    ///
    /// It starts with `/`, is valid UTF-8 and holds no zero byte: requests that break this are
    /// answered with 400 before they get here. `%2F` is a slash.
    public let path: String
    /// The query's parameters in the order sent, decoded as forms are (`+` is a space); a name
    /// without `=` has an empty value.
    public let query: [(name: String, value: String)]
    /// Who sent it, as the socket says.
    public let remoteAddress: NetworkAddress
    /// The body, at most as long as the configuration allows.
    public internal(set) var body: [UInt8]

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
