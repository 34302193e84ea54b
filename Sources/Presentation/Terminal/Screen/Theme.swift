/// How many colours a terminal shows.
public enum ColorDepth: Sendable, Hashable, CaseIterable {
    /// None, or the user wants none.
    case none
    /// The eight of old; the bright ones come with bold type.
    case eight
    /// Eight and their bright twins.
    case sixteen
    /// The sixteen, a cube of 6 × 6 × 6, and greys.
    case indexed256
    /// Red, green and blue in 256 steps each.
    case trueColor

    /// What a terminal can do that names so many colours.
    ///
    /// - Parameters:
    ///   - colorCount: as terminfo has it; 0 or less without colours.
    ///   - environment: `NO_COLOR`, if set to anything, means none (no-color.org, seen 2026-11).
    public init(colorCount: Int, environment: [String: String]) {
        if let noColor = environment["NO_COLOR"], !noColor.isEmpty {
            self = .none
            return
        }
        self =
            switch colorCount {
            case ..<8: .none
            case ..<16: .eight
            case ..<256: .sixteen
            case ..<(1 << 24): .indexed256
            default: .trueColor
            }
    }
}

/// A colour as a terminal is told of it.
public enum TerminalColor: Sendable, Hashable {
    /// The terminal's own foreground.
    case standard
    /// A place in the terminal's palette.
    case index(UInt8)
    /// Red, green and blue, 0...255.
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
}

/// Which colour each meaning has.
///
/// As in Korea, what rises is red and what falls is blue. Backgrounds stay the terminal's own, so
/// light and dark ones both work; only the two sides of an order book have their own, with
/// foregrounds that can be read on them.
public struct Theme: Sendable, Hashable {
    /// The shade of what rises.
    public static let upShade = TerminalColor.rgb(red: 208, green: 92, blue: 74)
    /// The shade of what falls.
    public static let downShade = TerminalColor.rgb(red: 85, green: 126, blue: 230)
    private static let errorShade = TerminalColor.rgb(red: 255, green: 95, blue: 95)
    private static let accentShade = TerminalColor.rgb(red: 244, green: 115, blue: 33)
    private static let magentaShade = TerminalColor.rgb(red: 200, green: 84, blue: 200)
    /// Leans to cyan, so that it is not taken for what falls.
    private static let blueShade = TerminalColor.rgb(red: 20, green: 140, blue: 190)
    private static let yellowShade = TerminalColor.rgb(red: 190, green: 160, blue: 20)
    private static let orangeShade = TerminalColor.rgb(red: 226, green: 122, blue: 40)
    private static let greyShade = TerminalColor.rgb(red: 138, green: 138, blue: 138)

    /// What the terminal can show.
    public let colors: ColorDepth

    /// Makes the theme for a terminal.
    public init(colors: ColorDepth) {
        self.colors = colors
    }

    /// The foreground of a meaning.
    public func color(of role: CellStyle.Role) -> TerminalColor {
        switch role {
        case .plain: .standard
        case .up: shade(Self.upShade, indexed: 167, bright: 9, dark: 1)
        case .down: shade(Self.downShade, indexed: 68, bright: 12, dark: 4)
        case .error: shade(Self.errorShade, indexed: 203, bright: 9, dark: 1)
        case .accent: shade(Self.accentShade, indexed: 208, bright: 11, dark: 3)
        case .average1: shade(Self.magentaShade, indexed: 170, bright: 13, dark: 5)
        case .average2: shade(Self.blueShade, indexed: 31, bright: 6, dark: 6)
        case .average3: shade(Self.yellowShade, indexed: 142, bright: 11, dark: 3)
        case .average4: shade(Self.orangeShade, indexed: 172, bright: 3, dark: 3)
        case .average5: shade(Self.greyShade, indexed: 245, bright: 8, dark: 7)
        case .bar: .standard
        }
    }

    /// What a meaning adds to the emphasis: with eight colours, the bright ones are bold.
    public func emphasis(of role: CellStyle.Role) -> CellStyle.Emphasis {
        switch (colors, role) {
        case (.eight, .up), (.eight, .down), (.eight, .error), (.eight, .accent),
            (.eight, .average3):
            .bold
        case (.eight, .plain), (.eight, .bar), (.eight, .average1), (.eight, .average2),
            (.eight, .average4),
            (.eight, .average5), (.none, _), (.sixteen, _), (.indexed256, _), (.trueColor, _):
            []
        }
    }

    private func shade(
        _ exact: TerminalColor,
        indexed: UInt8,
        bright: UInt8,
        dark: UInt8
    ) -> TerminalColor {
        switch colors {
        case .none: .standard
        case .eight: .index(dark)
        case .sixteen: .index(bright)
        case .indexed256: .index(indexed)
        case .trueColor: exact
        }
    }
}
