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

    /// The encoded document of a query, and the snapshot it was compared with; if it is a page,
    /// other pages of its revision can be read from now on.
    func encoded(
        _ query: MarketListQuery,
        prepare: EncodedDocument.Preparation? = nil
    ) -> (document: EncodedDocument, sequence: UInt64) {
        let entry: Entry = rows.cache.entry(cacheKey(query))
        let edition = reading(query, of: entry, keepsRevision: true, prepare: prepare).edition
        return (edition.encoded, edition.sequence)
    }

    /// The cached document of a query.
    ///
    /// - Returns: nil unless it was compared with this or a newer snapshot, and unless other pages
    ///   of its revision can be read.
    func cached(
        _ query: MarketListQuery,
        notBefore sequence: UInt64
    ) -> (document: EncodedDocument, sequence: UInt64)? {
        let entry: Entry? = rows.cache.existing(cacheKey(query))
        guard let edition = entry?.edition(notBefore: sequence), isKept(edition, query) else {
            return nil
        }
        return (edition.encoded, edition.sequence)
    }

    /// The page of a query that names a revision.
    ///
    /// - Returns: nil if the revision is not one of this list, was not read as a page, or has not
    ///   been the newest for a minute.
    public func page(_ query: MarketListQuery) -> EncodedDocument? {
        let revisions: ListRevisions? = rows.cache.existing(revisionsKey(query))
        guard let text = query.revision, let revision = DocumentRevision(text: text, of: epoch),
            let kept = revisions?.revision(revision, at: rows.latest.value.capturedAt)
        else { return nil }
        let key = cacheKey(query)
        if let known: ListPage = rows.cache.existing(key) { return known.document }
        let new = ListPage(kept.page(query), key)
        let page = rows.cache.entry(key) { new }
        rows.cache.updateSize(of: page, key)
        return page.document
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
        keepsRevision: Bool = false,
        prepare: EncodedDocument.Preparation? = nil
    ) -> Reading {
        var read: (snapshot: BoardSnapshot, user: UserState?)?
        var oldOrder: MarketListOrder?
        var cut: ListCut?
        let edition = rows.cache.edition(of: entry, epoch: epoch, prepare: prepare) { old in
            rows.read(query) { table, reading in
                let snapshot = reading.snapshot
                let user = self.user?.value
                let userSequence = user?.sequence ?? 0
                read = (snapshot, user)
                oldOrder = old?.content.order
                let isSame = old?.isOf(snapshot, userSequence: userSequence) ?? false
                if let old, isSame, !keepsRevision || isKept(old, query) {
                    return Production(
                        snapshot: snapshot,
                        userSequence: userSequence,
                        content: nil
                    )
                }
                let order = order(query, reading, user, old?.content.order, &table)
                let content: MarketListContent
                (content, cut) = self.content(
                    query,
                    reading,
                    user,
                    order,
                    old?.content,
                    isCut: keepsRevision && query.isPage(of: order.count),
                    &table
                )
                return Production(
                    snapshot: snapshot,
                    userSequence: userSequence,
                    content: content
                )
            }
        }
        guard let read else { preconditionFailure("an edition is made of a snapshot") }
        if let cut { keep(edition, cut, query) }
        // Orders are renewed long before an interest expires.
        let newOrder = edition.content.order
        if newOrder !== oldOrder { rows.use(query.shownPeriods(of: newOrder.list.order)) }
        return Reading(edition: edition, snapshot: read.snapshot, user: read.user)
    }

    private func cacheKey(_ query: MarketListQuery) -> DocumentCacheKey {
        user == nil
            ? .shared(.marketList(query)) : .user(producer: number, .marketList(query))
    }

    /// The content of a query; with `isCut` all rows of the list, too.
    private func content(
        _ query: MarketListQuery,
        _ reading: SharedMarketRows.Reading,
        _ user: UserState?,
        _ order: MarketListOrder,
        _ old: MarketListContent?,
        isCut: Bool,
        _ table: inout MarketRowTable
    ) -> (content: MarketListContent, cut: ListCut?) {
        let board = reading.snapshot.board
        let shown = query.shownRange(of: order.count)
        let range = isCut ? 0..<order.count : shown
        let rows = present(reading, query, order, range, &table)
        let coverage = coverage(query, reading, order, old)
        let content = MarketListContent(
            head: self.rows.presenter.head(
                reading.snapshot,
                query: query,
                list: order.list,
                coverage: coverage,
                positions: order.positions,
                visibility: user?.status.visibility ?? .shown
            ),
            rows: (isCut ? rows[shown] : rows[...]).compactMap(\.self),
            order: order,
            coverage: coverage,
            changesRevision: reading.changes.revision
        )
        guard isCut else { return (content, nil) }
        let cut = ListCut(
            rows: rows.map { $0?.listed },
            changes: board.changeStates(of: order.list.order, by: reading.changes.states),
            isFeedComplete: board.feed.isComplete
        )
        return (content, cut)
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

    // MARK: - Pages

    private func revisionsKey(_ query: MarketListQuery) -> DocumentCacheKey {
        .revisions(producer: number, query.whole)
    }

    /// Whether other pages of an edition's revision can be read, if there are any.
    private func isKept(_ edition: Entry.Edition, _ query: MarketListQuery) -> Bool {
        guard query.isPage(of: edition.content.order.count) else { return true }
        let revisions: ListRevisions? = rows.cache.existing(revisionsKey(query))
        return revisions?.renew(edition.envelope.revision, newestAt: edition.comparedAt) ?? false
    }

    /// Keeps the revision of a page; the cut shows what the page shows.
    private func keep(_ edition: Entry.Edition, _ cut: ListCut, _ query: MarketListQuery) {
        let key = revisionsKey(query)
        let revisions = rows.cache.entry(key) {
            // One list leaves half of the cache to everything else.
            ListRevisions(bytesMax: rows.cache.bytesMax / 2)
        }
        if !revisions.renew(edition.envelope.revision, newestAt: edition.comparedAt) {
            revisions.keep(
                ListRevision(envelope: edition.envelope, head: edition.content.head, cut: cut),
                newestAt: edition.comparedAt
            )
        }
        rows.cache.updateSize(of: revisions, key)
    }

    // MARK: - Rows

    /// The current order, or a new one if that is due.
    private func order(
        _ query: MarketListQuery,
        _ reading: SharedMarketRows.Reading,
        _ user: UserState?,
        _ current: MarketListOrder?,
        _ table: inout MarketRowTable
    ) -> MarketListOrder {
        let snapshot = reading.snapshot
        let favorites = user?.record.favorites
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
        let indices = table.indices(of: list.order)
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

    /// The rows in a range of the order; nil for a market that the snapshot lacks.
    private func present(
        _ reading: SharedMarketRows.Reading,
        _ query: MarketListQuery,
        _ order: MarketListOrder,
        _ range: Range<Int>,
        _ table: inout MarketRowTable
    ) -> [MarketListContent.Row?] {
        let (snapshot, ranks) = (reading.snapshot, reading.ranks)
        // Made for the first row that no other list of this snapshot has shown.
        var presenter: MarketRowPresenter?
        return range.map { place in
            let index = order.indices[place]
            if order.positions == nil, let row = table.row(index, of: snapshot.sequence) {
                return .init(row: row)
            }
            let id = order.list.order[place]
            let row = table.row(index, snapshot.sequence) { id in
                let rowPresenter = presenter ?? rows.presenter.rowPresenter(snapshot, query)
                presenter = rowPresenter
                return snapshot.board.market(id).map { rowPresenter.present($0, rank: ranks[id]) }
            }
            guard let row = row ?? missingRow(id, snapshot, query, ranks) else { return nil }
            return .init(
                row: row,
                favorite: order.positions.map { FavoriteViewState(position: $0[id]) }
            )
        }
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
