import DataSources

/// What of the schema a database has, against what the program ships: a plain value that decides.
struct SchemaLedger: Sendable {
    /// What is known of each migration, in order.
    let migrations: [StoreMigration]
    private let steps: [SchemaStep]
    private let location: String

    /// Compares.
    ///
    /// - Parameters:
    ///   - applied: the rows of the database's own table.
    ///   - steps: what the program ships.
    ///   - location: where the database is, for errors.
    init(applied: [StoreMigration], steps: [SchemaStep], location: String) {
        self.steps = steps
        self.location = location
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

    /// What the database lacks, in order.
    var pending: [SchemaStep] {
        let numbers = Set(migrations.filter { $0.state == .pending }.map(\.number))
        return steps.filter { numbers.contains($0.number) }
    }

    /// Refuses a database to which this program must not apply what it lacks.
    ///
    /// - Throws: ``StoreError`` with `incompatible`.
    func verifyHistory() throws(StoreError) {
        for row in migrations where row.state == .altered {
            throw refusal(
                "migration \(row.name) in it differs from the one of this program",
                remedy: "use the program that made it, or restore a backup"
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
                remedy: "restore a backup"
            )
        }
    }

    /// Refuses a database that this program cannot live with as it is.
    ///
    /// - Parameter oldest: the number of the newest migration that it cannot do without.
    /// - Throws: ``StoreError`` with `incompatible`.
    func verify(oldest: Int) throws(StoreError) {
        try verifyHistory()
        if let lacking = pending.first(where: { $0.number <= oldest }) {
            throw refusal(
                "migration \(lacking.name) is not applied",
                remedy: "run hoga migrate up with the owner's role"
            )
        }
    }

    private func refusal(_ words: String, remedy: String) -> StoreError {
        StoreError(.incompatible, "\(location): \(words): \(remedy)")
    }
}
