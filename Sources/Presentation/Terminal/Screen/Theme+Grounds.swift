extension CellStyle {
    /// Every pair of a meaning and a background but the terminal's own colours.
    static var colored: [CellStyle] {
        Ground.allCases
            .flatMap { ground in Role.allCases.map { CellStyle($0, on: ground) } }
            .filter { $0 != .plain }
    }
}

extension Theme {
    /// The foreground of a style.
    ///
    /// On the grounds of an order book every text has a contrast of 4.5:1 at the least. With eight
    /// or sixteen colours that is white for all of them: what rises or falls then has its sign.
    public func foreground(of style: CellStyle) -> TerminalColor {
        switch style.ground {
        case .standard: color(of: style.role)
        case .ask, .bid: color(of: style.role, on: style.ground)
        }
    }

    /// The background of a style: dark tones, blue for what is offered and red for what is bid for.
    public func background(of style: CellStyle) -> TerminalColor {
        let isAsk = style.ground == .ask
        switch (style.ground, colors) {
        case (.standard, _), (_, .none): return .standard
        case (_, .eight), (_, .sixteen): return .index(isAsk ? 4 : 1)
        case (_, .indexed256): return .index(isAsk ? 17 : 52)
        case (_, .trueColor): return isAsk ? Self.askGround : Self.bidGround
        }
    }

    /// The emphasis with which a style is drawn: its own, what its meaning adds, and without what
    /// could not be read.
    public func drawnEmphasis(of style: CellStyle) -> CellStyle.Emphasis {
        guard style.ground != .standard else {
            return style.emphasis.union(emphasis(of: style.role))
        }
        switch colors {
        // Weak white on plain red or blue is too close to it.
        case .eight: return style.emphasis.subtracting(.dim).union(.bold)
        case .sixteen: return style.emphasis.subtracting(.dim)
        case .none, .indexed256, .trueColor: return style.emphasis
        }
    }

    private static let askGround = TerminalColor.rgb(red: 19, green: 33, blue: 66)
    private static let bidGround = TerminalColor.rgb(red: 66, green: 22, blue: 26)

    private func color(of role: CellStyle.Role, on ground: CellStyle.Ground) -> TerminalColor {
        let isAsk = ground == .ask
        switch colors {
        case .none: return .standard
        case .eight: return .index(7)
        case .sixteen: return .index(role == .bar ? 7 : 15)
        case .indexed256, .trueColor: break
        }
        let isExact = colors == .trueColor
        func shade(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ index: UInt8) -> TerminalColor {
            isExact ? .rgb(red: red, green: green, blue: blue) : .index(index)
        }
        switch role {
        case .up: return shade(255, 150, 132, 216)
        case .down: return shade(150, 184, 255, 111)
        case .error: return shade(255, 150, 150, 217)
        case .accent: return shade(255, 180, 110, 215)
        case .bar: return isAsk ? shade(84, 128, 220, 68) : shade(214, 92, 82, 167)
        // Averages belong to charts, which have the terminal's own background.
        case .plain, .average1, .average2, .average3, .average4, .average5:
            return shade(238, 238, 238, 255)
        }
    }
}
