import Concurrency
import DataSourceContracts
import Glibc

/// Waits for sockets with poll(2), which blocks the calling thread.
enum SocketPoll {
    /// Makes the event that ends a wait.
    ///
    /// - Throws: ``StoreError`` with `unavailable` if no file descriptor is left.
    static func makeEvent() throws(StoreError) -> EventDescriptor {
        guard let event = EventDescriptor() else {
            throw StoreError(
                .unavailable,
                "no file descriptor is left for the connections to PostgreSQL: "
                    + "raise the limit of open files"
            )
        }
        return event
    }

    /// The entry of an event that ends the wait.
    static func entry(for event: EventDescriptor) -> pollfd {
        pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)
    }

    /// The entry of a socket that waits for input, and for output if `output` is set.
    static func entry(for socket: Int32, output: Bool) -> pollfd {
        pollfd(fd: socket, events: Int16(output ? POLLIN | POLLOUT : POLLIN), revents: 0)
    }

    /// Blocks until an entry is ready or the time is up.
    ///
    /// - Parameters:
    ///   - entries: the descriptors; `revents` is set where one is ready.
    ///   - time: the longest wait, rounded up to milliseconds; nil for no limit.
    static func wait(_ entries: inout [pollfd], for time: Duration?) {
        let milliseconds = time.map { time in
            Int32(clamping: time.roundedUp(toMultipleOf: .milliseconds(1)))
        }
        // A handled signal ends the wait early: no entry is ready then.
        // Safe: pointer and count are those of the array, and the call keeps neither.
        if unsafe poll(&entries, nfds_t(entries.count), milliseconds ?? -1) < 1 {
            for index in entries.indices { entries[index].revents = 0 }
        }
    }
}
