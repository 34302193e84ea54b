/// The head of a request.
final class RequestHead {
    /// The announced body.
    enum Body {
        case none
        /// In bytes.
        case length(UInt64)
        case chunks
    }

    let isHead: Bool
    let headers: HeaderTable
    /// The request without its body; nil if the target is invalid.
    let request: HTTPServerRequest?
    let body: Body
    /// Whether the client may send another request on this connection (RFC 9112, 9.3).
    let keepsAlive: Bool
    /// Whether the client speaks HTTP/1.0, which has no chunks and needs `keep-alive`.
    let isVersion10: Bool

    init(
        isHead: Bool,
        headers: HeaderTable,
        request: HTTPServerRequest?,
        body: Body,
        isVersion10: Bool
    ) {
        self.isHead = isHead
        self.headers = headers
        self.request = request
        self.body = body
        // Not read by the parser, which ignores options behind one that is not a token.
        keepsAlive =
            !headers.has("close", in: "connection")
            && (!isVersion10 || headers.has("keep-alive", in: "connection"))
        self.isVersion10 = isVersion10
    }

    /// Whether the client waits for `100 Continue` before it sends the body.
    var awaitsContinue: Bool {
        !isVersion10 && headers.value(of: "expect")?.lowercased() == "100-continue"
    }

    /// Why the request is rejected; nil if it is valid.
    func rejection(_ limits: HTTPServer.Configuration) -> HTTPServerRejection? {
        let hosts = headers.count(of: "host")
        if hosts > 1 || (hosts == 0 && !isVersion10) || request == nil { return .badRequest }
        if let host = headers.value(of: "host"), !RequestGrammar.isHostAndPort(host.utf8) {
            return .badRequest
        }
        // The parser takes an empty length for none.
        if let length = headers.value(of: "content-length"),
            length.isEmpty || !length.utf8.allSatisfy(RequestGrammar.isDigit)
        {
            return .badRequest
        }
        // A length beside chunks, or chunks inside another coding, can smuggle a request past a
        // proxy (RFC 9112, 6.3 and 11.2).
        if let coding = headers.value(of: "transfer-encoding") {
            let isPlain = coding.lowercased() == "chunked" && !isVersion10
            if !isPlain || headers.count(of: "content-length") > 0 { return .badRequest }
        }
        if case .length(let count) = body, count > UInt64(limits.bodyBytesMax) {
            return .bodyTooLarge
        }
        return nil
    }
}
