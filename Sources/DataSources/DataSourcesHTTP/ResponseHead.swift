/// Collects the headers of a response from their lines.
struct ResponseHead: Sendable {
    /// The bytes of all lines of one response together.
    static let bytesMax = 65_536

    /// Values by lower-case name; of repeated headers the last one.
    private(set) var headers: [String: String] = [:]
    /// Whether the empty line after the headers has arrived.
    private(set) var isComplete = false
    private var byteCount = 0

    /// Adds one line; a status line begins a new head, as after `100 Continue`.
    ///
    /// - Returns: false when the head has become too large.
    mutating func append(line: String) -> Bool {
        byteCount += line.utf8.count
        guard byteCount <= Self.bytesMax else { return false }
        if line.hasPrefix("HTTP/") {
            headers = [:]
            isComplete = false
        } else if line == "\r\n" || line == "\n" {
            isComplete = true
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...]
            let isBlank: (Character) -> Bool = \.isWhitespace
            let start = value.firstIndex { !isBlank($0) } ?? value.endIndex
            let end = value.lastIndex { !isBlank($0) }.map(value.index(after:)) ?? start
            headers[line[..<colon].lowercased()] = String(value[start..<end])
        }
        return true
    }
}
