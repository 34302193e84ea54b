/// An answer that is made later, without a thread that waits for it.
///
/// It is made when somebody says so, when its time is over, or when the server stops, which may
/// wait for it as for any request in flight.
public struct HTTPServerDeferredReply: Sendable {
    /// The longest wait.
    public var milliseconds: Int
    /// Whether the wait goes on while a stopping server waits for requests in flight: then
    /// somebody is at work on the answer.
    public var continuesDuringStop: Bool
    /// Begins the wait, on a thread of the server; it must not block.
    ///
    /// What it is given ends the wait. That may be called from any thread, at once or never, and
    /// any number of times.
    public var begin: @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
    /// Makes what is answered, on a thread of the server; not called if the client left meanwhile.
    ///
    /// It may be another wait, or a stream.
    public var reply: @Sendable () -> HTTPServerReply

    /// Makes something to wait for.
    public init(
        milliseconds: Int,
        continuesDuringStop: Bool,
        begin: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void,
        reply: @escaping @Sendable () -> HTTPServerReply
    ) {
        self.milliseconds = milliseconds
        self.continuesDuringStop = continuesDuringStop
        self.begin = begin
        self.reply = reply
    }

    /// Makes a complete answer to wait for; stopping the server ends the wait.
    public init(
        milliseconds: Int,
        begin: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void,
        answer: @escaping @Sendable () -> HTTPServerResponse
    ) {
        self.init(
            milliseconds: milliseconds,
            continuesDuringStop: false,
            begin: begin,
            reply: { .response(answer()) }
        )
    }
}
