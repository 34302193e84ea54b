public import DataSourceContracts
public import Migrations

/// What of the schema a store has, against what the program ships: a plain value that decides.
public struct MigrationHistory: Sendable {
    /// What the program ships, in order.
    public let steps: [Migration]
    /// What is known of each migration, in order.
    public let migrations: [StoreMigration]
    private let location: String
    private let restoring: String

    /// Compares.
    ///
    /// - Parameters:
    ///   - applied: the rows of the store's own table.
    ///   - steps: what the program ships.
    ///   - location: where the store is, for errors.
    ///   - restoring: the remedy for a history that nothing can mend: how to go back to a backup.
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

    /// What the store lacks, in order.
    public var pending: [Migration] {
        let numbers = Set(migrations.filter { $0.state == .pending }.map(\.number))
        return steps.filter { numbers.contains($0.number) }
    }

    /// Whether the store has anything.
    public var isEmpty: Bool { migrations.allSatisfy { $0.state == .pending } }

    /// Refuses a store to which this program must not apply what it lacks.
    ///
    /// - Throws: ``StoreError`` with `incompatible`.
    public func verifyHistory() throws(StoreError) {
        for row in migrations where row.state == .altered {
            throw refusal(
                "migration \(row.name) in it differs from the one of this program",
                remedy: "use the program that made it, or \(restoring)"
            )
        }
        let newer = migrations.filter { $0.state == .newer }
        let newest = steps.last?.number ?? 0
        let needed = newer.map(\.runsWith).max() ?? 0
        if let last = newer.last, needed > newest {
            throw refusal(
                "made by a newer hoga (schema \(last.number), needs program schema \(needed) or "
                    + "newer)",
                remedy: "upgrade hoga"
            )
        }
        let present = migrations.last { $0.state != .pending }?.number ?? 0
        if let hole = pending.first(where: { $0.number < present }) {
            throw refusal(
                "migration \(hole.name) is missing before newer ones",
                remedy: restoring
            )
        }
    }

    /// Why a store is none that this program can live with.
    ///
    /// - Parameters:
    ///   - words: what is wrong with it.
    ///   - remedy: what to do; nil for going back to a backup.
    /// - Returns: an error with `incompatible`, which names where the store is.
    public func refusal(_ words: String, remedy: String? = nil) -> StoreError {
        StoreError(.incompatible, "\(location): \(words): \(remedy ?? restoring)")
    }
}
