import TestSupport
import Testing
import Trials

/// A few seeds; `make seeds` has more.
@Suite("Trials of stores on disks that fail and lose power", .tags(.manyCases))
struct StoreTrialTests {
    @Test(
        "acknowledged changes survive, and refused ones are there as a whole or not at all",
        arguments: Cases.seeds(8, of: 40)
    )
    func survival(seed: UInt64) async {
        let report = await StoreTrial(seed: seed).run()
        #expect(report.failures == [], "make seeds SEED=\(seed) runs it again")
        #expect(report.checks["acknowledged calls", default: 0] > 40)
        #expect(report.injected["loss of power", default: 0] > 0)
    }

    @Test("a removed rollback journal does not come back after a loss of power")
    func withoutSharedMemory() async {
        let report = await StoreTrial(seed: 11).run()
        #expect(report.failures == [])
        #expect(report.injected["lost names", default: 0] > 0)
    }

    @Test("acknowledged changes that a disk did not write are missed", arguments: [2, 3])
    func lyingDisk(seed: UInt64) async throws {
        let trial = StoreTrial(seed: seed, isDiskLying: true)
        let report = await trial.run()
        #expect(!report.failures.isEmpty)
        let (faults, smaller) = try #require(await trial.necessaryFaults())
        #expect(faults.count < 4)
        #expect(!smaller.failures.isEmpty)
    }

    @Test("the same seed gives the same trial")
    func repeatable() async {
        #expect(await StoreTrial(seed: 8).run() == StoreTrial(seed: 8).run())
    }
}
