import Domain
import TestSupport

/// A board and the observer of its events; receive times are exchange times.
struct ObservedBoard {
    private(set) var board = MarketBoard(kind: .live)
    var observer = AlertObserver(feed: .live)
    private(set) var fired: [FiredAlert] = []
    private var rules: [UserAlertRule] = []
    private var owner = AlertOwner(id: .local)

    /// Both won markets.
    static let standard = [
        ListingEntry(
            "A_KRW",
            price: "1000",
            previousClose: "1000",
            volume24h: "10",
            tradeValue24h: "1440000",
            changeAmount24h: "0",
            changeRate24h: "0"
        ), ListingEntry("BTC_KRW", price: "100000000", tradeValue24h: "9000000"),
    ]

    /// A live feed of two markets, A at 1,000 and BTC at 100,000,000 won.
    static func live() -> ObservedBoard {
        var bench = ObservedBoard()
        for quote in Quote.allCases { bench.list(quote, at: .noon(-1)) }
        bench.apply(.feed(.subscribed), at: .noon(0))
        for quote in Quote.allCases { bench.list(quote, at: .noon(0)) }
        bench.apply(.feed(.live), at: .noon(0))
        bench.prove(at: .noon(1))
        return bench
    }

    /// Brings the first trade of a subscription, and the listings that are read after it.
    mutating func prove(at time: Timestamp) {
        trade("BTC_KRW", "100000000", at: time)
        for quote in Quote.allCases { list(quote, at: time) }
    }

    mutating func list(
        _ quote: Quote = .krw,
        _ entries: [ListingEntry]? = nil,
        suspended: [MarketID] = [],
        at: Timestamp
    ) {
        let listed = quote == .krw ? entries ?? Self.standard : []
        apply(.listing(Listing(quote, at: at, listed, suspended: suspended)), at: at)
    }

    /// Adds a rule whose creation is at noon.
    mutating func rule(_ text: String, createdAt: Timestamp = .noon(0)) throws {
        let rule = try AlertRule.parse(text, feed: .live)
        let number = Int64(rules.count + 1)
        rules.append(UserAlertRule(number: number, rule: rule, createdAt: createdAt))
        setOwner { _ in }
    }

    mutating func setOwner(_ change: (inout AlertOwner) -> Void) {
        owner.rules = rules
        change(&owner)
        observer.set([owner])
    }

    mutating func apply(_ events: MarketEvent..., at time: Timestamp) {
        apply(events, at: time)
    }

    mutating func apply(_ events: [MarketEvent], at time: Timestamp) {
        let batch = MarketEventBatch(events: events, receivedAt: time, frameCount: 1)
        _ = board.apply(batch)
        fired += observer.follow(batch, board)
    }

    mutating func trade(_ market: MarketID, _ prices: FixedDecimal..., at time: Timestamp) {
        let events = prices.enumerated().map { index, price in
            let at = time.advanced(by: .milliseconds(index))
            return MarketEvent.trade(Trade(market, price: price, at: at))
        }
        apply(events, at: time)
    }

    /// Lets the price of A fall to 1,000 and then rise to 1,020 in each given second.
    mutating func rise(at seconds: Int...) {
        for second in seconds { trade("A_KRW", "1000", "1020", at: .noon(second)) }
    }

    mutating func details(_ events: DetailEvent..., at time: Timestamp) {
        _ = board.apply(DetailEventBatch(events: events, receivedAt: time))
        fired += observer.followBooks(of: ["A_KRW"], board)
    }

    /// Loses the connection, and subscribes a second later.
    mutating func reconnect(at time: Timestamp) {
        let lost = FeedFailure(code: .disconnected, detail: "", isRetryable: true)
        let next = time.advanced(by: .seconds(1))
        apply(.feed(.reconnecting(attempt: 1, nextRetryAt: next, failure: lost)), at: time)
        apply(.feed(.subscribed), at: next)
    }

    /// Opens the trades of A, and reads its only one, at 1,001 won.
    mutating func openTrades(at time: Timestamp = .noon(2)) {
        details(
            .feed(.opened(DetailInterest(market: "A_KRW", facet: .trades))),
            at: .noon(1)
        )
        trade("A_KRW", "1001", at: time)
        repair([("1001", 2)], at: .noon(3))
    }

    /// Opens the trades of A as ``openTrades(at:)`` does, and loses those from noon + 10 s to one
    /// at 1,002 won a second later.
    mutating func loseTrades() {
        openTrades()
        apply(.feed(.subscribed), at: .noon(10))
        trade("A_KRW", "1002", at: .noon(11))
    }

    /// Reads trades of A again, each with a price and the second after noon.
    mutating func repair(
        _ trades: [(price: FixedDecimal, second: Int)],
        beginning: TradeHistory.Beginning = .firstTrade,
        at time: Timestamp
    ) {
        let rows = trades.map { price, second in
            TradeHistory.Row(at: .noon(second), price: price, quantity: .one, side: .buy)
        }
        repair(TradeHistory(market: "A_KRW", rows: rows, beginning: beginning), at: time)
    }

    mutating func repair(_ history: TradeHistory, at time: Timestamp) {
        let loss = board.tape(of: history.market).lastTradeBeforeLoss
        details(.tradeHistory(history), at: time)
        if let loss { fired += observer.repair(history.market, since: loss, board) }
    }

    mutating func reference(_ events: ReferenceEvent..., at time: Timestamp) {
        _ = board.apply(ReferenceEventBatch(events: events, receivedAt: time))
        tick(at: time)
    }

    /// Lets the observer begin with what the board knows, as it does with new rules.
    mutating func begin(at time: Timestamp) { fired += observer.begin(board, now: time) }

    /// A trade of another market proves the stream alive, and time passes.
    mutating func pass(to time: Timestamp) {
        trade("BTC_KRW", "100000000", at: time)
        tick(at: time)
    }

    mutating func tick(at time: Timestamp) { fired += observer.tick(board, now: time) }

    /// `A_KRW ↑ 1010 late` of each alert since the last call.
    mutating func news() -> [String] {
        defer { fired = [] }
        return fired.map { fired in
            let alert = fired.alert
            let subject = alert.subject.market?.name ?? "portfolio"
            let arrow = alert.direction == .up ? "↑" : "↓"
            let late = alert.lateness.map { " \($0.rawValue)" } ?? ""
            return "\(subject) \(arrow) \(alert.value.canonicalText)\(late)"
        }
    }
}

extension AlertOwner {
    /// The local user with one rule, which may have fired for A.
    init(rule text: String, createdAt: Timestamp = .noon(0), fired: AlertState? = nil) throws {
        let rule = try AlertRule.parse(text, feed: .live)
        self.init(
            id: .local,
            rules: [UserAlertRule(number: 1, rule: rule, createdAt: createdAt)],
            fired: fired.map { [1: [AlertSubject("A_KRW"): $0]] } ?? [:]
        )
    }
}
