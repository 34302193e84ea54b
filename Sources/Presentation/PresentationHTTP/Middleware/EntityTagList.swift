/// The list of tags in `If-None-Match`.
///
/// Source: RFC 9110, 8.8.3 and 13.1.2 (seen 2026-11-21).
enum EntityTagList {
    /// Whether a tag is in the list by the weak comparison, for which `W/` does not count; `*`
    /// holds every tag.
    ///
    /// - Parameters:
    ///   - list: the header's value; what is no list of tags holds no tag behind the fault.
    ///   - tag: in quotes, strong.
    /// - Returns: whether the client has what the tag names.
    static func holds(_ list: String, _ tag: String) -> Bool {
        // What clients send but for a few.
        if list == tag { return true }
        var rest = list[...].trimmingSpaces
        if rest == "*" { return true }
        while true {
            // Empty elements are allowed, also in front.
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
