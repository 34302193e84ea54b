public import Domain

/// A text in both interface languages.
///
/// The only mechanism for translated texts. Declare constants in the `…Strings` enum of a screen
/// or subject; texts with arguments are functions that return one.
public struct LocalizedText: Sendable, Hashable {
    /// The Korean text, the product's first language.
    public let ko: String
    /// The English text.
    public let en: String

    /// Makes a text from its Korean and English versions.
    public init(ko: String, en: String) {
        self.ko = ko
        self.en = en
    }

    /// The text in one language.
    public subscript(language: Language) -> String {
        switch language {
        case .korean: ko
        case .english: en
        }
    }
}

extension MarketRowViewState.Name {
    /// The coin's name in one language; nil if the exchange publishes none.
    public subscript(language: Language) -> String? {
        switch language {
        case .korean: ko
        case .english: en
        }
    }
}

extension Language {
    /// The language that is not selected.
    public var other: Language {
        switch self {
        case .korean: .english
        case .english: .korean
        }
    }
}
