import Domain
import Testing

@Suite("The outcomes of changes")
struct ChangeOutcomesTests {
    /// A result of a change: nil, or the failure, at a time in milliseconds.
    typealias Outcome = (failure: StoreFailure?, time: Int)

    private static let full = StoreFailure(.full, "no space left")

    @Test(
        "a failure counts until a change succeeds or none was tried for three seconds",
        arguments: [
            ([], 0, false),
            ([(full, 0)], 0, true),
            ([(full, 0)], 2_999, true),
            ([(full, 0)], 3_000, false),
            ([(full, 0), (full, 2_000)], 4_999, true),
            ([(full, 0), (nil, 1)], 1, false),
            ([(nil, 0)], 1, false),
            // Beside changes that succeed, a failure is one of a single change.
            ([(nil, 0), (full, 499)], 499, false),
            ([(nil, 0), (full, 499), (full, 500)], 500, true),
            ([(full, 0), (nil, 10), (full, 20), (full, 509)], 509, false),
            ([(full, 0), (nil, 10), (full, 510)], 510, true),
        ] as [([Outcome], Int, Bool)]
    )
    func failure(outcomes: [Outcome], time: Int, isTold: Bool) {
        var kept = ChangeOutcomes()
        for outcome in outcomes { kept.note(outcome.failure, at: .milliseconds(outcome.time)) }
        #expect(kept.failure(at: .milliseconds(time)) == (isTold ? Self.full : nil))
    }
}
