import DataSources
import DataSourcesSQLite
import Domain
import Repositories

/// The store of a command that ends at once, without a market.
struct StoreAccess: Sendable {
    /// The file.
    let store: SQLiteStore
    private let repository: StoredPersonalRepository

    /// Finds the file; it is made with the first call that needs it.
    ///
    /// - Throws: ``ProgramError`` `configuration` where there is no store.
    init(_ program: Program) throws(ProgramError) {
        guard let path = program.configuration.store.path(program.environment) else {
            throw ProgramError(
                .configuration,
                "there is no store: name a file with \(Setting.store.flag) or "
                    + Setting.store.environmentName
            )
        }
        store = Keeping.store(at: path)
        repository = StoredPersonalRepository(store: store, now: SystemSources.now)
    }

    /// What is kept.
    ///
    /// - Throws: ``ProgramError``.
    func record() async throws(ProgramError) -> PersonalRecord {
        try await Self.answer { () async throws(StoreFailure) in
            try await repository.record(of: .local)
        }
    }

    /// Makes a change.
    ///
    /// - Returns: what is kept afterwards.
    /// - Throws: ``ProgramError``: `usage` for a change that is refused.
    @discardableResult
    func perform(_ change: PersonalChange) async throws(ProgramError) -> PersonalRecord {
        try await Self.answer { () async throws(StoreFailure) in
            try await repository.perform(change, of: .local)
        }
    }

    /// Makes a call of the store itself.
    ///
    /// - Throws: ``ProgramError`` `unavailable`.
    func call<Value: Sendable>(
        _ body: (SQLiteStore) async throws(StoreError) -> Value
    ) async throws(ProgramError) -> Value {
        do throws(StoreError) {
            return try await body(store)
        } catch {
            throw ProgramError(.unavailable, error.detail)
        }
    }

    private static func answer<Value>(
        _ body: () async throws(StoreFailure) -> Value
    ) async throws(ProgramError) -> Value {
        do throws(StoreFailure) {
            return try await body()
        } catch {
            switch error.code {
            case .refused: throw ProgramError(.usage, error.detail)
            case .unavailable, .busy, .full, .readOnly, .damaged, .incompatible, .conflict,
                .unauthorized, .forbidden:
                throw ProgramError(.unavailable, error.detail)
            }
        }
    }
}
