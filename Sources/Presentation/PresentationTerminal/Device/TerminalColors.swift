import CNCurses

/// Colors and emphasis in ncurses' terms.
enum TerminalColors {
    /// ncurses' word for the terminal's own color.
    private static let standard: Int32 = -1

    /// Opens the screen, with 24-bit colors where the environment or the terminal's description
    /// says that it has them, and the user wants them.
    ///
    /// - Returns: the screen; nil if the terminal is unknown.
    static func openScreen(
        environment: [String: String],
        wanted: ColorDepth?,
        standIn: String?
    ) -> OpaquePointer? {
        let asked = ColorDepth(colorCount: .max, environment: environment, wanted: wanted)
        if asked == .trueColor, isTrueColorStated(environment: environment, standIn: standIn),
            let screen = unsafe hoga_direct_screen_open(standIn)
        {
            return unsafe screen
        }
        return unsafe hoga_screen_open(standIn)
    }

    /// Whether the environment or the terminal's description says that it shows 24-bit colors.
    ///
    /// Not callable while a screen is open.
    static func isTrueColorStated(environment: [String: String], standIn: String?) -> Bool {
        ColorDepth.isTrueColorStated(in: environment)
            || (unsafe hoga_states_direct_color(standIn)) != 0
    }

    /// Switches colors on as far as the terminal has them and the user wants them.
    ///
    /// - Returns: how many there are.
    static func start(environment: [String: String], wanted: ColorDepth?) -> ColorDepth {
        // Once colors are started, ncurses draws pairs that were never set as black on black:
        // where none are wanted they must not be started.
        let asked = ColorDepth(colorCount: .max, environment: environment, wanted: wanted)
        guard asked != .none, has_colors(), start_color() == OK else { return .none }
        let depth = ColorDepth(
            colorCount: Int(hoga_color_count()),
            environment: environment,
            wanted: wanted
        )
        return depth != .none && use_default_colors() == OK ? depth : .none
    }

    /// Defines the colors of a theme in ncurses.
    static func set(_ theme: Theme) {
        guard theme.colors != .none else { return }
        for style in CellStyle.colored + [.plain] {
            let pair = pair(of: style, theme)
            if pair == 0 { continue }
            init_extended_pair(
                Int32(pair),
                number(of: theme.foreground(of: style)),
                number(of: theme.background(of: style))
            )
        }
    }

    /// The pair of a meaning on a background; the pair 0 is the terminal's own colors.
    static func pair(of style: CellStyle, _ theme: Theme) -> Int16 {
        let roles = CellStyle.Role.allCases.count
        let place = Int16(Int(style.background.rawValue) * roles + Int(style.role.rawValue))
        // Without colors no pair is set.
        if place > 0 || theme.colors == .none { return place }
        let isOwn = theme.foreground(of: style) != .standard
        return isOwn ? Int16(roles * CellStyle.Background.allCases.count) : 0
    }

    /// The emphasis of a cell as ncurses' attributes.
    static func attributes(_ style: CellStyle, _ theme: Theme) -> UInt32 {
        let emphasis = theme.drawnEmphasis(of: style)
        var bits: UInt32 = 0
        if emphasis.contains(.bold) { bits |= WA.bold }
        if emphasis.contains(.dim) { bits |= WA.dim }
        if emphasis.contains(.reverse) { bits |= WA.reverse }
        if emphasis.contains(.underline) { bits |= WA.underline }
        return bits
    }

    private static func number(of color: TerminalColor) -> Int32 {
        switch color {
        case .standard: standard
        case .index(let index): Int32(index)
        case .rgb(let red, let green, let blue):
            Int32(red) << 16 | Int32(green) << 8 | Int32(blue)
        }
    }

    /// Attributes whose macros are beyond the importer, as curses.h of ncurses 6 defines them.
    private enum WA {
        static let underline: UInt32 = 1 << 17
        static let reverse: UInt32 = 1 << 18
        static let dim: UInt32 = 1 << 20
        static let bold: UInt32 = 1 << 21
    }
}

/// Every style as ncurses attributes, computed once per theme instead of per cell.
struct DrawnStyles {
    private static let emphases = 16
    private let styles: [(attributes: UInt32, pair: Int16)]

    init(_ theme: Theme) {
        styles = CellStyle.Background.allCases.flatMap { background in
            CellStyle.Role.allCases.flatMap { role in
                (0..<Self.emphases).map { bits -> (attributes: UInt32, pair: Int16) in
                    let emphasis = CellStyle.Emphasis(rawValue: UInt8(bits))
                    let style = CellStyle(role, on: background, emphasis: emphasis)
                    let pair = TerminalColors.pair(of: style, theme)
                    return (TerminalColors.attributes(style, theme), pair)
                }
            }
        }
    }

    subscript(style: CellStyle) -> (attributes: UInt32, pair: Int16) {
        let place =
            Int(style.background.rawValue) * CellStyle.Role.allCases.count
            + Int(style.role.rawValue)
        return styles[place * Self.emphases + Int(style.emphasis.rawValue) % Self.emphases]
    }
}
