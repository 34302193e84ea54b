import DataSourcesRemote
import Domain
import PresentationTerminal
import UseCases
import ViewStates

/// The data of the screens from the documents of another hoga.
struct RemoteScreenModel: ScreenModel {
    let screens: RemoteDocuments
    let session: RemoteUserState
    let files: ScreenFiles
    /// Names of coins that no document contains.
    let names: CoinNames
    private let rows = RemoteRowsCache()
    private let indicators = IndicatorCache()
    private let spreads = SpreadRecorder()

    init(
        screens: RemoteDocuments,
        session: RemoteUserState,
        names: CoinNames,
        files: ScreenFiles
    ) {
        self.screens = screens
        self.session = session
        self.files = files
        self.names = names
    }

    var hasAlerts: Bool { session.hasAlerts() }

    /// The service gives a rule its own feed and refuses unknown markets.
    var alertContext: AlertRuleContext { AlertRuleContext(feed: .live, markets: [], now: now) }

    /// Nil: a service runs no command of the user's.
    var alertCommandFailure: AlertCommandFailure? { nil }

    /// Both numbers only grow, so their sum changes whenever one changes.
    var sequence: UInt64 { screens.changes.count &+ session.user.state.value.sequence }

    var personal: UserState { session.user.state.value }

    var now: Timestamp { screens.now }

    func order(for state: MarketListScreenState, language: Language) -> [MarketID] {
        list(for: state, language).rows.order(for: state, language: language)
    }

    func document(
        for state: MarketListScreenState,
        language: Language
    ) -> MarketListDocument {
        let (reading, rows) = list(for: state, language)
        let query = state.query(language: language)
        let blank = blankList(query)
        let isUnread = state.tab == .favorites && personal.status.visibility != .shown
        var view = blank
        if let read = reading.content?.document.state, !isUnread {
            view.health = read.health
            view.skipped = read.skipped
        }
        if !isUnread { view.health = health(view.health, reading.connection, language) }
        view.total = rows.total(state)
        view.filtered = state.order.count
        view.emptyReason =
            state.order.isEmpty ? emptyReason(state, view.health, isRead: !isUnread) : nil
        let isOfPeriod = reading.content?.document.state.query.changePeriod == query.period.rawValue
        let places = Dictionary(zip(state.favorites, 1...), uniquingKeysWith: { first, _ in first })
        view.rows = state.order[state.window].compactMap { market in
            row(
                market,
                state,
                rows,
                language,
                isOfPeriod: isOfPeriod,
                position: places[market]
            )
        }
        return document(like: reading.content?.document, view)
    }

    /// Nil: a list of the service has one period, no high and low, and no prices of the day.
    func wideRows(of markets: [MarketID], _ query: WideRowQuery) -> WideRows? { nil }

    func detail(_ query: MarketDetailQuery) -> MarketDetailDocument {
        let target = RemoteTarget.detail(query, now: now)
        let reader: DocumentClient<MarketDetailViewState>
        let isOfDays: Bool
        switch query.candles {
        case .newest:
            isOfDays = true
            reader = screens.days
            screens.noteDays()
        case .span, .at:
            isOfDays = false
            reader = screens.detail
            screens.noteDetail()
            if query.comparisonQuery == nil { screens.comparison.want(nil) }
        }
        reader.want(target)
        let reading = reader.reading
        let presenter = MarketDetailPresenter(names: names)
        let blank = presenter.detail(Self.nothing(at: now), query)
        var view = blank
        if let read = reading.content?.document.state, read.header.market == query.market.name {
            view = RemoteDetailView.view(read, as: query, else: blank)
            view.chart.indicators = indicators.indicators(
                of: view.chart,
                among: read.chart.interval == query.interval.rawValue ? read.chart.candles : [],
                query
            )
        }
        view.chart.comparison = query.comparisonQuery.map {
            ChartComparison(of: query.market, with: $0.market, comparison(for: $0))
        }
        let (line, language) = (reading.connection, query.language)
        view.header.health = health(view.header.health, line, language)
        view.orderBook.health = health(view.orderBook.health, line, language)
        view.trades.health = health(view.trades.health, line, language)
        view.chart.health = health(view.chart.health, line, language)
        if !isOfDays {
            view.orderBook.spreadHour = spreads.record(view.orderBook, of: query.market, at: now)
        }
        return document(like: reading.content?.document, view)
    }

    /// The candles of a second market, those known so far.
    private func comparison(for query: MarketDetailQuery) -> ChartViewState {
        screens.comparison.want(.detail(query, now: now))
        let read = screens.comparison.reading.content?.document.state
        let presenter = MarketDetailPresenter(names: names)
        var view = presenter.detail(Self.nothing(at: now), query)
        if let read, read.header.market == query.market.name {
            view = RemoteDetailView.view(read, as: query, else: view)
        }
        return view.chart
    }

    func assets(_ query: AssetsQuery) -> AssetsDocument {
        let target = RemoteTarget.assets(query)
        screens.portfolio.want(nil)
        screens.assets.want(target)
        let reading = screens.assets.reading
        let blank = AssetsPresenter(names: names).present(Self.nothing(at: now), query: query)
        // Rows of the previous query stay until the new ones arrive.
        var view = reading.content?.document.state ?? blank
        view.query = blank.query
        view.health = health(view.health, reading.connection, query.language)
        return document(like: reading.content?.document, view)
    }

    func portfolio(language: Language) -> PortfolioDocument {
        screens.assets.want(nil)
        let kept = personal
        let blank = PortfolioPresenter(names: names)
            .present(
                Self.nothing(at: now),
                kept.record,
                visibility: kept.status.visibility,
                language: language
            )
        guard kept.status.visibility == .shown else {
            return document(like: nil as PortfolioDocument?, blank)
        }
        screens.portfolio.want(.portfolio(language))
        let reading = screens.portfolio.reading
        var view = reading.content?.document.state ?? blank
        view.health = health(view.health, reading.connection, language)
        return document(like: reading.content?.document, view)
    }

    var haltedHoldings: Set<Asset> {
        let document = screens.list.reading.content?.document
        let rows = rows.rows(of: document)
        let isComplete = document?.state.health.complete ?? false
        return Set(
            personal.record.holdings.value.map(\.asset).filter { asset in
                let markets = Quote.allCases.lazy
                    .compactMap { MarketID(symbol: asset.symbol, quote: $0) }
                if let row = markets.compactMap({ rows.rows[$0] }).first {
                    return row.marks.state == .suspended
                }
                return isComplete
            }
        )
    }

    var coins: KnownCoins {
        let listed = rows.rows(of: screens.list.reading.content?.document)
        return KnownCoins(
            symbols: listed.markets.map(\.symbol)
                + personal.record.holdings.value.map(\.asset.symbol),
            names: CoinNames(
                names.entries.merging(listed.names.entries) { $1 }
            )
        )
    }

    func about(language: Language) -> AboutViewState { About.presenter.present(language) }

    func market(of asset: Asset) -> MarketID? {
        let rows = rows.rows(of: screens.list.reading.content?.document).rows
        return Quote.allCases.lazy
            .compactMap { MarketID(symbol: asset.symbol, quote: $0) }
            .first { rows[$0] != nil }
    }

    func hold(_ interests: ScreenInterests) { screens.hold(interests) }

    func save(_ text: String, as name: String) -> FileOutcome {
        files.save(text, as: name)
    }

    func perform(_ change: UserChange) { session.user.enqueue(change) }

    func reload() {
        screens.restart()
        session.user.reload()
    }
}

extension RemoteScreenModel {
    /// A snapshot of an empty board.
    private static func nothing(at now: Timestamp) -> BoardSnapshot {
        BoardSnapshot(board: MarketBoard(kind: .live), sequence: 0, capturedAt: now)
    }

    private func list(
        for state: MarketListScreenState,
        _ language: Language
    ) -> (reading: DocumentClient<MarketListViewState>.Reading, rows: RemoteRows) {
        screens.list.want(.list(state.period, language))
        let reading = screens.list.reading
        return (reading, rows.rows(of: reading.content?.document))
    }

    private func blankList(_ query: MarketListQuery) -> MarketListViewState {
        let snapshot = Self.nothing(at: now)
        return MarketListPresenter(names: names).present(
            snapshot,
            query: query,
            list: .init(order: [], total: 0),
            ranks: PopularityRanks(snapshot.board, names: names, now: now),
            favorites: [],
            visibility: personal.status.visibility
        )
    }

    private func row(
        _ market: MarketID,
        _ state: MarketListScreenState,
        _ rows: RemoteRows,
        _ language: Language,
        isOfPeriod: Bool,
        position: Int?
    ) -> MarketRowViewState? {
        guard var row = rows.rows[market] else {
            // A delisted favorite stays in the list as suspended.
            return state.tab == .favorites ? gone(market, state, language, position) : nil
        }
        row.favorite = FavoriteViewState(position: position)
        if !isOfPeriod {
            // Changes of another period are hidden until those of this one arrive.
            row.changePeriod = state.period.rawValue
            row.changeRatePercent = nil
            row.changeRateText = nil
            row.changeAmount = nil
            row.changeAmountText = nil
            row.changeAt = nil
            row.noTrade = false
            row.priceDirection = nil
        }
        return row
    }

    private func gone(
        _ market: MarketID,
        _ state: MarketListScreenState,
        _ language: Language,
        _ position: Int?
    ) -> MarketRowViewState {
        let name = names[market.symbol]
        var row = MarketRowViewState(
            market: market.name,
            symbol: market.symbol,
            quote: market.quote.rawValue,
            name: .init(ko: name?.korean, en: name?.english),
            changePeriod: state.period.rawValue,
            marks: MarksViewState(investmentWarning: nil, alerts: [], state: .suspended),
            spokenText: market.name
                + LocalizedText(ko: ", 거래중단", en: ", trading suspended")[language]
        )
        row.favorite = FavoriteViewState(position: position)
        return row
    }

    private func emptyReason(
        _ state: MarketListScreenState,
        _ health: HealthViewState,
        isRead: Bool
    ) -> MarketListViewState.EmptyReason {
        if isRead, state.tab == .favorites, state.favorites.isEmpty { return .noFavorites }
        return switch health.phase {
        case .loading: .loading
        case .failed: .error
        // The lists of KRW and BTC markets arrive one after the other.
        case .ready, .stale:
            health.complete ? .noMatch : (health.error == nil ? .loading : .error)
        case .ended: .noMatch
        }
    }

    private func health(
        _ health: HealthViewState,
        _ connection: EventStreamClientState.Connection,
        _ language: Language
    ) -> HealthViewState {
        RemoteHealth(
            connection: connection,
            now: now,
            uptime: screens.uptime,
            language: language
        ).of(health)
    }

    private func document<State: DocumentState>(
        like document: Document<State>?,
        _ state: State
    ) -> Document<State> {
        Document(
            revision: document?.revision ?? "screen-0",
            asOf: document?.asOf ?? now,
            source: document?.source
                ?? screens.list.reading.content?.document.source
                ?? SourceViewState(exchange: "bithumb", feed: .live, api: "1"),
            state: state
        )
    }
}
