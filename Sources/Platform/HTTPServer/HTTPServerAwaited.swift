/// An answer that is made later, without a thread that waits for it.
///
/// It is made when somebody says so, when its time is over, or when the server stops.
public struct HTTPServerAwaited: Sendable {
    /// The longest wait.
    public var milliseconds: Int
    /// Begins the wait, on a thread of the server; it must not block.
    ///
    /// What it is given ends the wait. That may be called from any thread, at once or never, and
    /// any number of times.
    public var begin: @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
    /// Makes the answer, on a thread of the server; not called if the client left meanwhile.
    public var answer: @Sendable () -> HTTPServerResponse

    /// Makes an answer to wait for.
    public init(
        milliseconds: Int,
        begin: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void,
        answer: @escaping @Sendable () -> HTTPServerResponse
    ) {
        self.milliseconds = milliseconds
        self.begin = begin
        self.answer = answer
    }
}
