import CPostgreSQL
import Glibc

/// Ends waits for sockets from any thread.
///
/// Source: eventfd(2). Thread-safe, because the kernel is.
final class WakeSignal: Sendable {
    private let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

    /// Makes a signal that was not given.
    init() { precondition(descriptor >= 0, "A program that waits needs a file descriptor.") }

    deinit { close(descriptor) }

    /// Ends the wait that is going on, or the next one.
    func give() { _ = eventfd_write(descriptor, 1) }

    /// Forgets that it was given.
    func clear() {
        var count: UInt64 = 0
        _ = unsafe eventfd_read(descriptor, &count)
    }

    /// What a wait watches.
    var entry: pollfd { pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) }
}

/// Waits for sockets on the calling thread, which it blocks.
enum SocketPoll {
    /// What a socket is waited for.
    static func entry(for socket: Int32, output: Bool) -> pollfd {
        pollfd(fd: socket, events: Int16(output ? POLLIN | POLLOUT : POLLIN), revents: 0)
    }

    /// Blocks until one of the sockets can go on or the time is up.
    ///
    /// - Parameters:
    ///   - entries: the sockets; what happened is noted in them.
    ///   - time: the longest wait, rounded up to milliseconds; nil without end.
    static func wait(_ entries: inout [pollfd], for time: Duration?) {
        let milliseconds = time.map { time in
            Int32(clamping: time.roundedUp(toMultipleOf: .milliseconds(1)))
        }
        // A signal that was handled ends the wait early: then nothing happened.
        if unsafe poll(&entries, nfds_t(entries.count), milliseconds ?? -1) < 1 {
            for index in entries.indices { entries[index].revents = 0 }
        }
    }
}
