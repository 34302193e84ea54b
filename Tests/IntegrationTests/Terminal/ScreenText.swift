/// The text on a terminal's screen, and the modes that a user notices.
struct ScreenText: Equatable, Sendable, CustomStringConvertible {
    /// The rows from the top, without trailing blanks.
    var lines: [String]
    /// Whether the cursor is visible.
    var showsCursor = false
    /// Whether the alternate screen is active, as in full-screen programs.
    var usesAlternateScreen = false
    /// Whether a program receives mouse reports.
    var followsMouse = false
    /// Whether arrow keys and the keypad are in application mode.
    var sendsApplicationKeys = false

    var description: String { lines.joined(separator: "\n") }

    /// Whether any line contains the text.
    func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    /// The lowest line that is not empty.
    var lastLine: String { lines.last { !$0.isEmpty } ?? "" }

    /// The selected row.
    var selected: String? { lines.first { $0.hasPrefix("›") } }

    /// The lines between the title, which shows the time of day, and the bottom line, which may
    /// count seconds.
    var body: [String] { Array(lines.dropFirst().dropLast()) }

    /// Whether the body is that of another screen, apart from headings of panes, which show the
    /// state and the age of their data, and the spread's last hour, whose means follow the time.
    func hasBody(of other: ScreenText) -> Bool {
        func isHeading(_ line: String) -> Bool {
            line.contains(/[─━▸\[ ] ?(?:호가|차트|시세|Book|Chart|Trades)[\] ]/)
        }
        func isSpreadHour(_ line: String) -> Bool { line.contains(/[0-9]bp +[▁▂▃▄▅▆▇█]/) }
        return body.count == other.body.count
            && zip(body, other.body).allSatisfy {
                $0 == $1 || isHeading($0) && isHeading($1) || isSpreadHour($0) && isSpreadHour($1)
            }
    }

    /// Whether a part of the screen waits for data.
    var isLoading: Bool {
        // A notice in the bottom line may contain the word too.
        lines.dropLast().contains { $0.contains(/불러오는 중|[Ll]oading/) }
    }

    /// The lines with the time of day masked.
    var withoutTimes: [String] {
        lines.map { $0.replacing(/[0-9]{2}:[0-9]{2}:[0-9]{2}/, with: "##:##:##") }
    }
}
