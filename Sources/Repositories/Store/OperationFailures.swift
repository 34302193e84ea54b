import Domain

/// The last failure of each operation of a store.
///
/// A success clears the failure of its own operation only: a renewed lease tells nothing of a write
/// that failed.
struct OperationFailures<Operation: Hashable & CaseIterable & Sendable>: Sendable {
    private var failures: [Operation: StoreFailure] = [:]

    /// The failure of the first failing operation in their order; nil if all work.
    var first: StoreFailure? {
        for operation in Operation.allCases {
            if let failure = failures[operation] { return failure }
        }
        return nil
    }

    /// The failure of an operation.
    subscript(operation: Operation) -> StoreFailure? { failures[operation] }

    /// Records the outcome of operations; nil for a success.
    ///
    /// - Returns: the new ``first``, which may be nil, if that has changed; else nil.
    mutating func note(_ failure: StoreFailure?, of operations: Operation...) -> StoreFailure?? {
        let before = first
        for operation in operations { failures[operation] = failure }
        guard first != before else { return nil }
        return .some(first)
    }
}
