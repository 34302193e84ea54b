import Domain
import TestSupport
import Testing

@Suite(
    "Alert book with random rules, losses, repairs, restarts and day changes",
    .tags(.manyCases)
)
struct AlertBookPropertyTests {
    /// Numbers of alerts of many streams.
    private struct Counts {
        var alerts = 0
        var late: [Alert.Lateness: Int] = [:]
        var repeated = 0

        mutating func add(_ alerts: [Alert]) {
            self.alerts += alerts.count
            for reason in alerts.compactMap(\.lateness) { late[reason, default: 0] += 1 }
            let keys = Set(alerts.map { "\($0.rule) \($0.subject)" })
            repeated += alerts.count - keys.count
        }
    }

    @Test("fires exactly what rules without an index fire", arguments: 0..<8 as Range<UInt64>)
    func naive(part: UInt64) {
        var counts = Counts()
        let seeds = Cases.seeds(25, of: 125)
        for seed in seeds {
            var stream = AlertStream(seed: part * 10_000 + seed)
            for _ in 0..<250 {
                stream.step()
                guard stream.told.book == stream.told.naive else {
                    let log = stream.log.map { "\($0)" }.joined(separator: "\n")
                    let (book, naive) = stream.told
                    let name = "seed \(part * 10_000 + seed)"
                    Issue.record("\(name): \(book) is not \(naive) after\n\(log)")
                    return
                }
            }
            expectOrder(stream.all)
            counts.add(stream.all)
        }
        // The streams cross many levels, in each of the ways.
        #expect(counts.alerts > 15 * seeds.count)
        #expect(counts.repeated > 10 * seeds.count)
        for reason in Alert.Lateness.allCases {
            #expect(counts.late[reason, default: 0] > seeds.count / 5, "\(reason)")
        }
    }

    /// No alert comes twice or before a newer one of the same rule and subject.
    private func expectOrder(_ alerts: [Alert]) {
        var newest: [AlertRuleID: [AlertSubject: Timestamp]] = [:]
        for alert in alerts {
            if let before = newest[alert.rule]?[alert.subject] { #expect(before < alert.at) }
            newest[alert.rule, default: [:]][alert.subject] = alert.at
        }
    }
}
