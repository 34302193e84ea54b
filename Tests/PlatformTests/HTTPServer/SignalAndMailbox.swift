import Dispatch
import HTTPServer
import Synchronization

/// Something that happens once and may be waited for by a thread.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func send() { semaphore.signal() }
    func wait() { semaphore.wait() }
}

/// Hands one socket from a server's thread to a test.
final class Mailbox: Sendable {
    private let filled = Signal()
    private let content = Mutex<UpgradedSocket?>(nil)

    func put(_ socket: consuming UpgradedSocket) {
        // A closure cannot consume a parameter, but it can take it out of an optional.
        var socket: UpgradedSocket? = socket
        content.withLock { $0 = socket.take() }
        filled.send()
    }

    func take() -> UpgradedSocket {
        filled.wait()
        guard let socket = content.withLock({ $0.take() }) else {
            preconditionFailure("a mailbox is emptied once")
        }
        return socket
    }
}
