/// Whether a terminal's background is light or dark.
public enum TerminalBackground: Sendable, Hashable {
    /// Text on it is dark.
    case light
    /// Text on it is light.
    case dark

    /// Classifies a color, components 0...65535: dark if white text has more contrast than black
    /// (WCAG 2.2, relative luminance; both are equal at 0.179).
    public init(red: UInt16, green: UInt16, blue: UInt16) {
        // The curve of sRGB is near enough to a square for one bit of answer, and a square needs
        // no fractions: 0.179 of the square of 65535.
        func square(_ part: UInt16) -> UInt64 { UInt64(part) * UInt64(part) }
        let luminance = 2_126 * square(red) + 7_152 * square(green) + 722 * square(blue)
        self = luminance > 1_790 * square(.max) ? .light : .dark
    }

    /// Reads `COLORFGBG`: foreground and background as palette indexes, with an extra field in some
    /// terminals (rxvt, seen 2026-11).
    ///
    /// - Returns: nil if unset or invalid.
    public init?(environment: [String: String]) {
        guard let last = environment["COLORFGBG"]?.split(separator: ";").last,
            let place = UInt8(last), place < 16
        else { return nil }
        // The grays: 7 is light, 8 is dark; of the others white alone is a light background.
        self = place == 7 || place == 15 ? .light : .dark
    }
}
