import Domain
import Foundation
import Testing

@testable import PresentationTerminal

@Suite("docs/terminal.md lists every key binding")
struct KeyDocumentTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/terminal.md").standardizedFileURL

    @Test("the table of the page is that of the program, row by row")
    func table() throws {
        let heading = ["| Action name | Keys | Action | Where |", "|---|---|---|---|"]
        let expected =
            heading
            + KeyListing.rows(of: .screens, language: .english).map { row in
                let keys = row[1].split(separator: " ").map { "`\($0)`" }
                let texts = [
                    row[0].isEmpty ? "" : "`\(row[0])`", keys.joined(separator: " "), row[2],
                    row[3],
                ]
                return "| " + texts.map { $0.isEmpty ? "–" : $0 }.joined(separator: " | ") + " |"
            }
        let lines = try String(contentsOf: Self.page, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex(of: heading[0]))
        let present = Array(lines[start...].prefix { $0.hasPrefix("|") })
        for line in expected where !present.contains(line) { Issue.record("add \(line)") }
        for line in present where !expected.contains(line) { Issue.record("remove \(line)") }
        #expect(present == expected)
    }
}
