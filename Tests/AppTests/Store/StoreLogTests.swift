import Domain
import TestSupport
import Testing

@testable import App

@Suite("What was not kept at the end is said in one sentence: how many, and why")
struct StoreLogTests {
    private func unmade(_ codes: StoreFailure.Code...) -> [RejectedChange] {
        codes.enumerated().map { index, code in
            RejectedChange(
                change: .putCash("1"),
                failure: StoreFailure(code, "because of \(code)"),
                number: UInt64(index)
            )
        }
    }

    @Test("the store's failure goes before that of a single change")
    func loss() {
        #expect(StoreLog.loss([]) == nil)
        #expect(StoreLog.loss(unmade(.busy)) == "1 change was not kept: because of busy")
        #expect(
            StoreLog.loss(unmade(.refused, .full, .full))
                == "3 changes were not kept: because of full"
        )
        #expect(StoreLog.loss(unmade(.conflict)) == "1 change was not kept: because of conflict")
    }
}
