/// A response of status 200 that is sent in chunks.
///
/// The server queues nothing: it asks for the next chunk once the connection has taken the one
/// before, so a slow client holds at most one chunk. A HEAD request gets the header only, without
/// calls of `begin` or `next`, and the connection is closed.
public struct HTTPServerStream: Sendable {
    /// The answer to a request for a chunk.
    public enum Chunk: Sendable {
        /// The next bytes; an empty chunk is skipped.
        case bytes([UInt8])
        /// Nothing yet: the connection sleeps until it is woken.
        case nothing
        /// The end of the body; the connection stays open.
        case end
    }

    /// The header fields.
    public var headers: [(name: String, value: String)]
    /// Called once before the first `next`, on a thread of the server.
    ///
    /// `wake` asks for the next chunk. Any thread may call it at any time, also inside `next` or
    /// after the end, and any number of times; it does not block.
    public var begin: @Sendable (_ wake: @escaping @Sendable () -> Void) -> Void
    /// The next chunk; called on a thread of the server.
    ///
    /// The closure must not block.
    public var next: @Sendable () -> Chunk
    /// Called once: the end was sent, the client disconnected, or the server stopped.
    public var ended: @Sendable () -> Void

    /// Makes a stream.
    ///
    /// - Precondition: for `headers` see ``HTTPServerFields``.
    public init(
        headers: [(name: String, value: String)],
        begin: @escaping @Sendable (_ wake: @escaping @Sendable () -> Void) -> Void,
        next: @escaping @Sendable () -> Chunk,
        ended: @escaping @Sendable () -> Void
    ) {
        self.headers = headers
        self.begin = begin
        self.next = next
        self.ended = ended
    }
}
