import Domain
import ViewStates

/// A notice in place of a screen: the terminal is too small.
struct SmallScreenNotice {
    /// The smallest supported terminal.
    static let sizeMin = (columns: 20, rows: 4)

    let size: TerminalSize
    let context: KeyContext
    let keys: KeyTable
    let language: Language

    /// Nil if the terminal is large enough.
    init?(_ size: TerminalSize, _ state: ScreenState, _ keys: KeyTable, _ language: Language) {
        guard Self.isTooSmall(size) else { return nil }
        self.size = size
        self.context = KeyContext(state)
        self.keys = keys
        self.language = language
    }

    /// Whether a terminal is too small.
    static func isTooSmall(_ size: TerminalSize) -> Bool {
        size.columns < sizeMin.columns || size.rows < sizeMin.rows
    }

    /// Whether an action works although its effect is invisible: only quit does.
    static func allows(_ action: ScreenAction) -> Bool { action == .list(.quit) }

    var frame: Frame {
        var frame = Frame(size: size)
        let lines = lines
        let top = max((size.rows - lines.count) / 2, 0)
        for (line, row) in zip(lines, top..<max(size.rows, top)) {
            let column = max((size.columns - TextWidth.columns(line)) / 2, 0)
            frame.draw(line, row: row, column: column, style: row == top ? .bold : .plain)
        }
        return frame
    }

    /// On a very low screen the size that is needed stays longest.
    private var lines: [String] {
        let needed = "\(Self.sizeMin.columns)x\(Self.sizeMin.rows)"
        let present = "\(size.columns)x\(size.rows)"
        let lead = LocalizedText(ko: "창이 너무 작습니다", en: "The window is too small")[language]
        let sizes =
            LocalizedText(
                ko: "\(needed) 이상 필요, 현재 \(present)",
                en: "needs \(needed), has \(present)"
            )[language]
        let told = size.rows < 3 ? [sizes, wayOut] : [lead, sizes, wayOut]
        return told.flatMap { TextWidth.wrapped($0, to: size.columns) }
    }

    /// The key that ends the program, as far as the table has one here.
    private var wayOut: String {
        keys.offer(.list(.quit), in: context, MarketListStrings.quit[language]).map(\.text).joined()
    }
}
