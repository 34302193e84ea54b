public import Domain
import ViewStates

/// What of a user's settings is about the look of all screens.
public struct ScreenAppearance: Sendable, Hashable {
    /// The colours of the screens.
    public var theme: UserSettings.Theme
    /// Which colours mean up and down.
    public var colors: UserSettings.Colors
    /// The language of texts for people.
    public var language: Language

    /// Makes a look; without more, that of a user who never chose.
    public init(
        theme: UserSettings.Theme = .auto,
        colors: UserSettings.Colors = .korean,
        language: Language = .korean
    ) {
        self.theme = theme
        self.colors = colors
        self.language = language
    }

    /// The look that was kept.
    init(_ settings: UserSettings) {
        self.init(
            theme: settings.theme,
            colors: settings.colors,
            language: settings.language
        )
    }
}

/// A choice of looks that a key goes on to.
public enum AppearanceSetting: Sendable, Hashable, CaseIterable {
    /// Between the themes.
    case theme
    /// Between the colours for up and down.
    case colors
    /// Between the languages.
    case language
}

extension ScreenAppearance {
    /// Takes another look over, but for what was changed since an earlier moment.
    mutating func apply(_ other: ScreenAppearance, unlessChangedFrom earlier: ScreenAppearance) {
        if theme == earlier.theme { theme = other.theme }
        if colors == earlier.colors { colors = other.colors }
        if language == earlier.language { language = other.language }
    }

    /// The look with the next value of a choice; around the end.
    func advanced(_ choice: AppearanceSetting) -> ScreenAppearance {
        var look = self
        switch choice {
        case .theme: look.theme = Self.next(theme)
        case .colors: look.colors = Self.next(colors)
        case .language: look.language = Self.next(language)
        }
        return look
    }

    private static func next<Value: CaseIterable & Equatable>(_ value: Value) -> Value {
        let values = Array(Value.allCases)
        let index = values.firstIndex(of: value) ?? 0
        return values[(index + 1) % values.count]
    }
}
