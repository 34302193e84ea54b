/// Why a store gave no answer: nothing was changed.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it was.
    public enum Code: Sendable, Hashable {
        /// The store cannot be reached or opened.
        case unavailable
        /// Another process or client held it for too long.
        case busy
        /// The disk is full.
        case full
        /// It may not be written.
        case readOnly
        /// Its file is damaged, or no store at all.
        case damaged
        /// Its schema is one that this program cannot live with.
        case incompatible
        /// Another revision is present than the expected one.
        case conflict
        /// A bound is reached: how many rows a user may have.
        case tooMany
        /// Nothing of that name or number is there.
        case notFound
        /// This kind of store does not do that.
        case refused
        /// The token opens nothing: unknown, expired or revoked.
        case unauthorized
        /// The token opens reading alone.
        case forbidden
        /// The lease on writing candles is not held, or no more.
        case fenced
    }

    /// What kind of failure it was.
    public var code: Code
    /// Where and what, and the remedy, for people: names and codes, never values.
    public var detail: String

    /// Makes an error.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The kind and the detail.
    public var description: String { "\(code): \(detail)" }
}
