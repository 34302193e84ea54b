import Domain

/// The outlet that a ``UserStateService`` works for.
public enum UserStateOutlet: Sendable, Hashable {
    /// Requests of many users. Each request is answered with its own failure.
    case requests
    /// A screen of one user, whose state tells the failures.
    ///
    /// `fallsBackToMemory`: whether changes are made in memory when there is no store. A shared
    /// store never falls back to memory. While it is unreachable, changes are refused.
    case screen(fallsBackToMemory: Bool)
}

/// The state of one user and how loads and changes alter it.
struct UserStateMachine: Sendable {
    /// The time between two checks whether a failing store accepts changes again.
    static let checkInterval: Duration = .seconds(1)

    /// The current state.
    ///
    /// Its sequence increases with each difference.
    private(set) var state: UserState
    private let outlet: UserStateOutlet
    private var isChangedInMemory = false
    /// Why the store does not accept changes, as far as is known.
    private var writeFailure: StoreFailure?
    private var checkedAt: Duration?
    private var rejectedCount: UInt64 = 0

    init(_ state: UserState, outlet: UserStateOutlet) {
        self.state = state
        self.outlet = outlet
    }

    /// Whether changes are made in memory only.
    var isVolatile: Bool {
        if case .volatile = state.status { return true }
        return false
    }

    /// Whether the store is still read: not once a load would undo changes made in memory.
    var readsStore: Bool { !(isVolatile && isChangedInMemory) }

    /// Whether the store is read each second until it works.
    var needsRetry: Bool {
        isScreen && readsStore && (state.status != .ready || writeFailure != nil)
    }

    /// Whether a load should also check that the store accepts changes.
    ///
    /// The first load of a shared store checks, because the token may be read-only.
    func needsWriteCheck(at time: Duration) -> Bool {
        guard isScreen else { return false }
        if let checkedAt, time - checkedAt < Self.checkInterval { return false }
        return writeFailure != nil || (!fallsBackToMemory && state.status != .ready)
    }

    // MARK: Loads

    /// Takes a loaded record.
    ///
    /// - Parameters:
    ///   - record: the record.
    ///   - mayBeOlder: whether it may have been read before the newest change.
    ///   - check: the result of the write check; nil if there was none.
    ///   - time: the end of the load.
    /// - Returns: whether the store has lost changes that were in it before.
    @discardableResult
    mutating func loaded(
        _ record: UserRecord,
        mayBeOlder: Bool,
        check: Result<Void, StoreFailure>?,
        at time: Duration
    ) -> Bool {
        guard readsStore else { return false }
        var allowsChanges = state.allowsChanges
        if let check {
            checkedAt = time
            switch check {
            case .success:
                allowsChanges = true
                writeFailure = nil
            case .failure(let failure):
                allowsChanges = failure.code != .forbidden
                // A read-only token tells nothing about the store.
                writeFailure = failure.isStoreFault ? failure : nil
            }
        }
        let isOlder = !state.status.isUnread && record.isOlder(than: state.record)
        set(
            isOlder && mayBeOlder ? state.record : record,
            writeFailure.map(StoreStatus.failing) ?? .ready,
            refusal: state.refusal,
            allowsChanges: allowsChanges
        )
        return isOlder && !mayBeOlder
    }

    /// Takes the failure of a load.
    mutating func loadFailed(_ failure: StoreFailure) {
        guard readsStore, !isChangedInMemory else { return }
        let record = failure.deniesAccess ? state.record.withoutContent : state.record
        let status = state.status.failed(failure, fallsBackToMemory: fallsBackToMemory)
        set(record, status, refusal: state.refusal)
    }

    /// Takes a failure that another writer to the same store reports.
    mutating func reported(_ failure: StoreFailure) {
        guard isScreen, state.status == .ready, failure.isStoreFault else { return }
        writeFailure = failure
        checkedAt = nil
        set(state.record, .failing(failure), refusal: state.refusal)
    }

    // MARK: Changes

    /// Takes the record that a change returned.
    ///
    /// Answers of two changes may come in either order.
    mutating func changed(_ record: UserRecord) {
        writeFailure = nil
        let isOld = !state.status.isUnread && record.isOlder(than: state.record)
        set(isOld ? state.record : record, .ready, refusal: nil)
    }

    /// Makes a change in memory.
    ///
    /// - Throws: ``StoreFailure``, as ``UserRecord/applying(_:)``.
    mutating func changeInMemory(_ change: UserChange) throws(StoreFailure) {
        let record = try state.record.applying(change)
        isChangedInMemory = isChangedInMemory || record != state.record
        set(record, state.status, refusal: nil)
    }

    /// Takes the failure of a change.
    ///
    /// - Returns: the rejection; nil for requests, which are answered with the failure.
    mutating func rejected(_ change: UserChange, _ failure: StoreFailure) -> RejectedChange? {
        guard isScreen else { return nil }
        rejectedCount += 1
        let refusal = RejectedChange(change: change, failure: failure, number: rejectedCount)
        var status = state.status
        if failure.isStoreFault, failure != .tooManyWaiting {
            switch status {
            case .ready, .failing:
                writeFailure = failure
                status = .failing(failure)
            case .opening, .waiting, .volatile: break
            }
        }
        let record = failure.deniesAccess ? state.record.withoutContent : state.record
        set(record, status, refusal: refusal)
        return refusal
    }

    private var isScreen: Bool { outlet != .requests }

    private var fallsBackToMemory: Bool { outlet == .screen(fallsBackToMemory: true) }

    private mutating func set(
        _ record: UserRecord,
        _ status: StoreStatus,
        refusal: RejectedChange?,
        allowsChanges: Bool? = nil
    ) {
        let allowsChanges = allowsChanges ?? state.allowsChanges
        guard
            record != state.record || status != state.status || refusal != state.refusal
                || allowsChanges != state.allowsChanges
        else { return }
        state = UserState(
            user: state.user,
            record: record,
            status: status,
            refusal: refusal,
            allowsChanges: allowsChanges,
            sequence: state.sequence + 1
        )
    }
}

extension StoreStatus {
    /// The status after a failed load.
    fileprivate func failed(_ failure: StoreFailure, fallsBackToMemory: Bool) -> StoreStatus {
        switch self {
        case .opening, .waiting:
            // A busy store is being written or migrated and becomes free.
            failure.code == .busy || !fallsBackToMemory ? .waiting(failure) : .volatile(failure)
        case .volatile: .volatile(failure)
        case .failing(let former)
        where former.deniesAccess && !failure.deniesAccess && !fallsBackToMemory:
            // The record was hidden then and is unknown now.
            .waiting(failure)
        case .ready, .failing: .failing(failure)
        }
    }
}

extension UserRecord {
    /// The record that remains without access: the settings, which the screen needs.
    fileprivate var withoutContent: UserRecord {
        var record = UserRecord(name: profile.value.name)
        record.settings = settings
        return record
    }

    /// Whether a part has a lower revision than in another record.
    fileprivate func isOlder(than other: UserRecord) -> Bool {
        profile.revision < other.profile.revision || favorites.revision < other.favorites.revision
            || settings.revision < other.settings.revision
            || holdings.revision < other.holdings.revision || cash.revision < other.cash.revision
            || alerts.revision < other.alerts.revision
    }
}

extension StoreFailure {
    /// More changes wait than ``PinnedUser/waitingMax``.
    static let tooManyWaiting = StoreFailure(
        .busy,
        "\(PinnedUser.waitingMax) changes wait for the store. Try again in a moment"
    )
}
