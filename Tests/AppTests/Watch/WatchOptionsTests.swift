import Domain
import ViewStates
import PresentationTerminal
import TestSupport
import Testing

@testable import App

@Suite("hoga watch opens screens or prints according to flags and terminal")
struct WatchOptionsTests {
    private static func plan(_ arguments: [String], isTerminal: Bool = true) throws -> WatchOptions
    {
        guard case .run(let invocation) = try CommandLineReader.read(["watch"] + arguments) else {
            preconditionFailure("It is a command.")
        }
        let configuration = try ConfigurationSources(
            flags: invocation.settings,
            environment: [:],
            file: nil
        ).resolve()
        return try WatchOptions(invocation, configuration, isTerminal: isTerminal)
    }

    @Test(
        "screens open only on a terminal and without printing flags",
        arguments: [
            ([], true, nil), ([], false, .table), (["--once"], true, .table),
            (["--plain"], true, .sentences(every: nil)),
            (["--plain", "--once"], true, .sentences(every: nil)),
            (["--plain", "--every", "30s"], false, .sentences(every: .seconds(30))),
        ] as [([String], Bool, WatchOptions.Form?)]
    )
    func form(arguments: [String], isTerminal: Bool, form: WatchOptions.Form?) throws {
        #expect(try Self.plan(arguments, isTerminal: isTerminal).form == form)
    }

    @Test("--compact opens a compact list, also behind a market")
    func compact() throws {
        #expect(try Self.plan(["--compact"], isTerminal: true).opening.screen.isCompact)
        #expect(try Self.plan(["BTC", "--compact"], isTerminal: true).opening.screen.isCompact)
        #expect(try !Self.plan([], isTerminal: true).opening.screen.isCompact)
    }

    @Test("the list has the given language, filter and order")
    func list() throws {
        let plan = try Self.plan([
            "--plain", "--quote", "BTC", "--sort", "name", "--limit", "3", "--lang", "en",
            "--period", "1H",
        ])
        guard case .marketList(let query) = plan.query else {
            Issue.record("no list")
            return
        }
        #expect(query.quote == .btc && query.sort == .name && query.limit == 3)
        #expect(query.language == .english && query.messageLanguage == .english)
        #expect(query.period == .hour1)
    }

    @Test("a market has five levels and ten trades by default")
    func market() throws {
        let plan = try Self.plan(["krw-btc", "--once", "--limit", "7"])
        guard case .marketDetail(let query) = plan.query else {
            Issue.record("no market")
            return
        }
        #expect(query.market == "BTC_KRW" && query.depth == 5 && query.tradeLimit == 7)
        #expect(plan.subject == .market("BTC_KRW"))
    }

    @Test(
        "a market is named in any usual spelling, by its code or by its name",
        arguments: ["BTC_KRW", "BTC-KRW", "KRW-BTC", "btc", "BTC/KRW", "bitcoin", "비트코인"]
    )
    func spellings(text: String) throws {
        #expect(try Self.plan([text]).subject == .market("BTC_KRW"))
        #expect(try Self.plan([text]).opening.screen.market == "BTC_KRW")
        guard case .marketList(let query) = try Self.plan(["--markets", text, "--once"]).query
        else {
            Issue.record("no list")
            return
        }
        #expect(query.markets == ["BTC_KRW"])
    }

    @Test(
        "screens open at the page, tab and order of the arguments",
        arguments: [
            (["favorites"], UserSettings.Tab.favorites, nil, nil, nil),
            (["--tab", "favorites"], .favorites, nil, nil, nil),
            (["--tab", "popular"], .popular, nil, nil, nil),
            (["--quote", "BTC"], .markets, .btc, nil, nil),
            (["--sort", "name"], nil, nil, .name, .ascending),
            (["--sort", "name", "--direction", "desc"], nil, nil, .name, .descending),
            (["--direction", "asc"], nil, nil, nil, .ascending),
            (["--markets", "BTC,ETH_BTC"], .popular, nil, nil, nil),
            ([], nil, nil, nil, nil),
        ] as [([String], UserSettings.Tab?, Quote?, MarketSortKey?, SortDirection?)]
    )
    func opening(
        arguments: [String],
        tab: UserSettings.Tab?,
        quote: Quote?,
        sort: MarketSortKey?,
        direction: SortDirection?
    ) throws {
        var given = SettingsPatch()
        (given.tab, given.quote, given.sort, given.sortDirection) = (tab, quote, sort, direction)
        #expect(try Self.plan(arguments).opening.given == given)
    }

    @Test("screens open with page, search and markets of the arguments")
    func openingScreens() throws {
        #expect(try Self.plan(["assets", "--q", "비트"]).opening.screen.page == .assets)
        #expect(try Self.plan(["assets", "--q", "비트"]).opening.screen.assets?.searchText == "비트")
        #expect(try Self.plan(["portfolio"]).opening.screen.page == .portfolio)
        #expect(try Self.plan(["--q", "eth"]).opening.screen.searchText == "eth")
        let listed = try Self.plan(["--markets", "btc,ETH_BTC"]).opening.screen.markets
        #expect(listed == ["BTC_KRW", "ETH_BTC"])
    }

    @Test("user data has no public query", arguments: ["favorites", "portfolio"])
    func personal(name: String) throws {
        #expect(try Self.plan([name, "--plain"]).query == nil)
    }

    @Test(
        "a refused flag lists the accepted ones",
        arguments: ["limit", "depth", "markets"]
    )
    func refusedForAssets(name: String) throws {
        let arguments = ["assets", "--once", "--" + name, "3"]
        let error = #expect(throws: ProgramError.self) { try Self.plan(arguments) }
        let errorText = try #require(error?.description)
        #expect(errorText.hasSuffix("use --q, --sort, --direction"), "\(errorText)")
        for flag in ["--q", "--sort", "--direction"] {
            let value = flag == "--sort" ? "name" : flag == "--direction" ? "asc" : "a"
            #expect(throws: Never.self) { try Self.plan(["assets", "--once", flag, value]) }
        }
    }

    @Test("ASCII mode prints English, whatever language was chosen")
    func ascii() throws {
        for subject in [[], ["BTC_KRW"], ["assets"]] {
            let plan = try Self.plan(subject + ["--once", "--ascii", "--lang", "ko"])
            #expect(plan.parameters.contains { $0 == ("lang", "en") })
        }
    }

    @Test(
        "a wrong flag or operand is refused by name",
        arguments: [
            (
                ["zzzzzzzz", "--once"],
                "'zzzzzzzz' is not a market or page; use a market, e.g. BTC_"
            ),
            (["favourites"], "'favourites' is not a market or page. Did you mean favorites?"),
            (["DOEG"], "'DOEG' is not a market or page. Did you mean DOGE"),
            (["BTC_KRW", "--limit", "3"], "--limit only"),
            (["--tab", "popular", "--quote", "BTC"], "--quote only works with --tab popular"),
            (["--markets", "BTC,x"], "--markets: 'x' is not a market"),
            (["favorites", "--sort", "name"], "--sort does not apply to user data"),
            (["--limit", "3"], "--limit only"), (["--once", "--limit", "0"], "--limit"),
            (["--once", "--depth", "3"], "--depth"), (["--every", "30s"], "--every only"),
            (["--plain", "--once", "--every", "30s"], "--every only"),
            (["--plain", "--every", "10ms"], "--every must"),
            (["--compact", "--once"], "--compact does not work with --once"),
            (["--plain", "--compact"], "--compact does not work with --plain"),
            (["--plain", "--every", "25h"], "--every must"),
            (["portfolio", "--plain", "--limit", "3"], "--limit does"),
            (
                ["--once", "--depth", "3"],
                "--depth does not apply to the list; use --tab"
            ),
            (
                ["BTC_KRW", "--once", "--q", "a"],
                "--q does not apply to a market; use --limit, --depth"
            ),
        ]
    )
    func mistakes(arguments: [String], message: String) {
        let error = #expect(throws: ProgramError.self) { try Self.plan(arguments) }
        #expect(error?.exitCode == .usage)
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }
}
