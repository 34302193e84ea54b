internal import CHTTPParser
internal import NetworkAddresses

/// Parses heads with libhttp_parser.
@safe
struct HeadReader {
    private var record = unsafe hoga_http_head()

    /// Parses a complete head.
    ///
    /// - Parameters:
    ///   - bytes: the head with its empty line, below 4 GiB.
    ///   - address: the peer.
    /// - Returns: nil if the head is malformed.
    mutating func read(_ bytes: [UInt8], from address: NetworkAddress) -> RequestHead? {
        guard hasValidLines(bytes), let end = bytes.firstIndex(of: UInt8(ascii: " ")),
            (1...Self.methodBytesMax).contains(end),
            bytes[..<end].allSatisfy(RequestGrammar.isTokenByte)
        else { return nil }
        let method = String(decoding: bytes[..<end], as: UTF8.self)
        if method != Self.connect, parse(bytes) { return head(of: bytes, method, address) }
        // A valid method that the parser does not know is passed on: the handler answers 405.
        guard unsafe method == Self.connect || hoga_http_has_unknown_method(&record) else {
            return nil
        }
        let known = Self.knownMethod + bytes[end...]
        return parse(known) ? head(of: known, method, address) : nil
    }

    /// Whether each line ends with CRLF and none continues the line before it.
    ///
    /// A single LF, a CR inside a line and folded fields are rejected (RFC 9112, 2.2 and 5.2): a
    /// proxy may read another request there.
    private func hasValidLines(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { pointer in
            unsafe pointer.withMemoryRebound(to: CChar.self) { characters in
                unsafe hoga_http_has_valid_lines(characters.baseAddress, characters.count)
            }
        }
    }

    private mutating func parse(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { pointer in
            unsafe pointer.withMemoryRebound(to: CChar.self) { characters in
                unsafe hoga_http_read_head(&record, characters.baseAddress, characters.count)
            }
        }
    }

    /// Replaces an unknown method for the parser, which treats it like any method with a body.
    private static let knownMethod = Array("PUT".utf8)
    /// The method that the parser takes for the end of HTTP; for hoga it is as unknown as others.
    private static let connect = "CONNECT"
    /// The longest accepted method.
    private static let methodBytesMax = 32

    private mutating func head(
        of bytes: [UInt8],
        _ method: String,
        _ address: NetworkAddress
    ) -> RequestHead {
        let headers = headers(in: bytes)
        let target = unsafe bytes[Self.range(record.target)]
        let query = target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        var request: HTTPServerRequest?
        if let path = RequestTarget.path(target[..<query]),
            let parameters = RequestTarget.parameters(target[query...].dropFirst())
        {
            request = HTTPServerRequest(
                method: method,
                path: path,
                query: parameters,
                remoteAddress: address,
                headers: headers
            )
        }
        return unsafe RequestHead(
            isHead: method == "HEAD",
            headers: headers,
            request: request,
            body: body,
            isVersion10: hoga_http_is_version_1_0(&record)
        )
    }

    private var body: RequestHead.Body {
        mutating get {
            if unsafe record.is_complete { return .none }
            let length = unsafe hoga_http_length(&record)
            return length == .max ? .chunks : .length(length)
        }
    }

    private func headers(in bytes: [UInt8]) -> HeaderTable {
        var headers = HeaderTable()
        unsafe withUnsafeBytes(of: record.names) { names in
            unsafe withUnsafeBytes(of: record.values) { values in
                for place in unsafe 0..<Int(record.field_count) {
                    let offset = place * MemoryLayout<hoga_http_span>.stride
                    unsafe headers.append(
                        name: bytes[
                            Self.range(
                                names.loadUnaligned(fromByteOffset: offset, as: hoga_http_span.self)
                            )
                        ],
                        value: bytes[
                            Self.range(
                                values.loadUnaligned(
                                    fromByteOffset: offset,
                                    as: hoga_http_span.self
                                )
                            )
                        ]
                    )
                }
            }
        }
        return headers
    }

    private static func range(_ span: hoga_http_span) -> Range<Int> {
        Int(span.start)..<Int(span.start) + Int(span.count)
    }
}
