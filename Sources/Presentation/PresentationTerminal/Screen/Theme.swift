public import Domain

/// The colors of each meaning.
///
/// Rising is red and falling blue, as in Korea, or green and red. Backgrounds are the terminal's
/// own except the two sides of the book, and black for high contrast.
///
/// Every text has a contrast of at least 4.5:1 on its background, 7:1 for high contrast (WCAG 2.2,
/// 1.4.3 and 1.4.6). The terminal's own background counts as black or white, its sixteen colors as
/// those of xterm. Where that excludes red, green or blue, another color or plain text is used; a
/// sign always shows the direction.
public struct Theme: Sendable, Hashable {
    /// For which ground the shades are.
    public enum Shades: Sendable, Hashable, CaseIterable {
        /// For a dark one.
        case dark
        /// For a light one.
        case light
        /// Strong contrasts, on black.
        case highContrast
    }

    /// The terminal's color depth.
    public let colors: ColorDepth
    /// For which ground the shades are.
    public let shades: Shades
    /// Which colors mean up and down.
    public let directions: UserSettings.Colors

    /// Makes the theme for a terminal.
    public init(
        colors: ColorDepth,
        shades: Shades = .dark,
        directions: UserSettings.Colors = .korean
    ) {
        self.colors = colors
        self.shades = shades
        self.directions = directions
    }

    /// Creates the theme that a user selected.
    ///
    /// - Parameters:
    ///   - colors: the terminal's color depth.
    ///   - wanted: the selected theme.
    ///   - background: the terminal's background, used for `auto`; nil counts as dark.
    ///   - directions: the colors of rising and falling.
    public init(
        colors: ColorDepth,
        wanted: UserSettings.Theme,
        background: TerminalBackground?,
        directions: UserSettings.Colors
    ) {
        let shades: Shades =
            switch wanted {
            case .auto: background == .light ? .light : .dark
            case .light: .light
            case .dark: .dark
            case .highContrast: .highContrast
            }
        self.init(colors: colors, shades: shades, directions: directions)
    }

    /// Whether every average has its own color.
    public var distinguishesAverages: Bool {
        let roles: [CellStyle.Role] = [.average1, .average2, .average3, .average4, .average5]
        return Set(roles.map { color(of: $0) }).count == roles.count
    }

    /// The foreground of a meaning on the terminal's own ground.
    public func color(of role: CellStyle.Role) -> TerminalColor {
        let table = ShadeTable.standard(shades)
        return switch role {
        case .plain, .bar: table.plain.map { color($0) } ?? .standard
        case .up: color(directions == .korean ? table.red : table.green)
        case .down: color(directions == .korean ? table.blue : table.red)
        case .error: color(table.error)
        case .accent: color(table.accent)
        case .average1: color(table.averages.0)
        case .average2:
            // With few colors, the one not used beside it.
            color(directions == .korean ? table.averages.1 : table.averageBesideGreen)
        case .average3: color(table.averages.2)
        case .average4: color(table.averages.3)
        case .average5: color(table.averages.4)
        case .bands: color(table.bands)
        }
    }

    /// A shade as the terminal can show it.
    func color(_ shade: Shade) -> TerminalColor {
        switch colors {
        case .none: .standard
        case .eight: shade.eight.map { .index($0) } ?? .standard
        case .sixteen: shade.sixteen.map { .index($0) } ?? .standard
        case .indexed256: .index(shade.indexed)
        case .trueColor: .rgb(red: shade.red, green: shade.green, blue: shade.blue)
        }
    }

    /// The extra emphasis of a meaning: with eight colors, bright colors need bold.
    public func emphasis(of role: CellStyle.Role) -> CellStyle.Emphasis {
        switch (colors, shades, role) {
        case (.eight, .dark, .up), (.eight, .dark, .down), (.eight, .dark, .error),
            (.eight, .dark, .accent), (.eight, .dark, .average1), (.eight, .dark, .average3),
            (.eight, .highContrast, .up), (.eight, .highContrast, .down),
            (.eight, .highContrast, .error), (.eight, .highContrast, .accent):
            .bold
        case (.eight, _, _), (.none, _, _), (.sixteen, _, _), (.indexed256, _, _),
            (.trueColor, _, _):
            []
        }
    }
}
