import Domain
import ViewStates

/// Draws a form or question at the bottom of a screen: a rule with the title, one line per field,
/// and a message line.
struct FormPane {
    let form: ScreenForm
    /// Whether the store has not answered for a while.
    let isStoreSlow: Bool
    let keys: KeyTable
    let language: Language

    /// The form of a screen; nil without an open form.
    init?(of screen: ScreenState, keys: KeyTable, language: Language) {
        guard let form = screen.form else { return nil }
        self.form = form
        isStoreSlow = screen.isStoreSlow
        self.keys = keys
        self.language = language
    }

    /// The height of the form if there is room.
    static func height(of form: ScreenForm?) -> Int {
        form.map { max($0.fields.count, 1) + 2 } ?? 0
    }

    /// Draws the form into the last rows.
    ///
    /// On a low screen the focused field takes precedence, then the message line.
    func draw(in frame: inout Frame, above rows: Range<Int>) {
        let names = form.fields.map { FormStrings.field($0.name)[language] }
        let labelColumns = names.map { TextWidth.columns($0) }.max() ?? 0
        var lines = form.fields.indices.map { Line.field($0) }
        if form.isQuestion { lines = [.question] }
        if rows.count >= lines.count + 1 { lines.append(.message) }
        if rows.count >= lines.count + 1 { lines.insert(.title, at: 0) }
        if lines.count > rows.count {
            let room = max(rows.count, 0)
            let start = min(max(form.focus - room + 1, 0), lines.count - room)
            lines = Array(lines[start..<(start + room)])
        }
        let top = max(rows.upperBound - lines.count, rows.lowerBound)
        for (line, row) in zip(lines, top..<max(rows.upperBound, top)) {
            frame.fill(row: row, columns: 0..<frame.size.columns)
            switch line {
            case .title: drawTitle(in: &frame, row: row)
            case .field(let index):
                draw(index, labelColumns: labelColumns, in: &frame, row: row)
            case .question:
                frame.draw(
                    FormStrings.question(form.purpose, keys: keys)?[language] ?? "",
                    row: row,
                    column: 2
                )
            case .message: drawMessage(in: &frame, row: row)
            }
        }
    }

    private enum Line {
        case title, question, message
        case field(Int)
    }

    private func drawTitle(in frame: inout Frame, row: Int) {
        for column in 0..<frame.size.columns {
            frame.put("━", row: row, column: column, style: CellStyle(.accent))
        }
        frame.draw(
            " " + FormStrings.title(form.purpose)[language] + " ",
            row: row,
            column: 2,
            width: frame.size.columns - 2,
            style: CellStyle(.accent, emphasis: .bold)
        )
    }

    private func draw(_ index: Int, labelColumns: Int, in frame: inout Frame, row: Int) {
        let field = form.fields[index]
        let isFocused = index == form.focus
        let width = frame.size.columns
        let label = FormStrings.field(field.name)[language]
        if isFocused { frame.draw("›", row: row, column: 0) }
        let style: CellStyle = isFocused ? .bold : .plain
        frame.draw(label, row: row, column: 2, width: width - 2, style: style)
        let start = min(labelColumns + 4, width)
        // One column is the cursor's.
        let room = max(width - start - 1, 0)
        guard room > 0 else { return }
        let text = TextWidth.end(of: field.text, in: room)
        let used = frame.draw(text, row: row, column: start, width: room, style: style)
        if field.text.isEmpty {
            frame.draw(
                FormStrings.placeholder(field.name, form.purpose)?[language] ?? "",
                row: row,
                column: start + 1,
                width: width - start - 1,
                style: .dim
            )
        }
        if isFocused, !form.isSaving {
            frame.cursor = Frame.Position(row: row, column: min(start + used, width - 1))
        }
    }

    private func drawMessage(in frame: inout Frame, row: Int) {
        let width = frame.size.columns - 2
        let error = CellStyle(.error, emphasis: .bold)
        let (text, style): (String, CellStyle) =
            if let refusal = form.refusal {
                (StoreStrings.fitting(FormStrings.refusals(refusal, language), width), error)
            } else if let ruleError = form.ruleError {
                (
                    StoreStrings.fitting(
                        [
                            AlertRuleErrorStrings.text(of: ruleError)[language],
                            AlertRuleErrorStrings.shortText(of: ruleError)[language],
                        ],
                        width
                    ), error
                )
            } else if let failure = form.failure {
                (
                    StoreStrings.fitting(StoreStrings.refusals(failure, language), width), error
                )
            } else if form.isSaving {
                ((isStoreSlow ? StoreStrings.savingSlowly : StoreStrings.saving)[language], .dim)
            } else if form.hasStoreRecovered {
                (StoreStrings.back(keys: keys)[language], .bold)
            } else if let holding = form.elsewhere {
                (
                    StoreStrings.fitting(
                        FormStrings.conflict(holding, keys: keys).map { $0[language] },
                        width
                    ),
                    .bold
                )
            } else {
                ("", .plain)
            }
        frame.draw(text, row: row, column: 2, width: width, style: style)
    }
}
