import Domain
import Synchronization

/// The data that alert rules keep followed: order books, lost trades, bases of changes, deposits
/// and withdrawals.
public final class AlertInterests: Sendable {
    /// The needs of all rules.
    struct Needs: Sendable, Hashable {
        /// Markets whose books are followed.
        var books: Set<MarketID> = []
        /// Markets whose lost trades are read again.
        var trades: Set<MarketID> = []
        /// Periods whose bases are read.
        var periods: Set<ShownPeriod> = []
        /// Whether deposits and withdrawals are read.
        var assets = false
    }

    private struct State {
        var needs = Needs()
        var details: InterestLease<DetailInterest>?
        var periods: InterestLease<ShownPeriod>?
        var assets: AssetLease?
    }

    private let details: DetailInterests
    private let periods: PeriodInterests
    private let assets: AssetInterests
    private let state = Mutex(State())

    /// Makes interests without needs.
    public init(details: DetailInterests, periods: PeriodInterests, assets: AssetInterests) {
        self.details = details
        self.periods = periods
        self.assets = assets
    }

    /// Follows what is needed and ends what is not.
    ///
    /// Earlier needs stay followed while the registers have no room for the new ones; the next call
    /// tries again.
    func set(_ needs: Needs) {
        state.withLock { state in
            guard needs != state.needs else { return }
            // New leases come first, so that what stays is never closed.
            let wanted = Set(needs.books.map { DetailInterest(market: $0, facet: .book) })
                .union(needs.trades.map { DetailInterest(market: $0, facet: .trades) })
            guard let lease = details.enter(wanted),
                let periodLease = periods.enter(needs.periods)
            else { return }
            state.needs = needs
            state.details?.release()
            state.details = lease
            state.periods?.release()
            state.periods = periodLease
            if !needs.assets {
                state.assets = nil
            } else if state.assets == nil {
                state.assets = assets.enter()
            }
        }
    }
}
