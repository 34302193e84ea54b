internal import CHTTPParser

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
        if parse(bytes) {
            return head(of: bytes, unsafe String(cString: hoga_http_method(&record)), address)
        }
        // A valid method that the parser does not know is passed on: the handler answers 405.
        guard unsafe hoga_http_has_unknown_method(&record),
            let end = bytes.firstIndex(of: UInt8(ascii: " ")), Self.isMethod(bytes[..<end])
        else { return nil }
        let known = Self.knownMethod + bytes[end...]
        guard parse(known) else { return nil }
        return head(of: known, String(decoding: bytes[..<end], as: UTF8.self), address)
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
    /// The longest accepted method.
    private static let methodBytesMax = 32

    /// Whether the bytes are letters and hyphens.
    private static func isMethod(_ bytes: ArraySlice<UInt8>) -> Bool {
        (1...methodBytesMax).contains(bytes.count)
            && bytes.allSatisfy { byte in
                UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: "-")
            }
    }

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
            keepsAlive: record.keeps_alive,
            isVersion10: hoga_http_is_version_1_0(&record)
        )
    }

    /// Starts reading the body behind the last parsed head.
    mutating func beginBody(bytesMax: Int) -> BodyReader {
        unsafe BodyReader(behind: &record, bytesMax: bytesMax)
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
