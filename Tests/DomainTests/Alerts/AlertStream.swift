import Domain
import TestSupport

/// A random stream with losses, repairs, restarts and day changes, applied to a book and to naive
/// rules.
struct AlertStream {
    /// An entry of the log.
    enum Entry {
        case event(AlertEvent)
        case note(String)
    }

    private struct Happening {
        var place: Int
        var trade: Trade
        var isDelivered: Bool
    }

    private static let markets: [MarketID] = ["A_KRW", "B_KRW", "C_KRW"]
    private static let owners = [UserID(1), UserID(2)]

    private var generator: SeededGenerator
    private(set) var book: AlertBook
    private(set) var naive: NaiveAlerts
    private var now = Timestamp.noon()
    private var place = 0
    private var isConnected = true
    private var prices: [MarketID: Int64] = [:]
    private var happenings: [MarketID: [Happening]] = [:]
    private var rules: [NaiveAlerts.Watched] = []
    private var nextID: Int64 = 1

    /// The alerts of the last step.
    private(set) var told: (book: [Alert], naive: [Alert]) = ([], [])
    private(set) var all: [Alert] = []
    /// What happened, for the message of a failure.
    private(set) var log: [Entry] = []

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        book = AlertBook(feed: .live)
        naive = NaiveAlerts(feed: .live)
        for market in Self.markets { prices[market] = 1_010 }
        for owner in Self.owners { chooseFavorites(of: owner) }
        let rules = int(8...16)
        for _ in 0..<rules { addRule() }
        for market in Self.markets where chance(2) {
            let price = FixedDecimal(Int64(int(1_003...1_017)))
            observe(.price, AlertSubject(market), price, source: .store)
        }
    }

    mutating func step() {
        told = ([], [])
        place += 2
        now = now.advanced(by: .microseconds(Int64(int(1...20_000_000))))
        if chance(60) { now = now.advanced(by: .seconds(int(1...50_000))) }
        switch int(0..<100) {
        case ..<55: trade()
        case ..<62: repeatTrade()
        case ..<76: observeOther()
        case ..<82: if chance(2) { lose() }
        case ..<90: repair()
        case ..<92: restart()
        case ..<94: listPrices()
        case ..<96: changeRules()
        case ..<97: chooseFavorites(of: Self.owners[int(0...1)])
        default: listMarkets()
        }
        if !isConnected, chance(6) {
            // A new subscription does not know what was lost until it began.
            event(.interrupted)
            naive.lose(.interrupted)
            isConnected = true
        }
        all += told.book
    }

    // MARK: Prices

    /// Some trades of one market arrive together.
    private mutating func trade() {
        let market = Self.markets[int(0...2)]
        for _ in 0..<int(1...5) {
            let price = prices[market, default: 0] + Int64(int(-5...5))
            prices[market] = min(max(price, 1_000), 1_020)
            place += 2
            now = now.advanced(by: .microseconds(Int64(int(1...2_000))))
            trade(of: market)
        }
    }

    private mutating func trade(of market: MarketID) {
        let price = FixedDecimal(prices[market, default: 0])
        let at = twinTime(in: market) ?? now
        let trade = Trade(market, price: price, at: at)
        happenings[market, default: []].append(
            Happening(place: place, trade: trade, isDelivered: isConnected)
        )
        if isConnected { deliver(trade, place) }
    }

    /// Some trades have the microsecond of the one before, but not at the border of a loss.
    private mutating func twinTime(in market: MarketID) -> Timestamp? {
        guard isConnected, chance(10), let log = happenings[market],
            log.suffix(2).allSatisfy(\.isDelivered)
        else { return nil }
        return log.last?.trade.executedAt
    }

    private mutating func deliver(_ trade: Trade, _ place: Int) {
        let seen = AlertObservation(trade)
        event(.observed(seen))
        tell(naive.observe(seen, place: place))
    }

    /// An older trade arrives again, or an old price is marked as stale.
    private mutating func repeatTrade() {
        let market = Self.markets[int(0...2)]
        guard let old = happenings[market]?.randomElement(using: &generator), old.isDelivered else {
            return
        }
        if chance(2) {
            var stale = AlertObservation(old.trade)
            stale.at = now
            stale.isStale = true
            event(.observed(stale))
            return
        }
        guard let newest = happenings[market]?.last(where: \.isDelivered),
            old.trade.executedAt < newest.trade.executedAt, isConnected, newest.place == place - 2
        else { return }
        event(.observed(AlertObservation(old.trade)))
    }

    /// The trades of a loss are read again: all of them, or the last ones.
    private mutating func repair() {
        let market = Self.markets[int(0...2)]
        let log = happenings[market, default: []]
        guard
            let lost = log.indices.filter({ !log[$0].isDelivered }).randomElement(using: &generator)
        else { return }
        let start = log[..<lost].lastIndex { $0.isDelivered } ?? 0
        let end = log[lost...].firstIndex { $0.isDelivered } ?? log.count - 1
        let run = log[(chance(3) ? lost : start)...end]
        let points = run.map { AlertPricePoint(price: $0.trade.price, at: $0.trade.executedAt) }
        event(.repaired(market, points))
        tell(
            naive.repair(
                market,
                run.map {
                    NaiveAlerts.Point(
                        place: $0.place,
                        value: $0.trade.price,
                        at: $0.trade.executedAt
                    )
                }
            )
        )
    }

    /// REST tells the newest prices, also while the stream is lost.
    private mutating func listPrices() {
        for market in Self.markets {
            let price = FixedDecimal(prices[market, default: 0])
            observe(.price, AlertSubject(market), price, source: .listing)
        }
    }

    // MARK: Other signals

    private mutating func observeOther() {
        guard isConnected else { return }
        let market = Self.markets[int(0...2)]
        let owner = Self.owners[int(0...1)]
        let signal = Self.others[int(0..<Self.others.count)]
        let subject = AlertSubject(signal, of: market, owner: owner)
        switch signal {
        case .value: observe(signal, AlertSubject(portfolioOf: owner), hundredths(0...1_000))
        case .change, .profitRate: observe(signal, subject, hundredths(-500...500))
        case .deposit, .trading: observe(signal, subject, FixedDecimal(Int64(int(0...1))))
        default: observe(signal, subject, hundredths(0...1_000))
        }
    }

    private static let others: [AlertSignal] = [
        .change(.minutes30), .change(.midnight), .change(.midnight), .turnover(minutes: 5),
        .spread, .strength, .deposit, .trading, .value, .profitRate,
    ]

    private mutating func listMarkets() {
        let markets = Set(Self.markets.filter { _ in !chance(3) })
        event(.listed(.krw, markets, at: now))
        tell(naive.list(.krw, markets, at: now, place: place))
    }

    private mutating func observe(
        _ signal: AlertSignal,
        _ subject: AlertSubject,
        _ value: FixedDecimal,
        source: MarketState.ValueSource = .ticker
    ) {
        let seen = AlertObservation(signal, of: subject, value, at: now, source: source)
        event(.observed(seen))
        tell(naive.observe(seen, place: place))
    }

    // MARK: Interruptions

    private mutating func lose() {
        event(.interrupted)
        naive.lose(.interrupted)
        isConnected = false
    }

    private mutating func restart() {
        let lines = book.state.lines
        guard let state = AlertBookState(lines: lines), state.lines == lines else {
            log.append(.note("the state is not restored from its lines"))
            told.naive.append(contentsOf: all.prefix(1))
            return
        }
        isConnected = false
        now = now.advanced(by: .seconds(int(1...600)))
        if chance(2) { addRule(isAway: true) }
        book = AlertBook(feed: .live, restoring: state)
        for rule in rules.shuffled(using: &generator) { add(rule) }
        for (owner, favorites) in naive.favorites { book.setFavorites(favorites, of: owner) }
        naive.lose(.away)
        log.append(.note("restart"))
    }

    // MARK: Rules

    private mutating func changeRules() {
        if chance(2), let rule = rules.randomElement(using: &generator) {
            rules.removeAll { $0.id == rule.id }
            book.remove(rule.id)
            naive.remove(rule.id)
            log.append(.note("remove \(rule.id.number)"))
        } else {
            addRule()
        }
    }

    private mutating func addRule(isAway: Bool = false) {
        var rule = AlertRule.randomFiring(using: &generator, markets: Self.markets)
        if chance(8) { rule.feed = .simulated }
        if chance(8) { rule.expiresAt = now.advanced(by: .seconds(int(1...3_000))) }
        let watched = NaiveAlerts.Watched(
            id: AlertRuleID(nextID, of: Self.owners[int(0...1)]),
            createdAt: now,
            rule: rule
        )
        nextID += 1
        rules.append(watched)
        naive.rules.append(watched)
        if !isAway { add(watched) }
        log.append(.note("rule \(watched.id.number) of \(watched.id.owner.number): \(rule.text)"))
    }

    private mutating func add(_ watched: NaiveAlerts.Watched) {
        book.add(watched.rule, id: watched.id, createdAt: watched.createdAt)
    }

    private mutating func chooseFavorites(of owner: UserID) {
        let favorites = Set(Self.markets.filter { _ in chance(2) })
        book.setFavorites(favorites, of: owner)
        naive.favorites[owner] = favorites
    }

    // MARK: Both

    private mutating func event(_ event: AlertEvent) {
        log.append(.event(event))
        told.book += book.apply(event)
    }

    private mutating func tell(_ alerts: [Alert]) { told.naive += alerts }

    private mutating func int(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    private mutating func int(_ range: Range<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    /// Whether one of so many cases occurs.
    private mutating func chance(_ count: Int) -> Bool { int(0..<count) == 0 }

    private mutating func hundredths(_ range: ClosedRange<Int>) -> FixedDecimal {
        FixedDecimal(units: FixedDecimal.unitsPerOne / 100 * Int128(int(range)))
    }
}
