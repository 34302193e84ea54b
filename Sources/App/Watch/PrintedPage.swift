import Domain
import ViewStates
import PresentationTerminal

/// A document that `hoga watch` prints.
enum PrintedPage: Sendable {
    case list(MarketListDocument)
    case market(MarketDetailDocument)
    case assets(AssetsDocument)
    case portfolio(PortfolioDocument)

    /// Aligned columns, in ASCII mode without other characters.
    func text(_ language: Language, _ characters: TerminalCharacters?) -> String {
        if characters == .ascii { return ASCIIText.text(inASCII.text(language, nil)) }
        return switch self {
        case .list(let document): PlainTextList.text(of: document, language: language)
        case .market(let document): PlainTextDetail.text(of: document, language: language)
        case .assets(let document): PlainTextPages.text(of: document, language: language)
        case .portfolio(let document): PlainTextPages.text(of: document, language: language)
        }
    }

    /// One sentence per row, in ASCII mode without other characters.
    func spoken(_ language: Language, _ characters: TerminalCharacters?) -> SpokenPage {
        if characters == .ascii { return inASCII.spoken(language, nil).inASCII }
        return switch self {
        case .list(let document): SpokenPage(document, language)
        case .market(let document): SpokenPage(document, language)
        case .assets(let document): SpokenPage(document, language)
        case .portfolio(let document): SpokenPage(document, language)
        }
    }

    /// The document with names that ASCII can show.
    private var inASCII: PrintedPage {
        switch self {
        case .list(let document): .list(document.inASCII)
        case .market(let document): .market(document.inASCII)
        case .assets(let document): .assets(document.inASCII)
        case .portfolio(let document): .portfolio(document.inASCII)
        }
    }
}
