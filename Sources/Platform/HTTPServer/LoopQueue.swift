internal import CHTTPParser
internal import Glibc
internal import Synchronization

/// A message to an event loop.
enum LoopMessage: Sendable {
    /// Serve an accepted connection.
    case adopt(Int32, NetworkAddress)
    /// Ask a connection's stream for its next chunk.
    case wake(ConnectionID)
    /// Continue a connection that yielded.
    case turn(ConnectionID)
    /// End a connection's wait, by the number of the wait.
    case resume(ConnectionID, wait: Int)
    /// Accept connections again: one was closed.
    case listen
    /// Finish requests in flight for at most so many seconds, and end.
    case stop(secondsMax: Int)
}

/// The queue of an event loop: any thread posts, the loop drains.
///
/// Bound: one `wake`, `turn` or `resume` and one `adopt` per connection, one `listen` per
/// connection that left a full server, and one `stop`. The server's connection limit therefore
/// bounds the queue, which never refuses a message.
final class LoopQueue: Sendable {
    /// An eventfd that is readable while the queue holds messages.
    let descriptor: Int32
    private let messages = Mutex<[LoopMessage]>([])

    /// Makes an empty queue.
    ///
    /// - Throws: `system` if the process has no descriptors left.
    init() throws(HTTPServerError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw HTTPServerError(.system(errno), address: "") }
    }

    deinit { close(descriptor) }

    func post(_ message: LoopMessage) {
        let isFirst = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        // One write per batch: the loop drains all messages at once.
        guard isFirst else { return }
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func drain() -> [LoopMessage] {
        var counter: UInt64 = 0
        _ = unsafe read(descriptor, &counter, MemoryLayout<UInt64>.size)
        return messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

/// Identifies a connection within its loop; never reused.
struct ConnectionID: Sendable, Hashable {
    /// The slot in the lower half, the generation of the slot in the upper.
    let bits: UInt64

    init(slot: Int, generation: UInt32) {
        bits = UInt64(generation) << 32 | UInt64(slot)
    }

    init(bits: UInt64) { self.bits = bits }

    var slot: Int { Int(bits & 0xffff_ffff) }
    var generation: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
}
