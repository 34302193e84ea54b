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

    private struct Entry {
        var list: ListMarkets.Result
        var orderedAt: Timestamp
        var marketCount: Int
        var sequence: UInt64
        var document: MarketListDocument
        /// Encoded when somebody first asks for bytes.
        var bytes: [UInt8]?
        var usedAt: UInt64
    }

    private struct State {
        var entries: [MarketListQuery: Entry] = [:]
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
        let cut = latest.value
        return state.withLock { state in
            state.uses += 1
            let old = state.entries[query]
            var entry =
                if let old, old.sequence == cut.sequence { old } else {
                    makeEntry(query, cut, old, &state)
                }
            entry.usedAt = state.uses
            if isEncoded, entry.bytes == nil { entry.bytes = entry.document.json }
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
        let marketCount = cut.board.markets.count
        let isOrderDue =
            old.map {
                $0.marketCount != marketCount
                    || cut.cutAt.duration(since: $0.orderedAt) >= Self.orderInterval
            } ?? true
        var list = old?.list
        if isOrderDue || list == nil {
            list = query.listMarkets(cut.board, names: presenter.names, now: cut.cutAt)
        }
        let made = list ?? query.listMarkets(cut.board, names: presenter.names, now: cut.cutAt)
        let viewState = presenter.present(
            cut,
            query: query,
            list: made,
            ranks: ranks(cut, &state)
        )
        let source = SourceViewState(cut.board.feed.kind)
        let orderedAt = isOrderDue ? cut.cutAt : (old?.orderedAt ?? cut.cutAt)
        if let old, old.document.state == viewState, old.document.source == source {
            return Entry(
                list: made,
                orderedAt: orderedAt,
                marketCount: marketCount,
                sequence: cut.sequence,
                document: old.document,
                bytes: old.bytes,
                usedAt: state.uses
            )
        }
        state.counter += 1
        let document = MarketListDocument(
            revision: "\(epoch)-\(state.counter)",
            asOf: cut.cutAt,
            source: source,
            state: viewState
        )
        return Entry(
            list: made,
            orderedAt: orderedAt,
            marketCount: marketCount,
            sequence: cut.sequence,
            document: document,
            bytes: document.json,
            usedAt: state.uses
        )
    }

    private func ranks(_ cut: BoardCut, _ state: inout State) -> PopularityRanks {
        let marketCount = cut.board.markets.count
        if let held = state.ranks, held.marketCount == marketCount,
            cut.cutAt.duration(since: held.at) < Self.orderInterval
        {
            return held.value
        }
        let ranks = PopularityRanks(cut.board, names: presenter.names, now: cut.cutAt)
        state.ranks = (ranks, cut.cutAt, marketCount)
        return ranks
    }

    private func forgetOldest(_ state: inout State) {
        guard state.entries.count > Self.queriesMax,
            let oldest = state.entries.min(by: { $0.value.usedAt < $1.value.usedAt })
        else { return }
        state.entries[oldest.key] = nil
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
