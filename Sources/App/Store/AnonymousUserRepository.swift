import DataSourceContracts
import DataSourcesPostgreSQL
import Domain
import Repositories

/// An empty record that fails while the shared store fails or refuses the changes of its users.
///
/// For a program without a user of its own.
struct AnonymousUserRepository: UserRepository {
    /// Checked by every call.
    let schema: PostgreSQLSchema
    /// The outcomes of the users' changes.
    let changes: ChangeWatch

    /// An empty record, if the store answers.
    func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        try await verify()
        return UserRecord(name: "")
    }

    /// Always refused.
    func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        throw StoreFailure(.refused, "this program has no user of its own")
    }

    /// Always 0, if the store answers.
    func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 {
        try await verify()
        return 0
    }

    /// Throws unless the store answers.
    func checkWriting(of user: UserID) async throws(StoreFailure) { try await verify() }

    /// Empty, if the store answers.
    func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] {
        try await verify()
        return []
    }

    private func verify() async throws(StoreFailure) {
        if let failure = changes.failure { throw failure }
        do throws(StoreError) {
            _ = try await schema.verify()
        } catch {
            throw StoreFailure(error)
        }
    }
}
