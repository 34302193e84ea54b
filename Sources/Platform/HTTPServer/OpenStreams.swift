internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// The streams that are being sent; bounded by the server's connections.
final class OpenStreams: Sendable {
    private struct Content {
        var streams: [ObjectIdentifier: StreamSleep] = [:]
        var isCut = false
    }

    private let content = Mutex(Content())

    /// Adds a stream that begins.
    func add(_ sleep: StreamSleep) {
        let isCut = content.withLock { content in
            content.streams[ObjectIdentifier(sleep)] = sleep
            return content.isCut
        }
        if isCut { sleep.cut() }
    }

    /// Forgets a stream that is over.
    func remove(_ sleep: StreamSleep) {
        content.withLock { _ = $0.streams.removeValue(forKey: ObjectIdentifier(sleep)) }
    }

    /// Wakes the streams whose clients have left: a sleeping connection would not notice.
    func wakeDeparted() {
        // Under the lock: a descriptor that is known here is not closed yet.
        let departed = content.withLock { content in
            let streams = Array(content.streams.values)
            var polls = streams.map { sleep in
                pollfd(fd: sleep.descriptor, events: Int16(hoga_poll_departure()), revents: 0)
            }
            guard unsafe poll(&polls, nfds_t(polls.count), 0) > 0 else { return [StreamSleep]() }
            return zip(streams, polls).filter { $0.1.revents != 0 }.map(\.0)
        }
        for sleep in departed { sleep.wake() }
    }

    /// Asks every stream for its next piece.
    func wakeAll() {
        for sleep in all { sleep.wake() }
    }

    /// Cuts every stream off, those that begin later as well.
    func cutAll() {
        content.withLock { $0.isCut = true }
        for sleep in all { sleep.cut() }
    }

    private var all: [StreamSleep] { content.withLock { Array($0.streams.values) } }
}
