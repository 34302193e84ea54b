/// Suggestions for a misspelled name.
public enum SpellingSuggestions: Sendable {
    /// Maximum number of suggestions.
    private static let countMax = 3
    /// A longer text is not a typing error, and comparing it is expensive.
    private static let lengthMax = 64

    /// The names nearest to a text, nearest first; empty if all differ too much.
    ///
    /// Distance counts inserted, deleted, replaced and swapped letters, ignoring case. A name that
    /// contains the text, or its last part after a dot, is near too.
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

    /// Number of letters to insert, delete, replace, or swap with their neighbor, to turn one text
    /// into the other.
    private static func differences(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var next = [index + 1]
            for (column, other) in right.enumerated() {
                let replaced = row[column] + (byte == other ? 0 : 1)
                var least = min(replaced, next[column] + 1, row[column + 1] + 1)
                if index > 0, column > 0, byte == right[column - 1], other == left[index - 1] {
                    least = min(least, before[column - 1] + 1)
                }
                next.append(least)
            }
            before = row
            row = next
        }
        return row[right.count]
    }
}
