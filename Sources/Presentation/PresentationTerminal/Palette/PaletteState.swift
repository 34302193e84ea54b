import ViewStates

/// A market, screen or command of the palette.
public struct PaletteEntry: Sendable, Equatable {
    /// The market's or the command's name in the configuration, which identifies the entry.
    let id: String
    /// The pair of a market; nil for screens and commands.
    let pair: String?
    /// The name in the language of the screen.
    let name: String
    /// The key that does the same; empty if there is none.
    let key: String
    /// The action of the entry.
    let action: ScreenAction
}

/// The palette: a text and the markets, screens and commands that it finds.
public struct PaletteState: Sendable, Equatable {
    /// The search text.
    var text = ""
    /// The entries found, best first.
    var entries: [PaletteEntry] = []
    /// Whether ``entries`` belong to ``text``.
    var isSearched = false
    /// Whether the markets are loaded.
    var isRead = false
    /// The entry chosen with the arrows; nil for the best one.
    var selected: String?

    /// The index of the selected entry; nil without entries.
    var selectedIndex: Int? {
        guard !entries.isEmpty else { return nil }
        return entries.firstIndex { $0.id == selected } ?? 0
    }
}

/// Actions on the palette.
public enum PaletteAction: Sendable, Equatable {
    /// Opens the palette; leaves a search field.
    case open
    /// Text typed or pasted.
    case type(String)
    /// Removes the end of the text.
    case delete(FieldPart)
    /// Moves the selection by entries; positive is down. Stops at the ends.
    case move(Int)
    /// Closes the palette and does what the selected entry does.
    case confirm
    /// The same for an entry by its identity.
    case choose(String)
    /// Closes the palette.
    case dismiss
    /// Before drawing: the entries, and whether the markets are loaded.
    case found([PaletteEntry], isRead: Bool)
}

extension ScreenReducer {
    static func reduce(
        _ state: inout ScreenState,
        palette action: PaletteAction
    ) -> [ScreenEffect] {
        if action == .open {
            state.list.isSearching = false
            state.assets.isSearching = false
            state.list.overlay = .palette(PaletteState())
            return []
        }
        guard case .palette(var palette) = state.list.overlay else { return [] }
        var chosen: PaletteEntry?
        switch action {
        case .open: break
        case .type(let text):
            palette.search(TextFieldInput.appended(text, to: palette.text))
        case .delete(let part):
            palette.search(TextFieldInput.shortened(palette.text, by: part))
        case .move(let step):
            guard let index = palette.selectedIndex else { return [] }
            let last = palette.entries.count - 1
            let target = index + min(max(step, -last), last)
            palette.selected = palette.entries[min(max(target, 0), last)].id
        case .confirm: chosen = palette.selectedIndex.map { palette.entries[$0] }
        case .choose(let id): chosen = palette.entries.first { $0.id == id }
        case .dismiss:
            state.list.overlay = nil
            return []
        case .found(let entries, let isRead):
            palette.entries = entries
            palette.isSearched = true
            palette.isRead = isRead
        }
        state.list.overlay = chosen == nil ? .palette(palette) : nil
        return chosen.map { [.act($0.action)] } ?? []
    }
}

extension PaletteState {
    /// Replaces the text; nil leaves it.
    fileprivate mutating func search(_ text: String?) {
        guard let text else { return }
        self.text = text
        isSearched = false
        selected = nil
    }
}
