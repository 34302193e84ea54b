internal import CMicroHTTPD

/// A stream on its connection; touched only by the thread of that connection.
final class StreamedAnswer {
    private let stream: HTTPServerStream
    private let sleep: StreamSleep
    private let openStreams: OpenStreams
    private let notice: EndNotice
    private var hasBegun = false
    /// Whether this is the first read after a sleep, in which a departure goes unnoticed.
    private var hasSlept = false
    private var piece: [UInt8] = []
    private var pieceStart = 0

    /// What a read hands over at the most while a piece is short: the part of a connection's
    /// memory that a stream touches stays as small.
    private static let shortReadBytesMax = 4_096
    /// From this size on a piece is sent in reads as large as the connection allows.
    private static let longPieceBytesMin = 65_536

    init(_ stream: HTTPServerStream, on connection: OpaquePointer, openStreams: OpenStreams) {
        self.stream = stream
        self.openStreams = openStreams
        sleep = unsafe StreamSleep(
            SuspendableConnection(connection),
            descriptor: hoga_http_socket(connection)
        )
        let ended = stream.ended
        notice = EndNotice { _ in ended() }
    }

    /// Queues the stream as the answer of its connection, which keeps it until it is over; to HEAD
    /// the headers alone.
    func queue(on connection: OpaquePointer, isHead: Bool) -> MHD_Result {
        let response = ResponseHandle(stream: self)
        if isHead { response.leaveOutChunks() }
        for (name, value) in stream.headers { response.add(name: name, value: value) }
        return unsafe response.queue(on: connection, status: 200)
    }

    /// Copies what comes next into `buffer`.
    ///
    /// - Returns: how many bytes, 0 if the connection was suspended, or what the library takes as
    ///   the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if !hasBegun {
            hasBegun = true
            openStreams.add(sleep)
            stream.begin { [sleep] in sleep.wake() }
        }
        while pieceStart == piece.count {
            if hasSlept, sleep.hasClientLeft { return hoga_http_reader_error() }
            hasSlept = false
            guard sleep.prepare() else { return hoga_http_reader_error() }
            switch stream.next() {
            case .bytes(let bytes):
                piece = bytes
                pieceStart = 0
            case .nothing:
                piece = []
                pieceStart = 0
                hasSlept = sleep.fallAsleep()
                if hasSlept { return 0 }
            case .end: return hoga_http_reader_end()
            }
        }
        let isLong = piece.count >= Self.longPieceBytesMin
        let room = isLong ? buffer.count : min(buffer.count, Self.shortReadBytesMax)
        let end = min(piece.count, pieceStart + room)
        unsafe buffer.copyBytes(from: piece[pieceStart..<end])
        defer { pieceStart = end }
        return end - pieceStart
    }

    /// Called when the connection is through with the stream.
    func finish() {
        sleep.finish()
        openStreams.remove(sleep)
        notice.tell(isWhole: true)
    }
}

extension ResponseHandle {
    /// Room for a part of a piece where the client understands no chunks (HTTP/1.0): otherwise the
    /// library reads into the connection's own memory.
    private static let blockBytes = 1_024

    /// An answer that is read from a stream.
    convenience init(stream: StreamedAnswer) {
        let kept = unsafe Unmanaged.passRetained(stream).toOpaque()
        let made = unsafe hoga_http_stream(Self.blockBytes, readStream, kept, releaseStream)
        guard let made = unsafe made else { preconditionFailure("no memory for an answer") }
        unsafe self.init(owning: made)
    }
}

/// Called by libmicrohttpd when a connection takes more of a stream.
private func readStream(
    kept: UnsafeMutableRawPointer?,
    position: UInt64,
    buffer: UnsafeMutablePointer<CChar>?,
    bytesMax: Int
) -> Int {
    guard let kept = unsafe kept else { return hoga_http_reader_error() }
    return unsafe Unmanaged<StreamedAnswer>.fromOpaque(kept).takeUnretainedValue()
        .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: bytesMax))
}

/// Called by libmicrohttpd when it has destroyed the answer.
private func releaseStream(kept: UnsafeMutableRawPointer?) {
    guard let kept = unsafe kept else { return }
    unsafe Unmanaged<StreamedAnswer>.fromOpaque(kept).release()
}
