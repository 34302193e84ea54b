import Domain
import Presentation
import PresentationTerminal

/// A document that `hoga watch` prints.
enum PrintedPage: Sendable {
    case list(MarketListDocument)
    case market(MarketDetailDocument)
    case assets(AssetsDocument)
    case portfolio(PortfolioDocument)

    /// Aligned columns.
    func text(_ language: Language) -> String {
        switch self {
        case .list(let document): PlainTextList.text(of: document, language: language)
        case .market(let document): PlainTextDetail.text(of: document, language: language)
        case .assets(let document): PlainTextPages.text(of: document, language: language)
        case .portfolio(let document): PlainTextPages.text(of: document, language: language)
        }
    }

    /// A sentence a row.
    func spoken(_ language: Language) -> SpokenPage {
        switch self {
        case .list(let document): SpokenPage(document, language)
        case .market(let document): SpokenPage(document, language)
        case .assets(let document): SpokenPage(document, language)
        case .portfolio(let document): SpokenPage(document, language)
        }
    }
}
