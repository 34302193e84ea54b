/// The style of a cell: meaning, background and emphasis.
///
/// Colors depend on the theme; no meaning depends on color alone.
public struct CellStyle: Sendable, Hashable {
    /// The meaning of a cell's foreground.
    public enum Role: UInt8, Sendable, Hashable, CaseIterable {
        /// The terminal's own colors.
        case plain
        /// A value above its base.
        case up
        /// A value below its base.
        case down
        /// Something that went wrong.
        case error
        /// Titles, and keys to press.
        case accent
        /// The average of the shortest window.
        case average1
        /// The average of the second window.
        case average2
        /// The average of the third window.
        case average3
        /// The average of the fourth window.
        case average4
        /// The average of the longest window.
        case average5
        /// Bollinger bands.
        case bands
        /// A quantity bar.
        case bar
    }

    /// The meaning of a cell's background.
    public enum Background: UInt8, Sendable, Hashable, CaseIterable {
        /// The terminal's own.
        case standard
        /// 매도: the ask side.
        case ask
        /// 매수: the bid side.
        case bid
        /// The selected row.
        case selected
    }

    /// How a cell is set off from others.
    public struct Emphasis: OptionSet, Sendable, Hashable {
        /// One bit per kind.
        public let rawValue: UInt8

        /// Makes a set from its bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Strong.
        public static let bold = Emphasis(rawValue: 1)
        /// Weak: old, unknown or of little weight.
        public static let dim = Emphasis(rawValue: 2)
        /// Foreground and background exchanged.
        public static let reverse = Emphasis(rawValue: 4)
        /// A line below the character.
        public static let underline = Emphasis(rawValue: 8)
    }

    /// Plain text.
    public static let plain = CellStyle()
    /// Weak text.
    public static let dim = CellStyle(emphasis: .dim)
    /// Strong text.
    public static let bold = CellStyle(emphasis: .bold)

    /// The meaning.
    public var role: Role
    /// The background.
    public var background: Background
    /// The emphasis.
    public var emphasis: Emphasis

    /// Makes a style.
    public init(
        _ role: Role = .plain,
        on background: Background = .standard,
        emphasis: Emphasis = []
    ) {
        self.role = role
        self.background = background
        self.emphasis = emphasis
    }

    /// The style with more emphasis.
    public func adding(_ more: Emphasis) -> CellStyle {
        CellStyle(role, on: background, emphasis: emphasis.union(more))
    }

    /// The style with another meaning.
    public func with(_ role: Role) -> CellStyle {
        CellStyle(role, on: background, emphasis: emphasis)
    }

    /// The style with foreground and background exchanged once more.
    public var reversed: CellStyle {
        CellStyle(role, on: background, emphasis: emphasis.symmetricDifference(.reverse))
    }
}
