public import Domain
import Synchronization

/// Makes market-list documents from the newest cut, and gives them revisions.
///
/// For each query it keeps the last document, so that a revision changes exactly when the content
/// does, and the order, which is recut at most every two seconds.
public final class MarketListCutter: Sendable {
    /// How long an order stands at least.
    public static let orderInterval: Duration = .seconds(2)
    /// Distinct queries that are remembered; when full, the one asked longest ago is forgotten and
    /// its next document starts with a new revision.
    public static let queriesMax = 256
    /// Rows that are remembered over all queries, some fifty whole lists; when full, as above.
    public static let rowsMax = 25_000

    private struct Order {
        let list: ListMarkets.Result
        let cutAt: Timestamp
        /// How many markets the board had: other markets make another order at once.
        let marketCount: Int
    }

    private struct Entry {
        var order: Order
        /// Of the cut that the document was last compared with.
        var sequence: UInt64
        var document: MarketListDocument
        /// Encoded when somebody first asks for bytes.
        var bytes: [UInt8]?
        /// Counts uses of the cutter: the smallest is the one asked longest ago.
        var usedAt: UInt64

        var rowCount: Int { document.state.rows.count }
    }

    private struct State {
        var entries: [MarketListQuery: Entry] = [:]
        /// How many rows the entries have together.
        var rowCount = 0
        var ranks: (value: PopularityRanks, at: Timestamp, marketCount: Int)?
        var counter: UInt64 = 0
        var uses: UInt64 = 0
    }

    private let presenter: MarketListPresenter
    private let latest: LatestCut
    private let epoch: String
    private let state = Mutex(State())

    /// Makes a cutter.
    ///
    /// - Parameters:
    ///   - presenter: makes view states.
    ///   - latest: where boards come from.
    ///   - epoch: the first part of every revision, new at each start of the process.
    public init(presenter: MarketListPresenter, latest: LatestCut, epoch: String) {
        self.presenter = presenter
        self.latest = latest
        self.epoch = epoch
    }

    /// The document of a query from the newest cut.
    public func document(_ query: MarketListQuery) -> MarketListDocument {
        entry(query, isEncoded: false).document
    }

    /// The same document as JSON; encoded once for each revision.
    public func bytes(_ query: MarketListQuery) -> (bytes: [UInt8], revision: String) {
        let entry = entry(query, isEncoded: true)
        return (entry.bytes ?? entry.document.json, entry.document.revision)
    }

    /// Places by popularity, recut at most every two seconds.
    public func ranks(_ cut: BoardCut) -> PopularityRanks {
        state.withLock { ranks(cut, &$0) }
    }

    private func entry(_ query: MarketListQuery, isEncoded: Bool) -> Entry {
        state.withLock { state in
            // Read under the lock: no thread may put an older cut behind a newer one.
            let cut = latest.value
            state.uses += 1
            let old = state.entries[query]
            var entry =
                if let old, old.sequence == cut.sequence { old } else {
                    makeEntry(query, cut, old, &state)
                }
            entry.usedAt = state.uses
            if isEncoded, entry.bytes == nil { entry.bytes = entry.document.json }
            state.rowCount += entry.rowCount - (old?.rowCount ?? 0)
            state.entries[query] = entry
            forgetOldest(&state)
            return entry
        }
    }

    private func makeEntry(
        _ query: MarketListQuery,
        _ cut: BoardCut,
        _ old: Entry?,
        _ state: inout State
    ) -> Entry {
        let order = order(query, cut, old)
        let content = presenter.present(
            cut,
            query: query,
            list: order.list,
            ranks: ranks(cut, &state)
        )
        let source = SourceViewState(cut.board.feed.kind)
        if var kept = old, kept.document.state == content, kept.document.source == source {
            kept.order = order
            kept.sequence = cut.sequence
            return kept
        }
        state.counter += 1
        return Entry(
            order: order,
            sequence: cut.sequence,
            document: MarketListDocument(
                revision: "\(epoch)-\(state.counter)",
                asOf: cut.cutAt,
                source: source,
                state: content
            ),
            bytes: nil,
            usedAt: state.uses
        )
    }

    /// The order in force, or a new one where that is due or other markets are there.
    private func order(_ query: MarketListQuery, _ cut: BoardCut, _ old: Entry?) -> Order {
        let marketCount = cut.board.markets.count
        if let order = old?.order, order.marketCount == marketCount,
            !cut.cutAt.isAtLeast(Self.orderInterval, after: order.cutAt)
        {
            return order
        }
        return Order(
            list: query.listMarkets(cut.board, names: presenter.names, now: cut.cutAt),
            cutAt: cut.cutAt,
            marketCount: marketCount
        )
    }

    private func ranks(_ cut: BoardCut, _ state: inout State) -> PopularityRanks {
        let marketCount = cut.board.markets.count
        if let held = state.ranks, held.marketCount == marketCount,
            !cut.cutAt.isAtLeast(Self.orderInterval, after: held.at)
        {
            return held.value
        }
        let ranks = PopularityRanks(cut.board, names: presenter.names, now: cut.cutAt)
        state.ranks = (ranks, cut.cutAt, marketCount)
        return ranks
    }

    private func forgetOldest(_ state: inout State) {
        while state.entries.count > Self.queriesMax || state.rowCount > Self.rowsMax,
            let oldest = state.entries.min(by: { $0.value.usedAt < $1.value.usedAt })
        {
            state.rowCount -= oldest.value.rowCount
            state.entries[oldest.key] = nil
        }
    }
}

extension Timestamp {
    /// Whether at least so much time has passed since another moment of the same wall clock.
    ///
    /// A clock that was set back counts as passed: else what is timed by it would stand still
    /// until the clock has caught up.
    func isAtLeast(_ interval: Duration, after earlier: Timestamp) -> Bool {
        let passed = duration(since: earlier)
        return passed >= interval || passed < .zero
    }
}

extension SourceViewState {
    /// The source of a feed of this kind.
    public init(_ kind: FeedKind) {
        let label: FeedLabel =
            switch kind {
            case .live: .live
            case .simulated: .simulated
            case .replay: .replay
            }
        self.init(exchange: "bithumb", feed: label, api: "1")
    }
}
