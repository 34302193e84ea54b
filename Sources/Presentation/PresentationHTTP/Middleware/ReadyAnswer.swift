import HTTPServer

/// An answer but for the fields that each has of its own: its name and what is left of quotas.
struct ReadyAnswer: Sendable {
    /// The HTTP status.
    let status: Int
    /// All other fields.
    let fields: HTTPServerFields
    /// What is sent; with 304 what it stands for.
    let body: HTTPServerBody

    /// The bytes that are sent of it.
    func byteCount(isHead: Bool) -> Int { isHead || status == 304 ? 0 : body.byteCount }
}
