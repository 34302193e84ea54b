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
