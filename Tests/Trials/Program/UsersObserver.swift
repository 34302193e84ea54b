import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import UseCases

/// The users of a trial, and which of their changes the program acknowledged.
final class UsersObserver: Sendable {
    private struct State {
        var acknowledged: [UserID: Set<MarketID>] = [:]
        var refused = 0
    }

    private let stores: TrialStores
    private let state = Mutex(State())

    init(_ stores: TrialStores) { self.stores = stores }

    /// Adds a favorite of its own for each number, and notes whether that was acknowledged.
    func change(_ number: Int, at instance: TrialInstance) async {
        let user = stores.ids[number % stores.ids.count]
        guard let market = MarketID(symbol: "F\(number)", quote: .krw) else { return }
        do throws(StoreFailure) {
            try await instance.users.perform(.addFavorite(market), of: user)
            state.withLock { _ = $0.acknowledged[user, default: []].insert(market) }
        } catch {
            state.withLock { $0.refused += 1 }
        }
    }

    /// The changes that were acknowledged, and those that were not.
    var counts: (acknowledged: Int, refused: Int) {
        state.withLock { state in
            (state.acknowledged.values.reduce(0) { $0 + $1.count }, state.refused)
        }
    }

    /// Compares the store with the acknowledged changes.
    func checkEnd(
        _ records: [UserID: UserRecord],
        into report: inout ProgramReport
    ) {
        for (user, markets) in state.withLock(\.acknowledged) {
            let kept = Set(records[user]?.favorites.value ?? [])
            for market in markets {
                report.check("acknowledged change")
                if !kept.contains(market) {
                    report.fail("the favorite \(market.name) was acknowledged and is lost")
                }
            }
        }
    }
}
