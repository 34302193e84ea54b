/// How a user's record is stored.
public enum StoreStatus: Sendable, Hashable {
    /// The store has not been read yet.
    case opening
    /// The store has not been read yet, because it is busy, unreachable or refuses the token.
    case waiting(StoreFailure)
    /// The record is stored.
    case ready
    /// There is no store: changes last until the process ends.
    case volatile(StoreFailure)
    /// The store was read before and fails now: the record is as it was last read.
    case failing(StoreFailure)

    /// The failure of the store; nil if it works.
    public var failure: StoreFailure? {
        switch self {
        case .opening, .ready: nil
        case .waiting(let failure), .volatile(let failure), .failing(let failure): failure
        }
    }

    /// Whether the store has not been read yet.
    public var isUnread: Bool {
        switch self {
        case .opening, .waiting: true
        case .ready, .volatile, .failing: false
        }
    }

    /// Whether the record may be shown.
    public var visibility: Visibility {
        switch self {
        case .opening: .unread(nil)
        case .ready, .volatile: .shown
        case .waiting(let failure):
            failure.deniesAccess ? .closed(failure) : .unread(failure)
        case .failing(let failure): failure.deniesAccess ? .closed(failure) : .shown
        }
    }
}

/// Whether a user's record may be shown.
///
/// An unread record is unknown, not empty.
public enum Visibility: Sendable, Hashable {
    /// The record was read, now or earlier.
    case shown
    /// The record has not been read; with the failure, if there was one.
    case unread(StoreFailure?)
    /// The token is missing or invalid.
    case closed(StoreFailure)
}

/// A change that was requested and failed.
public struct RejectedChange: Sendable, Hashable {
    /// The change.
    public var change: UserChange
    /// The reason.
    public var failure: StoreFailure
    /// The number of the rejection in this process, so that two equal ones differ.
    public var number: UInt64

    /// Makes a rejection.
    public init(change: UserChange, failure: StoreFailure, number: UInt64) {
        self.change = change
        self.failure = failure
        self.number = number
    }
}

/// A user's record at one moment and how it is stored: the input of presenters.
public struct UserState: Sendable {
    /// The user.
    public let user: UserID
    /// The record.
    public let record: UserRecord
    /// How the record is stored.
    public let status: StoreStatus
    /// The newest change that failed; nil after one that succeeded.
    public let refusal: RejectedChange?
    /// Whether changes are allowed; false for a read-only token.
    public let allowsChanges: Bool
    /// Increases with each state of a user in one process.
    public let sequence: UInt64
    /// The number of the oldest store call without an answer; nil if there is none.
    public var pendingCall: UInt64?

    /// Makes a state.
    public init(
        user: UserID,
        record: UserRecord,
        status: StoreStatus,
        refusal: RejectedChange? = nil,
        allowsChanges: Bool = true,
        sequence: UInt64,
        pendingCall: UInt64? = nil
    ) {
        self.user = user
        self.record = record
        self.status = status
        self.refusal = refusal
        self.allowsChanges = allowsChanges
        self.sequence = sequence
        self.pendingCall = pendingCall
    }

    /// Makes the first state of a user, before anything is read.
    public init(unread user: UserID, name: String) {
        self.init(user: user, record: UserRecord(name: name), status: .opening, sequence: 0)
    }
}
