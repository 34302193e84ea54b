import Testing
import Trials

@Suite("Alert rules on a connection that fails: ten virtual minutes for each seed")
struct AlertTrialTests {
    /// The last ones failed once: other processes, armings, midnight.
    private static let seeds: [UInt64] =
        Array(1...12) + [20_165, 20_301, 20_809, 21_026, 21_364, 21_948]

    @Test("no alert is missing, false or double", arguments: seeds)
    func trial(seed: UInt64) {
        let report = AlertTrial(seed: seed).run()
        #expect(report.failures.isEmpty, "Measure rules seed=\(seed) runs it again")
        // The trial is one: there was something to lose, to tell and to compare.
        #expect(report.injected.values.reduce(0, +) > 3)
        let compared = ["alert in time is at its crossing", "crossing in calm is told"]
        #expect(compared.map { report.checks[$0, default: 0] }.reduce(0, +) > 15)
    }

    @Test("the same seed gives the same trial")
    func repeatable() {
        #expect(AlertTrial(seed: 17).run() == AlertTrial(seed: 17).run())
    }
}
