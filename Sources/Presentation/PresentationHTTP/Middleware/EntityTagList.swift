/// The list of entity tags in `If-None-Match`.
///
/// Source: RFC 9110, 8.8.3 and 13.1.2 (2026-11-21).
enum EntityTagList {
    /// Whether the list contains a tag by weak comparison, which ignores `W/`; `*` contains every
    /// tag.
    ///
    /// - Parameters:
    ///   - list: the value of the field; tags behind a syntax error are ignored.
    ///   - tag: a strong tag in quotes.
    /// - Returns: true for a match.
    static func contains(_ list: String, _ tag: String) -> Bool {
        // The usual case.
        if list == tag { return true }
        var rest = list[...].trimmingSpaces
        if rest == "*" { return true }
        while true {
            // A list may have empty elements.
            while rest.first == "," { rest = rest.dropFirst().trimmingSpaces }
            if rest.hasPrefix("W/") { rest = rest.dropFirst(2) }
            guard rest.first == "\"",
                let end = rest.dropFirst().firstIndex(of: "\"")
            else { return false }
            if rest[...end] == tag { return true }
            rest = rest[rest.index(after: end)...].trimmingSpaces
            guard rest.first == "," else { return false }
        }
        return false
    }
}
