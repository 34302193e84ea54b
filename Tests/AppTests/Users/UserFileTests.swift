import DataSourceContracts
import Testing

@testable import App

@Suite("A file of users is imported completely or refused with its wrong lines")
struct UserFileTests {
    private func read(_ text: String) throws -> [UserFile.Entry] {
        try UserFile.entries(Array(text.utf8))
    }

    @Test(
        "quotes, commas, line ends and empty display names are read",
        arguments: ["\n", "\r\n", "\r"]
    )
    func spellings(end: String) throws {
        let lines = [
            "\u{FEFF}\"name\",displayName", "kim,", "\"lee, jr\",\"김 \"\"K\"\" 민수\"", "", "박,박",
        ]
        let entries = try read(lines.joined(separator: end))
        #expect(
            entries == [
                .init(line: 2, user: .init(name: "kim", displayName: nil)),
                .init(line: 3, user: .init(name: "lee, jr", displayName: "김 \"K\" 민수")),
                .init(line: 5, user: .init(name: "박", displayName: "박")),
            ]
        )
        #expect(try read("name,displayName\n").isEmpty)
    }

    @Test(
        "a wrong row is refused with its line and the reason",
        arguments: [
            ("", "line 1: the header must be name,displayName"),
            ("kim,Kim\n", "line 1: the header must be name,displayName"),
            ("name,displayName\nkim\n", "line 2: must be a name and a display name"),
            ("name,displayName\nkim,a,b\n", "line 2: must be a name and a display name"),
            ("name,displayName\nkim,\n,x\n", "line 3: name: a value is missing"),
            ("name,displayName\n kim,\n", "line 2: name: it begins or ends with a space"),
            ("name,displayName\nkim,a\u{7}\n", "line 2: displayName: it contains unprintable"),
            ("name,displayName\n\"a\nb\",\nlee\n", "line 2: name: it contains unprintable"),
            ("name,displayName\nkim,\nlee,\nkim,\n", "line 4: the name is on line 2 too"),
            ("name,displayName\nk\"im,\n", "line 2: a quote inside a field"),
            ("name,displayName\n\"kim\"x,\n", "line 2: text follows a closing quote"),
            ("name,displayName\nkim,\n\"lee,\npark,\n", "line 3: a quote is not closed"),
            ("name,displayName\nki\u{0}m,\n", "line 2: zero byte"),
        ]
    )
    func mistakes(text: String, beginning: String) {
        let refusal = #expect(throws: ImportFile.Refusal.self) { try read(text) }
        #expect(refusal?.description.hasPrefix(beginning) == true, "\(refusal as Any)")
    }

    @Test("lines are counted through quoted line ends, and up to ten wrong ones are named")
    func lines() throws {
        let wrong = (1...30).map { _ in "x\n" }.joined()
        let refusal = #expect(throws: ImportFile.Refusal.self) {
            try read("name,displayName\n\"a\r\nb\",\n" + wrong)
        }
        let named = refusal?.description.split(separator: "\n") ?? []
        #expect(named.count == 10)
        #expect(named.first?.hasPrefix("line 2: ") == true)
        #expect(named.dropFirst().first?.hasPrefix("line 4: ") == true)
    }

    @Test("names that exist are refused with their lines")
    func existing() throws {
        let entries = try read("name,displayName\nkim,\nlee,\npark,\n")
        let refusal = UserFile.refusal(entries, existing: ["park", "kim"])
        #expect(refusal.description == "line 2: the user exists\nline 4: the user exists")
    }

    @Test("invalid UTF-8 is refused")
    func bytes() {
        let file = Array("name,displayName\nkim,".utf8) + [0xFF] + Array("\n".utf8)
        let refusal = #expect(throws: ImportFile.Refusal.self) { try UserFile.entries(file) }
        #expect(refusal?.description == "line 2: not valid UTF-8")
    }
}
