import Domain

/// When what is kept for a user is to be read: a plain value that decides.
///
/// Each piece of news is a doubt; a reading settles those that were there when it began. Times are
/// monotonic.
struct RefreshPolicy: Sendable {
    /// How long a reading counts that nothing was heard against.
    ///
    /// News come through a connection that may be dead for minutes without anybody knowing.
    static let trust: Duration = .seconds(60)
    /// How long a failed reading counts before the store is asked again.
    static let failureLifetime: Duration = .seconds(1)

    /// What whoever wants to see the user's things is to do.
    enum Step: Sendable, Equatable {
        /// Nothing: what is known counts.
        case look
        /// Wait for the reading that is under way, and ask again.
        case wait
        /// Read, and tell with ``ended(_:failure:at:)``; others wait for it.
        case read(Reading)
        /// The store failed a moment ago, and nothing was read before.
        case fail(StoreFailure)
    }

    /// A reading: what it settles, and what went on meanwhile.
    struct Reading: Sendable, Equatable {
        fileprivate var doubts: UInt64
        fileprivate var changes: UInt64
    }

    /// How many streams look on.
    var pins = 0
    /// When somebody looked last.
    private(set) var usedAt: Duration
    private(set) var isReading = false
    private(set) var wasRead = false
    private var doubts: UInt64 = 1
    private var settled: UInt64 = 0
    private var readAt: Duration
    /// Counts the beginnings and ends of changes that were made from here.
    private var changes: UInt64 = 0
    private var changesUnderWay = 0
    private var failure: (value: StoreFailure, at: Duration)?

    /// Nothing was read yet.
    init(at time: Duration) {
        usedAt = time
        readAt = time
    }

    /// Whether the seat may be given to somebody else.
    var isIdle: Bool { pins == 0 && !isReading && changesUnderWay == 0 }

    /// Whether what was read counts no more.
    func isDoubtful(at time: Duration) -> Bool {
        settled < doubts || time - readAt >= Self.trust
    }

    /// What news somebody needs to be settled who comes now.
    mutating func arrive(at time: Duration) -> UInt64 {
        usedAt = time
        if time - readAt >= Self.trust { doubt() }
        return doubts
    }

    /// Whether what is known counts for somebody who needs so much to be settled.
    func isShown(needing needed: UInt64, at time: Duration) -> Bool {
        if settled >= needed { return true }
        guard wasRead, let failure else { return false }
        return time - failure.at < Self.failureLifetime
    }

    /// What is to be done by somebody who needs so much to be settled.
    mutating func step(needing needed: UInt64, at time: Duration) -> Step {
        if isShown(needing: needed, at: time) { return .look }
        if let failure, time - failure.at < Self.failureLifetime { return .fail(failure.value) }
        if isReading { return .wait }
        isReading = true
        return .read(Reading(doubts: doubts, changes: changes))
    }

    /// Takes news.
    mutating func doubt() { doubts += 1 }

    /// Takes the end of a reading.
    ///
    /// - Returns: whether what was read may be older than what a change answered meanwhile.
    mutating func ended(_ reading: Reading, failure: StoreFailure?, at time: Duration) -> Bool {
        isReading = false
        if let failure {
            self.failure = (failure, time)
        } else {
            self.failure = nil
            wasRead = true
            settled = max(settled, reading.doubts)
            readAt = time
        }
        return reading.changes != changes || changesUnderWay > 0
    }

    /// Takes the beginning of a change.
    mutating func beginChange() -> Reading {
        changes += 1
        changesUnderWay += 1
        return Reading(doubts: doubts, changes: changes)
    }

    /// Takes the end of a change; one that was made answers with everything that is kept.
    mutating func endChange(_ reading: Reading, isMade: Bool, at time: Duration) {
        changes += 1
        changesUnderWay -= 1
        guard isMade else { return }
        failure = nil
        wasRead = true
        settled = max(settled, reading.doubts)
        readAt = time
    }
}
