public import Domain
public import UseCases

/// Makes market lists from the newest snapshot; ``DocumentCache`` gives them revisions.
///
/// A list's order is renewed at most every two seconds, and when the favorites or the set of
/// markets change. Rows are shared with all lists of the same ``SharedMarketRows``.
public final class MarketListProducer: Sendable {
    /// The least time between two orders of a list.
    public static let orderInterval: Duration = .seconds(2)

    private typealias Entry = CachedDocument<MarketListContent>

    /// The rows of the lists.
    public let rows: SharedMarketRows
    private let user: UserStatePublisher?
    private let epoch: String
    /// The key of users' lists in the cache.
    private let number: UInt64

    /// Makes a producer with rows of its own.
    ///
    /// - Parameters:
    ///   - presenter: presents lists.
    ///   - latest: publishes the snapshots of the board.
    ///   - personal: the user whose lists these are; nil for public lists.
    ///   - epoch: the first part of every revision, new at each start of the process.
    public convenience init(
        presenter: MarketListPresenter,
        latest: SnapshotPublisher,
        personal: UserStatePublisher? = nil,
        epoch: String
    ) {
        self.init(
            rows: SharedMarketRows(presenter: presenter, latest: latest),
            personal: personal,
            epoch: epoch
        )
    }

    /// Makes a producer whose rows other lists share.
    ///
    /// - Parameters:
    ///   - rows: the rows.
    ///   - personal: the user whose lists these are; nil for public lists.
    ///   - epoch: the first part of every revision; another for each user.
    public init(rows: SharedMarketRows, personal: UserStatePublisher?, epoch: String) {
        self.rows = rows
        user = personal
        self.epoch = epoch
        number = personal == nil ? 0 : rows.cache.nextProducer()
    }

    /// The document of a query from the newest snapshot.
    public func document(_ query: MarketListQuery) -> MarketListDocument {
        let edition = reading(query).edition
        return MarketListDocument(
            revision: edition.envelope.revision.text,
            asOf: edition.envelope.asOf,
            source: edition.envelope.source,
            state: edition.content.state
        )
    }

    /// The same document as JSON, and its revision.
    public func bytes(_ query: MarketListQuery) -> (bytes: [UInt8], revision: String) {
        let document = encoded(query).document
        return (document.json, document.revision)
    }

    /// The document of a query, kept in the cache until the result is released.
    public func follow(_ query: MarketListQuery) -> PinnedDocument {
        PinnedDocument(cacheKey(query), in: rows.cache) {
            self.reading(query, of: $0).edition
        }
    }

    /// The ranking by popularity, at most two seconds old.
    public func ranks(_ snapshot: BoardSnapshot) -> PopularityRanks { rows.ranks(snapshot) }

    /// The encoded document of a query, and the snapshot it was compared with.
    func encoded(
        _ query: MarketListQuery,
        prepare: EncodedDocument.Preparation? = nil
    ) -> (document: EncodedDocument, sequence: UInt64) {
        let edition = reading(query, prepare: prepare).edition
        return (edition.encoded, edition.sequence)
    }

    /// A list, and the snapshots it was made of.
    struct Reading {
        fileprivate let edition: CachedDocument<MarketListContent>.Edition
        let snapshot: BoardSnapshot
        let user: UserState?
        var content: MarketListContent { edition.content }
    }

    /// The list of a query from the newest snapshot.
    func reading(
        _ query: MarketListQuery,
        prepare: EncodedDocument.Preparation? = nil
    ) -> Reading {
        reading(query, of: rows.cache.entry(cacheKey(query)), prepare: prepare)
    }

    private func reading(
        _ query: MarketListQuery,
        of entry: Entry,
        prepare: EncodedDocument.Preparation? = nil
    ) -> Reading {
        var read: (snapshot: BoardSnapshot, user: UserState?)?
        var oldOrder: MarketListOrder?
        let edition = rows.cache.edition(of: entry, epoch: epoch, prepare: prepare) { old in
            rows.read(query) { table, reading in
                let snapshot = reading.snapshot
                let user = self.user?.value
                let userSequence = user?.sequence ?? 0
                read = (snapshot, user)
                oldOrder = old?.content.order
                let isSame = old?.isOf(snapshot, userSequence: userSequence) ?? false
                return Production(
                    snapshot: snapshot,
                    userSequence: userSequence,
                    content: isSame ? nil : content(query, reading, user, old?.content, &table)
                )
            }
        }
        guard let read else { preconditionFailure("an edition is made of a snapshot") }
        // Orders are renewed long before an interest expires.
        let order = edition.content.order
        if order !== oldOrder { rows.use(query.shownPeriods(of: order.list.order)) }
        return Reading(edition: edition, snapshot: read.snapshot, user: read.user)
    }

    private func cacheKey(_ query: MarketListQuery) -> DocumentCacheKey {
        user == nil
            ? .shared(.marketList(query)) : .user(producer: number, .marketList(query))
    }

    private func content(
        _ query: MarketListQuery,
        _ reading: SharedMarketRows.Reading,
        _ user: UserState?,
        _ old: MarketListContent?,
        _ table: inout MarketRowTable
    ) -> MarketListContent {
        let order = order(query, reading, user?.record.favorites, old?.order, &table)
        let coverage = coverage(query, reading, order, old)
        return MarketListContent(
            head: rows.presenter.head(
                reading.snapshot,
                query: query,
                list: order.list,
                coverage: coverage,
                positions: order.positions,
                visibility: user?.status.visibility ?? .shown
            ),
            rows: present(reading, query, order, &table),
            order: order,
            coverage: coverage,
            changesRevision: reading.changes.revision
        )
    }

    /// How many changes are known; counted anew only after the order or one of the changes moved.
    private func coverage(
        _ query: MarketListQuery,
        _ reading: SharedMarketRows.Reading,
        _ order: MarketListOrder,
        _ old: MarketListContent?
    ) -> ChangeCoverage {
        if let old, old.order === order, old.changesRevision == reading.changes.revision {
            return old.coverage
        }
        return reading.snapshot.board.coverage(
            of: query.marketsWithChange(of: order.list.order),
            by: reading.changes.states
        )
    }

    /// The current order, or a new one if that is due.
    private func order(
        _ query: MarketListQuery,
        _ reading: SharedMarketRows.Reading,
        _ favorites: Revised<[MarketID]>?,
        _ current: MarketListOrder?,
        _ table: inout MarketRowTable
    ) -> MarketListOrder {
        let snapshot = reading.snapshot
        if let current, current.marketCount == reading.marketCount,
            current.favorites == favorites,
            current.generation == table.generation,
            !snapshot.capturedAt.isAtLeast(Self.orderInterval, after: current.madeAt)
        {
            return current
        }
        let list = query.listMarkets(favorites: favorites?.value ?? [])(
            snapshot.board,
            names: snapshot.board.names(else: rows.presenter.names),
            now: snapshot.capturedAt
        )
        let indices = table.indices(of: query.shown(of: list.order))
        return MarketListOrder(
            list: list,
            madeAt: snapshot.capturedAt,
            marketCount: reading.marketCount,
            favorites: favorites,
            positions: favorites.map {
                Dictionary(zip($0.value, 1...), uniquingKeysWith: { first, _ in first })
            },
            indices: indices,
            generation: table.generation
        )
    }

    /// The rows in their order.
    private func present(
        _ reading: SharedMarketRows.Reading,
        _ query: MarketListQuery,
        _ order: MarketListOrder,
        _ table: inout MarketRowTable
    ) -> [MarketListContent.Row] {
        let (snapshot, ranks) = (reading.snapshot, reading.ranks)
        // Made for the first row that no other list of this snapshot has shown.
        var presenter: MarketRowPresenter?
        var shown: [MarketListContent.Row] = []
        shown.reserveCapacity(order.indices.count)
        let markets = query.shown(of: order.list.order)
        for (offset, index) in order.indices.enumerated() {
            if order.positions == nil, let row = table.row(index, of: snapshot.sequence) {
                shown.append(.init(row: row))
                continue
            }
            let id = markets[markets.startIndex + offset]
            let row = table.row(index, snapshot.sequence) { id in
                let rowPresenter = presenter ?? rows.presenter.rowPresenter(snapshot, query)
                presenter = rowPresenter
                return snapshot.board.market(id).map { rowPresenter.present($0, rank: ranks[id]) }
            }
            guard let row = row ?? missingRow(id, snapshot, query, ranks) else { continue }
            shown.append(
                .init(
                    row: row,
                    favorite: order.positions.map { FavoriteViewState(position: $0[id]) }
                )
            )
        }
        return shown
    }

    /// The row of a favorite that the board does not list; no other list shares it.
    private func missingRow(
        _ id: MarketID,
        _ snapshot: BoardSnapshot,
        _ query: MarketListQuery,
        _ ranks: PopularityRanks
    ) -> MarketRow? {
        guard query.tab == .favorites,
            let market = snapshot.board.marketOrPlaceholder(id, now: snapshot.capturedAt)
        else { return nil }
        return MarketRow(
            rows.presenter.rowPresenter(snapshot, query).present(market, rank: ranks[id])
        )
    }
}

/// The order of a list, and what it was made of.
///
/// An object, because every snapshot's content of a list refers to it.
final class MarketListOrder: Sendable {
    let list: ListMarkets.Result
    let madeAt: Timestamp
    /// The number of markets on the board: another one makes a new order due at once.
    let marketCount: Int
    /// The user's favorites: others make a new order due at once.
    let favorites: Revised<[MarketID]>?
    /// The positions of the favorites, from 1.
    let positions: [MarketID: Int]?
    /// The indices of the shown rows in the row table of that generation.
    let indices: [Int]
    let generation: Int

    init(
        list: ListMarkets.Result,
        madeAt: Timestamp,
        marketCount: Int,
        favorites: Revised<[MarketID]>?,
        positions: [MarketID: Int]?,
        indices: [Int],
        generation: Int
    ) {
        self.list = list
        self.madeAt = madeAt
        self.marketCount = marketCount
        self.favorites = favorites
        self.positions = positions
        self.indices = indices
        self.generation = generation
    }
}

/// A list whose rows are shared with all other lists.
struct MarketListContent: DocumentContent {
    static var schemaName: String { MarketListViewState.schemaName }
    static var schemaVersion: Int { MarketListViewState.schemaVersion }

    /// A row of the list.
    struct Row: Sendable, Equatable {
        let row: MarketRow
        /// The user's mark, in users' own lists.
        var favorite: FavoriteViewState?

        /// Two rows of different snapshots may have equal content.
        static func == (left: Row, right: Row) -> Bool {
            left.favorite == right.favorite
                && (left.row === right.row || left.row.state == right.row.state)
        }
    }

    /// Everything but the rows.
    let head: MarketListViewState
    let rows: [Row]
    /// Not compared: an order that shows the same rows is the same content.
    let order: MarketListOrder
    /// How many changes of the order's markets are known; the head tells it.
    let coverage: ChangeCoverage
    /// The revision of the changes that the coverage was counted from.
    let changesRevision: UInt64

    static func == (left: Self, right: Self) -> Bool {
        left.head == right.head && left.rows == right.rows
    }

    /// Rows are shared; each takes about 700 bytes in the list's JSON and 100 in gzip, and the same
    /// in the files of both.
    var estimatedByteCount: Int { rows.count * 1_664 + 1_024 }

    /// The view state.
    var state: MarketListViewState {
        var state = head
        state.rows = rows.map { row in
            var shown = row.row.state
            shown.favorite = row.favorite
            return shown
        }
        return state
    }

    func coalescingTimes(of old: Self) -> Self {
        var head = head
        head.coalesceTimes(of: old.head)
        return Self(
            head: head,
            rows: rows,
            order: order,
            coverage: coverage,
            changesRevision: changesRevision
        )
    }

    func updated(from new: Self) -> Self {
        Self(
            head: head,
            rows: rows,
            order: new.order,
            coverage: new.coverage,
            changesRevision: new.changesRevision
        )
    }

    func parts(after old: (content: Self, parts: DocumentParts)?) -> DocumentParts {
        var writer = PartWriter(after: old?.parts)
        write(to: &writer, after: old?.content)
        return writer.document
    }

    /// Divides the list into parts; its rows are encoded already.
    func write(to parts: inout PartWriter, after old: Self?) {
        parts.members(of: head, after: old?.head, includesRows: false)
        parts.rows(
            "rows",
            rows.map { ListedRow(fragment: $0.row.fragment, favorite: $0.favorite) }
        )
    }

    /// Composed of parts: rows are not encoded again.
    func json(_ envelope: DocumentEnvelope) -> [UInt8]? { nil }
}

extension Timestamp {
    /// Whether at least this interval has passed since an earlier time of the same wall clock.
    ///
    /// True if the clock was set back: what it times would otherwise stop until the clock catches
    /// up.
    public func isAtLeast(_ interval: Duration, after earlier: Timestamp) -> Bool {
        let passed = duration(since: earlier)
        return passed >= interval || passed < .zero
    }
}
