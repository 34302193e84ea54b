import Domain
import TestSupport
import Testing

@Suite("A change of a user record")
struct UserChangeTests {
    private let empty = UserRecord(name: "local")

    private static func asset(_ symbol: String) throws -> Asset {
        try #require(Asset(symbol: symbol))
    }

    private static func markets(_ count: Int) -> [MarketID] {
        (0..<count).compactMap { MarketID(symbol: "M\($0)", quote: .krw) }
    }

    private static func patch(_ change: (inout SettingsPatch) -> Void) -> UserChange {
        var patch = SettingsPatch()
        change(&patch)
        return .changeSettings(patch, expecting: nil)
    }

    private static func holding(_ quantity: FixedDecimal, _ price: FixedDecimal?) -> UserChange {
        .putHolding(Holding(asset: Asset(of: "BTC_KRW"), quantity: quantity, averagePrice: price))
    }

    @Test(
        "a change that breaks a rule is refused with the rule",
        arguments: [
            (.moveFavorite("BTC_KRW", to: -1), "favorites: the index"),
            (.replaceFavorites(["BTC_KRW", "BTC_KRW"], expecting: nil), "favorites: a market"),
            (.replaceFavorites(markets(1_001), expecting: nil), "favorites: the limit is 1000"),
            (patch { $0.depth = 0 }, "settings: the depth must be from 1 to 30"),
            (patch { $0.depth = 31 }, "settings: the depth"),
            (patch { $0.averages = [7] }, "settings: the averages"),
            (patch { $0.averages = [20, 5] }, "settings: the averages"),
            (patch { $0.averages = [5, 5] }, "settings: the averages"),
            (holding("0", nil), "holdings: the quantity must be above 0"),
            (holding("-1", nil), "holdings: the quantity must be above 0"),
            (holding("1000000000000.000000000000000001", nil), "holdings: the quantity"),
            (holding("1000000000000", "1000000000000"), "holdings: quantity times"),
            (holding("1", "-0.1"), "holdings: the average price"),
            (holding("1", "1000000000000.1"), "holdings: the average price"),
            (.putCash("-1"), "cash: the amount"),
            (.putCash("1000000000000000.1"), "cash: the amount"),
            (.putDisplayName("a\nb"), "name: it contains"),
            (.putDisplayName("a\u{0}b"), "name: it contains"),
            (.putDisplayName(" Kim"), "name: remove the spaces"),
            (.putDisplayName("  "), "name: remove the spaces"),
            (.putDisplayName(String(repeating: "가", count: 41)), "name: too long"),
        ] as [(UserChange, String)]
    )
    func refused(change: UserChange, beginning: String) {
        for attempt in [{ try change.validate() }, { _ = try empty.applying(change) }] {
            let failure = #expect(throws: StoreFailure.self) { try attempt() }
            #expect(failure?.code == .refused)
            #expect(failure?.detail.hasPrefix(beginning) == true, "\(failure?.detail ?? "")")
        }
    }

    @Test(
        "a change at a limit is accepted",
        arguments: [
            .replaceFavorites(markets(1_000), expecting: nil),
            patch { $0.depth = 1 }, patch { $0.depth = 30 }, patch { $0.averages = [] },
            patch { $0.averages = [5, 120] },
            holding("0.000000000000000001", "0"), holding("1000000000000", "100000000"),
            .putCash("0"), .putCash("1000000000000000"), .putCash(nil), .putDisplayName(nil),
            .putDisplayName(String(repeating: "가", count: 40)),
        ] as [UserChange]
    )
    func accepted(change: UserChange) {
        #expect(throws: Never.self) { try change.validate() }
        #expect(throws: Never.self) { try empty.applying(change) }
    }

    @Test("a favorite is appended once, moved and removed")
    func favorites() throws {
        var record = empty
        for market in ["BTC_KRW", "ETH_KRW", "XRP_KRW", "ETH_KRW"] as [MarketID] {
            record = try record.applying(.addFavorite(market))
        }
        #expect(record.favorites.value == ["BTC_KRW", "ETH_KRW", "XRP_KRW"])
        #expect(record.favorites.revision == 3)
        record = try record.applying(.moveFavorite("XRP_KRW", to: 0))
        #expect(record.favorites.value == ["XRP_KRW", "BTC_KRW", "ETH_KRW"])
        record = try record.applying(.moveFavorite("XRP_KRW", to: 9))
        #expect(record.favorites.value == ["BTC_KRW", "ETH_KRW", "XRP_KRW"])
        record = try record.applying(.removeFavorite("BTC_KRW"))
        #expect(record.favorites == Revised(["ETH_KRW", "XRP_KRW"], revision: 6))
    }

    @Test(
        "a change without effect increments no revision",
        arguments: [
            .removeFavorite("BTC_KRW"), .moveFavorite("BTC_KRW", to: 0),
            .replaceFavorites([], expecting: 0), patch { _ in }, patch { $0.depth = 15 },
            .removeHolding(Asset(of: "BTC_KRW")), .putDisplayName(nil),
        ] as [UserChange]
    )
    func nothing(change: UserChange) throws {
        #expect(try empty.applying(change) == empty)
    }

    @Test("a new row beyond the limit is refused, a change of an existing row is accepted")
    func bounds() throws {
        let full = try empty.applying(.replaceFavorites(Self.markets(1_000), expecting: nil))
        #expect(throws: StoreFailure.self) { try full.applying(.addFavorite("BTC_KRW")) }
        #expect(try full.applying(.addFavorite("M7_KRW")) == full)
        var record = empty
        for market in Self.markets(1_000) {
            let holding = Holding(asset: Asset(of: market), quantity: "1", averagePrice: nil)
            record.holdings.value.append(holding)
        }
        #expect(throws: StoreFailure.self) { try record.applying(Self.holding("1", nil)) }
        let known = Holding(asset: try Self.asset("M7"), quantity: "2", averagePrice: "3")
        #expect(try record.applying(.putHolding(known)).holdings.value.contains(known))
    }

    @Test("holdings are sorted by coin, each once")
    func holdings() throws {
        var record = empty
        for (symbol, quantity) in [("ETH", "1"), ("BTC", "2"), ("XRP", "3"), ("BTC", "4")] {
            let holding = Holding(
                asset: try Self.asset(symbol),
                quantity: FixedDecimal(stringLiteral: quantity),
                averagePrice: nil
            )
            record = try record.applying(.putHolding(holding))
        }
        #expect(record.holdings.value.map(\.asset.symbol) == ["BTC", "ETH", "XRP"])
        #expect(record.holdings.value.first?.quantity == "4")
        #expect(record.holdings.revision == 4)
        record = try record.applying(.removeHolding(try Self.asset("ETH")))
        #expect(record.holdings.value.map(\.asset.symbol) == ["BTC", "XRP"])
    }

    @Test("a change that expects another revision is a conflict")
    func conflicts() throws {
        let record = try empty.applying(.addFavorite("BTC_KRW"))
        for change in [
            .replaceFavorites(["ETH_KRW"], expecting: 0),
            .replaceFavorites(["BTC_KRW"], expecting: 2),
            .changeSettings(SettingsPatch(), expecting: 1),
        ] as [UserChange] {
            let failure = #expect(throws: StoreFailure.self) { try record.applying(change) }
            #expect(failure?.code == .conflict)
        }
        let replaced = try record.applying(.replaceFavorites(["ETH_KRW"], expecting: 1))
        #expect(replaced.favorites == Revised(["ETH_KRW"], revision: 2))
    }

    @Test("a patch changes every setting")
    func settings() throws {
        var wanted = UserSettings()
        wanted.sort = .name
        wanted.sortDirection = .ascending
        wanted.quote = .btc
        wanted.tab = .favorites
        wanted.pinFavorites = false
        wanted.changePeriod = .midnight
        wanted.interval = .week1
        wanted.chartStyle = .line
        wanted.averages = [5]
        wanted.depth = 7
        wanted.marketLayout = .chartAndBook
        wanted.theme = .highContrast
        wanted.colors = .western
        wanted.language = .english
        let patch = SettingsPatch(from: UserSettings(), to: wanted)
        let record = try empty.applying(.changeSettings(patch, expecting: 0))
        #expect(record.settings == Revised(wanted, revision: 1))
    }
}
