public import Domain

/// The coin names that hoga ships: `Resources/coins.csv`, embedded in the program.
public struct EmbeddedCoinNames: CoinNameRepository {
    private let table: CoinNames

    /// Reads the embedded file.
    public init() {
        table = CoinNames(Self.entries(csv: PackageResources.coins_csv))
    }

    /// The names of the file.
    public func names() -> CoinNames { table }

    /// Reads `symbol,korean_name,english_name` lines below a header.
    ///
    /// Fields may be quoted, with double quotes doubled (RFC 4180). Lines with another number of
    /// fields, or without a code or a Korean name, are skipped.
    static func entries(csv bytes: [UInt8]) -> [String: CoinNames.Entry] {
        let text = String(decoding: bytes, as: UTF8.self)
        var entries: [String: CoinNames.Entry] = [:]
        for line in text.split(whereSeparator: \.isNewline).dropFirst() {
            let fields = fields(of: line)
            guard fields.count == 3, !fields[0].isEmpty, !fields[1].isEmpty else { continue }
            entries[fields[0]] = CoinNames.Entry(
                symbol: fields[0],
                korean: fields[1],
                english: fields[2]
            )
        }
        return entries
    }

    private static func fields(of line: Substring) -> [String] {
        var fields = [""]
        var isQuoted = false
        var isAfterQuote = false
        for character in line {
            switch character {
            case "\"":
                // Two quotes are one quote of the text.
                if isAfterQuote { fields[fields.count - 1].append(character) }
                isQuoted.toggle()
                isAfterQuote = !isQuoted
                continue
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
            isAfterQuote = false
        }
        return fields
    }
}
