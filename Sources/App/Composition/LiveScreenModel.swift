import Domain
import Presentation
import Synchronization

/// The screens' view of the running program.
struct LiveScreenModel: ScreenModel {
    let markets: Markets
    let language: Language
    let held = HeldDetails()

    var sequence: UInt64 { markets.latest.value.sequence }

    var now: Timestamp { SystemSources.now() }

    func order(for state: MarketListScreenState) -> [MarketID] {
        let cut = markets.latest.value
        return state.query(language: language)
            .listMarkets(
                cut.board,
                names: cut.board.names(else: markets.presenter.names),
                now: cut.cutAt
            ).order
    }

    func document(for state: MarketListScreenState) -> MarketListDocument {
        let cut = markets.latest.value
        let query = state.query(language: language)
        let total: Int =
            if let quote = query.quote {
                cut.board.markets.count { $0.id.quote == quote && !cut.board.isForgotten($0) }
            } else {
                cut.board.marketCount
            }
        let viewState = markets.presenter.present(
            cut,
            query: query,
            list: .init(order: state.order, total: total),
            ranks: markets.cutter.ranks(cut)
        )
        return MarketListDocument(
            revision: "screen-\(cut.sequence)",
            asOf: cut.cutAt,
            source: SourceViewState(cut.board.feed.kind),
            state: viewState
        )
    }

    func detail(_ query: MarketDetailQuery) -> MarketDetailDocument {
        let cut = markets.latest.value
        return MarketDetailDocument(
            revision: "screen-\(cut.sequence)",
            asOf: cut.cutAt,
            source: SourceViewState(cut.board.feed.kind),
            state: MarketDetailPresenter(names: markets.presenter.names).detail(cut, query)
        )
    }

    func hold(_ interests: Set<DetailInterest>) {
        held.replace(with: interests, in: markets.interests)
    }

    func reload() {
        markets.feed.reload()
        markets.details.reload()
        markets.reference.reload()
    }
}

/// What the screen looks at: one lease at a time.
final class HeldDetails: Sendable {
    private let lease = Mutex<DetailLease?>(nil)

    /// Takes a new lease before the old one ends, so that what both hold is never given up.
    func replace(with interests: Set<DetailInterest>, in register: DetailInterests) {
        let new = interests.isEmpty ? nil : register.enter(interests)
        let old = lease.withLock { lease in
            defer { lease = new }
            return lease
        }
        old?.release()
    }
}
