/// What stands before the body of a request; one for all requests that are the same.
final class RequestHead {
    /// What follows a head.
    enum Body {
        /// Nothing.
        case none
        /// So many bytes, or chunks.
        case length(UInt64), chunks
    }

    let isHead: Bool
    let headers: HeaderTable
    /// The request without a body; nil if its target is none that this server accepts.
    let request: HTTPServerRequest?
    let body: Body
    /// Whether the client may ask again on this connection.
    let keepsAlive: Bool
    /// Whether the client is of HTTP/1.0: it knows no chunks, and has to be told of going on.
    let isOld: Bool

    init(
        isHead: Bool,
        headers: HeaderTable,
        request: HTTPServerRequest?,
        body: Body,
        keepsAlive: Bool,
        isOld: Bool
    ) {
        self.isHead = isHead
        self.headers = headers
        self.request = request
        self.body = body
        self.keepsAlive = keepsAlive
        self.isOld = isOld
    }

    /// Whether the client waits for a word before it sends the body.
    var awaitsContinue: Bool {
        !isOld && headers.value(of: "expect")?.lowercased() == "100-continue"
    }

    /// What is wrong with it, whatever its target; nil if nothing is.
    func refusal(_ limits: HTTPServer.Configuration) -> HTTPServerRejection? {
        let hosts = headers.count(of: "host")
        if hosts > 1 || (hosts == 0 && !isOld) || request == nil { return .badRequest }
        if headers.value(of: "host")?.isEmpty ?? false { return .badRequest }
        // A length beside chunks, and chunks inside another coding, are how requests are smuggled
        // past a proxy.
        if let coding = headers.value(of: "transfer-encoding") {
            let isPlain = coding.lowercased() == "chunked" && !isOld
            if !isPlain || headers.count(of: "content-length") > 0 { return .badRequest }
        }
        if case .length(let count) = body, count > UInt64(limits.bodyBytesMax) {
            return .bodyTooLarge
        }
        return nil
    }
}
