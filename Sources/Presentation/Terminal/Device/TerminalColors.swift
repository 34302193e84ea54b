import CNCurses

/// Colours and emphasis in ncurses' terms.
enum TerminalColors {
    /// ncurses' word for the terminal's own colour.
    private static let standard: Int32 = -1

    /// Switches colours on as far as the terminal has them and the user wants them.
    ///
    /// - Returns: the theme that fits.
    static func start(environment: [String: String]) -> Theme {
        // Once colours are started, ncurses draws pairs that were never set as black on black:
        // where none are wanted they must not be started.
        let wanted = ColorDepth(colorCount: .max, environment: environment)
        guard wanted != .none else { return Theme(colors: .none) }
        let hasColors = has_colors() && start_color() == OK
        let count = hasColors ? Int(hoga_color_count()) : 0
        let theme = Theme(colors: ColorDepth(colorCount: count, environment: environment))
        guard theme.colors != .none, use_default_colors() == OK else {
            return Theme(colors: .none)
        }
        for style in CellStyle.colored {
            init_extended_pair(
                Int32(pair(of: style)),
                number(of: theme.foreground(of: style)),
                number(of: theme.background(of: style))
            )
        }
        return theme
    }

    /// The pair of a meaning on a background; the pair 0 is the terminal's own colours.
    static func pair(of style: CellStyle) -> Int16 {
        let roles = Int16(CellStyle.Role.allCases.count)
        return Int16(style.ground.rawValue) * roles + Int16(style.role.rawValue)
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
