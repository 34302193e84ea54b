import Testing
import Trials

@Suite("Alert rules on a connection that fails: ten virtual minutes for each seed")
struct AlertTrialTests {
    @Test("no alert is missing, false or double", arguments: 1...16 as ClosedRange<UInt64>)
    func trial(seed: UInt64) {
        let report = AlertTrial(seed: seed).run()
        #expect(report.failures.isEmpty, "Measure rules seed=\(seed) runs it again")
        // The trial is one: there was something to lose, to tell and to compare.
        #expect(report.injected.values.reduce(0, +) > 3)
        #expect(report.checks["alert in time is at its crossing", default: 0] > 10)
        #expect(report.checks["crossing in calm is told", default: 0] > 5)
    }

    @Test("the same seed gives the same trial")
    func repeatable() {
        #expect(AlertTrial(seed: 17).run() == AlertTrial(seed: 17).run())
    }
}
