/// The user's input options.
public struct InputOptions: Sendable {
    /// Which key does what.
    public var keys: KeyTable
    /// Whether mouse reports are enabled; selecting text in the terminal then needs Shift.
    public var usesMouse: Bool

    /// Makes choices.
    public init(keys: KeyTable = .screens, usesMouse: Bool = false) {
        self.keys = keys
        self.usesMouse = usesMouse
    }
}
