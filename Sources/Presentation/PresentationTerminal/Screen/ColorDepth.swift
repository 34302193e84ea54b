/// How many colors a terminal shows.
public enum ColorDepth: Sendable, Hashable, CaseIterable, Comparable {
    /// None, or the user wants none.
    case none
    /// Eight colors; bright ones need bold.
    case eight
    /// Eight and their bright twins.
    case sixteen
    /// The sixteen, a cube of 6 × 6 × 6, and grays.
    case indexed256
    /// Red, green and blue in 256 steps each.
    case trueColor

    /// The color depth of a terminal.
    ///
    /// - Parameters:
    ///   - colorCount: from terminfo; 0 or less without colors.
    ///   - environment: any value of `NO_COLOR` disables colors (no-color.org, seen 2026-11).
    ///   - wanted: the user's choice, which overrides `NO_COLOR` but not the terminal's limit.
    public init(
        colorCount: Int,
        environment: [String: String],
        wanted: ColorDepth? = nil
    ) {
        let most: ColorDepth =
            switch colorCount {
            case ..<8: .none
            case ..<16: .eight
            case ..<256: .sixteen
            case ..<(1 << 24): .indexed256
            default: .trueColor
            }
        let hasNoColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        self = min(wanted ?? (hasNoColor ? .none : most), most)
    }

    /// Whether the environment says that the terminal shows 24-bit colors, by `COLORTERM`
    /// (github.com/termstandard/colors, seen 2026-11).
    ///
    /// GNU screen passes the variable on, but not the colors.
    static func isTrueColorStated(in environment: [String: String]) -> Bool {
        guard environment["STY"] == nil, let stated = environment["COLORTERM"] else { return false }
        return ["truecolor", "24bit"].contains(stated.lowercased())
    }
}

/// A terminal color.
public enum TerminalColor: Sendable, Hashable {
    /// The terminal's own foreground or background.
    case standard
    /// An index of the terminal's palette.
    case index(UInt8)
    /// Red, green and blue, 0...255.
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
}
