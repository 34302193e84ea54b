public import Domain
import ViewStates

/// The user's appearance settings.
public struct ScreenAppearance: Sendable, Hashable {
    /// The colors of the screens.
    public var theme: UserSettings.Theme
    /// Which colors mean up and down.
    public var colors: UserSettings.Colors
    /// The language of texts for people.
    public var language: Language

    /// Creates an appearance; the defaults of a new user.
    public init(
        theme: UserSettings.Theme = .auto,
        colors: UserSettings.Colors = .korean,
        language: Language = .korean
    ) {
        self.theme = theme
        self.colors = colors
        self.language = language
    }

    /// The stored appearance.
    init(_ settings: UserSettings) {
        self.init(
            theme: settings.theme,
            colors: settings.colors,
            language: settings.language
        )
    }
}

/// An appearance setting that a key cycles.
public enum AppearanceSetting: Sendable, Hashable, CaseIterable {
    /// Between the themes.
    case theme
    /// Between the colors for up and down.
    case colors
    /// Between the languages.
    case language
}

extension ScreenAppearance {
    /// Adopts another appearance except settings changed since an earlier one.
    mutating func apply(_ other: ScreenAppearance, unlessChangedFrom earlier: ScreenAppearance) {
        if theme == earlier.theme { theme = other.theme }
        if colors == earlier.colors { colors = other.colors }
        if language == earlier.language { language = other.language }
    }

    /// The appearance with the next value of a setting; wraps around.
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
