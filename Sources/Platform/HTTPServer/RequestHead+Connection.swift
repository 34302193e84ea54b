internal import CMicroHTTPD
internal import Glibc

extension RequestHead {
    /// Copies the header of a request out of the library.
    init(connection: OpaquePointer, method: UnsafePointer<CChar>, url: UnsafePointer<CChar>) {
        // All pointers are the library's and live through its call; texts end with a zero byte.
        let method = unsafe String(cString: method)
        var headers = HeaderTable()
        _ = unsafe withUnsafeMutablePointer(to: &headers) { table in
            unsafe hoga_http_headers(connection, appendHeader, table)
        }
        var query = QueryReader()
        _ = unsafe withUnsafeMutablePointer(to: &query) { reader in
            unsafe hoga_http_query(connection, appendParameter, reader)
        }
        let path = unsafe Self.path(UnsafeRawBufferPointer(start: url, count: strlen(url)))
        let address = unsafe NetworkAddress(hoga_http_client_address(connection))
        isHead = method == "HEAD"
        self.headers = headers
        request = path.flatMap { path in
            guard query.isText else { return nil }
            return HTTPServerRequest(
                method: method,
                path: path,
                query: query.parameters,
                remoteAddress: address,
                headers: headers
            )
        }
    }

    /// All that a head is read from, each text with its length: heads of the same bytes on one
    /// connection are the same.
    static func bytes(
        connection: OpaquePointer,
        method: UnsafePointer<CChar>,
        url: UnsafePointer<CChar>
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(bytesExpected)
        unsafe append(UnsafeRawBufferPointer(start: method, count: strlen(method)), to: &bytes)
        unsafe append(UnsafeRawBufferPointer(start: url, count: strlen(url)), to: &bytes)
        _ = unsafe withUnsafeMutablePointer(to: &bytes) { bytes in
            unsafe hoga_http_headers(connection, appendBytes, bytes)
        }
        // Headers end and the query begins.
        bytes.append(0)
        _ = unsafe withUnsafeMutablePointer(to: &bytes) { bytes in
            unsafe hoga_http_query(connection, appendBytes, bytes)
        }
        return bytes
    }

    /// Room for the head that a program sends.
    private static let bytesExpected = 512

    fileprivate static func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: UInt32(truncatingIfNeeded: text.count)) { count in
            unsafe bytes.append(contentsOf: count)
        }
        unsafe bytes.append(contentsOf: text)
    }

    /// The path of a request target, also of the absolute form that RFC 9112, 3.2.2 demands.
    private static func path(_ target: UnsafeRawBufferPointer) -> String? {
        guard let text = unsafe PercentDecoding.text(target) else { return nil }
        if text.utf8.first == UInt8(ascii: "/") { return text }
        let scheme = "http://"
        guard text.hasPrefix(scheme) else { return nil }
        let authority = text.dropFirst(scheme.count)
        guard let slash = authority.firstIndex(of: "/") else { return "/" }
        return String(authority[slash...])
    }
}

/// Gathers the query of one request.
private struct QueryReader {
    var parameters: [(name: String, value: String)] = []
    var isText = true
}

/// Called by libmicrohttpd for each header of a request.
private func appendHeader(
    context: UnsafeMutableRawPointer?,
    kind: MHD_ValueKind,
    name: UnsafePointer<CChar>?,
    nameCount: Int,
    value: UnsafePointer<CChar>?,
    valueCount: Int
) -> MHD_Result {
    guard let context = unsafe context else { return .NO }
    unsafe context.assumingMemoryBound(to: HeaderTable.self).pointee.append(
        name: borrowed(name, nameCount),
        value: borrowed(value, valueCount)
    )
    return .YES
}

/// Called by libmicrohttpd for each parameter of a request's query.
private func appendParameter(
    context: UnsafeMutableRawPointer?,
    kind: MHD_ValueKind,
    name: UnsafePointer<CChar>?,
    nameCount: Int,
    value: UnsafePointer<CChar>?,
    valueCount: Int
) -> MHD_Result {
    guard let context = unsafe context else { return .NO }
    let reader = unsafe context.assumingMemoryBound(to: QueryReader.self)
    guard let name = unsafe PercentDecoding.text(borrowed(name, nameCount)),
        let value = unsafe PercentDecoding.text(borrowed(value, valueCount))
    else {
        unsafe reader.pointee.isText = false
        return .NO
    }
    unsafe reader.pointee.parameters.append((name, value))
    return .YES
}

/// Called by libmicrohttpd for each header and parameter of a request.
private func appendBytes(
    context: UnsafeMutableRawPointer?,
    kind: MHD_ValueKind,
    name: UnsafePointer<CChar>?,
    nameCount: Int,
    value: UnsafePointer<CChar>?,
    valueCount: Int
) -> MHD_Result {
    guard let context = unsafe context else { return .NO }
    let bytes = unsafe context.assumingMemoryBound(to: [UInt8].self)
    unsafe RequestHead.append(borrowed(name, nameCount), to: &bytes.pointee)
    unsafe RequestHead.append(borrowed(value, valueCount), to: &bytes.pointee)
    return .YES
}

/// Bytes of the library, for as long as its call lasts; a missing text is empty.
func borrowed(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
}
