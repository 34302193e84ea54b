import Concurrency

/// When to connect to a stream of a service, to which, from where, and what to make of its events.
///
/// A pure state machine: no network, no clock. Times are durations since any fixed moment.
struct ReadingPlan: Sendable {
    /// A service says every 15 s where its reader is; after this long without a word the
    /// connection is taken for lost.
    static let silenceMax: Duration = .seconds(25)
    /// How long the head of an answer may take.
    static let openMax: Duration = .seconds(10)
    /// Connections to other documents are made no closer together than this: a key that is held
    /// asks for the last one, and not for each on the way.
    static let settling: Duration = .milliseconds(150)

    /// What is to be done next.
    enum Step: Sendable, Equatable {
        /// Nothing, until something is wanted.
        case rest
        /// To wait so long, unless something else is wanted meanwhile.
        case pause(Duration)
        /// To connect, going on behind an event if there is one.
        case connect(RemoteTarget, resumingAfter: String?)
    }

    /// How the connection stands.
    enum Line: Sendable, Hashable {
        /// It is being made for the first time, or to something else, and nothing is wrong.
        case connecting
        /// Events come.
        case live
        /// It was lost or refused; the next attempt and its time.
        case lost(RemoteFailure, attempt: Int, retryAt: Duration)
    }

    /// What an event asks for.
    enum Ruling: Sendable, Equatable {
        /// To take its data for the whole document.
        case replace
        /// To apply its data to the document.
        case apply
        /// Nothing.
        case pass
        /// To connect anew: the service ends the stream.
        case leave
    }

    /// What is wanted; nil for nothing.
    private(set) var wanted: RemoteTarget?
    /// How the connection stands.
    private(set) var line = Line.connecting
    /// Of which target there is a document, and its revision.
    private var known: (target: RemoteTarget, revision: String)?
    private var backoff = Backoff(.service)
    /// The least that the service asks its readers to wait.
    private var retryHint: Duration = .zero
    private var connectedAt: Duration?

    /// Nothing is wanted yet.
    init() {}

    /// Says what is wanted from now on.
    ///
    /// - Returns: whether that is something else than before.
    mutating func want(_ target: RemoteTarget?) -> Bool {
        guard target != wanted else { return false }
        wanted = target
        if case .live = line { line = .connecting }
        return true
    }

    /// Forgets what was read and waits no longer: somebody asks for it.
    mutating func restart() {
        known = nil
        backoff.succeeded()
        line = .connecting
        connectedAt = nil
    }

    /// What is to be done at a moment, with no connection open.
    mutating func step(at now: Duration) -> Step {
        guard let wanted else { return .rest }
        if case .lost(_, _, let retryAt) = line, retryAt > now { return .pause(retryAt - now) }
        if case .connecting = line, let connectedAt, connectedAt + Self.settling > now {
            return .pause(connectedAt + Self.settling - now)
        }
        connectedAt = now
        let revision = known.flatMap { $0.target == wanted ? $0.revision : nil }
        return .connect(wanted, resumingAfter: revision)
    }

    /// Takes what the service asks its readers to wait.
    mutating func take(retry: Duration) {
        retryHint = min(max(retry, .zero), Backoff.Policy.service.longest)
    }

    /// Rules what is to be made of an event; what it asks for is told back with ``took(_:of:)`` or
    /// ``mismatched(at:random:)``.
    ///
    /// - Parameters:
    ///   - name: the kind of event.
    ///   - revision: its id.
    ///   - target: what the connection was made to.
    /// - Returns: what it asks for.
    mutating func rule(_ name: String, revision: String, of target: RemoteTarget) -> Ruling {
        switch name {
        case "snapshot", "reset": return .replace
        case "patch":
            let isKnown = known.map { $0.target == target && !Self.isNewer(revision, $0.revision) }
            return isKnown == true ? .pass : .apply
        case "bookmark":
            // Where nothing is new, being told so is all there is to a good connection.
            if known?.target == target { succeed() }
            return .pass
        case "bye": return .leave
        default: return .pass
        }
    }

    /// Notes that there is a document of a revision.
    mutating func took(_ revision: String, of target: RemoteTarget) {
        known = (target, revision)
        succeed()
    }

    /// Notes that an answer to a resumed stream came, which needs no event if nothing is new.
    mutating func resumed(_ target: RemoteTarget) {
        if known?.target == target { succeed() }
    }

    /// Notes that an event did not fit what is there, which then is asked for whole.
    mutating func mismatched(at now: Duration, random: UInt64) {
        known = nil
        failed(RemoteFailure(.disconnected, "an event fits no document"), at: now, random: random)
    }

    /// Notes that the connection was not made, or is over.
    mutating func failed(_ failure: RemoteFailure, at now: Duration, random: UInt64) {
        // Only who was let in is asked to wait a little; whoever is refused waits longer by itself.
        let hint = failure.isOfConnection ? min(retryHint, .seconds(5)) : .zero
        let isFirst = backoff.attempt == 0
        var wait = backoff.failed(
            at: now,
            random: random,
            pause: failure.retryAfter ?? .zero
        )
        if isFirst, failure.code == .leaving { wait = max(wait, hint) }
        line = .lost(failure, attempt: backoff.attempt, retryAt: now + wait)
    }

    private mutating func succeed() {
        backoff.succeeded()
        line = .live
    }

    /// Whether a revision is newer than another, as far as revisions can be compared: those of
    /// different epochs cannot, and count as newer.
    private static func isNewer(_ revision: String, _ other: String) -> Bool {
        guard let (epoch, counter) = parts(revision), let (otherEpoch, otherCounter) = parts(other),
            epoch == otherEpoch
        else { return revision != other }
        return counter > otherCounter
    }

    private static func parts(_ revision: String) -> (epoch: Substring, counter: UInt64)? {
        guard let dash = revision.lastIndex(of: "-"),
            let counter = UInt64(revision[revision.index(after: dash)...])
        else { return nil }
        return (revision[..<dash], counter)
    }
}

extension Backoff.Policy {
    /// Attempts at another hoga: 0.5 s doubling to 30 s.
    static let service = Backoff.Policy(first: .milliseconds(500), longest: .seconds(30))
}
