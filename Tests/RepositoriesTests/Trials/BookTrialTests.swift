import Testing
import Trials

@Suite("A book survives loss, duplication and reordering: ten virtual minutes for each seed")
struct BookTrialTests {
    @Test(
        "a book is corrected where it differs, and nowhere else",
        arguments: 1...5 as ClosedRange<UInt64>
    )
    func trial(seed: UInt64) async {
        let report = await BookTrial(seed: seed).run()
        #expect(report.failures.isEmpty, "make seeds SEED=\(seed) runs it again")
        // The trial is one: there was something to lose, to heal and to compare.
        #expect(report.frames > 4_500)
        #expect(report.losses > 50 && report.duplicates > 50 && report.overtaken > 50)
        #expect(report.corrections > 20 && report.checks > 1_000)
    }

    @Test("the same seed gives the same trial")
    func repeatable() async {
        let first = await BookTrial(seed: 6).run()
        let second = await BookTrial(seed: 6).run()
        #expect(first == second)
    }
}
