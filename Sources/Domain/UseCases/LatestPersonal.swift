import Synchronization

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
    public var sight: PersonalSight {
        switch self {
        case .opening: .unread(nil)
        case .ready, .volatile: .shown
        case .waiting(let failure):
            failure.closesWhatIsKept ? .closed(failure) : .unread(failure)
        case .failing(let failure): failure.closesWhatIsKept ? .closed(failure) : .shown
        }
    }
}

/// What may be said of what is kept: what was not read is unknown, and not empty.
public enum PersonalSight: Sendable, Hashable {
    /// It was read; it may be as it was last read.
    case shown
    /// It was not read yet, and why, if something stands in the way.
    case unread(StoreFailure?)
    /// The token opens nothing, or none was given.
    case closed(StoreFailure)
}

/// A change that was asked for and not made.
public struct PersonalRefusal: Sendable, Hashable {
    /// The change.
    public var change: PersonalChange
    /// Why.
    public var failure: StoreFailure
    /// Counts the refusals of the process, so that the same one twice is two.
    public var number: UInt64

    /// Makes a refusal.
    public init(change: PersonalChange, failure: StoreFailure, number: UInt64) {
        self.change = change
        self.failure = failure
        self.number = number
    }
}

/// What is kept for one user, as it stood at one moment: what presenters read.
public struct PersonalCut: Sendable {
    /// Whose it is.
    public let user: UserID
    /// What is kept.
    public let record: PersonalRecord
    /// How it is kept.
    public let status: StoreStatus
    /// The newest change that was not made; nil after one that was.
    public let refusal: PersonalRefusal?
    /// Whether changes may be asked for: not with a token that opens reading alone.
    public let allowsChanges: Bool
    /// Grows with each cut of one process.
    public let sequence: UInt64
    /// The oldest call that the store has not answered, by number; nil while it owes none.
    public internal(set) var pendingCall: UInt64?

    /// Makes a cut.
    public init(
        user: UserID,
        record: PersonalRecord,
        status: StoreStatus,
        refusal: PersonalRefusal? = nil,
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

/// The newest cut of what is kept for a user, readable from any thread without waiting.
public final class LatestPersonal: Sendable {
    private struct State {
        var cut: PersonalCut
        var listeners: [@Sendable () -> Void] = []
        /// The calls that the store has not answered: one look, one change of those who do not
        /// wait, and one of each who does.
        var pending: [UInt64] = []
        var callCount: UInt64 = 0
    }

    private let state: Mutex<State>

    /// Starts with what a user has for whom nothing was read yet.
    public init(_ cut: PersonalCut) { state = Mutex(State(cut: cut)) }

    /// The newest cut.
    public var value: PersonalCut {
        state.withLock { state in
            var cut = state.cut
            cut.pendingCall = state.pending.first
            return cut
        }
    }

    /// Calls `listener` after each new cut; it must return at once.
    public func onChange(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Notes that the store is being asked; nobody is told, whoever looks sees it.
    ///
    /// - Returns: the number of the call.
    func beginCall() -> UInt64 {
        state.withLock { state in
            state.callCount += 1
            state.pending.append(state.callCount)
            return state.callCount
        }
    }

    /// Notes that the store has answered a call.
    func endCall(_ number: UInt64) {
        state.withLock { $0.pending.removeAll { $0 == number } }
    }

    func publish(_ cut: PersonalCut) {
        let listeners = state.withLock { state in
            state.cut = cut
            return state.listeners
        }
        for listener in listeners { listener() }
    }
}
