import Domain
import ViewStates

extension Panel {
    /// The size of the palette where there is room.
    private static let paletteSize = (columns: 56, entries: 12)
    /// The smallest room for a frame.
    private static let frameSizeMin = (columns: 24, rows: 5)

    /// The palette: its text with the cursor, and the entries around the selected one.
    ///
    /// The size does not depend on the text, so that it stays while one types.
    static func palette(
        _ palette: PaletteState,
        rows: Range<Int>,
        width: Int,
        language: Language
    ) -> Panel {
        let isFramed = width >= frameSizeMin.columns && rows.count >= frameSizeMin.rows
        let columns = isFramed ? min(width - 4, paletteSize.columns) : width
        let count = isFramed ? min(rows.count - 2, 1 + paletteSize.entries) : rows.count
        let text = TextWidth.end(of: palette.text, in: max(columns - 3, 0))
        var panel = Panel(
            title: PaletteStrings.title[language],
            lines: [input(text, columns, language)]
        )
        if columns > 2 { panel.cursor = (line: 0, column: 2 + TextWidth.columns(text)) }
        let room = max(count - 1, 0)
        let selected = palette.selectedIndex ?? 0
        let start = max(min(selected - room / 2, palette.entries.count - room), 0)
        for (index, entry) in palette.entries.enumerated().dropFirst(start).prefix(room) {
            panel.lines.append(line(entry, isSelected: index == selected, columns))
        }
        if palette.entries.isEmpty, palette.isSearched {
            let reason = MarketListStrings.empty(palette.isRead ? .noMatch : .loading)
            panel.lines.append([Span("  " + reason[language], .dim)])
        }
        let blank = [Span(String(repeating: " ", count: columns))]
        panel.lines += Array(repeating: blank, count: max(count - panel.lines.count, 0))
        panel.lines = Array(panel.lines.prefix(count))
        return panel
    }

    private static func input(_ text: String, _ columns: Int, _ language: Language) -> [Span] {
        let mark = Span(": ", CellStyle(.accent, emphasis: .bold))
        let room = max(columns - 2, 0)
        guard text.isEmpty else { return [mark, Span(TextWidth.leading(text, in: room), .bold)] }
        // The cursor stands before the placeholder.
        let hint = " " + TextWidth.truncated(PaletteStrings.hint[language], to: max(room - 1, 0))
        return [mark, Span(TextWidth.leading(hint, in: room), .dim)]
    }

    private static func line(
        _ entry: PaletteEntry,
        isSelected: Bool,
        _ columns: Int
    ) -> [Span] {
        let key = entry.key.isEmpty ? "" : " " + entry.key
        let room = max(columns - TextWidth.columns(key), 0)
        let name = [entry.pair, entry.name].compactMap { $0 }.joined(separator: "  ")
        let text = TextWidth.truncated((isSelected ? "› " : "  ") + name, to: room)
        let style: CellStyle = isSelected ? CellStyle(emphasis: .reverse) : .plain
        return [
            Span(TextWidth.leading(text, in: room), style, target: .entry(entry.id)),
            Span(key, isSelected ? style : .dim, target: .entry(entry.id)),
        ]
    }
}

/// Texts of the palette.
enum PaletteStrings {
    static let title = LocalizedText(ko: "바로가기", en: "Go to")
    static let hint = LocalizedText(ko: "코인·화면·기능 (초성 가능)", en: "coin, screen or command")
}
