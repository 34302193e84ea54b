import Domain
import TestSupport
import Testing

@Suite("Alert book")
struct AlertBookTests {
    // MARK: Interruptions

    @Test("a crossing while hoga was away is told with the first price after the start")
    func away() throws {
        var book = AlertBook(feed: .live)
        _ = book.apply(trade: "1009", at: .noon(0))
        let state = try #require(AlertBookState(lines: book.state.lines))
        var next = AlertBook(feed: .live, restoring: state)
        try next.add("A > 1010", createdAt: .noon(-1))
        let alerts = next.apply(trade: "1012", at: .noon(600))
        #expect(alerts.map(\.lateness) == [.away])
        #expect(alerts.map(\.at) == [.noon(600)])
        #expect(next.apply(trade: "1009", at: .noon(601)).isEmpty)
    }

    @Test(
        "a crossing during a lost connection is told as interrupted, and the next one is not late"
    )
    func interrupted() throws {
        var book = AlertBook(feed: .live)
        try book.add("A > 1010 again 0s", createdAt: .noon(-1))
        _ = book.apply(trade: "1009", at: .noon(0))
        #expect(book.apply(.interrupted).isEmpty)
        #expect(book.apply(trade: "1012", at: .noon(60)).map(\.lateness) == [.interrupted])
        _ = book.apply(trade: "1009", at: .noon(61))
        #expect(book.apply(trade: "1010", at: .noon(62)).map(\.lateness) == [nil])
    }

    @Test(
        "a rule made during an interruption waits for the first value after it",
        arguments: [(-1, 1), (0, 1), (30, 0)]
    )
    func madeDuringInterruption(createdAt: Int, count: Int) throws {
        var book = AlertBook(feed: .live)
        _ = book.apply(trade: "1009", at: .noon(0))
        _ = book.apply(.interrupted)
        try book.add("A > 1010 again 0s", createdAt: .noon(createdAt))
        #expect(book.apply(trade: "1012", at: .noon(60)).count == count)
        _ = book.apply(trade: "1009", at: .noon(61))
        #expect(book.apply(trade: "1010", at: .noon(62)).count == 1)
    }

    @Test("stored prices never fire, but the first live one is compared with them")
    func stored() throws {
        var book = AlertBook(feed: .live)
        try book.add("A > 1010 again 0s", createdAt: .noon(-10))
        let subject = AlertSubject("A_KRW")
        for price in ["1009", "1011"] as [FixedDecimal] {
            let seen = AlertObservation(.price, of: subject, price, at: .noon(0), source: .store)
            #expect(book.apply(.observed(seen)).isEmpty)
        }
        #expect(book.apply(trade: "1012", at: .noon(5)).map(\.lateness) == [.away])
    }

    @Test("stale values and trades older than the newest are ignored")
    func stale() throws {
        var book = AlertBook(feed: .live)
        try book.add("A <> 1010 again 0s", createdAt: .noon(-10))
        _ = book.apply(trade: "1009", at: .noon(5))
        var stale = AlertObservation(Trade("A_KRW", price: "1012", at: .noon(6)))
        stale.isStale = true
        #expect(book.apply(.observed(stale)).isEmpty)
        #expect(book.apply(trade: "1012", at: .noon(4)).isEmpty)
        #expect(book.apply(trade: "1009", at: .noon(7)).isEmpty)
    }

    // MARK: Days

    @Test("the change since midnight starts at 0, and the jump to it never fires")
    func dayChange() throws {
        var book = AlertBook(feed: .live)
        for (id, text) in ["A MID < 1%", "A MID > 3% again 0s", "A MID > 1% again 0s ticks 50"]
            .enumerated()
        {
            try book.add(text, id: id, createdAt: .noon(-1))
        }
        func apply(_ rate: FixedDecimal, _ hours: Int) -> [Int64] {
            let seen = AlertObservation(
                .change(.midnight),
                of: AlertSubject("A_KRW"),
                rate,
                at: .noon(plus: .seconds(hours * 3_600))
            )
            return book.apply(.observed(seen)).map(\.rule.number)
        }
        #expect(apply("0.9", 0) == [])
        #expect(apply("4", 1) == [1, 2])
        // The next day: 4 to 0 and 0 to 2, which is above 1 again.
        #expect(apply("2", 13) == [2])
        #expect(apply("3.5", 14) == [1])
        #expect(apply("0.5", 15) == [0])
        // Over midnight nothing falls below 1.
        #expect(apply("1.5", 40) == [2])
    }

    // MARK: Scopes

    @Test("a rule of all markets and one of favorites fire for each market by itself")
    func scopes() throws {
        var book = AlertBook(feed: .live)
        try book.add("all 24H > 5%", id: 1, createdAt: .noon(-1))
        try book.add("favorites 24H > 5%", id: 2, createdAt: .noon(-1))
        book.setFavorites(["B_KRW"], of: .local)
        func apply(_ market: MarketID, _ rate: FixedDecimal, _ second: Int) -> [Int64] {
            let seen = AlertObservation(
                .change(.hours24),
                of: AlertSubject(market),
                rate,
                at: .noon(second)
            )
            return book.apply(.observed(seen)).map(\.rule.number)
        }
        for market in ["A_KRW", "B_KRW"] as [MarketID] { #expect(apply(market, "1", 0) == []) }
        #expect(apply("A_KRW", "5", 1) == [1])
        #expect(apply("B_KRW", "5", 1) == [1, 2])
        #expect(apply("A_KRW", "1", 2) == [])
        book.setFavorites(["A_KRW"], of: .local)
        #expect(apply("A_KRW", "6", 3) == [2])
        #expect(apply("B_KRW", "1", 3) == [])
        #expect(apply("B_KRW", "6", 4) == [])
    }

    @Test("a market is listed and delisted, but the markets of the first listing are not new")
    func listing() throws {
        var book = AlertBook(feed: .live)
        try book.add("all listed again 0s", id: 1, createdAt: .noon(-1))
        try book.add("all delisted again 0s", id: 2, createdAt: .noon(-1))
        func apply(_ markets: Set<MarketID>, _ second: Int) -> [String] {
            book.apply(.listed(.krw, markets, at: .noon(second)))
                .map { "\($0.rule.number) \($0.subject.market?.name ?? "")" }
        }
        #expect(apply(["A_KRW"], 0) == [])
        #expect(apply(["A_KRW", "C_KRW", "B_KRW"], 10) == ["1 B_KRW", "1 C_KRW"])
        #expect(apply(["C_KRW"], 20) == ["2 A_KRW", "2 B_KRW"])
        #expect(book.apply(.listed(.btc, ["A_BTC"], at: .noon(20))).isEmpty)
        #expect(apply(["A_KRW", "C_KRW"], 30) == ["1 A_KRW"])
        _ = book.apply(.interrupted)
        let alerts = book.apply(.listed(.krw, ["A_KRW", "C_KRW", "D_KRW"], at: .noon(90)))
        #expect(alerts.map(\.lateness) == [.interrupted])
    }

    @Test("holdings fire only the rules of their owner, deposits those of all markets of the coin")
    func owners() throws {
        var book = AlertBook(feed: .live)
        let rules = ["portfolio > 100", "A return > 5%", "A_BTC deposit opens"]
        for (index, text) in rules.enumerated() {
            for owner in 1...2 {
                book.add(
                    try AlertRule.parse(text, feed: .live),
                    id: AlertRuleID(Int64(10 * owner + index), of: UserID(Int64(owner))),
                    createdAt: .noon(-1)
                )
            }
        }
        func apply(_ signal: AlertSignal, _ subject: AlertSubject) -> [Int64] {
            (0...1).flatMap { index -> [Int64] in
                let value: FixedDecimal = index == 0 ? .zero : "100"
                let seen = AlertObservation(signal, of: subject, value, at: .noon(index))
                return book.apply(.observed(seen)).map(\.rule.number)
            }
        }
        #expect(apply(.value, AlertSubject(portfolioOf: UserID(2))) == [20])
        let holding = AlertSubject(.profitRate, of: "A_KRW", owner: UserID(1))
        #expect(apply(.profitRate, holding) == [11])
        let coin = AlertSubject(.deposit, of: "A_KRW", owner: UserID(1))
        #expect(apply(.deposit, coin) == [12, 22])
    }

    // MARK: State

    @Test("a removed rule does not fire, and one that is added again has not fired")
    func removal() throws {
        var book = AlertBook(feed: .live)
        try book.add("A > 1010", createdAt: .noon(-1))
        _ = book.apply(trade: "1009", at: .noon(0))
        #expect(book.apply(trade: "1010", at: .noon(1)).count == 1)
        book.remove(AlertRuleID(1, of: .local))
        #expect(book.count == 0)
        #expect(book.state.fired.isEmpty)
        _ = book.apply(trade: "1009", at: .noon(2))
        #expect(book.apply(trade: "1010", at: .noon(3)).isEmpty)
        try book.add("A > 1010", createdAt: .noon(4))
        _ = book.apply(trade: "1009", at: .noon(5))
        #expect(book.apply(trade: "1010", at: .noon(6)).count == 1)
    }

    @Test("the state of another kind of feed is not used")
    func otherState() throws {
        var book = AlertBook(feed: .simulated)
        _ = book.apply(trade: "1009", at: .noon(0))
        var live = AlertBook(feed: .live, restoring: book.state)
        try live.add("A > 1010", createdAt: .noon(-1))
        #expect(live.apply(trade: "1010", at: .noon(1)).isEmpty)
    }

    @Test(
        "a line that is no part of a state is refused",
        arguments: [
            "", "gauge", "gauge price A_KRW", "gauge price A_KRW 1 2 9 - away -",
            "gauge price A_KRW 1 2 3 - gone -", "gauge price A_KRW 1 2 3 - away 1:2",
            "gauge cost A_KRW 1 2 3 - away -", "gauge price A 1 2 3 - away -",
            "fired 1:x A_KRW 1 2 - -", "fired 1 A_KRW 1 2 - -", "fired 1:1 A_KRW 1 2 -",
            "fired 1:1 A_KRW - 2 - -",
            "listing USD 1 2 3 - away -", "rule 1",
        ]
    )
    func invalidLines(line: String) {
        #expect(AlertBookState(lines: ["feed live 5", line]) == nil)
        #expect(AlertBookState(lines: [line]) == nil)
        #expect(AlertBookState(lines: ["feed live -"]) == AlertBookState(feed: .live))
    }

    @Test("a rule's state is four fields of text")
    func stateText() {
        var state = AlertState(firedAt: Timestamp(microseconds: 5), value: "1.5")
        state.rearmedDownAt = Timestamp(microseconds: 7)
        #expect(state.text == "5 1.5 - 7")
        #expect(AlertState(text: "5 1.5 - 7") == state)
        for text in ["", "5", "5 1 -", "- 1 - -", "5 1 - 7 8", "5  1 7", "a 1 - -", "5 - - -"] {
            #expect(AlertState(text: text) == nil)
        }
    }

    @Test(
        "after an abrupt end a firing that was kept corrects older values",
        arguments: [("1012", []), ("1009", [.down]), ("1010", [.down])]
            as [(FixedDecimal, [Alert.Direction])]
    )
    func abruptEnd(next price: FixedDecimal, directions: [Alert.Direction]) throws {
        for keepsValues in [true, false] {
            var book = AlertBook(feed: .live)
            try book.add("A <> 1010 again 0s", createdAt: .noon(-1))
            _ = book.apply(trade: "1009", at: .noon(0))
            var kept = keepsValues ? book.state : AlertBookState(feed: .live)
            #expect(book.apply(trade: "1011", at: .noon(1)).map(\.direction) == [.up])
            kept.fired = book.state.fired
            var next = AlertBook(feed: .live, restoring: kept)
            try next.add("A <> 1010 again 0s", createdAt: .noon(-1))
            let alerts = next.apply(trade: price, at: .noon(60))
            #expect(alerts.map(\.direction) == directions)
            #expect(alerts.allSatisfy { $0.lateness == .away })
        }
    }

    // MARK: Bounds

    @Test("values are kept for a bounded number of markets, and for all that rules watch")
    func bound() throws {
        let markets = try (0...AlertLimits.gaugesMax).map { index in
            try #require(MarketID(symbol: "C\(index)", quote: .krw))
        }
        var book = AlertBook(feed: .live)
        func observe(_ market: MarketID, _ price: FixedDecimal, at second: Int) -> [Alert] {
            let subject = AlertSubject(market)
            let observation = AlertObservation(.price, of: subject, price, at: .noon(second))
            return book.apply(.observed(observation))
        }
        for market in markets { #expect(observe(market, "1009", at: 0).isEmpty) }
        for (index, market) in [markets[0], markets[AlertLimits.gaugesMax]].enumerated() {
            try book.add("\(market.symbol) > 1010 again 0s", id: index + 1, createdAt: .noon(-1))
        }
        #expect(observe(markets[0], "1012", at: 1).count == 1)
        // The price before was not kept.
        #expect(observe(markets[AlertLimits.gaugesMax], "1012", at: 1).isEmpty)
        #expect(observe(markets[AlertLimits.gaugesMax], "1009", at: 2).isEmpty)
        #expect(observe(markets[AlertLimits.gaugesMax], "1012", at: 3).count == 1)
    }
}
