import DataSourceContracts
import Domain
import ViewStates

extension Command {
    static let storePath = onStore("store path", "Print the path or address of the store") {
        access,
        _ throws(ProgramError) in
        if let location = access.place.location { try Console.line(location) }
    }

    static let storeBackup = onStore(
        "store backup",
        "Copy the store to a new file; a database with pg_dump, checked by restoring it",
        operands: [CommandOperand("FILE", "a new file", .path("FILE"))],
        options: [.quiet],
        progress: "copying the store"
    ) { access, invocation throws(ProgramError) in
        try Console.line(try await access.place.backup(to: invocation.required(0)))
    }

    static let storeCheck = onStore(
        "store check",
        "Check the whole store and report gaps in candles",
        options: [.quiet],
        progress: "checking the store"
    ) { access, _ throws(ProgramError) in
        try await access.place.printCheck()
    }

    static let migrateUp = onStore(
        "migrate up",
        "Apply pending migrations (a SQLite store does this at every start)",
        options: [.quiet],
        isAudited: true,
        progress: "migrating the schema"
    ) { access, _ throws(ProgramError) in
        let applied = try await StoreAccess.call { () async throws(StoreError) in
            try await access.place.migrate()
        }
        for migration in applied { try Console.line("applied \(migration.name)") }
        if applied.isEmpty { try Console.line("nothing to do: the schema is up to date") }
    }

    static let migrateStatus = onStore("migrate status", "List all migrations and their states") {
        access,
        _ throws(ProgramError) in
        let migrations = try await StoreAccess.call { () async throws(StoreError) in
            try await access.place.migrations()
        }
        try StoreCommand.write(migrations)
    }

    static let migrateVerify = onStore(
        "migrate verify",
        "Check that this version of hoga can use the store"
    ) { access, _ throws(ProgramError) in
        let migrations = try await StoreAccess.call { () async throws(StoreError) in
            try await access.place.verifyMigrations()
        }
        try StoreCommand.write(migrations)
    }
}

/// The condition of a store that a command checks first, before it changes anything.
enum StoreRequirement: Sendable {
    /// None: the command works with any store.
    case none
    /// The records of the program's own user.
    case ownRecord
    /// User accounts; a missing file is created.
    case accounts
    /// User accounts in a store that exists.
    case existingAccounts

    /// Checks the condition.
    ///
    /// - Throws: ``ProgramError``: `unavailable` for an unusable store, `configuration` without
    ///   the token that it needs.
    func check(_ access: StoreAccess) async throws(ProgramError) {
        switch self {
        case .none: break
        case .ownRecord: try await access.checkOwner()
        case .accounts: try await access.checkUsers()
        case .existingAccounts:
            try access.checkPresence()
            try await access.checkUsers()
        }
    }
}

extension Command {
    /// A command that uses the store and no market data.
    ///
    /// - Parameters:
    ///   - name: the words of the command.
    ///   - summary: its line of help.
    ///   - operands: its operands.
    ///   - options: its flags.
    ///   - settings: settings that it needs beside those of the store.
    ///   - requirement: the part of the store that must exist.
    ///   - isAudited: whether its changes are in the audit trail of a shared store.
    ///   - progress: the text of the progress line of long work; nil for none.
    ///   - run: the work; it throws `usage` if it refuses a value and changes nothing then.
    /// - Returns: the row of the command.
    static func onStore(
        _ name: String,
        _ summary: String,
        operands: [CommandOperand] = [],
        options: [CommandOption] = [],
        settings: [Setting] = [],
        requires requirement: StoreRequirement = .none,
        isAudited: Bool = false,
        progress: String? = nil,
        run:
            @escaping @Sendable (
                StoreAccess, CommandInvocation
            ) async throws(ProgramError) -> Void
    ) -> Command {
        Command(
            name,
            summary,
            operands: operands,
            options: options,
            settings: settings + [.store, .databaseURL]
                + (requirement == .ownRecord ? [.token] : [])
                + (isAudited ? [.administrator] : []),
            action: .run { invocation, program throws(ProgramError) in
                let job: @Sendable () async throws(ProgramError) -> Void = {
                    () async throws(ProgramError) in
                    try await StoreAccess(program).using { access throws(ProgramError) in
                        try await requirement.check(access)
                        try await run(access, invocation)
                    }
                }
                guard let progress else { return try await job() }
                try await ProgressLine(
                    "hoga \(name)",
                    phase: progress,
                    isQuiet: invocation.has(.quiet),
                    program
                ).using(job)
            }
        )
    }
}

/// Output of `hoga store` and `hoga migrate`.
enum StoreCommand {
    static func write(_ migrations: [StoreMigration]) throws(ProgramError) {
        for migration in migrations {
            let word =
                switch migration.state {
                case .applied: "applied"
                case .pending: "pending"
                case .altered: "altered"
                case .newer: "newer"
                }
            let at = migration.appliedAt.map(iso) ?? "-"
            try Console.line("\(migration.name) \(word) \(at) sha256=\(migration.sha256)")
        }
    }

    /// Microseconds since 1970 as an ISO 8601 time.
    static func iso(_ microseconds: Int64) -> String {
        TimeText.iso(Timestamp(microseconds: microseconds))
    }
}
