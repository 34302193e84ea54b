/// One shade at every depth of color.
struct Shade: Equatable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8
    /// The nearest that can be read of 256.
    let indexed: UInt8
    /// The palette index of sixteen; nil for plain text where none is readable.
    let sixteen: UInt8?
    /// The palette index of eight.
    let eight: UInt8?

    init(
        _ red: UInt8,
        _ green: UInt8,
        _ blue: UInt8,
        _ indexed: UInt8,
        _ sixteen: UInt8?,
        _ eight: UInt8?
    ) {
        self.red = red
        self.green = green
        self.blue = blue
        self.indexed = indexed
        self.sixteen = sixteen
        self.eight = eight
    }
}

/// The shades for one ground.
struct ShadeTable {
    /// Plain text; nil for the terminal's own color.
    var plain: Shade?
    /// The ground; nil for the terminal's own.
    var background: Shade?
    var red: Shade
    var green: Shade
    var blue: Shade
    var error: Shade
    var accent: Shade
    /// The averages, shortest window first.
    var averages: (Shade, Shade, Shade, Shade, Shade)
    /// Replaces the second average if rising is green.
    var averageBesideGreen: Shade
    /// Paler than the averages, because bands surround the prices.
    var bands: Shade

    /// The shades on the terminal's own ground, or on black with strong contrasts.
    static func standard(_ shades: Theme.Shades) -> ShadeTable {
        switch shades {
        case .dark: dark
        case .light: light
        case .highContrast: highContrast
        }
    }

    /// Blue at few colors is cyan: on black, neither of the two blues can be read.
    private static let dark = ShadeTable(
        red: Shade(208, 92, 74, 167, 9, 1),
        green: Shade(46, 164, 92, 35, 10, 2),
        blue: Shade(85, 126, 230, 68, 14, 6),
        error: Shade(255, 95, 95, 203, 9, 1),
        accent: Shade(244, 115, 33, 208, 11, 3),
        averages: (
            // Leans to cyan, to differ from falling prices.
            Shade(200, 84, 200, 170, 13, 5), Shade(20, 140, 190, 31, 2, 2),
            Shade(190, 160, 20, 142, 11, 3), Shade(226, 122, 40, 172, 3, 3),
            Shade(138, 138, 138, 245, 8, 7)
        ),
        averageBesideGreen: Shade(20, 140, 190, 31, 6, 6),
        bands: Shade(168, 156, 214, 146, 8, 7)
    )

    /// Of the sixteen colors, green, yellow and cyan are unreadable on white.
    private static let light = ShadeTable(
        red: Shade(186, 36, 24, 124, 1, 1),
        green: Shade(16, 116, 56, 29, nil, nil),
        blue: Shade(28, 84, 200, 26, 4, 4),
        error: Shade(176, 0, 48, 125, 1, 1),
        accent: Shade(158, 72, 0, 130, 5, 5),
        averages: (
            Shade(150, 40, 150, 90, 5, 5), Shade(0, 102, 140, 24, 12, 4),
            Shade(112, 92, 0, 58, nil, nil), Shade(168, 76, 0, 130, 1, 1),
            Shade(98, 98, 98, 241, 4, nil)
        ),
        averageBesideGreen: Shade(0, 102, 140, 24, 12, 4),
        bands: Shade(104, 92, 160, 60, nil, nil)
    )

    /// Of the sixteen colors, red and blue never reach 7:1 on black: yellow and cyan replace them.
    private static let highContrast = ShadeTable(
        plain: Shade(255, 255, 255, 231, 15, 7),
        background: Shade(0, 0, 0, 16, 0, 0),
        red: Shade(255, 130, 118, 210, 11, 3),
        green: Shade(96, 240, 130, 84, 10, 2),
        blue: Shade(130, 186, 255, 111, 14, 6),
        error: Shade(255, 140, 140, 217, 11, 3),
        accent: Shade(255, 200, 80, 221, 15, 7),
        averages: (
            Shade(255, 150, 255, 213, 15, 7), Shade(80, 220, 255, 81, 14, 6),
            Shade(255, 255, 96, 227, 11, 3), Shade(255, 176, 96, 215, 10, 2),
            Shade(200, 200, 200, 251, 7, 7)
        ),
        averageBesideGreen: Shade(80, 220, 255, 81, 14, 6),
        bands: Shade(214, 206, 255, 189, 7, 7)
    )
}
