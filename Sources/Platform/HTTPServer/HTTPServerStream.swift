/// An answer without an end of its own, status 200, sent piece by piece (chunked).
///
/// Nothing is queued in the server: the next piece is asked for when the connection has taken the
/// one before, so a slow client holds one piece at the most. No thread waits for it meanwhile.
/// To HEAD the headers alone are sent, neither `begin` nor `next` is called, and the connection is
/// closed.
public struct HTTPServerStream: Sendable {
    /// What a stream has to say when it is asked.
    public enum Piece: Sendable {
        /// The next bytes; an empty piece is asked past at once.
        case bytes([UInt8])
        /// Nothing at present: the connection sleeps until it is woken.
        case nothing
        /// The stream is over; the connection serves on.
        case end
    }

    /// The headers of the answer.
    public var headers: [(name: String, value: String)]
    /// Called once, before the first `next`, on a thread of the server, with what wakes the stream.
    ///
    /// Waking asks for the next piece. Any thread may do so, at any time, also from inside `next`
    /// or after the end, and any number of times; it does not block.
    public var begin: @Sendable (_ wake: @escaping @Sendable () -> Void) -> Void
    /// The next piece; called on a thread of the server whenever the connection takes more.
    ///
    /// It must not block.
    public var next: @Sendable () -> Piece
    /// Called once, in any case: the client left, the end was sent, or the server stops.
    public var ended: @Sendable () -> Void

    /// Makes a stream.
    ///
    /// - Precondition: headers as
    ///   ``HTTPServerResponse/init(status:headers:behind:sharing:ended:)`` says.
    public init(
        headers: [(name: String, value: String)],
        begin: @escaping @Sendable (_ wake: @escaping @Sendable () -> Void) -> Void,
        next: @escaping @Sendable () -> Piece,
        ended: @escaping @Sendable () -> Void
    ) {
        self.headers = headers
        self.begin = begin
        self.next = next
        self.ended = ended
    }
}
