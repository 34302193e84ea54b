import Domain
@testable import ViewStates
import Synchronization

@testable import PresentationTerminal

/// The wall clock of a script.
final class ScriptedClock: Sendable {
    private let moment = Mutex(Samples.now)

    var now: Timestamp { moment.withLock { $0 } }

    func advance(by duration: Duration) {
        moment.withLock { $0 = $0.advanced(by: duration) }
    }
}

/// Markets in memory that behave as the program's do: filtered by symbol, windowed, and followed
/// in detail while they are held.
final class ScriptedModel: ScreenModel {
    private struct State {
        var rows: [MarketRowViewState]
        var sequence: UInt64 = 1
        var phase = HealthViewState.Phase.ready
        var orders = 0
        var reloads = 0
        var held: [ScreenInterests] = []
        var personal = PageSamples.personal()
        var performed: [UserChange] = []
        var failure: StoreFailure?
        var isSlow = false
        var unanswered: [UserChange] = []
        var queries: [MarketDetailQuery] = []
        var wideQueries: [(markets: [MarketID], query: WideRowQuery)] = []
        var detail = DetailSamples.document().state
        var isWithheld = false
        var hasAlerts = true
        var files: [String: String] = [:]

        mutating func settle(_ change: UserChange) {
            var record = personal.record
            if failure == nil { record.make(change) }
            let number = (personal.refusal?.number ?? 0) + 1
            personal = UserState(
                user: .local,
                record: record,
                status: personal.status,
                refusal: failure.map {
                    RejectedChange(change: change, failure: $0, number: number)
                },
                sequence: personal.sequence + 1
            )
            sequence += 1
        }
    }

    private let state: Mutex<State>
    private let clock: ScriptedClock

    convenience init(clock: ScriptedClock, count: Int = 100) {
        let rows = (0..<count).map { Samples.row("C\($0)", "코인\($0)", price: "1000") }
        self.init(clock: clock, rows: rows)
    }

    init(clock: ScriptedClock, rows: [MarketRowViewState]) {
        self.clock = clock
        state = Mutex(State(rows: rows))
    }

    /// The number of requested orders.
    var orders: Int { state.withLock { $0.orders } }
    /// The number of reloads.
    var reloads: Int { state.withLock { $0.reloads } }

    /// The interests held, in order.
    var held: [Set<DetailInterest>] { state.withLock { $0.held.map(\.details) } }
    /// Whether deposits and withdrawals were looked at, one after another.
    var heldAssetStates: [Bool] { state.withLock { $0.held.map(\.assetStates) } }
    /// The requested changes.
    var performed: [UserChange] { state.withLock { $0.performed } }
    /// The stored record.
    var personal: UserState {
        state.withLock { state in
            guard state.isWithheld else { return state.personal }
            return UserState(
                user: .local,
                record: UserRecord(name: "local"),
                status: .opening,
                sequence: 0
            )
        }
    }

    /// Replaces the stored record.
    func keep(_ user: UserState) {
        state.withLock { state in
            state.personal = user
            state.sequence += 1
        }
    }

    /// Defers answers to changes until ``answer()``.
    func beSlow() { state.withLock { $0.isSlow = true } }

    /// Answers the oldest change that waits for it.
    func answer() {
        state.withLock { state in
            guard !state.unanswered.isEmpty else { return }
            state.settle(state.unanswered.removeFirst())
        }
    }

    /// From now on every change is refused; nil makes them again.
    func refuse(_ failure: StoreFailure?) { state.withLock { $0.failure = failure } }
    /// The detail queries.
    var queries: [MarketDetailQuery] { state.withLock { $0.queries } }

    /// No data is loaded yet, neither exchange nor user data.
    func withhold() {
        state.withLock { state in
            state.isWithheld = true
            state.sequence += 1
        }
    }

    /// Everything is there.
    func bring() {
        state.withLock { state in
            state.isWithheld = false
            state.sequence += 1
        }
    }

    private var isWithheld: Bool { state.withLock { $0.isWithheld } }

    /// Changes the detail.
    func changeDetail(_ change: (inout MarketDetailViewState) -> Void) {
        state.withLock { state in
            change(&state.detail)
            state.sequence += 1
        }
    }

    /// Gives a market another price.
    func change(_ index: Int, to price: Int64) {
        state.withLock { state in
            state.rows[index].price = FixedDecimal(price)
            state.rows[index].priceText = "\(price)"
            state.sequence += 1
        }
    }

    /// Changes how fresh the data are.
    func change(to phase: HealthViewState.Phase) {
        state.withLock { state in
            state.phase = phase
            state.sequence += 1
        }
    }

    var sequence: UInt64 { state.withLock { $0.sequence } }
    var now: Timestamp { clock.now }

    func order(for screen: MarketListScreenState, language: Language) -> [MarketID] {
        state.withLock { state in
            state.orders += 1
            guard !state.isWithheld else { return [] }
            return state.rows
                .filter { $0.symbol.hasPrefix(screen.searchText) }
                .compactMap { MarketID(name: $0.market) }
        }
    }

    func document(
        for screen: MarketListScreenState,
        language: Language
    ) -> MarketListDocument {
        state.withLock { state in
            guard !state.isWithheld else {
                let health = Samples.health(.loading, ageSeconds: nil)
                return Samples.document([], health: health, total: 0, emptyReason: .loading)
            }
            let names = Set(screen.order[screen.window].map(\.name))
            return Samples.document(
                state.rows.filter { names.contains($0.market) },
                health: Samples.health(state.phase),
                total: state.rows.count,
                filtered: screen.order.count
            )
        }
    }

    /// The facts of wide lists that were read, one after another.
    var wideQueries: [(markets: [MarketID], query: WideRowQuery)] {
        state.withLock { $0.wideQueries }
    }

    func wideRows(of markets: [MarketID], _ query: WideRowQuery) -> WideRows? {
        state.withLock { $0.wideQueries.append((markets, query)) }
        return WideRows(query, [:])
    }

    func detail(_ query: MarketDetailQuery) -> MarketDetailDocument {
        state.withLock { state in
            state.queries.append(query)
            guard !state.isWithheld else {
                return DetailSamples.document(DetailSamples.withheld(query))
            }
            return DetailSamples.document(DetailSamples.cut(state.detail, to: query))
        }
    }

    func assets(_ query: AssetsQuery) -> AssetsDocument {
        guard !isWithheld else {
            return PageSamples.assets([], health: Samples.health(.loading, ageSeconds: nil))
        }
        var document = PageSamples.assets()
        document.state.rows = document.state.rows.filter {
            query.filter == .all || ($0.deposit == .suspended) == (query.filter == .suspended)
        }
        for index in document.state.rows.indices {
            let row = document.state.rows[index]
            document.state.rows[index].depositText = AssetsPresenter.text(
                of: row.deposit,
                query.language
            )
            document.state.rows[index].withdrawalText = AssetsPresenter.text(
                of: row.withdrawal,
                query.language
            )
        }
        return document
    }

    func portfolio(language: Language) -> PortfolioDocument {
        let name = language == .korean ? "혜진" : "Me"
        guard isWithheld else { return PageSamples.portfolio(displayName: name) }
        let health = Samples.health(.loading, ageSeconds: nil)
        var document = PageSamples.portfolio([], health: health, displayName: nil, unvalued: [])
        document.state.cash = .init(amount: nil, amountText: nil, sharePercent: nil)
        document.state.totals = .init()
        return document
    }

    var haltedHoldings: Set<Asset> { [PageSamples.asset("OLD")] }

    var coins: KnownCoins {
        let listed = state.withLock { $0.rows.map(\.symbol) }
        let names = ["BTC": ("비트코인", "Bitcoin"), "ETH": ("이더리움", "Ethereum")]
        return KnownCoins(
            symbols: listed + ["BTC", "ETH", "XRP", "OLD", "SOL", "SUI"],
            names: CoinNames(
                Dictionary(
                    uniqueKeysWithValues: names.map { symbol, names in
                        let (korean, english) = names
                        return (
                            symbol,
                            CoinNames.Entry(symbol: symbol, korean: korean, english: english)
                        )
                    }
                )
            )
        )
    }

    var hasAlerts: Bool { state.withLock { $0.hasAlerts } }

    /// The data come from a source without alerts.
    func withholdAlerts() { state.withLock { $0.hasAlerts = false } }

    var alertContext: AlertRuleContext {
        let markets = state.withLock { $0.rows.compactMap { MarketID(name: $0.market) } }
        return AlertRuleContext(feed: .live, markets: Set(markets), now: now)
    }

    var alertCommandFailure: AlertCommandFailure? { nil }

    func about(language: Language) -> AboutViewState {
        var about = PageSamples.about()
        if language == .english { about.notice = "No advice to buy or sell." }
        return about
    }

    /// `ZZZ` is a coin without a market.
    func market(of asset: Asset) -> MarketID? {
        asset.symbol == "ZZZ" ? nil : MarketID(symbol: asset.symbol, quote: .krw)
    }

    /// The files that were written, by name.
    var files: [String: String] { state.withLock { $0.files } }

    func save(_ text: String, as name: String) -> FileOutcome {
        state.withLock { state in
            guard state.files[name] == nil else { return .exists(path: "/folder/" + name) }
            state.files[name] = text
            return .written(path: "/folder/" + name)
        }
    }

    /// Applies or refuses the change, immediately or when the script continues.
    func perform(_ change: UserChange) {
        state.withLock { state in
            state.performed.append(change)
            if state.isSlow { state.unanswered.append(change) } else { state.settle(change) }
        }
    }

    func hold(_ interests: ScreenInterests) { state.withLock { $0.held.append(interests) } }

    func reload() { state.withLock { $0.reloads += 1 } }
}

extension UserRecord {
    /// Makes the changes that screens ask for.
    fileprivate mutating func make(_ change: UserChange) {
        switch change {
        case .addFavorite(let market):
            favorites = Revised(favorites.value + [market], revision: favorites.revision + 1)
        case .removeFavorite(let market):
            favorites = Revised(
                favorites.value.filter { $0 != market },
                revision: favorites.revision + 1
            )
        case .moveFavorite(let market, let place):
            var order = favorites.value.filter { $0 != market }
            order.insert(market, at: min(max(place, 0), order.count))
            favorites = Revised(order, revision: favorites.revision + 1)
        case .replaceFavorites(let order, _):
            favorites = Revised(order, revision: favorites.revision + 1)
        case .changeSettings(let patch, _):
            settings = Revised(
                settings.value.patched(by: patch),
                revision: settings.revision + 1
            )
        case .putHolding(let holding):
            let others = holdings.value.filter { $0.asset != holding.asset }
            holdings = Revised(others + [holding], revision: holdings.revision + 1)
        case .removeHolding(let asset):
            holdings = Revised(
                holdings.value.filter { $0.asset != asset },
                revision: holdings.revision + 1
            )
        case .putCash(let amount): cash = Revised(amount, revision: cash.revision + 1)
        case .putDisplayName(let name):
            profile.value.displayName = name
            profile.revision += 1
        case .addAlert, .replaceAlert, .removeAlert, .markAlertsSeen:
            if let changed = try? applying(change) { self = changed }
        }
    }
}
