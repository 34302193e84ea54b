/// Parses the parts of a request's target.
enum RequestTarget {
    /// Parses the path, also of the absolute form (RFC 9112, 3.2.2).
    ///
    /// - Parameter bytes: the target before `?`.
    /// - Returns: nil if it does not start with `/` or is not UTF-8.
    static func path(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let text = PercentDecoding.text(bytes, keepsSlashes: true) else { return nil }
        if text.utf8.first == UInt8(ascii: "/") { return text }
        let scheme = "http://"
        guard text.prefix(scheme.count).lowercased() == scheme else { return nil }
        let authority = text.dropFirst(scheme.count)
        guard let slash = authority.firstIndex(of: "/") else { return "/" }
        return String(authority[slash...])
    }

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
