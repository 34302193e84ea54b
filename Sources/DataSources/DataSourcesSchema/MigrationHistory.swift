public import DataSourceContracts
public import Migrations

/// Compares the migrations of a store with those of the program.
public struct MigrationHistory: Sendable {
    /// The program's migrations, in order.
    public let steps: [Migration]
    /// The state of each migration, in order.
    public let migrations: [StoreMigration]
    private let location: String
    private let restoring: String

    /// Compares a store with the program.
    ///
    /// - Parameters:
    ///   - applied: the rows of the store's migration table.
    ///   - steps: the program's migrations.
    ///   - location: the store, for errors.
    ///   - restoring: the remedy for an irreparable history: how to restore a backup.
    public init(
        applied: [StoreMigration],
        steps: [Migration],
        location: String,
        restoring: String
    ) {
        self.steps = steps
        self.location = location
        self.restoring = restoring
        let recorded = Dictionary(applied.map { ($0.number, $0) }) { first, _ in first }
        let shipped = steps.map { step in
            guard var row = recorded[step.number] else {
                return StoreMigration(
                    number: step.number,
                    name: step.name,
                    sha256: step.sha256,
                    runsWith: step.runsWith,
                    appliedAt: nil,
                    state: .pending
                )
            }
            row.state = row.sha256 == step.sha256 ? .applied : .altered
            return row
        }
        let newest = steps.last?.number ?? 0
        let newer = applied.filter { $0.number > newest }.map { row in
            var row = row
            row.state = .newer
            return row
        }
        migrations = shipped + newer.sorted { $0.number < $1.number }
    }

    /// Migrations missing in the store, in order.
    public var pending: [Migration] {
        let numbers = Set(migrations.filter { $0.state == .pending }.map(\.number))
        return steps.filter { numbers.contains($0.number) }
    }

    /// Whether the store has no migration.
    public var isEmpty: Bool { migrations.allSatisfy { $0.state == .pending } }

    /// Refuses a store to which pending migrations must not be applied.
    ///
    /// - Throws: ``StoreError`` with `incompatible`.
    public func verifyHistory() throws(StoreError) {
        for row in migrations where row.state == .altered {
            throw refusal(
                "migration \(row.name) differs from the one of this program",
                remedy: "use the program that created it, or \(restoring)"
            )
        }
        let newer = migrations.filter { $0.state == .newer }
        let newest = steps.last?.number ?? 0
        let needed = newer.map(\.runsWith).max() ?? 0
        if let last = newer.last, needed > newest {
            throw refusal(
                "created by a newer hoga (schema \(last.number), needs program schema \(needed) or "
                    + "newer)",
                remedy: "upgrade hoga"
            )
        }
        let present = migrations.last { $0.state != .pending }?.number ?? 0
        if let hole = pending.first(where: { $0.number < present }) {
            throw refusal(
                "migration \(hole.name) is missing, but newer ones are applied",
                remedy: restoring
            )
        }
    }

    /// Makes an error for a store that this program cannot use.
    ///
    /// - Parameters:
    ///   - words: the problem.
    ///   - remedy: the remedy; nil for restoring a backup.
    /// - Returns: an error with `incompatible` and the location of the store.
    public func refusal(_ words: String, remedy: String? = nil) -> StoreError {
        StoreError(.incompatible, "\(location): \(words): \(remedy ?? restoring)")
    }
}
