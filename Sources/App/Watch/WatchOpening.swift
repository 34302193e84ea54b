import Domain
import PresentationTerminal
import ViewStates

/// The page, market and filter that `hoga watch` opens first, read from its arguments.
struct WatchOpening: Sendable, Equatable {
    /// The list's tab and order for this session, which override saved ones.
    private(set) var given = SettingsPatch()
    /// The page, market and filter in front.
    private(set) var screen = ScreenOpening()

    /// Reads the arguments.
    ///
    /// - Parameters:
    ///   - subject: the page or market.
    ///   - options: the flags, all of which apply to the subject.
    ///   - query: the flags as the query of a document; nil for user data and printed data.
    /// - Throws: ``ProgramError`` `usage` for markets that cannot be read, and for flags that
    ///   contradict each other.
    init(
        _ subject: WatchSubject,
        _ options: [CommandOption: String],
        _ query: DocumentQuery?
    ) throws(ProgramError) {
        screen.isCompact = options[.compact] != nil
        switch subject {
        case .list: break
        case .market(let market): screen.market = market
        case .favorites: given.tab = .favorites
        case .assets: screen.page = .assets
        case .portfolio: screen.page = .portfolio
        }
        switch query {
        case .marketList(let query): try apply(query, options)
        case .assets(let query): screen.assets = query
        case .marketDetail, .orderBook, .trades, .candles, .snapshot, nil: break
        }
    }

    private mutating func apply(
        _ query: MarketListQuery,
        _ options: [CommandOption: String]
    ) throws(ProgramError) {
        if let name = query.invalidMarketNames.first {
            _ = try MarketArgument.market(name, of: CommandOption.markets.flag)
        }
        if options[.sort] != nil {
            given.sort = query.sort
            given.sortDirection = query.direction
        } else if options[.direction] != nil {
            given.sortDirection = query.direction
        }
        if options[.quote] != nil, query.tab == .popular {
            throw ProgramError(
                .usage,
                "--quote only works with --tab popular if --once or --plain is given too"
            )
        }
        switch (query.tab, query.quote) {
        case (.popular, _), (.markets, nil): given.tab = .popular
        case (.markets, let quote?) where options[.quote] != nil || options[.tab] != nil:
            given.tab = .markets
            given.quote = quote
        case (.markets, _), (.favorites, _): break
        }
        screen.searchText = query.searchText ?? ""
        screen.markets = query.markets
    }
}
