internal import CHTTPParser
internal import Glibc
internal import Synchronization

/// The stream that a connection sends; used by the connection's thread, except for its waker.
final class ActiveStream {
    let stream: HTTPServerStream
    let waker: StreamWaker
    /// Whether the body is chunked; else it ends with the connection.
    let isChunked: Bool
    var hasBegun = false
    var isOver = false

    init(_ stream: HTTPServerStream, waker: StreamWaker, isChunked: Bool) {
        self.stream = stream
        self.waker = waker
        self.isChunked = isChunked
    }
}

/// Wakes a stream from any thread; calls before the loop reacts count as one.
final class StreamWaker: Sendable {
    private let queue: LoopQueue
    private let connection: ConnectionID
    private let isQueued = Atomic<Bool>(false)

    init(_ queue: LoopQueue, _ connection: ConnectionID) {
        self.queue = queue
        self.connection = connection
    }

    func wake() {
        if isQueued.exchange(true, ordering: .acquiringAndReleasing) { return }
        queue.post(.wake(connection))
    }

    /// Accepts new calls; called before the loop asks for the next chunk.
    func reset() { isQueued.store(false, ordering: .sequentiallyConsistent) }
}

extension EventLoop {
    /// Chunks of one stream sent in a row before other connections get a turn.
    private static let chunksMax = 16

    /// Begins a stream; a HEAD request gets the header only.
    func begin(_ stream: HTTPServerStream, on connection: ServerConnection) {
        let isHead = connection.head?.isHead ?? false
        let isChunked = !isHead && !(connection.head?.isVersion10 ?? false)
        if !isChunked {
            connection.closes = true
            connection.sequel = .close
        }
        let closes = connection.closes || stopBy != nil
        if closes, case .nextRequest = connection.sequel { connection.sequel = .drain }
        connection.output.clear()
        headWriter.write(
            200,
            [HTTPServerFields(stream.headers)],
            isChunked ? .chunks : .none,
            closes ? .close : .implied,
            into: &connection.output.head
        )
        if isHead {
            connection.completion = ResponseCompletion { _ in stream.ended() }
            return beginSending(connection)
        }
        limitUnsentBytes(of: connection)
        // Long-lived connections keep no input buffer.
        connection.discardReadInput()
        connection.stream = ActiveStream(
            stream,
            waker: StreamWaker(queue, connection.id),
            isChunked: isChunked
        )
        connection.phase = .streaming
        connection.beginOutput(at: now)
    }

    /// Unsent bytes that the kernel buffers for a stream.
    private static let unsentBytesMax: Int32 = 131_072

    /// Limits the kernel's send buffer of a stream.
    ///
    /// By default the kernel buffers megabytes for a slow reader, who then receives events that are
    /// a minute old. epoll reports room again when half of the limit was sent. Source: tcp(7),
    /// `TCP_NOTSENT_LOWAT`; Linux `tcp_stream_memory_free`, `sk_stream_write_space` (2026-11-21).
    private func limitUnsentBytes(of connection: ServerConnection) {
        var count = Self.unsentBytesMax
        _ = unsafe setsockopt(
            connection.descriptor,
            Int32(IPPROTO_TCP),
            TCP_NOTSENT_LOWAT,
            &count,
            socklen_t(MemoryLayout<Int32>.size)
        )
    }

    /// Continues a stream whose waker was called.
    func wake(_ connection: ServerConnection) {
        connection.stream?.waker.reset()
        // The stream may have ended since the call.
        if !connection.isTurnQueued { advance(connection) }
    }

    /// Sends chunks while there are any and the socket takes them; true when the stream ended and
    /// all of it was sent.
    func pump(_ connection: ServerConnection) -> Bool {
        guard let active = connection.stream else { return false }
        if connection.hasPeerEnded {
            close(connection)
            return false
        }
        guard flush(connection) else { return false }
        if !active.hasBegun {
            active.hasBegun = true
            let waker = active.waker
            active.stream.begin { waker.wake() }
        }
        for _ in 0..<Self.chunksMax where !active.isOver {
            switch active.stream.next() {
            case .bytes(let bytes):
                if bytes.isEmpty { continue }
                frame(bytes, active.isChunked, &connection.output)
                connection.beginOutput(at: now)
                guard flush(connection) else { return false }
            case .nothing:
                connection.output.clear()
                return false
            case .end:
                active.isOver = true
                connection.output.clear()
                if active.isChunked { connection.output.head = Array("0\r\n\r\n".utf8) }
            }
        }
        guard active.isOver else {
            // A stream that always has another chunk queues behind the other connections.
            active.waker.wake()
            return false
        }
        finishStream(connection)
        beginSending(connection)
        return true
    }

    private func frame(_ bytes: [UInt8], _ isChunked: Bool, _ output: inout Output) {
        output.clear()
        output.body = bytes
        guard isChunked else { return }
        HeadWriter.append(bytes.count, radix: 16, to: &output.head)
        output.head += HeadWriter.lineEnd
        output.tail = HeadWriter.lineEnd
    }

    /// Reports the end of a stream once.
    func finishStream(_ connection: ServerConnection) {
        guard let active = connection.stream else { return }
        connection.stream = nil
        active.stream.ended()
    }
}
