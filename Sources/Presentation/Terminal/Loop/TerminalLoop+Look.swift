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

    /// The names of all rows as the terminal can show them.
    func shown(_ document: MarketListDocument) -> MarketListDocument {
        screen.characters == .ascii ? document.inASCII : document
    }

    /// The names of all coins as the terminal can show them.
    func shown(_ document: AssetsDocument) -> AssetsDocument {
        screen.characters == .ascii ? document.inASCII : document
    }

    /// The names of all holdings as the terminal can show them.
    func shown(_ document: PortfolioDocument) -> PortfolioDocument {
        screen.characters == .ascii ? document.inASCII : document
    }

    /// The name of the market as the terminal can show it.
    func shown(_ document: MarketDetailDocument) -> MarketDetailDocument {
        screen.characters == .ascii ? document.inASCII : document
    }
}
