import DataSourceContracts
import Domain
import ViewStates
import PresentationHTTP
import Repositories

extension StorePlace {
    /// The room of what is kept for users, wired up but not running; nil where nothing is kept.
    ///
    /// Whoever has a token of the place is let in: of a file that is its one person.
    func personalService(
        _ markets: Markets,
        _ streams: DocumentStreams,
        _ log: any Log
    ) -> UserService? {
        let clock = ContinuousClock()
        let failures = StoreFailureLog(to: log, now: SystemSources.now)
        let tokens: any TokenStoreSource
        let personal: any UserRepository
        let news: any ChangeNotificationRepository
        switch self {
        case .nowhere: return nil
        case .file(let store):
            tokens = store
            personal = Self.repository(store)
            news = PolledChangeNotifications(personal: personal, clock: clock)
        case .database(let shared):
            tokens = shared.store
            personal = Self.repository(shared.store)
            news = PushedChangeNotifications(source: shared.news)
        }
        return UserService(
            UserService.Parts(
                tokens: StoredTokenRepository(store: tokens, now: SystemSources.now),
                personal: personal,
                news: news,
                hash: { TokenHash($0.sha256) },
                rows: markets.cutter.rows,
                streams: streams,
                assetInterests: markets.assetInterests,
                epoch: markets.epoch,
                onStoreFailure: { failures.tell($0) },
                now: SystemSources.now
            ),
            clock: clock
        )
    }
}
