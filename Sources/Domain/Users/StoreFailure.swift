/// The failure of a store call.
///
/// The change was not saved, unless `detail` says that it may have been.
public struct StoreFailure: Error, Sendable, Hashable {
    /// The kind of a failure.
    public enum Code: String, Sendable, Hashable {
        /// The store cannot be opened or reached, or none is configured.
        case unavailable
        /// Another process holds the store for too long.
        case busy
        /// The disk is full.
        case full
        /// The file is read-only.
        case readOnly = "read_only"
        /// The file is damaged or not a store.
        case damaged
        /// The schema of the store belongs to an incompatible version of hoga.
        case incompatible
        /// The current revision differs from the expected one.
        case conflict
        /// The change breaks a rule. The detail names the rule and the remedy.
        case refused
        /// The token is unknown, expired or revoked.
        case unauthorized
        /// A token is needed and none is configured.
        case noToken = "no_token"
        /// The token is read-only and this is a change.
        case forbidden = "forbidden_scope"
    }

    /// The kind of the failure.
    public var code: Code
    /// The failure and the remedy, in English.
    public var detail: String

    /// Makes a failure.
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Whether the store or the access to it fails, so that other changes would fail too.
    public var isStoreFault: Bool {
        switch code {
        case .unavailable, .busy, .full, .readOnly, .damaged, .incompatible, .unauthorized,
            .noToken:
            true
        case .conflict, .refused, .forbidden: false
        }
    }

    /// Whether a retry can succeed.
    public var isRetryable: Bool {
        switch code {
        case .unavailable, .busy, .full: true
        case .readOnly, .damaged, .incompatible, .conflict, .refused, .unauthorized, .noToken,
            .forbidden:
            false
        }
    }

    /// Whether the record must be hidden, because the token is missing or invalid.
    public var deniesAccess: Bool { code == .unauthorized || code == .noToken }
}
