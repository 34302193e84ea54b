internal import Synchronization

/// Calls a handler once when a response is complete, was cut off, or was never sent.
final class ResponseCompletion: Sendable {
    private let handler: @Sendable (_ isComplete: Bool) -> Void
    private let isCalled = Atomic<Bool>(false)

    init(_ handler: @escaping @Sendable (_ isComplete: Bool) -> Void) {
        self.handler = handler
    }

    deinit { complete(false) }

    func complete(_ isComplete: Bool) {
        if isCalled.exchange(true, ordering: .acquiringAndReleasing) { return }
        handler(isComplete)
    }
}
