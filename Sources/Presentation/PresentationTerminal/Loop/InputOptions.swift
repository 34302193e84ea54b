/// What a user has chosen of how a terminal is operated.
public struct InputOptions: Sendable {
    /// Which key does what.
    public var keys: KeyTable
    /// Whether the mouse is taken: the terminal's own marking of text then needs Shift.
    public var usesMouse: Bool

    /// Makes choices.
    public init(keys: KeyTable = .screens, usesMouse: Bool = false) {
        self.keys = keys
        self.usesMouse = usesMouse
    }
}
