/// Why a call of a store failed.
///
/// A failed call changes nothing.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The store cannot be reached or opened.
        case unavailable
        /// Another process or client held a lock for too long.
        case busy
        /// The disk is full.
        case full
        /// The store is read-only.
        case readOnly
        /// Its file is damaged, or not a store.
        case damaged
        /// This program cannot use its schema.
        case incompatible
        /// The present revision differs from the expected one.
        case conflict
        /// A limit is reached, such as the number of rows of a user.
        case tooMany
        /// The name or number does not exist.
        case notFound
        /// This kind of store does not support the call.
        case refused
        /// The token is unknown, expired or revoked.
        case unauthorized
        /// The token allows only reading.
        case forbidden
        /// The lease for writing candles is not held, or no longer.
        case fenced
    }

    /// The kind of failure.
    public var code: Code
    /// The location, the problem and the remedy, for people: names and codes, never values.
    public var detail: String

    /// Makes an error.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// The kind and the detail.
    public var description: String { "\(code): \(detail)" }
}
