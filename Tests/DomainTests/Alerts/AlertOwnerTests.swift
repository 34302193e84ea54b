import Domain
import TestSupport
import Testing

@Suite("Rules of users, and firings that another process stored")
struct AlertOwnerTests {
    private static let subject = AlertSubject("A_KRW")
    private static let id = AlertRuleID(1, of: .local)

    @Test("the same rule again keeps its firing, a changed one has not fired")
    func sameRule() throws {
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: "A > 1010")])
        bench.rise(at: 2)
        bench.observer.set([try AlertOwner(rule: "A > 1010")])
        bench.rise(at: 3)
        #expect(bench.news().count == 1)
        bench.observer.set([try AlertOwner(rule: "A > 1015", createdAt: .noon(4))])
        bench.rise(at: 5)
        #expect(bench.news().count == 1)
    }

    @Test("a removed rule and one of a removed user never fire")
    func removed() throws {
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: "A > 1010")])
        bench.observer.set([AlertOwner(id: .local)])
        bench.rise(at: 2)
        bench.observer.set([try AlertOwner(rule: "A > 1010", createdAt: .noon(3))])
        bench.observer.set([AlertOwner(id: .local)])
        bench.rise(at: 4)
        #expect(bench.news().isEmpty)
        #expect(bench.observer.book.count == 0)
    }

    @Test("a newer firing of another process counts, an older one does not")
    func catchUp() throws {
        let text = "A > 1010 again 10s"
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: text)])
        bench.rise(at: 2)
        let older = AlertState(firedAt: .noon(1), value: "1020")
        bench.observer.set([try AlertOwner(rule: text, fired: older)])
        bench.rise(at: 11)
        #expect(bench.news().count == 1, "nine seconds after the newest firing")
        let newer = AlertState(firedAt: .noon(12), value: "1020")
        bench.observer.set([try AlertOwner(rule: text, fired: newer)])
        bench.rise(at: 21)
        #expect(bench.news().isEmpty)
        bench.rise(at: 23)
        #expect(bench.news().count == 1)
    }

    @Test("a new leader stores what the leader before it did not, and nothing twice")
    func newLeader() throws {
        let text = "A > 1010 again 10s"
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: text)])
        bench.rise(at: 2, 20)
        let found = bench.fired
        #expect(found.count == 2)
        // The first one was stored.
        let stored = try AlertOwner(rule: text, fired: found[0].state)
        bench.observer.set([stored])
        bench.observer.replaceFirings(by: [stored])
        let first = bench.mayStore(found)
        #expect(first == [false, true])
        #expect(bench.observer.book.state.fired[Self.id]?[Self.subject] == found[1].state)
        // None was stored.
        bench.observer.replaceFirings(by: [try AlertOwner(rule: text)])
        var answers = bench.mayStore(found)
        #expect(answers == [true, true])
        answers = bench.mayStore(found)
        #expect(answers == [false, false])
    }

    @Test("after the stored firings count, a rule that fired once here alone fires again")
    func replacedFirings() throws {
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: "A > 1010")])
        bench.rise(at: 2)
        bench.observer.replaceFirings(by: [try AlertOwner(rule: "A > 1010")])
        bench.rise(at: 4)
        #expect(bench.news().count == 2)
        let stored = AlertState(firedAt: .noon(5), value: "1020")
        bench.observer.replaceFirings(by: [try AlertOwner(rule: "A > 1010", fired: stored)])
        bench.rise(at: 6)
        #expect(bench.news().isEmpty)
        let changed = FiredAlert(
            alert: Alert(
                rule: Self.id,
                subject: Self.subject,
                at: .noon(7),
                value: "1020",
                direction: .up
            ),
            createdAt: .noon(6),
            state: stored
        )
        bench.observer.replaceFirings(by: [])
        let answer = bench.mayStore([changed])
        #expect(answer == [false], "of a rule that was changed since")
    }

    @Test(
        "a firing that another process did not store is taken back, and no other one",
        arguments: ["A > 1010", "A > 1010 again 10s"]
    )
    func withdrawn(text: String) throws {
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: text)])
        bench.rise(at: 2)
        let first = try #require(bench.fired.first)
        bench.observer.withdraw([first])
        bench.rise(at: 4)
        #expect(bench.fired.count == 2, "as if it had not fired")
        let second = try #require(bench.fired.last)
        // Stored by the other process.
        bench.observer.set([try AlertOwner(rule: text, fired: second.state)])
        bench.observer.withdraw([second])
        // No longer the newest one.
        bench.observer.withdraw([first])
        _ = bench.news()
        bench.rise(at: 6)
        #expect(bench.news().isEmpty)
    }

    @Test("a rule that was armed again stays so in a new term and after a restart")
    func rearmed() throws {
        let text = "A > 1010 again 0s ticks 1"
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: text)])
        bench.trade("A_KRW", "1000", "1020", at: .noon(2))
        let stored = try AlertOwner(rule: text, fired: bench.fired[0].state)
        bench.trade("A_KRW", "1000", "1009", at: .noon(4))
        bench.observer.replaceFirings(by: [stored])
        bench.trade("A_KRW", "1020", at: .noon(6))
        #expect(bench.news().count == 2)
        // A new process has the saved values and the stored firing.
        bench.trade("A_KRW", "1000", "1009", at: .noon(8))
        let saved = AlertBookState(lines: bench.observer.book.watchedValues.lines)
        var next = ObservedBoard()
        next.observer = AlertObserver(feed: .live, restoring: saved)
        let last = try AlertOwner(rule: text, fired: AlertState(firedAt: .noon(6), value: "1020"))
        next.observer.set([last])
        next.observer.replaceFirings(by: [last])
        next.apply(.feed(.subscribed), at: .noon(10))
        next.trade("A_KRW", "1020", at: .noon(11))
        #expect(next.news() == ["A_KRW ↑ 1020 away"])
    }

    @Test("alerts that waited for the store are stored in a new term, whatever the price is then")
    func waitedWithHysteresis() throws {
        let text = "A > 1010 again 0s ticks 1"
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: text)])
        bench.trade("A_KRW", "1000", "1020", at: .noon(2))
        let stored = try AlertOwner(rule: text, fired: bench.fired[0].state)
        // The store fails. The rule is armed and fires twice, and is armed once more.
        bench.rise(at: 4, 6)
        bench.trade("A_KRW", "1000", "1009", at: .noon(8))
        let waiting = Array(bench.fired[1...])
        #expect(waiting.count == 2)
        bench.observer.replaceFirings(by: [stored])
        let answers = bench.mayStore(waiting)
        #expect(answers == [true, true])
        _ = bench.news()
        bench.trade("A_KRW", "1020", at: .noon(10))
        #expect(bench.news().count == 1)
    }

    @Test("an alert that is taken back leaves the rule armed since the stored one")
    func withdrawnWithHysteresis() throws {
        let text = "A > 1010 again 0s ticks 1"
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: text)])
        bench.rise(at: 2, 4)
        let found = try #require(bench.fired.last)
        bench.observer.set([try AlertOwner(rule: text, fired: bench.fired[0].state)])
        bench.trade("A_KRW", "1009", at: .noon(5))
        bench.observer.withdraw([found])
        _ = bench.news()
        bench.trade("A_KRW", "1020", at: .noon(6))
        #expect(bench.news().count == 1)
    }

    @Test("an arming in the moment of the stored firing does not outlive an alert taken back")
    func armedBeforeStored() throws {
        let text = "A > 1010 again 0s ticks 1"
        let at = Timestamp.noon(2).advanced(by: .milliseconds(300))
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: text)])
        bench.rise(at: 1)
        func trade(_ price: FixedDecimal, _ microseconds: Int64) {
            let time = at.advanced(by: .microseconds(microseconds))
            bench.apply(.trade(Trade("A_KRW", price: price, at: time)), at: .noon(3))
        }
        trade("1000", 0)
        trade("1020", 14)
        let found = try #require(bench.fired.last)
        // The leader's stream has milliseconds.
        let stored = AlertState(firedAt: at, value: "1020")
        bench.observer.set([try AlertOwner(rule: text, fired: stored)])
        bench.observer.withdraw([found])
        _ = bench.news()
        bench.trade("A_KRW", "1010", "1009", at: .noon(5))
        bench.trade("A_KRW", "1020", at: .noon(6))
        #expect(bench.news().isEmpty)
    }

    @Test("a value from before nobody watched it is not compared with a later one")
    func unwatched() throws {
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: "A MID > 3%")])
        bench.trade("A_KRW", "1001", at: .noon(2))
        bench.observer.set([AlertOwner(id: .local)])
        bench.trade("A_KRW", "1050", at: .noon(4))
        bench.observer.set([try AlertOwner(rule: "A MID > 3%", createdAt: .noon(5))])
        bench.trade("A_KRW", "1051", at: .noon(6))
        #expect(bench.news().isEmpty)
    }

    @Test("a change of a state that another process found a minute before is not told again")
    func sameState() throws {
        let rule = "A deposit closes again 0s"
        var bench = ObservedBoard.live()
        let stored = try AlertOwner(rule: rule, fired: AlertState(firedAt: .noon(10), value: .zero))
        bench.observer.set([stored])
        bench.observer.replaceFirings(by: [stored])
        let alert = Alert(
            rule: Self.id,
            subject: Self.subject,
            at: .noon(70),
            value: .zero,
            direction: .down
        )
        let state = AlertState(firedAt: .noon(70), value: .zero)
        var answers = bench.mayStore([FiredAlert(alert: alert, createdAt: .noon(0), state: state)])
        #expect(answers == [false])
        var later = alert
        later.at = .noon(200)
        answers = bench.mayStore([FiredAlert(alert: later, createdAt: .noon(0), state: state)])
        #expect(answers == [true])
    }

    @Test("a trade whose time differs by the sources of two processes is not told twice")
    func sameTrade() throws {
        // The time of the stored firing after 10 s, that of the alert after it, and its price.
        let found: [(at: Int64, later: Duration, price: FixedDecimal, isTold: Bool)] = [
            (400, .microseconds(345), "1020", false), (400, .milliseconds(2), "1020", false),
            (400, .milliseconds(3), "1020", true), (400, .milliseconds(1), "1021", true),
            // REST of API 1.x has whole seconds.
            (0, .milliseconds(999), "1021", false), (0, .milliseconds(1_000), "1021", true),
        ]
        for (at, later, price, isTold) in found {
            let firedAt = Timestamp.noon(10).advanced(by: .milliseconds(at))
            let stored = try AlertOwner(
                rule: "A > 1010 again 0s",
                fired: AlertState(firedAt: firedAt, value: "1020")
            )
            var bench = ObservedBoard.live()
            bench.observer.set([stored])
            bench.observer.replaceFirings(by: [stored])
            let alert = Alert(
                rule: Self.id,
                subject: Self.subject,
                at: firedAt.advanced(by: later),
                value: price,
                direction: .up
            )
            let state = AlertState(firedAt: alert.at, value: price)
            let answers = bench.mayStore([
                FiredAlert(alert: alert, createdAt: .noon(0), state: state)
            ])
            #expect(answers == [isTold], "\(at) \(later)")
        }
    }

    @Test("another process's firing in the other direction, in the second of one here, is another")
    func otherDirection() throws {
        let other = Timestamp.noon(2).advanced(by: .milliseconds(800))
        var book = AlertBook(feed: .live)
        try book.add("A 1005..1010 again 0s", createdAt: .noon(-1))
        try book.add("A > 1008 again 0s", id: 2, createdAt: .noon(-1))
        _ = book.apply(trade: "1006", at: .noon(1))
        #expect(book.apply(trade: "1003", at: .noon(2)).count == 1)
        book.catchUp(with: [Self.subject: AlertState(firedAt: other, value: "1011")], of: Self.id)
        // From 1,011 it does not rise over 1,008.
        #expect(book.apply(trade: "1009", at: .noon(4)).isEmpty)
    }

    @Test("after a value that only another process has seen, the next crossing is late")
    func unseenValue() throws {
        for (second, lateness) in [(5, Alert.Lateness.interrupted), (2, nil)] {
            var book = AlertBook(feed: .live)
            try book.add("A > 1010 again 0s", createdAt: .noon(-1))
            try book.add("A < 1005 again 0s", id: 2, createdAt: .noon(-1))
            _ = book.apply(trade: "1011", at: .noon(2))
            book.catchUp(
                with: [Self.subject: AlertState(firedAt: .noon(second), value: "1011")],
                of: Self.id
            )
            #expect(book.apply(trade: "1004", at: .noon(6)).map(\.lateness) == [lateness])
        }
    }

    @Test("a change is late, too, after a price that only another process has seen")
    func unseenChange() throws {
        let fired = AlertState(firedAt: .noon(5), value: "1011")
        var bench = ObservedBoard.live()
        try bench.rule("A > 1010 again 0s")
        try bench.rule("A MID > 2% again 0s")
        bench.trade("A_KRW", "1005", at: .noon(2))
        bench.trade("BTC_KRW", "100000000", at: .noon(4))
        bench.setOwner { $0.fired = [1: [Self.subject: fired]] }
        bench.trade("A_KRW", "1020", at: .noon(6))
        #expect(bench.news() == ["A_KRW ↑ 2 interrupted"])
    }

    @Test("a trade that is read again is not told where another process told its millisecond")
    func readAgain() throws {
        for (later, count) in [(Duration.microseconds(7), 0), (.milliseconds(1), 1)] {
            let firedAt = Timestamp.noon(10).advanced(by: .milliseconds(400))
            var book = AlertBook(feed: .live)
            try book.add("A > 1010 again 0s", createdAt: .noon(-1))
            book.catchUp(
                with: [Self.subject: AlertState(firedAt: firedAt, value: "1011")],
                of: Self.id
            )
            let points: [(FixedDecimal, Timestamp)] = [
                ("1009", .noon(5)), ("1009", firedAt), ("1010", firedAt.advanced(by: later)),
            ]
            let run = points.map { AlertPricePoint(price: $0, at: $1) }
            #expect(book.apply(.repaired("A_KRW", run)).count == count)
        }
    }

    @Test("another process's arming of a second does not let an earlier trade of it fire")
    func armedInSecond() throws {
        let run: [(FixedDecimal, Int)] = [
            ("1011", 9_900), ("1012", 14_100), ("1010", 14_200), ("1013", 14_700),
        ]
        // Whether this process reads the arming itself, and the crossing after it.
        for (isRead, second, count) in [(false, 14, 0), (false, 13, 1), (true, 14, 1)] {
            var book = AlertBook(feed: .live)
            try book.add("A < 1010 again 0s ticks 2", createdAt: .noon(-1))
            _ = book.apply(trade: "1011", at: .noon(9))
            var fired = AlertState(firedAt: .noon(10), value: "1009")
            fired.rearmedDownAt = .noon(second)
            book.catchUp(with: [Self.subject: fired], of: Self.id)
            var points = run.map { price, at in
                AlertPricePoint(price: price, at: .noon(plus: .milliseconds(at)))
            }
            if isRead {
                let at = Timestamp.noon(plus: .milliseconds(14_900))
                points.append(AlertPricePoint(price: "1010", at: at))
            }
            #expect(book.apply(.repaired("A_KRW", points)).count == count)
        }
    }

    @Test("a value in the moment of another process's firing arms the rule if it stays there")
    func armedInMoment() throws {
        for (next, count) in [(FixedDecimal("1012"), 1), ("1010", 0)] {
            let firedAt = Timestamp.noon(10).advanced(by: .milliseconds(400))
            let fired = AlertState(firedAt: firedAt, value: "1009")
            var bench = ObservedBoard.live()
            bench.trade("A_KRW", "1000", at: .noon(2))
            bench.observer.set([try AlertOwner(rule: "A < 1010 again 0s ticks 1", fired: fired)])
            // The other stream had only the millisecond: this may be from before the firing.
            bench.apply(
                .trade(Trade("A_KRW", price: "1012", at: firedAt.advanced(by: .microseconds(7)))),
                at: .noon(11)
            )
            bench.trade("A_KRW", next, at: .noon(12))
            bench.trade("A_KRW", "1009", at: .noon(13))
            #expect(bench.news().count == count)
        }
    }

    @Test("a trade in the moment of another process's firing is not compared with its value")
    func observedAfterFiring() throws {
        for (later, count) in [(Duration.zero, 0), (.milliseconds(1), 1)] {
            let firedAt = Timestamp.noon(10).advanced(by: .milliseconds(400))
            let rule = "A < 1010 again 0s"
            var bench = ObservedBoard.live()
            bench.trade("A_KRW", "1000", at: .noon(2))
            try bench.rule("A > 1011 again 0s")
            bench.setOwner { owner in
                if let other = try? AlertRule.parse(rule, feed: .live) {
                    owner.rules.append(UserAlertRule(number: 2, rule: other, createdAt: .noon(0)))
                }
                let state = AlertState(firedAt: firedAt, value: "1009")
                owner.fired = [2: [Self.subject: state]]
            }
            // This stream may tell the trade before the firing.
            bench.trade("A_KRW", "1012", at: firedAt.advanced(by: later))
            #expect(bench.news().count == count)
        }
    }

    @Test("a firing of another process does not replace the value that this one observed then")
    func observedInMoment() throws {
        let text = "A > 1010 again 0s"
        var bench = ObservedBoard.live()
        bench.trade("A_KRW", "1020", at: .noon(2))
        bench.trade("A_KRW", "1000", at: .noon(2))
        let fired = AlertState(firedAt: .noon(2), value: "1020")
        bench.observer.set([try AlertOwner(rule: text, fired: fired)])
        bench.trade("A_KRW", "1020", at: .noon(4))
        #expect(bench.news() == ["A_KRW ↑ 1020"])
    }
}

extension ObservedBoard {
    fileprivate mutating func mayStore(_ alerts: [FiredAlert]) -> [Bool] {
        alerts.map { observer.mayStore($0) }
    }
}
