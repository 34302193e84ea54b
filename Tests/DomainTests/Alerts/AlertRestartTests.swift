import Domain
import TestSupport
import Testing

@Suite("Alert rules after a restart with saved values and stored firings")
struct AlertRestartTests {
    private static let subject = AlertSubject("A_KRW")
    private static let id = AlertRuleID(1, of: .local)

    /// Rules by number, made at noon.
    private func rules(_ texts: [Int64: String]) throws -> [UserAlertRule] {
        try texts.sorted { $0.key < $1.key }.map {
            UserAlertRule(
                number: $0,
                rule: try AlertRule.parse($1, feed: .live),
                createdAt: .noon(0)
            )
        }
    }

    @Test(
        "a saved value of a firing's moment is from before it unless the firing was saved, too",
        arguments: [false, true]
    )
    func valueOfMoment(isSavedAfterwards: Bool) throws {
        let text = "A > 1010 again 10s"
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: text)])
        bench.trade("A_KRW", "1000", at: .noon(2))
        var lines = bench.observer.book.watchedValues.lines
        bench.trade("A_KRW", "1020", at: .noon(2))
        bench.trade("A_KRW", "1000", at: .noon(2))
        if isSavedAfterwards { lines = bench.observer.book.watchedValues.lines }
        let stored = try AlertOwner(rule: text, fired: try #require(bench.fired.first).state)
        var next = ObservedBoard.restarted(with: lines, stored)
        next.trade("A_KRW", "1020", at: .noon(101))
        #expect(next.news() == (isSavedAfterwards ? ["A_KRW ↑ 1020 away"] : []))
    }

    @Test("of rules that fired in one moment, the farthest tells the value", arguments: [1, 2])
    func severalOfMoment(number: Int64) throws {
        let rules = try rules([number: "A > 1010 again 0s", 3 - number: "A > 1015 again 0s"])
        var bench = ObservedBoard.live()
        bench.observer.set([AlertOwner(id: .local, rules: rules)])
        bench.trade("A_KRW", "1000", at: .noon(2))
        let lines = bench.observer.book.watchedValues.lines
        bench.trade("A_KRW", "1012", at: .noon(2))
        bench.trade("A_KRW", "1020", at: .noon(2))
        #expect(bench.fired.map(\.alert.rule.number) == [number, 3 - number])
        let fired = bench.fired.map { ($0.alert.rule.number, [Self.subject: $0.state]) }
        let stored = AlertOwner(
            id: .local,
            rules: rules,
            fired: Dictionary(uniqueKeysWithValues: fired)
        )
        var next = ObservedBoard.restarted(with: lines, stored)
        next.trade("A_KRW", "1021", at: .noon(101))
        #expect(next.news().isEmpty)
    }

    @Test("of rises that fired in one moment, the highest tells the value", arguments: [1, 2])
    func risesOfMoment(number: Int64) throws {
        let rules = try rules([number: "A > 1010 again 0s", 3 - number: "A > 1015 again 0s"])
        var bench = ObservedBoard.live()
        bench.observer.set([AlertOwner(id: .local, rules: rules)])
        bench.trade("A_KRW", "1030", at: .noon(2))
        _ = bench.news()
        // The saved value is above both, so that the lower one is the farther.
        let lines = bench.observer.book.watchedValues.lines
        bench.trade("A_KRW", "1000", at: .noon(3))
        bench.trade("A_KRW", "1012", at: .noon(4))
        bench.trade("A_KRW", "1020", at: .noon(4))
        let fired = bench.fired.map { ($0.alert.rule.number, [Self.subject: $0.state]) }
        #expect(fired.map(\.0) == [number, 3 - number])
        let stored = AlertOwner(
            id: .local,
            rules: rules,
            fired: Dictionary(uniqueKeysWithValues: fired)
        )
        var next = ObservedBoard.restarted(with: lines, stored)
        next.trade("A_KRW", "1021", at: .noon(101))
        #expect(next.news().isEmpty)
    }

    @Test("of alerts up and down in one moment a crash does not tell one once more")
    func bothOfMoment() throws {
        let rules = try rules([1: "A < 1010 again 0s", 2: "A > 1015 again 0s"])
        for last in [FixedDecimal("1009"), "1020"] {
            let states = [1: "1009", 2: "1020"].mapValues { (value: FixedDecimal) in
                [Self.subject: AlertState(firedAt: .noon(4), value: value)]
            }
            var bench = ObservedBoard.live()
            bench.observer.set([AlertOwner(id: .local, rules: rules)])
            bench.trade("A_KRW", "1012", at: .noon(2))
            let lines = bench.observer.book.watchedValues.lines
            let stored = AlertOwner(
                id: .local,
                rules: rules,
                fired: Dictionary(uniqueKeysWithValues: states.map { (Int64($0), $1) })
            )
            var next = ObservedBoard.restarted(with: lines, stored)
            next.trade("A_KRW", last, at: .noon(101))
            #expect(next.news().isEmpty)
        }
    }

    @Test("a rule that was beyond its hysteresis before a crash is armed by the first value there")
    func armedBeforeCrash() throws {
        var bench = ObservedBoard.live()
        var user = try AlertOwner(rule: "A < 1010 again 0s ticks 1")
        let other = try AlertRule.parse("A > 1015 again 0s", feed: .live)
        user.rules.append(UserAlertRule(number: 2, rule: other, createdAt: .noon(0)))
        bench.observer.set([user])
        bench.trade("A_KRW", "1009", at: .noon(2))
        let lines = bench.observer.book.watchedValues.lines
        // Both firings are stored, but the values in between and since are not saved.
        bench.trade("A_KRW", "1020", "1009", "1020", at: .noon(3))
        for found in bench.fired {
            user.fired[found.alert.rule.number] = [Self.subject: found.state]
        }
        user.fired[1]?[Self.subject]?.rearmedDownAt = nil
        var next = ObservedBoard.restarted(with: lines, user)
        next.trade("A_KRW", "1018", at: .noon(101))
        next.trade("A_KRW", "1009", at: .noon(102))
        #expect(next.news() == ["A_KRW ↓ 1009"])
    }

    @Test("a rule that was changed since its saved firing is watched after a restart")
    func changedSinceSaved() throws {
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: "A > 1010")])
        bench.rise(at: 2)
        var saved = bench.observer.book.watchedValues
        saved.fired = [Self.id: [Self.subject: bench.fired[0].state]]
        let changed = try AlertOwner(rule: "A > 1015", createdAt: .noon(4))
        for isNewTerm in [false, true] {
            var next = ObservedBoard()
            next.observer = AlertObserver(feed: .live, restoring: saved)
            next.observer.set([isNewTerm ? try AlertOwner(rule: "A > 1015") : changed])
            if isNewTerm { next.observer.replaceFirings(by: [changed]) }
            #expect(next.observer.repairedMarkets == ["A_KRW"])
        }
    }

    @Test("values of watched signals are saved, firings that explain none are not")
    func watchedValues() throws {
        var bench = ObservedBoard.live()
        bench.observer.set([try AlertOwner(rule: "A > 1010")])
        bench.rise(at: 2)
        let lines = bench.observer.book.watchedValues.lines
        #expect(lines.contains { $0.hasPrefix("gauge price A_KRW 1020 ") } == false)
        bench.observer.set([try AlertOwner(rule: "A > 1010 again 10s", createdAt: .noon(3))])
        bench.rise(at: 4)
        bench.trade("A_KRW", "1021", at: .noon(6))
        let saved = bench.observer.book.watchedValues
        #expect(saved.lines.contains { $0.hasPrefix("gauge price A_KRW 1021 ") })
        #expect(!saved.lines.contains { $0.hasPrefix("fired ") || $0.contains(" BTC_KRW ") })
        // A crossing while no process ran is told as such.
        let rule = try AlertOwner(rule: "A < 1010", createdAt: .noon(3))
        var next = ObservedBoard.restarted(with: saved.lines, rule)
        next.trade("A_KRW", "990", at: .noon(101))
        #expect(next.news() == ["A_KRW ↓ 990 away"])
    }
}

extension ObservedBoard {
    /// The board of a process that begins with saved values, and is connected at 100 s.
    fileprivate static func restarted(with lines: [String], _ owner: AlertOwner) -> ObservedBoard {
        var board = ObservedBoard()
        board.observer = AlertObserver(feed: .live, restoring: AlertBookState(lines: lines))
        board.observer.set([owner])
        board.apply(.feed(.subscribed), at: .noon(100))
        return board
    }
}
