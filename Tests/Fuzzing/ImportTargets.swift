@testable import App
import DataSourceContracts
import Domain
import JSON
import ViewStates

extension FuzzTarget {
    // MARK: CSV

    /// Imported CSV files: rows are written and read again as the same, and a file that is imported
    /// is exported to one that is imported as the same.
    func judgeImports(_ input: FuzzInput) throws(FuzzFinding) {
        let bytes = input.bytes
        let rows = CSVReader.rows(bytes)
        try checkRows(rows)
        switch Result(catching: { () throws(ImportFile.Refusal) in
            try FavoritesFile.markets(bytes)
        }) {
        case .success(let markets):
            try require(markets.count <= UserRecord.favoritesMax, "more favorites than allowed")
            try requireEqual(Set(markets).count, markets.count, "favorites that differ")
            for end in ["\n", "\r\n"] {
                let written = Array(FavoritesFile.text(markets, lineEnd: end).utf8)
                try requireEqual(try? FavoritesFile.markets(written), markets, "exported favorites")
            }
        case .failure(let refusal): try check(refusal)
        }
        switch Result(catching: { () throws(ImportFile.Refusal) in
            try UserFile.entries(bytes)
        }) {
        case .success(let entries):
            let names = Set(entries.map { Array($0.user.name.utf8) })
            try requireEqual(names.count, entries.count, "names that differ")
            let refusal = UserFile.refusal(entries, existing: entries.prefix(1).map(\.user.name))
            if !entries.isEmpty { try check(refusal) }
            for entry in entries {
                let name = entry.user.name
                try require((1...UserInput.userNameBytesMax).contains(name.utf8.count), "a name")
                try require(!name.utf8.contains { $0 < 0x20 }, "a name with controls")
            }
        case .failure(let refusal): try check(refusal)
        }
    }

    private func checkRows(_ rows: [CSVReader.Row]) throws(FuzzFinding) {
        var line = 0
        for row in rows {
            try require(row.line > line, "line \(row.line) follows line \(line)")
            line = row.line
        }
        let good = rows.compactMap { try? $0.fields.get() }
        let text = good.map { $0.map(Self.quoted).joined(separator: ",".utf8) }
            .joined(separator: "\r\n".utf8)
        let again = CSVReader.rows(Array(text)).map { try? $0.fields.get() }
        try requireEqual(again, good, "rows that were written")
    }

    /// A quoted field: by bytes, because a quote and an accent after it are one character.
    private static func quoted(_ field: String) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        return [quote] + field.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    private func check(_ refusal: ImportFile.Refusal) throws(FuzzFinding) {
        let lines = refusal.description.split(separator: "\n")
        try require((1...ImportFile.mistakesMax).contains(lines.count), "\(lines.count) mistakes")
    }

    // MARK: Configuration

    /// Configuration files: each is resolved to settings within their bounds, or refused with an
    /// error of the configuration; then bindings and values print as JSON.
    func judgeConfigurations(_ input: FuzzInput) throws(FuzzFinding) {
        let bytes = input.bytes
        if bytes.first == UInt8(ascii: "=") { return try judgeSettings(input) }
        do throws(ProgramError) {
            let file = try ConfigurationFile(bytes)
            // Durations and secrets are texts here, too.
            for text in file.values.values { _ = DurationText.duration(text) }
            _ = try ConfigurationSources(flags: [:], environment: [:], file: bytes).resolve()
        } catch {
            try require(error.exitCode == .configuration, "a file is refused as \(error.exitCode)")
            try require(!error.description.isEmpty, "a refusal has no words")
        }
    }

    /// Settings as variables, `=key value` a line, or after a `-` as flags; secrets are not those
    /// of a file.
    private func judgeSettings(_ input: FuzzInput) throws(FuzzFinding) {
        var (variables, flags): ([String: String], [Setting: String]) = ([:], [:])
        for line in input.rest.split(separator: UInt8(ascii: "=")) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
            guard words.count == 2,
                let setting = Setting.named(String(decoding: words[0], as: UTF8.self))
            else { continue }
            let text = String(decoding: words[1], as: UTF8.self)
            if text.hasPrefix("-") {
                flags[setting] = String(text.dropFirst())
            } else {
                variables[setting.environmentName] = text
            }
        }
        do throws(ProgramError) {
            _ = try ConfigurationSources(flags: flags, environment: variables).resolve()
        } catch {
            let isOfFlag = error.exitCode == .usage && !flags.isEmpty
            try require(
                error.exitCode == .configuration || isOfFlag,
                "a value is refused as \(error.exitCode)"
            )
            try require(!error.description.isEmpty, "a refusal has no words")
        }
    }
}
