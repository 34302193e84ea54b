import Domain
import TestSupport
import Testing

@testable import App

@Suite("Unsaved changes at the end are one sentence with count and reason")
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

    @Test("a failure of the store wins over the rejection of a change")
    func loss() {
        #expect(StoreLog.loss([]) == nil)
        #expect(StoreLog.loss(unmade(.busy)) == "1 change was not saved: because of busy")
        #expect(
            StoreLog.loss(unmade(.refused, .full, .full))
                == "3 changes were not saved: because of full"
        )
        #expect(StoreLog.loss(unmade(.conflict)) == "1 change was not saved: because of conflict")
    }
}
