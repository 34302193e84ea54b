/// Parses the parts of a request's target.
enum RequestTarget {
    /// Parses the path, also of the absolute form (RFC 9112, 3.2.2).
    ///
    /// - Parameter bytes: the target before `?`.
    /// - Returns: nil if it does not start with `/`, names an invalid host, or is not UTF-8.
    static func path(_ bytes: ArraySlice<UInt8>) -> String? {
        if bytes.first == UInt8(ascii: "/") {
            return PercentDecoding.text(bytes, keepsSlashes: true)
        }
        let start = String(decoding: bytes.prefix(scheme.utf8.count), as: UTF8.self)
        guard start.lowercased() == scheme else { return nil }
        let rest = bytes.dropFirst(scheme.utf8.count)
        let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        guard RequestGrammar.isHostAndPort(rest[..<slash]) else { return nil }
        return slash == rest.endIndex
            ? "/" : PercentDecoding.text(rest[slash...], keepsSlashes: true)
    }

    private static let scheme = "http://"

    /// Parses the parameters of a query; a name without `=` has an empty value, and empty parts
    /// between two `&` are skipped.
    ///
    /// - Returns: nil if a name or value is not UTF-8.
    static func parameters(
        _ query: ArraySlice<UInt8>
    ) -> [(name: String, value: String)]? {
        if query.isEmpty { return [] }
        var parameters: [(name: String, value: String)] = []
        for part in query.split(separator: UInt8(ascii: "&")) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = PercentDecoding.text(part[..<end], isForm: true),
                let value = PercentDecoding.text(part[end...].dropFirst(), isForm: true)
            else { return nil }
            parameters.append((name, value))
        }
        return parameters
    }
}
