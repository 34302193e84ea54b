import HTTPServer

/// An answer but for the fields that each has of its own: its name and what is left of quotas.
struct ReadyAnswer: Sendable {
    /// The HTTP status.
    let status: Int
    /// All other fields.
    let fields: HTTPServerFields
    /// What is sent; with 304 what it stands for.
    let body: HTTPServerBody
}

/// A question that a connection has put, with all that was found out about it: programs ask the
/// same again and again.
///
/// Bound: one for each connection, in its ``HTTPServerMemory``.
final class RepeatedQuestion: Sendable {
    /// How long it is answered so: after that what is followed, and whose quota it is, is looked up
    /// again.
    static let validity: Duration = .seconds(1)

    /// The pass of the first request.
    let pass: RequestPass
    /// The name that the client gives its requests; nil if each gets one.
    let keptID: String?
    /// The answer.
    let ready: ReadyAnswer
    /// The cut, or one before it, that the answer was made of: with the next one it is over.
    let sequence: UInt64
    /// Whose quota is charged.
    let account: RateAccount

    init(
        pass: RequestPass,
        keptID: String?,
        ready: ReadyAnswer,
        sequence: UInt64,
        account: RateAccount
    ) {
        self.pass = pass
        self.keptID = keptID
        self.ready = ready
        self.sequence = sequence
        self.account = account
    }
}
