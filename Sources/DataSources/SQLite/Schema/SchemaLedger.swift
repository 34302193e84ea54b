import DataSources

/// What of the schema a file has, against what the program ships: a plain value that decides.
struct SchemaLedger: Sendable {
    /// What the program ships, in order.
    let steps: [SchemaStep]
    /// What is known of each migration, in order.
    let migrations: [StoreMigration]
    private let tables: Set<String>
    private let path: String

    /// Compares.
    ///
    /// - Parameters:
    ///   - applied: the rows of the file's own table.
    ///   - steps: what the program ships.
    ///   - tables: the names of the tables that the file has.
    ///   - path: where the file is, for errors.
    init(applied: [StoreMigration], steps: [SchemaStep], tables: Set<String>, path: String) {
        self.steps = steps
        self.tables = tables
        self.path = path
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

    /// What the file lacks, in order.
    var pending: [SchemaStep] {
        let numbers = Set(migrations.filter { $0.state == .pending }.map(\.number))
        return steps.filter { numbers.contains($0.number) }
    }

    /// Whether the file has anything.
    var isEmpty: Bool { migrations.allSatisfy { $0.state == .pending } }

    /// Refuses a file that this program cannot live with.
    ///
    /// - Throws: ``StoreError`` with `incompatible`.
    func verify() throws(StoreError) {
        for row in migrations where row.state == .altered {
            throw refusal(
                "migration \(row.name) in it differs from the one of this program",
                remedy: "use the program that made it, or put a backup in its place"
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
                remedy: "put a backup in its place"
            )
        }
        // Applying it again would fail, or do harm.
        if let lost = pending.first(where: { !tables.isDisjoint(with: $0.newTables) }) {
            throw refusal(
                "migration \(lost.name) is not recorded, and its tables are there",
                remedy: "put a backup in its place"
            )
        }
    }

    private func refusal(_ words: String, remedy: String) -> StoreError {
        StoreError(.incompatible, "\(path): \(words): \(remedy)")
    }
}
