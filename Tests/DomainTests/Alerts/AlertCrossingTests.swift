import Domain
import TestSupport
import Testing

@Suite("Crossing of alert rules")
struct AlertCrossingTests {
    @Test(
        "a rule fires at the values that cross its level",
        arguments: [
            // Equality: the level itself is reached from both sides, and is not left.
            ("A > 1010 again 0s", "1009 1010 1011 1010 1009 1010", "1 5"),
            ("A < 1010 again 0s", "1011 1010 1009 1010 1011 1010", "1 5"),
            ("A > 1010 again 0s", "1009 1011", "1"),
            ("A > 1010 again 0s", "1010 1011 1012", ""),
            ("A <> 1010 again 0s", "1009 1010 1009 1011 1010 1009", "1 3 4"),
            ("A <> 1010 again 0s", "1009 1011 1009", "1 2"),
            // Both limits belong to a band.
            ("A 1005..1010 again 0s", "1007 1010 1011 1010 1005 1004", "2 5"),
            ("A 1005..1010 again 0s", "1011 1012 1004 1003", "2"),
            ("A 1005..1010 again 0s", "1007 1004 1004 1011", "1 3"),
            // Once is once.
            ("A > 1010", "1009 1010 1009 1010", "1"),
            ("A <> 1010", "1009 1010 1011 1009", "1"),
            // The first value is only compared with.
            ("A > 1010", "1011", ""),
            ("A > 1010", "1011 1009 1011", "2"),
            // Hysteresis: more than two ticks below the level.
            ("A > 1010 again 0s ticks 2", "1009 1010 1008 1010 1007 1010", "1 5"),
            ("A < 1010 again 0s ticks 2", "1011 1010 1012 1010 1013 1010", "1 5"),
            ("A <> 1010 again 0s ticks 2", "1009 1010 1012 1010 1013 1010", "1 5"),
            ("A <> 1010 again 0s ticks 2", "1009 1013 1010", "1 2"),
            // A band is entered by two ticks.
            ("A 1003..1010 again 0s ticks 2", "1009 1011 1009 1011 1008 1011", "1 5"),
            // Pause: values come every ten seconds.
            ("A > 1010 again 30s", "1009 1010 1009 1010 1010 1009 1010", "1 6"),
            ("A > 1010 again 20s", "1009 1010 1009 1010", "1 3"),
        ]
    )
    func prices(text: String, values: String, fired: String) throws {
        var book = AlertBook(feed: .live)
        try book.add(text, createdAt: .noon(-1))
        var places: [String] = []
        for (index, value) in values.split(separator: " ").enumerated() {
            let price = try FixedDecimal(parsing: String(value))
            let alerts = book.apply(trade: price, at: .noon(10 * index))
            for alert in alerts {
                #expect(alert.value == price)
                #expect(alert.at == .noon(10 * index))
                #expect(alert.lateness == nil)
                places.append(String(index))
            }
        }
        #expect(places.joined(separator: " ") == fired)
    }

    @Test(
        "other signals fire by the same definition",
        arguments: [
            ("A 30M > 3%", .change(.minutes30), "2.99 3 4", "1"),
            ("A 30M < -3%", .change(.minutes30), "0 -2.99 -3.01", "2"),
            ("A 1H -3..3% again 0s", .change(.hour1), "0 3 3.01 0 -3.01", "2 4"),
            ("A spread > 10bp again 0s ticks 2", .spread, "9 10 9.9 10 9.7 10", "1 5"),
            ("A strength > 150%", .strength, "149.99 150", "1"),
            ("A turnover 5m > 3x", .turnover(minutes: 5), "1 2 3", "2"),
            ("A deposit opens again 0s", .deposit, "0 0 1 1 0 1", "2 5"),
            ("A withdrawal closes", .withdrawal, "0 1 0 1 0", "2"),
            ("A caution set", .caution, "1 0 1", "2"),
            ("A alert lifted", .exchangeAlert, "1 1 0", "2"),
            ("A suspended", .trading, "1 0", "1"),
            ("A resumed", .trading, "1 0 1", "2"),
        ] as [(String, AlertSignal, String, String)]
    )
    func others(text: String, signal: AlertSignal, values: String, fired: String) throws {
        var book = AlertBook(feed: .live)
        try book.add(text, createdAt: .noon(-1))
        let places = try values.split(separator: " ").enumerated().flatMap { index, value in
            let seen = AlertObservation(
                signal,
                of: AlertSubject(signal, of: "A_KRW", owner: .local),
                try FixedDecimal(parsing: String(value)),
                at: .noon(index)
            )
            return book.apply(.observed(seen)).map { _ in String(index) }
        }
        #expect(places.joined(separator: " ") == fired)
    }

    @Test("several trades of one moment count one by one, and a rule fires once in it")
    func batch() throws {
        var book = AlertBook(feed: .live)
        try book.add("A > 1010 again 0s", createdAt: .noon(-1))
        _ = book.apply(trade: "1009", at: .noon(1))
        #expect(book.apply(trade: "1010", at: .noon(2)).count == 1)
        #expect(book.apply(trade: "1009", at: .noon(2)).isEmpty)
        #expect(book.apply(trade: "1010", at: .noon(2)).isEmpty)
    }

    @Test("a value at or before the creation does not fire, and one at the end does not either")
    func lifetime() throws {
        for (created, end, count) in [(2, 4, 0), (1, 4, 1), (1, 2, 0), (1, 3, 1)] {
            var book = AlertBook(feed: .live)
            _ = book.apply(trade: "1009", at: .noon(0))
            var rule = try AlertRule.parse("A > 1010", feed: .live)
            rule.expiresAt = .noon(end)
            book.add(rule, id: AlertRuleID(1, of: .local), createdAt: .noon(created))
            #expect(book.apply(trade: "1010", at: .noon(2)).count == count)
        }
    }

    @Test("a rule that is true when it is made waits until it was false")
    func alreadyTrue() throws {
        var book = AlertBook(feed: .live)
        _ = book.apply(trade: "1011", at: .noon(0))
        try book.add("A > 1010", createdAt: .noon(1))
        #expect(book.apply(trade: "1012", at: .noon(2)).isEmpty)
        #expect(book.apply(trade: "1009", at: .noon(3)).isEmpty)
        #expect(book.apply(trade: "1010", at: .noon(4)).map(\.direction) == [.up])
    }

    @Test("a price is known until the stream's newest data, whatever else is read later")
    func silence() throws {
        for (created, count) in [(1, 1), (2, 1), (4, 0)] {
            var book = AlertBook(feed: .live)
            _ = book.apply(trade: "1009", at: .noon(0))
            _ = book.apply(trade: "1", in: "B_KRW", at: .noon(2))
            _ = book.apply(.listed(.krw, ["A_KRW", "B_KRW"], at: .noon(5)))
            try book.add("A > 1010", createdAt: .noon(created))
            _ = book.apply(.interrupted)
            #expect(book.apply(trade: "1010", at: .noon(9)).count == count, "\(created)")
        }
    }

    @Test("a trade in the millisecond of a frame, at another price, came before the frame's price")
    func tradeBeforeFrame() throws {
        var book = AlertBook(feed: .live)
        try book.add("A < 1010 again 0s", createdAt: .noon(-1))
        let frameAt = Timestamp.noon().advanced(by: .milliseconds(300))
        let subject = AlertSubject("A_KRW")
        let frame = AlertObservation(.price, of: subject, "1011", at: frameAt, source: .ticker)
        _ = book.apply(.observed(frame))
        #expect(book.apply(trade: "1010", at: frameAt).isEmpty)
        let last = frameAt.advanced(by: .microseconds(7))
        #expect(book.apply(trade: "1011", at: last).isEmpty)
        // Within one source the order of arrival is that of the trades.
        #expect(book.apply(trade: "1010", at: last).count == 1)
    }

    @Test("rules that fire together come in the order of their ids")
    func order() throws {
        var book = AlertBook(feed: .live)
        for (id, level) in [(3, 1_010), (1, 1_012), (2, 1_011)] {
            try book.add("A > \(level)", id: id, createdAt: .noon(-1))
        }
        _ = book.apply(trade: "1009", at: .noon(0))
        #expect(book.apply(trade: "1015", at: .noon(1)).map(\.rule.number) == [1, 2, 3])
    }

    @Test("rules made on another kind of feed never fire")
    func otherFeed() throws {
        for (made, feed, count) in [
            (FeedKind.live, FeedKind.live, 1), (.live, .simulated, 0), (.simulated, .live, 0),
            (.replay, .simulated, 0), (.replay, .replay, 1), (.simulated, .simulated, 1),
        ] {
            var book = AlertBook(feed: feed)
            let rule = try AlertRule.parse("A > 1010", feed: made)
            book.add(rule, id: AlertRuleID(1, of: .local), createdAt: .noon(-1))
            _ = book.apply(trade: "1009", at: .noon(0))
            #expect(book.apply(trade: "1010", at: .noon(1)).count == count)
        }
    }
}

extension AlertBook {
    /// Adds a rule of the local user by its text.
    mutating func add(_ text: String, id: Int = 1, createdAt: Timestamp) throws {
        let rule = try AlertRule.parse(text, feed: .live)
        try rule.validate(at: createdAt)
        add(rule, id: AlertRuleID(Int64(id), of: .local), createdAt: createdAt)
    }

    mutating func apply(
        trade price: FixedDecimal,
        in market: MarketID = "A_KRW",
        at: Timestamp
    ) -> [Alert] {
        apply(.observed(AlertObservation(Trade(market, price: price, at: at))))
    }
}
