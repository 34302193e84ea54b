import Domain

/// Decides when the record of a user is read again.
///
/// Times are monotonic.
///
/// Each invalidation increments a version. A load satisfies the versions up to the one at its
/// start.
struct RefreshPolicy: Sendable {
    /// The longest time that a record counts as current, unless notifications are known to be
    /// complete.
    static let maxAge: Duration = .seconds(60)
    /// How long the last notification keeps a record current; they come each second.
    static let newsLifetime: Duration = .seconds(3)
    /// The time after a failed load in which the store is not asked again.
    static let failureLifetime: Duration = .seconds(1)

    /// The next step of a caller that needs the record.
    enum Step: Sendable, Equatable {
        /// Use the record as it is.
        case show
        /// Wait for the load in flight and ask again.
        case wait
        /// Load the record and report it with ``loaded(_:failure:at:)``.
        case load(Load)
        /// Fail: the store failed less than ``failureLifetime`` ago and nothing was read before.
        case fail(StoreFailure)
    }

    /// A load or a change in flight, with the counters at its start.
    struct Load: Sendable, Equatable {
        fileprivate var version: UInt64
        fileprivate var changes: UInt64
    }

    /// The number of streams and screens that show the record.
    var pins = 0
    /// The last time that the record was asked for.
    private(set) var usedAt: Duration
    private(set) var isLoading = false
    private(set) var wasLoaded = false
    private var version: UInt64 = 1
    private var loadedVersion: UInt64 = 0
    private var loadedAt: Duration
    /// Counts the starts and ends of changes of this process.
    private var changes: UInt64 = 0
    private var changesInFlight = 0
    private var failure: (value: StoreFailure, at: Duration)?

    /// Makes the policy of a record that has not been read.
    init(at time: Duration) {
        usedAt = time
        loadedAt = time
    }

    /// Whether the record may be evicted.
    var isIdle: Bool { pins == 0 && !isLoading && changesInFlight == 0 }

    /// Whether the record must be read again before it is shown.
    ///
    /// - Parameters:
    ///   - time: the time.
    ///   - newsAt: the time until which notifications are complete; nil if that is not known.
    /// - Returns: true for a changed or too old record.
    func isStale(at time: Duration, newsAt: Duration?) -> Bool {
        loadedVersion < version || isTooOld(at: time, newsAt)
    }

    /// The time since the record was last known to be the store's.
    ///
    /// - Parameters:
    ///   - time: the time.
    ///   - newsAt: the time until which notifications are complete; nil if that is not known.
    /// - Returns: the time, never negative.
    func age(at time: Duration, newsAt: Duration?) -> Duration {
        // Notifications do not confirm what they have changed.
        let isChanged = loadedVersion < version
        return time - (isChanged ? loadedAt : max(loadedAt, newsAt ?? loadedAt))
    }

    private func isTooOld(at time: Duration, _ newsAt: Duration?) -> Bool {
        age(at: time, newsAt: newsAt) >= Self.maxAge
    }

    /// Records a use.
    ///
    /// - Parameters:
    ///   - time: the time.
    ///   - newsAt: the time until which notifications are complete; nil if that is not known.
    /// - Returns: the version that the caller needs.
    mutating func use(at time: Duration, newsAt: Duration?) -> UInt64 {
        usedAt = time
        if isTooOld(at: time, newsAt) {
            loadedAt = time - age(at: time, newsAt: newsAt)
            invalidate()
        }
        return version
    }

    /// Whether the record is fresh enough for a caller that needs a version.
    func isShown(needing needed: UInt64, at time: Duration) -> Bool {
        if loadedVersion >= needed { return true }
        guard wasLoaded, let failure else { return false }
        return time - failure.at < Self.failureLifetime
    }

    /// The next step of a caller that needs a version.
    mutating func step(needing needed: UInt64, at time: Duration) -> Step {
        if isShown(needing: needed, at: time) { return .show }
        if let failure, time - failure.at < Self.failureLifetime { return .fail(failure.value) }
        if isLoading { return .wait }
        isLoading = true
        return .load(Load(version: version, changes: changes))
    }

    /// Makes the record stale.
    mutating func invalidate() { version += 1 }

    /// Makes the record stale unless it is already; for retries.
    mutating func invalidateOnce() {
        if loadedVersion == version { invalidate() }
    }

    /// Records the end of a load.
    ///
    /// - Returns: whether the loaded record may be older than the result of a change.
    mutating func loaded(_ load: Load, failure: StoreFailure?, at time: Duration) -> Bool {
        isLoading = false
        if let failure {
            self.failure = (failure, time)
        } else {
            succeeded(load, at: time)
        }
        return load.changes != changes || changesInFlight > 0
    }

    /// Records the start of a change.
    mutating func beginChange() -> Load {
        changes += 1
        changesInFlight += 1
        return Load(version: version, changes: changes)
    }

    /// Records the end of a change.
    ///
    /// A change that succeeded returns the whole record.
    mutating func endChange(_ load: Load, succeeded: Bool, at time: Duration) {
        changes += 1
        changesInFlight -= 1
        if succeeded { self.succeeded(load, at: time) }
    }

    private mutating func succeeded(_ load: Load, at time: Duration) {
        failure = nil
        wasLoaded = true
        loadedVersion = max(loadedVersion, load.version)
        loadedAt = time
    }
}
