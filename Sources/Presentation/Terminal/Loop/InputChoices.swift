/// What a user has chosen of how a terminal is operated.
public struct InputChoices: Sendable {
    /// Which key does what.
    public var keys: KeyTable

    /// Makes choices.
    public init(keys: KeyTable = .screens) {
        self.keys = keys
    }
}
