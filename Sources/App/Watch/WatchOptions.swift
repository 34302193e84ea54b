import Domain
import ViewStates
import PresentationHTTP

/// The data that `hoga watch` prints.
enum WatchSubject: Sendable, Equatable {
    /// The list of markets.
    case list
    /// One market: its prices, order book and trades.
    case market(MarketID)
    /// The favorites in their order.
    case favorites
    /// Deposits and withdrawals.
    case assets
    /// The user's holdings.
    case portfolio

    /// The words on the command line, beside markets.
    static let names = [favoritesName, "assets", "portfolio"]
    /// The word for the favorites, also that of `--tab`.
    static let favoritesName = "favorites"

    /// Parses the operand; nil for anything else.
    init?(_ text: String?) {
        switch text {
        case nil: self = .list
        case Self.favoritesName: self = .favorites
        case "assets": self = .assets
        case "portfolio": self = .portfolio
        case let text?:
            guard let market = MarketArgument.known(text) else { return nil }
            self = .market(market)
        }
    }
}

/// The options of `hoga watch`: whether it opens screens or prints, and the data to print.
struct WatchOptions: Sendable {
    /// A document parameter by its name in the HTTP contract.
    typealias Parameter = (name: String, value: String)

    /// The form of printed data.
    enum Form: Sendable, Equatable {
        /// Aligned columns, once.
        case table
        /// One sentence per row; with an interval, changes follow.
        case sentences(every: Duration?)
        /// Lines of `hoga status`.
        case status(StatusLines)
    }

    /// The accepted intervals of `--every`.
    static let intervals: ClosedRange<Duration> = .seconds(1)...(.seconds(86_400))
    /// Default order book levels and trades of a printed market.
    private static let marketDefaults: [Parameter] = [("depth", "5"), ("limit", "10")]

    /// The data to print.
    let subject: WatchSubject
    /// The form of printed data; nil for screens.
    let form: Form?
    /// The query of public data; nil for user data.
    let query: DocumentQuery?
    /// The page, market and filter that screens open first.
    let opening: WatchOpening
    /// The parameters of the query except the market.
    let parameters: [Parameter]

    /// Reads the command line.
    ///
    /// - Parameters:
    ///   - invocation: the command line.
    ///   - configuration: period and language.
    ///   - isTerminal: whether standard input and output are a terminal.
    /// - Throws: ``ProgramError`` `usage`, naming the flag or operand.
    init(
        _ invocation: CommandInvocation,
        _ configuration: Configuration,
        isTerminal: Bool
    ) throws(ProgramError) {
        let options = invocation.options
        let isFavoritesTab = options[.tab] == WatchSubject.favoritesName
        let operand =
            invocation.operands.first ?? (isFavoritesTab ? WatchSubject.favoritesName : nil)
        guard let subject = WatchSubject(operand) else { throw Self.unknown(operand ?? "") }
        self.subject = subject
        let every = try Self.interval(options)
        if options[.plain] != nil {
            form = .sentences(every: every)
        } else {
            form = options[.once] != nil || !isTerminal ? .table : nil
        }
        let parameters = CommandOption.printing.compactMap { option -> Parameter? in
            // The favorites are user data and have no query.
            if option == .tab, isFavoritesTab { return nil }
            return options[option].map { option.parameter($0) }
        }
        let printed = [CommandOption.limit, .depth].first { options[$0] != nil }
        if form == nil, let printed {
            throw ProgramError(.usage, "\(printed.flag) only works with --once or --plain")
        }
        let printing = [CommandOption.once, .plain].first { options[$0] != nil }
        if let printing, options[.compact] != nil {
            throw ProgramError(.usage, "--compact does not work with \(printing.flag)")
        }
        try Self.check(parameters, subject)
        self.parameters = try Self.parameters(subject, parameters, configuration)
        query = try Self.query(subject, self.parameters)
        opening = try WatchOpening(subject, options, form == nil ? query : nil)
    }

    /// The plan of `hoga status`: the list of its markets, printed as lines.
    ///
    /// - Parameters:
    ///   - invocation: the command line.
    ///   - configuration: period and language.
    /// - Throws: ``ProgramError`` `usage`, naming the flag or operand.
    init(
        status invocation: CommandInvocation,
        _ configuration: Configuration
    ) throws(ProgramError) {
        let lines = try StatusLines(invocation)
        let names = lines.markets.map(\.name).joined(separator: ",")
        subject = .list
        form = .status(lines)
        parameters = try Self.parameters(
            .list,
            [(CommandOption.markets.parameterName, names)],
            configuration
        )
        query = try Self.query(.list, parameters)
        opening = try WatchOpening(.list, [:], nil)
    }

    private static func unknown(_ operand: String) -> ProgramError {
        let near =
            MarketArgument.suggestions(for: operand)
            + SpellingSuggestions.of(operand, among: WatchSubject.names)
        let remedy =
            near.isEmpty
            ? "; use a market, e.g. BTC_KRW, or one of "
                + WatchSubject.names.joined(separator: ", ")
            : ". Did you mean " + near.joined(separator: ", ") + "?"
        return ProgramError(.usage, "'\(operand)' is not a market or page" + remedy)
    }

    private static func interval(
        _ options: [CommandOption: String]
    ) throws(ProgramError) -> Duration? {
        guard let text = options[.every] else { return nil }
        guard let duration = DurationText.duration(text), intervals.contains(duration) else {
            throw ProgramError(.usage, "--every must be a duration like 30s, 1s to 24h")
        }
        guard options[.plain] != nil, options[.once] == nil else {
            throw ProgramError(.usage, "--every only works with --plain and without --once")
        }
        return duration
    }

    /// Refuses flags that do not apply to the printed data.
    private static func check(
        _ given: [Parameter],
        _ subject: WatchSubject
    ) throws(ProgramError) {
        let (what, taken): (String, [CommandOption]) =
            switch subject {
            case .list: ("the list", [.tab, .quote, .sort, .direction, .search, .markets, .limit])
            case .market: ("a market", [.limit, .depth])
            case .assets: ("assets", [.search, .sort, .direction])
            // Their own message follows below.
            case .favorites, .portfolio: ("", CommandOption.printing)
            }
        guard
            let first = given.first(where: { given in
                !taken.contains { $0.parameterName == given.name }
            })
        else { return }
        throw ProgramError(
            .usage,
            "--\(first.name) does not apply to \(what); use "
                + taken.map(\.flag).joined(separator: ", ")
        )
    }

    /// The given parameters and defaults.
    private static func parameters(
        _ subject: WatchSubject,
        _ given: [Parameter],
        _ configuration: Configuration
    ) throws(ProgramError) -> [Parameter] {
        let language: Parameter = ("lang", configuration.printedLanguage.rawValue)
        let period: Parameter = ("period", configuration.period.rawValue)
        switch subject {
        case .list: return given + [language, period]
        case .market:
            let defaults = marketDefaults.filter { entry in
                !given.contains { $0.name == entry.name }
            }
            return [language, period] + given + defaults
        case .assets: return given + [language]
        case .favorites, .portfolio:
            guard let first = given.first else { return [language] }
            throw ProgramError(.usage, "--\(first.name) does not apply to user data")
        }
    }

    private static func query(
        _ subject: WatchSubject,
        _ parameters: [Parameter]
    ) throws(ProgramError) -> DocumentQuery? {
        do throws(ParameterError) {
            switch subject {
            case .list:
                var query = try MarketListQuery(parameters)
                query.messageLanguage = query.language
                return .marketList(query)
            case .favorites, .portfolio: return nil
            case .market(let market):
                let name: Parameter = ("market", market.name)
                let query = try DocumentQuery(
                    document: MarketDetailViewState.schemaName,
                    parameters: [name] + parameters
                )
                guard case .marketDetail(var detail) = query else { return query }
                detail.messageLanguage = detail.language
                return .marketDetail(detail)
            case .assets:
                let query = try DocumentQuery(
                    document: AssetsViewState.schemaName,
                    parameters: parameters
                )
                guard case .assets(var assets) = query else { return query }
                assets.messageLanguage = assets.language
                return .assets(assets)
            }
        } catch {
            throw ProgramError(.usage, "--\(error)")
        }
    }
}

extension MarketListQuery {
    /// Parses the parameters of a list.
    fileprivate init(
        _ parameters: [(name: String, value: String)]
    ) throws(ParameterError) {
        self.init()
        let query = try DocumentQuery(
            document: MarketListViewState.schemaName,
            parameters: parameters
        )
        if case .marketList(let list) = query { self = list }
    }
}
