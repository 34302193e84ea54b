internal import Synchronization

/// Tells once, whatever happens, that an answer is over.
final class ResponseCompletion: Sendable {
    private let ended: @Sendable (_ isWhole: Bool) -> Void
    private let isTold = Atomic<Bool>(false)

    init(_ ended: @escaping @Sendable (_ isWhole: Bool) -> Void) {
        self.ended = ended
    }

    // An answer that was dropped unsent is over, too.
    deinit { tell(isWhole: false) }

    func tell(isWhole: Bool) {
        if isTold.exchange(true, ordering: .acquiringAndReleasing) { return }
        ended(isWhole)
    }
}
