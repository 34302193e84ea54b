import Domain
import TestSupport
import Testing

@Suite("Alerts that wait for another process to store them")
struct AlertWaitingTests {
    private static let subject = AlertSubject("A_KRW")
    private static let foundAt = Timestamp.noon(10)

    /// An alert of rule 1, found here.
    private static let found = FiredAlert(
        alert: Alert(
            rule: AlertRuleID(1, of: .local),
            subject: subject,
            at: foundAt,
            value: "1020",
            direction: .up
        ),
        createdAt: .noon(0),
        state: AlertState(firedAt: foundAt, value: "1020")
    )

    /// Whether the alert need not wait, with a stored firing and saved values.
    private static func isDecided(
        _ rule: String,
        stored: AlertState? = nil,
        values: AlertBookState? = nil
    ) throws -> Bool {
        var observer = AlertObserver(feed: .live)
        observer.set([try AlertOwner(rule: rule, fired: stored)])
        return observer.isDecided(found, knowing: values)
    }

    @Test(
        "an alert waits unless it is stored, or a later one, or its rule fires once and has fired",
        arguments: [
            ("A > 1010", 0, "1020", true), ("A > 1010", -300, "1011", true),
            ("A > 1010 again 0s", -300, "1011", false), ("A > 1010 again 0s", 300, "1011", true),
            // Times of two sources differ.
            ("A > 1010 again 0s", -2, "1020", true), ("A > 1010 again 0s", -3, "1020", false),
        ] as [(String, Int, FixedDecimal, Bool)]
    )
    func stored(rule: String, milliseconds: Int, value: FixedDecimal, isDecided: Bool) throws {
        let firedAt = Self.foundAt.advanced(by: .milliseconds(milliseconds))
        let stored = AlertState(firedAt: firedAt, value: value)
        #expect(try Self.isDecided(rule, stored: stored) == isDecided)
        #expect(try !Self.isDecided(rule), "nothing is stored")
    }

    @Test("an alert whose rule is gone or changed need not wait")
    func gone() throws {
        var observer = AlertObserver(feed: .live)
        #expect(observer.isDecided(Self.found, knowing: nil))
        observer.set([try AlertOwner(rule: "A > 1010", createdAt: .noon(1))])
        #expect(observer.isDecided(Self.found, knowing: nil))
    }

    @Test("an alert of a price waits until the saved stream is later, and not lost before it")
    func price() throws {
        let rule = "A > 1010 again 0s"
        var leader = AlertBook(feed: .live)
        try leader.add(rule, createdAt: .noon(0))
        _ = leader.apply(trade: "1000", at: .noon(9))
        #expect(try !Self.isDecided(rule, values: leader.watchedValues))
        let other = AlertEvent.observed(
            AlertObservation(Trade("B_KRW", price: "5", at: .noon(11)))
        )
        var lost = leader
        _ = lost.apply(.interrupted)
        _ = lost.apply(other)
        #expect(try !Self.isDecided(rule, values: lost.watchedValues))
        _ = leader.apply(other)
        #expect(try Self.isDecided(rule, values: leader.watchedValues))
    }

    @Test("an alert of what is read now and then waits until it was read later")
    func deposit() throws {
        let rule = "A deposit opens again 0s"
        var leader = AlertBook(feed: .live)
        try leader.add(rule, createdAt: .noon(0))
        for (second, isDecided) in [(9, false), (11, true)] {
            let read = AlertObservation(.deposit, of: Self.subject, .zero, at: .noon(second))
            _ = leader.apply(.observed(read))
            _ = leader.apply(trade: "1000", at: .noon(12))
            #expect(try Self.isDecided(rule, values: leader.watchedValues) == isDecided)
        }
    }
}
