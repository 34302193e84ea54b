import Domain
import ViewStates

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

    /// A document with its names as the terminal can show them.
    func shown<State: NamesCoins>(_ document: Document<State>) -> Document<State> {
        screen.characters == .ascii ? document.inASCII : document
    }
}
