/// The parts of a request's target.
enum RequestTarget {
    /// The path, also of the absolute form that RFC 9112, 3.2.2 demands.
    ///
    /// - Parameter bytes: what stands before the query.
    /// - Returns: nil if it is no path, or no text.
    static func path(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let text = PercentDecoding.text(bytes, keepsSlashes: true) else { return nil }
        if text.utf8.first == UInt8(ascii: "/") { return text }
        let scheme = "http://"
        guard text.prefix(scheme.count).lowercased() == scheme else { return nil }
        let authority = text.dropFirst(scheme.count)
        guard let slash = authority.firstIndex(of: "/") else { return "/" }
        return String(authority[slash...])
    }

    /// The parameters of a query; a name without `=` has an empty value, and nothing between two
    /// `&` is no parameter.
    ///
    /// - Returns: nil if a name or value is no text.
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
