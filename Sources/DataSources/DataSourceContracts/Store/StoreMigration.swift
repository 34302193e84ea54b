/// A migration of this program, or one that a newer program has applied to the store.
public struct StoreMigration: Sendable, Hashable {
    /// The state of a migration.
    public enum State: Sendable, Hashable {
        /// The store has it.
        case applied
        /// The store does not have it yet.
        case pending
        /// The store has it with a different text than this program's.
        case altered
        /// The store has it, and this program does not know it.
        case newer
    }

    /// From 1, without gaps.
    public var number: Int
    /// Its name: `0001_people`.
    public var name: String
    /// SHA-256 of its text in hexadecimal: as recorded in the store, or as shipped if pending.
    public var sha256: String
    /// The number of the newest migration that a program must know at least to use the schema.
    public var runsWith: Int
    /// When it was applied, microseconds since 1970 UTC; nil while it is pending.
    public var appliedAt: Int64?
    /// Its state.
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
