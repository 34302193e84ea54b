import Domain
import UseCases

/// Makes documents that hold several others, all of one snapshot of the board and one of the user's
/// state.
final class UserSnapshotProducer: Sendable {
    /// Make the parts.
    struct Parts: Sendable {
        let marketList: MarketListProducer
        let marketDetail: MarketDetailPresenter
        let assets: AssetsPresenter
        let portfolio: @Sendable (BoardSnapshot, UserState) -> PortfolioViewState
        let alerts: @Sendable (BoardSnapshot, UserState, Language) -> AlertsViewState
    }

    private typealias Entry = CachedDocument<UserSnapshotContent>

    private let parts: Parts
    private let latest: SnapshotPublisher
    private let user: UserStatePublisher
    private let cache: DocumentCache
    private let epoch: String
    private let number: UInt64

    /// Makes a producer.
    ///
    /// - Parameters:
    ///   - parts: make the parts.
    ///   - latest: publishes the snapshots of the board; the same as the list's.
    ///   - personal: publishes the user's state.
    ///   - cache: keeps the documents.
    ///   - epoch: the first part of every revision; another for each user.
    init(
        _ parts: Parts,
        latest: SnapshotPublisher,
        personal: UserStatePublisher,
        cache: DocumentCache,
        epoch: String
    ) {
        self.parts = parts
        self.latest = latest
        user = personal
        self.cache = cache
        self.epoch = epoch
        number = cache.nextProducer()
    }

    /// The encoded document of a query.
    func encoded(_ query: UserSnapshotQuery) -> EncodedDocument {
        edition(query, of: cache.entry(cacheKey(query))).encoded
    }

    /// The document of a query, kept in the cache until the result is released.
    func follow(_ query: UserSnapshotQuery) -> PinnedDocument {
        PinnedDocument(cacheKey(query), in: cache) { self.edition(query, of: $0) }
    }

    private func cacheKey(_ query: UserSnapshotQuery) -> DocumentCacheKey {
        .user(producer: number, .snapshot(query))
    }

    private func edition(_ query: UserSnapshotQuery, of entry: Entry) -> Entry.Edition {
        cache.edition(of: entry, epoch: epoch) { old in
            // The list chooses the snapshots, because its order may not go back in time.
            let list = query.market.marketList.map { parts.marketList.reading($0) }
            let snapshot = list?.snapshot ?? latest.value
            let user = list?.user ?? self.user.value
            let isSame = old?.isOf(snapshot, userSequence: user.sequence) ?? false
            return Production(
                snapshot: snapshot,
                userSequence: user.sequence,
                content: isSame ? nil : content(query, list?.content, snapshot, user)
            )
        }
    }

    private func content(
        _ query: UserSnapshotQuery,
        _ list: MarketListContent?,
        _ snapshot: BoardSnapshot,
        _ user: UserState
    ) -> UserSnapshotContent {
        UserSnapshotContent(
            marketList: list,
            others: SnapshotViewState(
                marketList: nil,
                marketDetail: query.market.marketDetail.map {
                    parts.marketList.rows.use($0.shownPeriods)
                    return parts.marketDetail.detail(snapshot, $0)
                },
                assets: query.market.assets.map { parts.assets.present(snapshot, query: $0) },
                portfolio: query.portfolio.map { _ in parts.portfolio(snapshot, user) },
                alerts: query.alerts.map { parts.alerts(snapshot, user, $0) }
            )
        )
    }
}

/// Several documents; the rows of the list are shared with all other lists.
struct UserSnapshotContent: DocumentContent {
    static var schemaName: String { SnapshotViewState.schemaName }
    static var schemaVersion: Int { SnapshotViewState.schemaVersion }

    let marketList: MarketListContent?
    /// The documents other than the list.
    let others: SnapshotViewState

    var estimatedByteCount: Int {
        (marketList?.estimatedByteCount ?? 0)
            + StateContent(state: others).estimatedByteCount
    }

    func coalescingTimes(of old: Self) -> Self {
        var others = others
        others.coalesceTimes(of: old.others)
        // The list comes from its own document, whose times are coalesced already.
        return Self(marketList: marketList, others: others)
    }

    func parts(after old: (content: Self, parts: DocumentParts)?) -> DocumentParts {
        var writer = PartWriter(after: old?.parts)
        if let marketList {
            let name = MarketListViewState.schemaName
            writer.part(name, marketList, old?.content.marketList) {
                $1.write(to: &$0, after: $2)
            }
        }
        others.write(to: &writer, after: old?.content.others)
        return writer.document
    }

    /// Composed of parts: rows are not encoded again.
    func json(_ envelope: DocumentEnvelope) -> [UInt8]? { nil }
}
