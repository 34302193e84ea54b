public import Domain

/// A text of the screen in each of its languages.
public struct LocalizedText: Sendable, Hashable {
    /// 한국어.
    public let korean: String
    /// English.
    public let english: String

    /// The text in one language.
    public subscript(language: Language) -> String {
        switch language {
        case .korean: korean
        case .english: english
        }
    }
}
