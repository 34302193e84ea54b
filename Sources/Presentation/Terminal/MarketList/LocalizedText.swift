/// The languages the screen speaks.
public enum TerminalLanguage: String, Sendable, Hashable, CaseIterable {
    /// 한국어: the default.
    case korean = "ko"
    /// English.
    case english = "en"
}

/// A text of the screen in each of its languages.
public struct LocalizedText: Sendable, Hashable {
    /// 한국어.
    public let korean: String
    /// English.
    public let english: String

    /// The text in one language.
    public subscript(language: TerminalLanguage) -> String {
        switch language {
        case .korean: korean
        case .english: english
        }
    }
}
