import Domain
import ViewStates
import PresentationHTTP

/// What `hoga watch` shows where it prints.
enum WatchSubject: Sendable, Equatable {
    /// The list of markets.
    case list
    /// One market: its figures, its book, its trades.
    case market(MarketID)
    /// The favourites in their order.
    case favorites
    /// Deposits and withdrawals.
    case assets
    /// What is held.
    case portfolio

    /// The words on the command line; a market is its own.
    static let names = ["favorites", "assets", "portfolio"]

    /// Reads the operand; nil for none of them.
    init?(_ text: String?) {
        switch text {
        case nil: self = .list
        case "favorites": self = .favorites
        case "assets": self = .assets
        case "portfolio": self = .portfolio
        case let text?:
            guard let market = MarketID(anySpelling: text) else { return nil }
            self = .market(market)
        }
    }
}

/// Whether `hoga watch` opens screens or prints, and what.
struct WatchOptions: Sendable {
    /// A parameter of a document, by its name in the HTTP contract.
    typealias Parameter = (name: String, value: String)

    /// The form of what is printed.
    enum Form: Sendable, Equatable {
        /// Aligned columns, once.
        case table
        /// A sentence a row; again after each interval, if there is one.
        case sentences(every: Duration?)
    }

    /// How often sentences may be repeated.
    static let intervals: ClosedRange<Duration> = .seconds(1)...(.seconds(86_400))
    /// How many levels a side and how many trades are told of a market unless it is said.
    private static let standard: [Parameter] = [("depth", "5"), ("limit", "10")]

    /// What is printed.
    let subject: WatchSubject
    /// How; nil where screens are opened.
    let form: Form?
    /// The question, for everything that is public; nil for what a user keeps.
    let query: DocumentQuery?
    /// The parameters of the question, but for the market's name.
    let parameters: [Parameter]

    /// Reads what the command line asks for.
    ///
    /// - Parameters:
    ///   - invocation: the command line.
    ///   - configuration: the period and the language.
    ///   - isTerminal: whether there is a terminal to draw on.
    /// - Throws: ``ProgramError`` `usage`, naming what does not fit.
    init(
        _ invocation: CommandInvocation,
        _ configuration: Configuration,
        isTerminal: Bool
    ) throws(ProgramError) {
        let options = invocation.options
        guard let subject = WatchSubject(invocation.operands.first) else {
            throw ProgramError(
                .usage,
                "WHAT: must be a market like BTC_KRW, or one of "
                    + WatchSubject.names.joined(separator: ", ")
            )
        }
        self.subject = subject
        let every = try Self.interval(options)
        if options[.plain] != nil {
            form = .sentences(every: every)
        } else {
            form = options[.once] != nil || !isTerminal ? .table : nil
        }
        let parameters = CommandOption.printing.compactMap { option -> Parameter? in
            options[option].map { (option.parameterName, $0) }
        }
        let printed = parameters.first.map { "--" + $0.name } ?? invocation.operands.first
        if form == nil, let flag = printed {
            throw ProgramError(.usage, "\(flag): is for what is printed: add --once or --plain")
        }
        try Self.check(parameters, subject)
        self.parameters = try Self.parameters(subject, parameters, configuration)
        query = try Self.query(subject, self.parameters)
    }

    private static func interval(
        _ options: [CommandOption: String]
    ) throws(ProgramError) -> Duration? {
        guard let text = options[.every] else { return nil }
        guard let duration = DurationText.duration(text), intervals.contains(duration) else {
            throw ProgramError(.usage, "--every: must be a duration like 30s, from 1s to 24h")
        }
        guard options[.plain] != nil, options[.once] == nil else {
            throw ProgramError(.usage, "--every: repeats sentences: it needs --plain, not --once")
        }
        return duration
    }

    /// Refuses flags that say nothing about what is printed, with those that do.
    private static func check(
        _ given: [Parameter],
        _ subject: WatchSubject
    ) throws(ProgramError) {
        let (what, taken): (String, [CommandOption]) =
            switch subject {
            case .list: ("the list", [.quote, .sort, .direction, .search, .markets, .limit])
            case .market: ("a market", [.limit, .depth])
            case .assets: ("assets", [.search, .sort, .direction])
            // What a user keeps is told of below.
            case .favorites, .portfolio: ("", CommandOption.printing)
            }
        guard
            let first = given.first(where: { given in
                !taken.contains { $0.parameterName == given.name }
            })
        else { return }
        throw ProgramError(
            .usage,
            "--\(first.name): says nothing about \(what), which takes "
                + taken.map(\.rawValue).joined(separator: ", ")
        )
    }

    /// What was given, and what counts where nothing was.
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
            let standard = standard.filter { entry in !given.contains { $0.name == entry.name } }
            return [language, period] + given + standard
        case .assets: return given + [language]
        case .favorites, .portfolio:
            guard let first = given.first else { return [language] }
            throw ProgramError(.usage, "--\(first.name): what a user keeps is printed whole")
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
    /// Reads the parameters of a list.
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
