public import Domain
import ViewStates

/// All keys as a table for people, with the names by which a configuration gives others.
public enum KeyListing: Sendable {
    /// Formats a line per command: name, keys, description and contexts.
    ///
    /// Fixed keys come last, without a name. The last line has no line break.
    public static func text(of table: KeyTable, language: Language) -> String {
        let lines = ([heading(language)] + rows(of: table, language: language)).map { line in
            line.map { $0.isEmpty ? "-" : $0 }
        }
        let widths = (0..<3).map { column in
            lines.map { TextWidth.columns($0[column]) }.max() ?? 0
        }
        return lines.map { line in
            zip(line, widths).map { TextWidth.leading($0, in: $1) + "  " }.joined() + line[3]
        }.joined(separator: "\n")
    }

    /// Name, keys, description and contexts of each command, then of each fixed key; empty texts
    /// for none.
    static func rows(of table: KeyTable, language: Language) -> [[String]] {
        var lines: [[String]] = []
        for command in KeyCommand.allCases {
            let bindings = table.bindings.filter { $0.command == command }
            let keys = bindings.first?.keys ?? []
            let contexts = bindings.reduce(into: Set<KeyContext>()) { $0.formUnion($1.contexts) }
            lines.append([
                command.rawValue,
                keys.map(\.name).joined(separator: " "),
                command.summary[language],
                places(contexts, language),
            ])
        }
        for (key, meaning) in Key.reserved {
            let everywhere = LocalizedText(ko: "모든 화면", en: "everywhere")
            lines.append(["", key.name, meaning[language], everywhere[language]])
        }
        return lines
    }

    private static func heading(_ language: Language) -> [String] {
        [
            LocalizedText(ko: "이름", en: "NAME"), LocalizedText(ko: "키", en: "KEYS"),
            LocalizedText(ko: "기능", en: "ACTION"), LocalizedText(ko: "위치", en: "WHERE"),
        ].map { $0[language] }
    }

    private static func places(_ contexts: Set<KeyContext>, _ language: Language) -> String {
        KeyContext.allCases.filter { contexts.contains($0) }.map { context in
            let words = context.summary[language]
            return words.hasPrefix("the ") ? String(words.dropFirst(4)) : words
        }.joined(separator: ", ")
    }
}
