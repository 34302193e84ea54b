internal import Concurrency
internal import Glibc
internal import NetworkAddresses
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
    /// Close a connection whose output exceeds the budget of unsent bytes, by the output's number.
    case drop(ConnectionID, output: Int)
    /// Accept connections again: one was closed.
    case listen
    /// Finish requests in flight for at most so many seconds, and end.
    case stop(secondsMax: Int)
}

/// The queue of an event loop: any thread posts, the loop drains.
///
/// Bound: one `wake`, `turn` or `resume` and one `adopt` per connection, one `drop` per output that
/// filled its socket between two drains, one `listen` per connection that left a full server, and
/// one `stop`. The server's connection limit therefore bounds the queue, which never refuses a
/// message.
final class LoopQueue: Sendable {
    /// Signaled while the queue holds messages.
    private let event: EventDescriptor
    private let messages = Mutex<[LoopMessage]>([])

    /// Makes an empty queue.
    ///
    /// - Throws: `system` if the process has no descriptors left.
    init() throws(HTTPServerError) {
        guard let event = EventDescriptor() else {
            throw HTTPServerError(.system(errno), address: "")
        }
        self.event = event
    }

    /// Readable while the queue holds messages.
    var descriptor: Int32 { event.descriptor }

    func post(_ message: LoopMessage) {
        let isFirst = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        // One write per batch: the loop drains all messages at once.
        if isFirst { event.signal() }
    }

    func drain() -> [LoopMessage] {
        event.clear()
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
