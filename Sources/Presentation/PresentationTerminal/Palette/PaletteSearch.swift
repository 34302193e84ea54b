import Domain
import ViewStates

/// Finds markets, screens and commands by name, best hits first.
struct PaletteSearch {
    /// All markets in the order of their turnover, which decides between equal hits.
    let markets: [MarketID]
    let names: CoinNames
    let keys: KeyTable
    /// The screen below the palette.
    let state: ScreenState
    let language: Language

    /// The entries for a text; all of them for an empty one, screens and commands first.
    ///
    /// At equal hits markets precede screens, and screens precede commands.
    func entries(for text: String) -> [PaletteEntry] {
        let screens = bindings { if case .show = $0.action { true } else { false } }
        let context = KeyContext(below: state)
        let commands = bindings { binding in
            binding.contexts.contains(context) && !screens.contains { $0.id == binding.command }
        }
        let others = screens + commands
        guard let search = CoinSearch(text) else {
            return others.map { entry($0.id, $0.action) } + markets.map(entry)
        }
        let coins = markets.compactMap { market in
            let coin =
                names[market.symbol]?.searchText
                ?? CoinSearchText(symbol: market.symbol, korean: "", english: "")
            return search.match(coin).map { (match: $0, entry: entry(market)) }
        }
        let found = others.compactMap { id, action in
            let words = CoinSearchText(symbol: "", korean: id.summary.ko, english: id.summary.en)
            return search.match(words).map { (match: $0, entry: entry(id, action)) }
        }
        let all = coins + found
        let order = all.indices.sorted { (all[$0].match, $0) < (all[$1].match, $1) }
        return order.map { all[$0].entry }
    }

    /// The commands of some bindings, each once, without those that only move.
    private func bindings(
        where isWanted: (KeyBinding) -> Bool
    ) -> [(id: KeyCommand, action: ScreenAction)] {
        var found: [(id: KeyCommand, action: ScreenAction)] = []
        for binding in keys.bindings where binding.help != nil && isWanted(binding) {
            guard let command = binding.command, !command.isMovement, command != .paletteOpen,
                !(command == .lookLanguage && state.isEnglishOnly),
                !found.contains(where: { $0.id == command })
            else { continue }
            found.append((command, binding.action))
        }
        return found
    }

    private func entry(_ command: KeyCommand, _ action: ScreenAction) -> PaletteEntry {
        PaletteEntry(
            id: command.rawValue,
            pair: nil,
            name: command.summary[language],
            key: keys.label(of: command),
            action: action
        )
    }

    private func entry(_ market: MarketID) -> PaletteEntry {
        let names = names[market.symbol]
        return PaletteEntry(
            id: market.name,
            pair: market.symbol + "/" + market.quote.rawValue,
            name: (language == .korean ? names?.korean : names?.english) ?? "",
            key: "",
            action: .open(market)
        )
    }
}
