import Domain
import Testing

@testable import PresentationTerminal

@Suite("Every text is readable on its background")
struct ContrastTests {
    private static let colored: [ColorDepth] = [.eight, .sixteen, .indexed256, .trueColor]
    private static let grounds: [CellStyle.Background] = [.ask, .bid, .selected]
    private static let themes: [Theme] = colored.flatMap { depth in
        Theme.Shades.allCases.flatMap { shades in
            UserSettings.Colors.allCases.map {
                Theme(colors: depth, shades: shades, directions: $0)
            }
        }
    }

    @Test("Every theme has 4.5:1 on each background, 7:1 with high contrast")
    func everywhere() throws {
        #expect(Self.themes.count == 24)
        for theme in Self.themes {
            for style in CellStyle.colored + [.plain] {
                let ratio = try #require(Self.ratio(style, theme))
                #expect(ratio >= Self.least(style, theme), "\(style) \(theme): \(ratio)")
            }
        }
    }

    @Test("Bold text with eight colors is readable where bold is bright")
    func bold() throws {
        for theme in Self.themes where theme.colors == .eight {
            for role in CellStyle.Role.allCases {
                for background in CellStyle.Background.allCases {
                    let style = CellStyle(role, on: background, emphasis: .bold)
                    let ratio = try #require(Self.ratio(style, theme))
                    #expect(ratio >= Self.least(style, theme), "\(style) \(theme): \(ratio)")
                }
            }
        }
    }

    @Test("Dimmed text on tinted backgrounds counts as two thirds as bright")
    func weak() throws {
        for theme in Self.themes where theme.shades != .light {
            for background in Self.grounds {
                let style = CellStyle(on: background, emphasis: .dim)
                // Text that would be unreadable dimmed is drawn undimmed.
                guard theme.drawnEmphasis(of: style).contains(.dim) else { continue }
                // With few colors the selected row is the terminal's own text, reversed.
                if background == .selected, theme.colors <= .sixteen { continue }
                let background = try #require(Self.luminance(theme.background(of: style)))
                let foreground = try #require(Self.luminance(theme.foreground(of: style), 2, 3))
                #expect(Self.contrast(foreground, background) >= 4.5, "\(theme) \(background)")
            }
        }
        for depth in [ColorDepth.eight, .sixteen] {
            let style = CellStyle(on: .ask, emphasis: [.dim, .reverse])
            #expect(!Theme(colors: depth).drawnEmphasis(of: style).contains(.dim))
            #expect(Theme(colors: depth).drawnEmphasis(of: style).contains(.reverse))
            #expect(Theme(colors: depth).drawnEmphasis(of: .dim) == .dim)
        }
    }

    @Test("High contrast has no dimmed text and draws its own background")
    func strong() {
        for theme in Self.themes where theme.shades == .highContrast {
            for style in CellStyle.colored + [.plain] {
                #expect(!theme.drawnEmphasis(of: style.adding(.dim)).contains(.dim))
                #expect(theme.background(of: style) != .standard)
                #expect(theme.foreground(of: style) != .standard)
            }
        }
    }

    @Test("Without colors nothing is colored or tinted")
    func none() {
        for shades in Theme.Shades.allCases {
            let theme = Theme(colors: .none, shades: shades)
            for style in CellStyle.colored {
                #expect(theme.foreground(of: style) == .standard)
                #expect(theme.background(of: style) == .standard)
                let isSelected = style.background == .selected
                #expect(theme.drawnEmphasis(of: style) == (isSelected ? .reverse : []))
            }
        }
    }

    @Test("The selected row has one background whatever its cells mean, in every depth")
    func selection() {
        for theme in Self.themes + [Theme(colors: .none)] {
            func ground(_ role: CellStyle.Role) -> (TerminalColor, CellStyle.Emphasis) {
                let style = CellStyle(role, on: .selected)
                let emphasis = theme.drawnEmphasis(of: style).intersection(.reverse)
                let isReversed = emphasis.contains(.reverse)
                let color = isReversed ? theme.foreground(of: style) : theme.background(of: style)
                return (color, emphasis)
            }
            let plain = ground(.plain)
            #expect(CellStyle.Role.allCases.allSatisfy { ground($0) == plain }, "\(theme)")
            let flashing = CellStyle(.up, on: .selected, emphasis: .reverse)
            let isReversed = theme.drawnEmphasis(of: flashing).contains(.reverse)
            #expect(isReversed != plain.1.contains(.reverse), "\(theme)")
        }
    }

    @Test("Rising and falling differ on tinted backgrounds with enough colors")
    func directions() {
        for theme in Self.themes where theme.colors >= .indexed256 {
            // With 256 colors, strong contrasts leave white alone.
            if theme.shades == .highContrast, theme.colors == .indexed256 { continue }
            for background in Self.grounds {
                let colors = [CellStyle.Role.plain, .up, .down].map {
                    theme.foreground(of: CellStyle($0, on: background))
                }
                #expect(Set(colors).count == 3, "\(theme)")
            }
        }
    }

    @Test("Rising and falling differ on the standard background in every depth")
    func standardDirections() {
        for theme in Self.themes { #expect(theme.color(of: .up) != theme.color(of: .down)) }
    }

    @Test("Green up, red down swaps colors and book tints together")
    func pair() {
        for depth in [ColorDepth.sixteen, .indexed256, .trueColor] {
            for shades in [Theme.Shades.dark, .light] {
                func theme(_ directions: UserSettings.Colors) -> Theme {
                    Theme(colors: depth, shades: shades, directions: directions)
                }
                let (korean, western) = (theme(.korean), theme(.western))
                #expect(western.color(of: .down) == korean.color(of: .up))
                #expect(western.color(of: .up) != korean.color(of: .down))
                func tone(_ theme: Theme, _ background: CellStyle.Background) -> TerminalColor {
                    theme.background(of: CellStyle(on: background))
                }
                #expect(tone(western, .ask) == tone(korean, .bid))
                #expect(![tone(korean, .ask), tone(korean, .bid)].contains(tone(western, .bid)))
            }
        }
    }

    @Test("Averages are labeled if colors cannot distinguish them")
    func averages() {
        #expect(!Theme(colors: .none).distinguishesAverages)
        #expect(Theme(colors: .sixteen).distinguishesAverages)
        #expect(!Theme(colors: .eight, shades: .light).distinguishesAverages)
    }

    /// A bar is no text: three to one is enough to see how long it is (WCAG 2.2, 1.4.11).
    private static func least(_ style: CellStyle, _ theme: Theme) -> Double {
        style.role == .bar ? 3 : (theme.shades == .highContrast ? 7 : 4.5)
    }

    /// The contrast of a style as it is drawn; the terminal's own ground is what the theme is for,
    /// and its own text is black on white or white on black.
    private static func ratio(_ style: CellStyle, _ theme: Theme) -> Double? {
        let isLight = theme.shades == .light
        let isBold = theme.colors == .eight && theme.drawnEmphasis(of: style).contains(.bold)
        var color = theme.foreground(of: style)
        if isBold, case .index(let index) = color, index < 8 { color = .index(index + 8) }
        let background = luminance(theme.background(of: style)) ?? (isLight ? 1 : 0)
        let foreground = luminance(color) ?? (isLight ? 0 : 1)
        return contrast(foreground, background)
    }

    // MARK: WCAG 2.2, relative luminance and contrast ratio

    private static func contrast(_ one: Double, _ other: Double) -> Double {
        (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    /// nil for the terminal's own color, of which nothing is known.
    private static func luminance(
        _ color: TerminalColor,
        _ part: Double = 1,
        _ of: Double = 1
    ) -> Double? {
        let parts: [Int]
        switch color {
        case .standard: return nil
        case .rgb(let red, let green, let blue): parts = [Int(red), Int(green), Int(blue)]
        case .index(let index): parts = palette(Int(index))
        }
        let linear = parts.map { power(Double($0) / 255 * part / of) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    private static func power(_ value: Double) -> Double {
        guard value > 0.04045 else { return value / 12.92 }
        // ((v + 0.055) / 1.055) ^ 2.4 without a library of mathematics: x² · x^(2/5) by Newton.
        let base = (value + 0.055) / 1.055
        let square = base * base
        var root = 1.0
        for _ in 0..<60 {
            root -= (root * root * root * root * root - square) / (5 * root * root * root * root)
        }
        return square * root
    }

    /// xterm's colors: sixteen, a cube, and grays.
    private static func palette(_ index: Int) -> [Int] {
        let sixteen = [
            [0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0], [0, 0, 238], [205, 0, 205],
            [0, 205, 205], [229, 229, 229], [127, 127, 127], [255, 0, 0], [0, 255, 0],
            [255, 255, 0], [92, 92, 255], [255, 0, 255], [0, 255, 255], [255, 255, 255],
        ]
        let steps = [0, 95, 135, 175, 215, 255]
        switch index {
        case 0..<16: return sixteen[index]
        case 16..<232:
            let cube = index - 16
            return [steps[cube / 36], steps[cube / 6 % 6], steps[cube % 6]]
        default: return Array(repeating: 8 + (index - 232) * 10, count: 3)
        }
    }
}
