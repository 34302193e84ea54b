import Domain
import PresentationTerminal
import Synchronization
import UseCases
import ViewStates

/// The data of the screens from the exchange and the store of this program.
struct LiveScreenModel: ScreenModel {
    let markets: Markets
    let session: StoreSession
    let files: ScreenFiles
    /// Runs the user's command for alerts; nil without one.
    private let alertRunner: AlertCommandRunner?
    let held = ScreenLeases()
    private let indicators = IndicatorCache()
    private let wideRowCache = WideRowCache()
    private let spreads = SpreadRecorder()

    init(
        markets: Markets,
        session: StoreSession,
        files: ScreenFiles,
        alertRunner: AlertCommandRunner? = nil
    ) {
        self.markets = markets
        self.session = session
        self.files = files
        self.alertRunner = alertRunner
    }

    /// Both numbers only grow, so their sum changes whenever one changes.
    var sequence: UInt64 { markets.latest.value.sequence &+ session.user.state.value.sequence }

    var personal: UserState { session.user.state.value }

    var now: Timestamp { SystemSources.now() }

    func order(for state: MarketListScreenState, language: Language) -> [MarketID] {
        let snapshot = markets.latest.value
        return list(for: state, snapshot, language).order
    }

    func document(
        for state: MarketListScreenState,
        language: Language
    ) -> MarketListDocument {
        let snapshot = markets.latest.value
        let query = state.query(language: language)
        markets.lists.rows.use(query.shownPeriods(of: state.order))
        let total: Int =
            switch (query.tab, query.quote) {
            case (.favorites, _): state.favorites.count
            case (.markets, let quote?), (.popular, let quote?):
                snapshot.board.markets.count {
                    $0.id.quote == quote && !snapshot.board.isUnlistedStored($0)
                }
            case (.markets, nil), (.popular, nil): snapshot.board.marketCount
            }
        let viewState = markets.presenter.present(
            snapshot,
            query: query,
            list: .init(order: state.order, total: total),
            ranks: markets.lists.ranks(snapshot),
            favorites: state.favorites,
            visibility: personal.status.visibility
        )
        return document(snapshot, viewState)
    }

    func wideRows(of shown: [MarketID], _ query: WideRowQuery) -> WideRows? {
        wideRowCache.rows(of: shown, in: markets.latest.value, query) { markets.lists.rows.use($0) }
    }

    func detail(_ query: MarketDetailQuery) -> MarketDetailDocument {
        let snapshot = markets.latest.value
        markets.lists.rows.use(query.shownPeriods)
        let presenter = MarketDetailPresenter(names: markets.presenter.names)
        var view = presenter.detail(snapshot, query)
        view.chart.indicators = indicators.indicators(of: view.chart, in: snapshot, query)
        view.orderBook.spreadHour = spreads.record(
            view.orderBook,
            of: query.market,
            at: snapshot.board.exchangeTime(at: now)
        )
        if let other = query.comparisonQuery {
            view.chart.comparison = ChartComparison(
                of: query.market,
                with: other.market,
                presenter.chart(snapshot, other)
            )
        }
        return document(snapshot, view)
    }

    func assets(_ query: AssetsQuery) -> AssetsDocument {
        let snapshot = markets.latest.value
        return document(
            snapshot,
            AssetsPresenter(names: markets.presenter.names).present(snapshot, query: query)
        )
    }

    func portfolio(language: Language) -> PortfolioDocument {
        let snapshot = markets.latest.value
        let presenter = PortfolioPresenter(names: markets.presenter.names)
        let kept = personal
        let viewState = presenter.present(
            snapshot,
            kept.record,
            visibility: kept.status.visibility,
            language: language
        )
        return document(snapshot, viewState)
    }

    var haltedHoldings: Set<Asset> {
        let board = markets.latest.value.board
        return Set(personal.record.holdings.value.map(\.asset).filter { board.isHalted($0) })
    }

    var coins: KnownCoins {
        KnownCoins(
            markets.latest.value.board,
            else: markets.presenter.names,
            held: personal.record.holdings.value.map(\.asset)
        )
    }

    var hasAlerts: Bool { true }

    var alertContext: AlertRuleContext {
        let board = markets.latest.value.board
        let listed = board.markets.filter { !board.isUnlistedStored($0) }
        return AlertRuleContext(
            feed: board.feed.kind,
            markets: Set(listed.map(\.id)),
            now: board.exchangeTime(at: now)
        )
    }

    var alertCommandFailure: AlertCommandFailure? { alertRunner?.lastFailure }

    func about(language: Language) -> AboutViewState {
        About.presenter.present(language)
    }

    func market(of asset: Asset) -> MarketID? {
        let board = markets.latest.value.board
        return Quote.allCases.lazy
            .compactMap { MarketID(symbol: asset.symbol, quote: $0) }
            .first { board.market($0) != nil }
    }

    func hold(_ interests: ScreenInterests) {
        held.replace(with: interests, details: markets.interests, assets: markets.assetInterests)
    }

    func save(_ text: String, as name: String) -> FileOutcome {
        files.save(text, as: name)
    }

    func perform(_ change: UserChange) { session.user.enqueue(change) }

    func reload() {
        markets.feed.reload()
        markets.details.reload()
        markets.reference.reload()
    }

    private func list(
        for state: MarketListScreenState,
        _ snapshot: BoardSnapshot,
        _ language: Language
    ) -> ListMarkets.Result {
        state.query(language: language).listMarkets(favorites: state.favorites)(
            snapshot.board,
            names: snapshot.board.names(else: markets.presenter.names),
            now: snapshot.capturedAt
        )
    }

    private func document<State: DocumentState>(
        _ snapshot: BoardSnapshot,
        _ state: State
    ) -> Document<State> {
        Document(
            revision: "screen-\(snapshot.sequence)",
            asOf: snapshot.capturedAt,
            source: SourceViewState(snapshot.board.feed),
            state: state
        )
    }
}

/// The interests of the screen: at most one lease of each kind.
final class ScreenLeases: Sendable {
    private struct Leases {
        var details: DetailLease?
        var assets: AssetLease?
    }

    private let leases = Mutex(Leases())

    /// Acquires the new leases before it releases the old ones, so that shared interests stay.
    func replace(
        with interests: ScreenInterests,
        details: DetailInterests,
        assets: AssetInterests
    ) {
        let new = Leases(
            details: interests.details.isEmpty ? nil : details.enter(interests.details),
            assets: interests.assetStates ? assets.enter() : nil
        )
        let old = leases.withLock { leases in
            defer { leases = new }
            return leases
        }
        old.details?.release()
        old.assets?.release()
    }
}
