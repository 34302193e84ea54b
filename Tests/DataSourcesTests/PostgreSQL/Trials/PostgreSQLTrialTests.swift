import TestSupport
import Testing
import Trials

/// A few seeds; `make check` has more.
@Suite(
    "Trials of a database whose connections break",
    .enabled(if: TestDatabase.isAvailable),
    .tags(.manyCases)
)
struct PostgreSQLTrialTests {
    @Test(
        "acknowledged changes survive, and failed ones are there as a whole or not at all",
        arguments: Cases.seeds(2, of: 8)
    )
    func survival(seed: UInt64) async throws {
        let report = try await PostgreSQLTrialRun.report(seed: seed)
        #expect(report.failures == [])
        #expect(report.checks["acknowledged calls", default: 0] > 40)
        let interrupted = report.checks.filter { $0.key.hasPrefix("interrupted ") }.values
        #expect(interrupted.reduce(0, +) > 5)
        for loss in ConnectionLoss.allCases {
            #expect(report.injected["\(loss)", default: 0] > 0, "\(loss)")
        }
    }
}
