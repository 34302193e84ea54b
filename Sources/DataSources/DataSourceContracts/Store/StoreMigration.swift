/// A migration as a store sees it: one that the program ships, or one that a newer program has put
/// into the store.
public struct StoreMigration: Sendable, Hashable {
    /// How a migration stands.
    public enum State: Sendable, Hashable {
        /// The store has it.
        case applied
        /// The store does not have it yet.
        case pending
        /// The store has it, made of another text than the one that this program ships.
        case altered
        /// The store has it, and this program does not know it.
        case newer
    }

    /// From 1, without holes.
    public var number: Int
    /// What it is called: `0001_people`.
    public var name: String
    /// SHA-256 of its text in hexadecimal: as recorded in the store, else as shipped.
    public var sha256: String
    /// The number of the newest migration that a program must know to live with this one.
    public var runsWith: Int
    /// When it was applied, microseconds since 1970 UTC; nil while it is pending.
    public var appliedAt: Int64?
    /// How it stands.
    public var state: State

    /// Makes a row.
    public init(
        number: Int,
        name: String,
        sha256: String,
        runsWith: Int,
        appliedAt: Int64?,
        state: State
    ) {
        self.number = number
        self.name = name
        self.sha256 = sha256
        self.runsWith = runsWith
        self.appliedAt = appliedAt
        self.state = state
    }
}
