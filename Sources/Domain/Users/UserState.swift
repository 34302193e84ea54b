/// How what is personal is kept.
public enum StoreStatus: Sendable, Hashable {
    /// The store has not been read yet.
    case opening
    /// The store has not been read yet: another process holds it, or, if others share it, it cannot
    /// be reached or the token opens nothing.
    case waiting(StoreFailure)
    /// Everything is kept.
    case ready
    /// There is no store: what is changed lives as long as the process.
    case volatile(StoreFailure)
    /// The store was read before, and now fails: what is shown is as it was last read.
    case failing(StoreFailure)

    /// What is wrong with the store; nil if nothing is.
    public var failure: StoreFailure? {
        switch self {
        case .opening, .ready: nil
        case .waiting(let failure), .volatile(let failure), .failing(let failure): failure
        }
    }

    /// Whether the store has yet to be read for the first time.
    public var isUnread: Bool {
        switch self {
        case .opening, .waiting: true
        case .ready, .volatile, .failing: false
        }
    }

    /// What may be said of what is kept.
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

/// What may be said of what is kept: what was not read is unknown, and not empty.
public enum Visibility: Sendable, Hashable {
    /// It was read; it may be as it was last read.
    case shown
    /// It was not read yet, and why, if something stands in the way.
    case unread(StoreFailure?)
    /// The token opens nothing, or none was given.
    case closed(StoreFailure)
}

/// A change that was asked for and not made.
public struct RejectedChange: Sendable, Hashable {
    /// The change.
    public var change: UserChange
    /// Why.
    public var failure: StoreFailure
    /// Counts the refusals of the process, so that the same one twice is two.
    public var number: UInt64

    /// Makes a refusal.
    public init(change: UserChange, failure: StoreFailure, number: UInt64) {
        self.change = change
        self.failure = failure
        self.number = number
    }
}

/// What is kept for one user, as it stood at one moment: what presenters read.
public struct UserState: Sendable {
    /// Whose it is.
    public let user: UserID
    /// What is kept.
    public let record: UserRecord
    /// How it is kept.
    public let status: StoreStatus
    /// The newest change that was not made; nil after one that was.
    public let refusal: RejectedChange?
    /// Whether changes may be asked for: not with a token that opens reading alone.
    public let allowsChanges: Bool
    /// Grows with each cut of one process.
    public let sequence: UInt64
    /// The oldest call that the store has not answered, by number; nil while it owes none.
    public var pendingCall: UInt64?

    /// Makes a cut.
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
}
