internal import CHTTPParser
internal import Glibc
internal import Synchronization

/// What other threads want of an event loop.
enum LoopMessage: Sendable {
    /// Serve a connection that was just taken.
    case adopt(Int32, NetworkAddress)
    /// Ask the stream of a connection for its next piece.
    case wake(ConnectionID)
    /// Go on with a connection that let others go first.
    case turn(ConnectionID)
    /// Give the answer that a connection waits for, by the number of the wait.
    case resume(ConnectionID, wait: Int)
    /// There may be room for a connection again.
    case takeMore
    /// Serve what is in flight for so many seconds at the most, and end.
    case stop(secondsMax: Int)
}

/// The mailbox of an event loop: any thread posts, the loop takes everything at once.
///
/// Bound: each connection has one wake of a stream, one turn or one wait in it, and taking a
/// connection, a stop and a word about room come once each.
final class LoopQueue: Sendable {
    /// Becomes readable when there is something to take.
    let descriptor: Int32
    private let mail = Mutex<[LoopMessage]>([])

    /// Makes an empty mailbox.
    ///
    /// - Throws: `system` if the process has no descriptors left.
    init() throws(HTTPServerError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw HTTPServerError(.system(errno), address: "") }
    }

    deinit { close(descriptor) }

    func post(_ new: LoopMessage) {
        let isFirst = mail.withLock { mail in
            mail.append(new)
            return mail.count == 1
        }
        // The first one wakes; the loop takes the others with it.
        guard isFirst else { return }
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func take() -> [LoopMessage] {
        var counter: UInt64 = 0
        _ = unsafe read(descriptor, &counter, MemoryLayout<UInt64>.size)
        return mail.withLock { mail in
            defer { mail = [] }
            return mail
        }
    }
}

/// The name of a connection within its loop; never used twice.
struct ConnectionID: Sendable, Hashable {
    /// Its place, and above it how many had that place before.
    let bits: UInt64

    init(place: Int, generation: UInt32) {
        bits = UInt64(generation) << 32 | UInt64(place)
    }

    init(bits: UInt64) { self.bits = bits }

    var place: Int { Int(bits & 0xffff_ffff) }
    var generation: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
}
