/// The names that somebody may have meant who wrote another.
public enum SpellingSuggestions: Sendable {
    /// So many are told at the most.
    private static let countMax = 3
    /// A longer text is no slip of the hand, and comparing it would only cost time.
    private static let lengthMax = 64

    /// The names that differ least from a text, the nearest first; none if all differ much.
    ///
    /// A difference is a letter put in, left out or replaced; capitals do not count. Names that
    /// hold the text, or a part of it between points, count as near too.
    public static func of(_ text: String, among names: [String]) -> [String] {
        guard text.utf8.count <= lengthMax else { return [] }
        let wanted = text.lowercased()
        let tail = wanted.split(separator: ".").last.map(String.init) ?? wanted
        let ranked = names.compactMap { name -> (name: String, distance: Int)? in
            let candidate = name.lowercased()
            let distance = differences(Array(wanted.utf8), Array(candidate.utf8))
            if distance <= max(wanted.utf8.count / 3, 1) { return (name, distance) }
            return tail.utf8.count >= 3 && candidate.contains(tail) ? (name, lengthMax) : nil
        }
        return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(countMax).map(\.name)
    }

    /// How many letters must be put in, left out or replaced to make one text of the other.
    private static func differences(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
