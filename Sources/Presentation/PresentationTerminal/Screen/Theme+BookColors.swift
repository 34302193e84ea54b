import Domain

extension CellStyle {
    /// Every pair of a meaning and a background but the terminal's own colors.
    static var colored: [CellStyle] {
        Background.allCases
            .flatMap { background in Role.allCases.map { CellStyle($0, on: background) } }
            .filter { $0 != .plain }
    }
}

extension Theme {
    /// The foreground of a style.
    ///
    /// With eight or sixteen colors every text on the grounds of an order book and of the selected
    /// row has the same one: what rises or falls then has its sign.
    public func foreground(of style: CellStyle) -> TerminalColor {
        guard let background = bookColors(style.background) else {
            return color(of: style.background == .selected ? .plain : style.role)
        }
        return switch style.role {
        case .up: color(directions == .korean ? background.red : background.green)
        case .down: color(directions == .korean ? background.blue : background.red)
        case .error: color(background.error)
        case .accent: color(background.accent)
        case .bar: color(background.bar)
        // Lines of charts have the terminal's own background.
        case .plain, .average1, .average2, .average3, .average4, .average5, .bands:
            color(background.plain)
        }
    }

    /// The background of a style.
    ///
    /// Asks use a tint of the falling color, bids of the rising color, the selected row a gray.
    public func background(of style: CellStyle) -> TerminalColor {
        if let background = bookColors(style.background) { return color(background.tone) }
        return ShadeTable.standard(shades).background.map { color($0) } ?? .standard
    }

    /// The emphasis with which a style is drawn: its own, what its meaning adds, and without what
    /// could not be read.
    public func drawnEmphasis(of style: CellStyle) -> CellStyle.Emphasis {
        // Terminals draw dimmed text at about two thirds brightness: too little for high contrast.
        let weak: CellStyle.Emphasis = shades == .highContrast && colors != .none ? .dim : []
        guard let background = bookColors(style.background) else {
            if style.background == .selected {
                return drawnEmphasis(of: CellStyle(emphasis: style.emphasis).reversed)
            }
            let emphasis = style.emphasis.union(emphasis(of: style.role)).subtracting(weak)
            // Bold is bright with eight colors, and a bright one cannot be read on white.
            let isTooBright =
                colors == .eight && shades == .light && color(of: style.role) != .standard
            return isTooBright ? emphasis.subtracting(.bold) : emphasis
        }
        switch colors {
        // Weak white on plain red or blue is too close to it, and bold black is gray.
        case .eight where background.plain.eight == 0:
            return style.emphasis.subtracting([.dim, .bold])
        case .eight: return style.emphasis.subtracting(.dim).union(.bold)
        case .sixteen: return style.emphasis.subtracting(.dim)
        case .indexed256 where !background.supportsDimText: return style.emphasis.subtracting(.dim)
        case .none, .indexed256, .trueColor: return style.emphasis.subtracting(weak)
        }
    }

    /// The colors of a background; nil for the standard one and where the depth has no tint, where
    /// the selected row is plain text reversed.
    private func bookColors(_ background: CellStyle.Background) -> BookShades? {
        if colors == .none { return nil }
        // None of the sixteen leaves 7:1 to red: black is left for both sides.
        if shades == .highContrast, colors <= .sixteen { return nil }
        let grounds = BookShades.sets(shades)
        return switch (background, directions) {
        case (.standard, _): nil
        case (.selected, _): colors >= .indexed256 ? grounds.selected : nil
        case (.ask, .korean): grounds.blue
        case (.bid, .korean), (.ask, .western): grounds.red
        case (.bid, .western): grounds.green
        }
    }
}

/// The shades of a side of an order book, or of the selected row.
struct BookShades {
    var tone: Shade
    var plain: Shade
    var red: Shade
    var green: Shade
    var blue: Shade
    var error: Shade
    var accent: Shade
    var bar: Shade
    /// Whether dimmed plain text is readable on the tint with 256 colors.
    var supportsDimText = true

    /// The shades of all text on the tones of one theme.
    private struct Texts {
        var plain: (UInt8, UInt8, UInt8, UInt8)
        var red: (UInt8, UInt8, UInt8, UInt8)
        var green: (UInt8, UInt8, UInt8, UInt8)
        var blue: (UInt8, UInt8, UInt8, UInt8)
        var error: (UInt8, UInt8, UInt8, UInt8)
        var accent: (UInt8, UInt8, UInt8, UInt8)
    }

    private init(
        _ texts: Texts,
        tone: Shade,
        bar: (UInt8, UInt8, UInt8, UInt8),
        bright: UInt8 = 15,
        plainEight: UInt8 = 7
    ) {
        func shade(_ parts: (UInt8, UInt8, UInt8, UInt8), _ sixteen: UInt8? = nil) -> Shade {
            Shade(parts.0, parts.1, parts.2, parts.3, sixteen ?? bright, plainEight)
        }
        self.tone = tone
        self.bar = shade(bar, plainEight)
        plain = shade(texts.plain)
        red = shade(texts.red)
        green = shade(texts.green)
        blue = shade(texts.blue)
        error = shade(texts.error)
        accent = shade(texts.accent)
    }

    /// The tones of a theme.
    typealias Tones = (
        blue: BookShades, red: BookShades, green: BookShades, selected: BookShades
    )

    static func sets(_ shades: Theme.Shades) -> Tones {
        switch shades {
        case .dark: dark
        case .light: light
        case .highContrast: highContrast
        }
    }

    private static let dark: Tones = {
        let texts = Texts(
            plain: (238, 238, 238, 255),
            red: (255, 150, 132, 217),
            green: (120, 220, 150, 114),
            blue: (150, 184, 255, 111),
            error: (255, 150, 150, 217),
            accent: (255, 180, 110, 222)
        )
        var green = BookShades(
            texts,
            tone: Shade(12, 52, 28, 22, 2, 2),
            bar: (72, 168, 104, 78),
            bright: 0,
            plainEight: 0
        )
        green.supportsDimText = false
        return (
            blue: BookShades(texts, tone: Shade(19, 33, 66, 17, 4, 4), bar: (84, 128, 220, 68)),
            red: BookShades(texts, tone: Shade(66, 22, 26, 52, 1, 1), bar: (214, 92, 82, 167)),
            green: green,
            selected: BookShades(
                texts,
                tone: Shade(44, 52, 70, 236, nil, nil),
                bar: (130, 150, 190, 110)
            )
        )
    }()

    private static let light: Tones = {
        let texts = Texts(
            plain: (24, 24, 24, 234),
            red: (176, 32, 20, 124),
            green: (8, 100, 44, 22),
            blue: (20, 72, 184, 25),
            error: (160, 0, 40, 124),
            accent: (136, 60, 0, 58)
        )
        return (
            blue: BookShades(texts, tone: Shade(224, 236, 255, 189, 4, 4), bar: (78, 128, 220, 62)),
            red: BookShades(texts, tone: Shade(255, 230, 226, 224, 1, 1), bar: (214, 98, 84, 131)),
            green: BookShades(
                texts,
                tone: Shade(222, 245, 228, 194, 2, 2),
                bar: (64, 140, 92, 65),
                bright: 0,
                plainEight: 0
            ),
            selected: BookShades(
                texts,
                tone: Shade(222, 228, 240, 254, nil, nil),
                bar: (70, 112, 200, 62)
            )
        )
    }()

    /// With 256 colors the one green that is dark enough leaves 7:1 to white alone.
    private static let highContrast: Tones = {
        let texts = Texts(
            plain: (255, 255, 255, 231),
            red: (255, 168, 158, 231),
            green: (120, 244, 150, 231),
            blue: (166, 206, 255, 231),
            error: (255, 180, 180, 231),
            accent: (255, 214, 120, 231)
        )
        func shades(_ tone: Shade, _ bar: (UInt8, UInt8, UInt8, UInt8)) -> BookShades {
            var shades = BookShades(texts, tone: tone, bar: bar)
            shades.supportsDimText = false
            return shades
        }
        return (
            blue: shades(Shade(0, 20, 84, 17, 4, 4), (130, 170, 255, 111)),
            red: shades(Shade(84, 0, 0, 52, 1, 1), (255, 130, 118, 210)),
            green: shades(Shade(0, 56, 16, 22, 2, 2), (120, 220, 140, 120)),
            selected: shades(Shade(48, 48, 48, 236, nil, nil), (130, 170, 255, 111))
        )
    }()
}
