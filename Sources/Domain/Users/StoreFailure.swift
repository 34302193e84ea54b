/// Why the store did not read or keep something: nothing was changed.
public struct StoreFailure: Error, Sendable, Hashable {
    /// What kind of failure it was.
    public enum Code: String, Sendable, Hashable {
        /// There is no store: it could not be opened, or none was asked for.
        case unavailable
        /// Another process held the store for too long.
        case busy
        /// The disk is full.
        case full
        /// The file may not be written.
        case readOnly = "read_only"
        /// The file is damaged, or no store at all.
        case damaged
        /// The store was made by another hoga that this one cannot live with.
        case incompatible
        /// The present revision is not the expected one.
        case conflict
        /// The change breaks a rule; the detail names it and the remedy.
        case refused
        /// The token opens nothing: unknown, expired or revoked.
        case unauthorized
        /// It takes a token, and none was given.
        case noToken = "no_token"
        /// The token opens reading, and this was a change.
        case forbidden = "forbidden_scope"
    }

    /// What kind of failure it was.
    public var code: Code
    /// What and the remedy, for people; in English.
    public var detail: String

    /// Makes a failure.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Whether it is the store that fails, so that other changes would too, and not the change.
    public var isStoreFault: Bool {
        switch code {
        case .unavailable, .busy, .full, .readOnly, .damaged, .incompatible, .unauthorized,
            .noToken:
            true
        case .conflict, .refused, .forbidden: false
        }
    }

    /// Whether the same call may succeed later.
    public var isRetryable: Bool {
        switch code {
        case .unavailable, .busy, .full: true
        case .readOnly, .damaged, .incompatible, .conflict, .refused, .unauthorized, .noToken,
            .forbidden:
            false
        }
    }

    /// Whether nothing of what is kept may be shown: no token, or one that opens nothing.
    public var deniesAccess: Bool { code == .unauthorized || code == .noToken }
}
