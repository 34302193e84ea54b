import DataSourceContracts

/// One connection to a store in memory: it counts calls, and fails on demand.
struct FailingConnection {
    private(set) var callCount = 0
    private var failure: StoreError?
    private var failsAfterwards = false

    /// Makes every call fail; nil ends it.
    mutating func fail(_ error: StoreError?, afterwards: Bool) {
        failure = error
        failsAfterwards = afterwards
    }

    /// Counts a call, which fails if it is to fail before it is made.
    ///
    /// - Returns: the error of a call that is made nevertheless; nil if the call succeeds.
    mutating func call() throws(StoreError) -> StoreError? {
        callCount += 1
        if let failure, !failsAfterwards { throw failure }
        return failure
    }
}
