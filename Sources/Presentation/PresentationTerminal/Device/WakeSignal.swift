import CNCurses
import Glibc
import Synchronization

/// Ends the wait of a terminal from any thread.
///
/// Owns an event counter of the kernel: any number of calls before the wait add up to one wake-up,
/// and none blocks.
final class WakeSignal: Sendable {
    let descriptor: Int32
    private let isCancelledFlag = Atomic(false)

    init() throws(TerminalError) {
        descriptor = hoga_rescue_open_wake()
        if descriptor < 0 { throw .system(call: "eventfd", errno: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Ends the wait that is going on, or the next one.
    func wake() {
        hoga_rescue_wake(descriptor)
    }

    /// Asks for the end of the session.
    func cancel() {
        isCancelledFlag.store(true, ordering: .releasing)
        wake()
    }

    /// Whether the end was asked for.
    var isCancelled: Bool { isCancelledFlag.load(ordering: .acquiring) }

    /// Forgets the calls so far.
    func clear() {
        hoga_rescue_clear_wake(descriptor)
    }
}
