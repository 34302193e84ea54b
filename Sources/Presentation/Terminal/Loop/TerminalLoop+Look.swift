import Domain
import Presentation

extension TerminalLoop {
    /// The language of the words; Hangul has no form in ASCII.
    var language: Language {
        switch screen.characters {
        case .unicode: state.look.language
        case .ascii: .english
        }
    }

    /// The theme that the user wants, on this terminal.
    var theme: Theme {
        Theme(
            colors: screen.colors,
            wanted: state.look.theme,
            background: screen.background,
            directions: state.look.colors
        )
    }

    /// Shows a picture in the characters that the terminal has.
    func draw(_ frame: Frame) {
        switch screen.characters {
        case .unicode: screen.draw(frame)
        case .ascii: screen.draw(frame.inASCII)
        }
    }

    /// The name as the terminal can show it: without what has no form in its characters.
    func shown(_ name: MarketRowViewState.Name) -> MarketRowViewState.Name {
        switch screen.characters {
        case .unicode: return name
        case .ascii:
            var name = name
            name.ko = nil
            if let english = name.en, !TextWidth.isPrintableASCII(english) { name.en = nil }
            return name
        }
    }

    /// The names of all rows as the terminal can show them.
    func shown(_ document: MarketListDocument) -> MarketListDocument {
        guard screen.characters == .ascii else { return document }
        var document = document
        for index in document.state.rows.indices {
            document.state.rows[index].name = shown(document.state.rows[index].name)
        }
        return document
    }

    /// The names of all coins as the terminal can show them.
    func shown(_ document: AssetsDocument) -> AssetsDocument {
        guard screen.characters == .ascii else { return document }
        var document = document
        for index in document.state.rows.indices {
            document.state.rows[index].name = shown(document.state.rows[index].name)
        }
        return document
    }

    /// The names of all holdings as the terminal can show them.
    func shown(_ document: PortfolioDocument) -> PortfolioDocument {
        guard screen.characters == .ascii else { return document }
        var document = document
        for index in document.state.rows.indices {
            document.state.rows[index].name = shown(document.state.rows[index].name)
        }
        return document
    }

    /// The name of the market as the terminal can show it.
    func shown(_ document: MarketDetailDocument) -> MarketDetailDocument {
        guard screen.characters == .ascii else { return document }
        var document = document
        document.state.header.name = shown(document.state.header.name)
        return document
    }
}
