import Testing

@testable import PresentationTerminal

@Suite("Every text can be read on its background")
struct ContrastTests {
    private static let colored: [ColorDepth] = [.eight, .sixteen, .indexed256, .trueColor]
    private static let grounds: [CellStyle.Ground] = [.ask, .bid]

    @Test("On the tones of the book, 4.5 to 1", arguments: colored, grounds)
    func book(depth: ColorDepth, ground: CellStyle.Ground) throws {
        let theme = Theme(colors: depth)
        for role in CellStyle.Role.allCases {
            let style = CellStyle(role, on: ground)
            let background = try #require(Self.luminance(theme.background(of: style)))
            let foreground = try #require(Self.luminance(theme.foreground(of: style)))
            // A bar is no text: three to one is enough to see how long it is (WCAG 2.2, 1.4.11).
            let least = role == .bar ? 3.0 : 4.5
            #expect(
                Self.contrast(foreground, background) >= least,
                "\(role) on \(ground) with \(depth)"
            )
        }
    }

    @Test("Weak text is plain text on the tones, two thirds as bright as terminals draw it")
    func weak() throws {
        for depth in Self.colored {
            for ground in Self.grounds {
                let theme = Theme(colors: depth)
                let style = CellStyle(on: ground, emphasis: .dim)
                // Where the weak text could not be read it is not drawn weak.
                guard theme.drawnEmphasis(of: style).contains(.dim) else { continue }
                let background = try #require(Self.luminance(theme.background(of: style)))
                let foreground = try #require(Self.luminance(theme.foreground(of: style), 2, 3))
                #expect(Self.contrast(foreground, background) >= 4.5, "\(depth) \(ground)")
            }
        }
        for depth in [ColorDepth.eight, .sixteen] {
            let style = CellStyle(on: .ask, emphasis: [.dim, .reverse])
            #expect(!Theme(colors: depth).drawnEmphasis(of: style).contains(.dim))
            #expect(Theme(colors: depth).drawnEmphasis(of: style).contains(.reverse))
            #expect(Theme(colors: depth).drawnEmphasis(of: .dim) == .dim)
        }
    }

    @Test("On a black terminal, 4.5 to 1", arguments: [ColorDepth.indexed256, .trueColor])
    func standard(depth: ColorDepth) throws {
        let theme = Theme(colors: depth)
        for role in CellStyle.Role.allCases where theme.color(of: role) != .standard {
            let foreground = try #require(Self.luminance(theme.color(of: role)))
            #expect(Self.contrast(foreground, 0) >= 4.5, "\(role) with \(depth)")
        }
    }

    @Test("Without colours nothing has one, and the tones have the terminal's own")
    func none() {
        let theme = Theme(colors: .none)
        for style in CellStyle.colored {
            #expect(theme.foreground(of: style) == .standard)
            #expect(theme.background(of: style) == .standard)
            #expect(theme.drawnEmphasis(of: style) == [])
        }
    }

    @Test("Rising and falling differ on the tones where there are colours enough")
    func directions() {
        for depth in [ColorDepth.indexed256, .trueColor] {
            let theme = Theme(colors: depth)
            for ground in Self.grounds {
                let colors = [CellStyle.Role.plain, .up, .down].map {
                    theme.foreground(of: CellStyle($0, on: ground))
                }
                #expect(Set(colors).count == 3)
            }
        }
    }

    // MARK: WCAG 2.2, relative luminance and contrast ratio

    private static func contrast(_ one: Double, _ other: Double) -> Double {
        (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    /// nil for the terminal's own colour, of which nothing is known.
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

    /// xterm's colours: sixteen, a cube, and greys.
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
