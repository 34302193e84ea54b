internal import CHTTPParser
internal import Glibc
internal import Synchronization

/// A stream on its connection; touched only by the thread of that connection, but for its waker.
final class ActiveStream {
    let stream: HTTPServerStream
    let waker: StreamWaker
    /// Whether pieces are sent as chunks; else the connection's end is theirs.
    let isChunked: Bool
    var hasBegun = false
    var isOver = false

    init(_ stream: HTTPServerStream, waker: StreamWaker, isChunked: Bool) {
        self.stream = stream
        self.waker = waker
        self.isChunked = isChunked
    }
}

/// Wakes a stream from any thread; calls that come before it is asked again are one.
final class StreamWaker: Sendable {
    private let mailbox: LoopQueue
    private let connection: ConnectionID
    private let isCalled = Atomic<Bool>(false)

    init(_ mailbox: LoopQueue, _ connection: ConnectionID) {
        self.mailbox = mailbox
        self.connection = connection
    }

    func wake() {
        if isCalled.exchange(true, ordering: .acquiringAndReleasing) { return }
        mailbox.post(.wake(connection))
    }

    /// Forgets calls, before the next piece is asked for: what is called from now on is a new call.
    func reset() { isCalled.store(false, ordering: .sequentiallyConsistent) }
}

extension EventLoop {
    /// Pieces of one stream that are sent in a row before others have their turn.
    private static let piecesMax = 16

    /// Begins a stream; to HEAD the headers alone are sent.
    func begin(_ stream: HTTPServerStream, on connection: ServerConnection) {
        let isHead = connection.head?.isHead ?? false
        let isChunked = !isHead && !(connection.head?.isOld ?? false)
        if !isChunked {
            connection.closes = true
            connection.sequel = .close
        }
        let ends = connection.closes || stopBy != nil
        if ends, case .nextRequest = connection.sequel { connection.sequel = .drain }
        connection.output.clear()
        headWriter.write(
            200,
            [HTTPServerFields(stream.headers)],
            isChunked ? .chunks : .none,
            ends ? .closes : .goesOn,
            into: &connection.output.head
        )
        if isHead {
            connection.notice = ResponseCompletion { _ in stream.ended() }
            return beginSending(connection)
        }
        keepLittleUnsent(of: connection)
        // Nothing is asked behind a stream for long, and there may be many of them.
        connection.known = nil
        connection.dropReadInput()
        connection.stream = ActiveStream(
            stream,
            waker: StreamWaker(mailbox, connection.id),
            isChunked: isChunked
        )
        connection.phase = .streaming
        connection.beginOutput(at: now)
    }

    /// What the system takes of a stream before it can be sent.
    private static let unsentBytesMax: Int32 = 131_072

    /// Has the system take no more of a stream than can be sent soon: by itself it takes megabytes
    /// for each reader that is slow, who would get piece after piece that was new a minute ago.
    ///
    /// A send that it refuses for this is told room when half of that was sent, at each
    /// acknowledgement, as when its buffer was full. Source: tcp(7), `TCP_NOTSENT_LOWAT`;
    /// Linux, `tcp_stream_memory_free` and `sk_stream_write_space`; seen 2026-11-21.
    private func keepLittleUnsent(of connection: ServerConnection) {
        var count = Self.unsentBytesMax
        _ = unsafe setsockopt(
            connection.descriptor,
            Int32(IPPROTO_TCP),
            TCP_NOTSENT_LOWAT,
            &count,
            socklen_t(MemoryLayout<Int32>.size)
        )
    }

    /// Somebody called a stream.
    func wake(_ connection: ServerConnection) {
        connection.stream?.waker.reset()
        // The call may have been for a stream that is over.
        if !connection.isTurnQueued { advance(connection) }
    }

    /// Sends pieces for as long as there are any and the socket takes them; true when the stream is
    /// over and its answer sent.
    func pump(_ connection: ServerConnection) -> Bool {
        guard let answer = connection.stream else { return false }
        // There is nobody to send a stream to whose client has ended its side.
        if connection.hasPeerEnded {
            close(connection)
            return false
        }
        guard flush(connection) else { return false }
        if !answer.hasBegun {
            answer.hasBegun = true
            let waker = answer.waker
            answer.stream.begin { waker.wake() }
        }
        for _ in 0..<Self.piecesMax where !answer.isOver {
            switch answer.stream.next() {
            case .bytes(let bytes):
                if bytes.isEmpty { continue }
                frame(bytes, answer.isChunked, &connection.output)
                connection.beginOutput(at: now)
                guard flush(connection) else { return false }
            case .nothing:
                connection.output.clear()
                return false
            case .end:
                answer.isOver = true
                connection.output.clear()
                if answer.isChunked { connection.output.head = Array("0\r\n\r\n".utf8) }
            }
        }
        guard answer.isOver else {
            // Behind the others: a stream that never pauses holds up nobody.
            answer.waker.wake()
            return false
        }
        finishStream(connection)
        // Sent like the end of any other answer, and followed by what follows those.
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

    /// Tells a stream once that it is over.
    func finishStream(_ connection: ServerConnection) {
        guard let answer = connection.stream else { return }
        connection.stream = nil
        answer.stream.ended()
    }
}
