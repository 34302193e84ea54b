import Concurrency
import Glibc
import Synchronization

/// Ends the terminal's wait for input from any thread, and asks for the end of the session.
final class TerminalInterrupt: Sendable {
    private let event: EventDescriptor
    private let isCancelledFlag = Atomic(false)

    /// Makes an interrupt.
    ///
    /// - Throws: `system` if the kernel has no descriptor left.
    init() throws(TerminalError) {
        guard let event = EventDescriptor() else {
            throw .system(call: "eventfd", errno: errno)
        }
        self.event = event
    }

    /// The descriptor to wait for, which signal handlers write to as well.
    var descriptor: Int32 { event.descriptor }

    /// Ends the current wait, or the next one.
    func wake() { event.signal() }

    /// Asks for the end of the session.
    func cancel() {
        isCancelledFlag.store(true, ordering: .releasing)
        wake()
    }

    /// Whether the end of the session was asked for.
    var isCancelled: Bool { isCancelledFlag.load(ordering: .acquiring) }

    /// Forgets the wake-ups so far.
    func clear() { event.clear() }
}
