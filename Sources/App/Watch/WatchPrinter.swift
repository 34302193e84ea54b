import Domain
import UseCases
import ViewStates
import PresentationTerminal

/// Prints the data of `hoga watch` as tables or as sentences for screen readers.
struct WatchPrinter: Sendable {
    let plan: WatchOptions
    let language: Language
    /// The characters to print; nil for Unicode, since a pipe has no locale.
    let characters: TerminalCharacters?
    let markets: Markets
    let session: StoreSession

    /// Waits for the data and prints it, once or repeatedly.
    ///
    /// Repetition ends after a signal, at the end of a replay, or when the output is closed.
    ///
    /// - Throws: ``ProgramError``: `usage` for an unknown market; `unavailable` after printing the
    ///   known data, if exchange or store did not answer.
    func run(_ form: WatchOptions.Form, _ exchange: ExchangeEndpoint) async throws(ProgramError) {
        let lease = markets.interests.enter(interests)
        let assetLease = includesTransfers ? markets.assetInterests.enter() : nil
        let periodLease = FirstData.followChanges(of: partsWithChanges, markets)
        defer {
            periodLease?.release()
            lease?.release()
            assetLease?.release()
        }
        // Favorites and holdings have no query of their own.
        if plan.query == nil { await FirstData.waitForUser(session.user.state) }
        let hasList = await FirstData.waitForList(markets, exchange)
        if hasList {
            try checkMarket()
            await FirstData.waitForDetails(interests, markets)
            if includesTransfers { await FirstData.waitForTransfers(markets) }
            let favorites = session.user.state.value.record.favorites.value
            await FirstData.waitForChanges(
                of: partsWithChanges,
                favorites: favorites,
                markets
            )
        }
        switch form {
        case .table: try Console.line(page.text(language, characters))
        case .sentences(let interval):
            let first = page.spoken(language, characters)
            guard try Console.line(first.text) else { return }
            if let interval { return try await repeatPage(after: first, every: interval) }
        case .status(let lines):
            return try await StatusPrinter(
                status: lines,
                language: language,
                isOver: { isEnded },
                next: { page }
            ).run(from: page)
        }
        try checkAnswers(hasList)
    }

    // MARK: Repetition

    private func repeatPage(
        after first: SpokenPage,
        every interval: Duration
    ) async throws(ProgramError) {
        try await SpokenPageRepeater(
            interval: interval,
            language: language,
            isOver: { isEnded },
            next: { () async throws(ProgramError) in page.spoken(language, characters) }
        ).run(after: first)
    }

    private var isEnded: Bool { markets.latest.value.board.feed.connection == .ended }

    // MARK: Documents

    private var interests: Set<DetailInterest> {
        guard case .market(let market) = plan.subject else { return [] }
        return [
            DetailInterest(market: market, facet: .book),
            DetailInterest(market: market, facet: .trades),
        ]
    }

    private var includesTransfers: Bool {
        switch plan.subject {
        case .market, .assets: true
        case .list, .favorites, .portfolio: false
        }
    }

    private var page: PrintedPage {
        switch plan.query {
        case .marketList(let query): .list(markets.lists.document(query))
        case .marketDetail(let query): .market(markets.documents.marketDetail.document(query))
        case .assets(let query): .assets(markets.documents.assets.document(query))
        case .orderBook, .trades, .candles, .snapshot, nil:
            plan.subject == .portfolio ? .portfolio(portfolio) : .list(favorites)
        }
    }

    /// The parts of the page that show changes over a period.
    private var partsWithChanges: SnapshotQuery {
        guard let query = plan.query else {
            return plan.subject == .portfolio
                ? .empty : SnapshotQuery(marketList: favoritesQuery, marketDetail: nil)
        }
        return query.partsWithChanges
    }

    private var favoritesQuery: MarketListQuery {
        var query = MarketListQuery()
        query.tab = .favorites
        query.quote = nil
        query.sort = nil
        query.language = language
        query.messageLanguage = language
        return query
    }

    private var favorites: MarketListDocument {
        MarketListProducer(
            presenter: markets.presenter,
            latest: markets.latest,
            personal: session.user.state,
            epoch: markets.epoch
        ).document(favoritesQuery)
    }

    private var portfolio: PortfolioDocument {
        let (snapshot, kept) = (markets.latest.value, session.user.state.value)
        return Document(
            revision: "\(markets.epoch)-\(snapshot.sequence)",
            asOf: snapshot.capturedAt,
            source: SourceViewState(snapshot.board.feed),
            state: PortfolioPresenter(names: markets.presenter.names).present(
                snapshot,
                kept.record,
                visibility: kept.status.visibility,
                language: language
            )
        )
    }

    // MARK: Errors

    private func checkMarket() throws(ProgramError) {
        guard case .market(let market) = plan.subject,
            markets.latest.value.board.market(market) == nil
        else { return }
        throw ProgramError(.usage, "the exchange has no market \(market.name)")
    }

    private func checkAnswers(_ hasList: Bool) throws(ProgramError) {
        guard hasList else {
            let health = markets.lists.document(words).state.health
            throw ProgramError(
                .unavailable,
                health.error?.message ?? "the exchange did not answer; try again"
            )
        }
        guard plan.query == nil, session.user.state.value.status.isUnread else { return }
        throw ProgramError(
            .unavailable,
            session.user.state.value.status.failure?.detail ?? "cannot read the store"
        )
    }

    /// A query of one row, for messages in the user's language.
    private var words: MarketListQuery {
        var query = MarketListQuery()
        query.limit = 1
        query.language = language
        query.messageLanguage = language
        return query
    }
}
