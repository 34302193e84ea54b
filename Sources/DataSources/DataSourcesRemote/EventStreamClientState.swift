public import Concurrency

/// Decides when an event stream client connects, and how it handles events.
///
/// A pure state machine: no network, no clock. Times are durations since any fixed moment.
public struct EventStreamClientState: Sendable {
    /// The time without any event after which a connection counts as lost; a server sends a
    /// bookmark every 15 s.
    static let silenceMax: Duration = .seconds(25)
    /// The time limit for the head of an answer.
    static let openMax: Duration = .seconds(10)
    /// The minimum time between connections to different targets, so that a held key requests
    /// only the last one.
    public static let debounce: Duration = .milliseconds(150)

    /// The next step, with no connection open.
    public enum Step: Sendable, Equatable {
        /// Wait until a target is requested.
        case idle
        /// Wait for a duration, or until another target is requested.
        case pause(Duration)
        /// Connect, after the event with this id if there is one.
        case connect(RemoteTarget, resumingAfter: String?)
    }

    /// The state of the connection.
    public enum Connection: Sendable, Hashable {
        /// Connecting for the first time or to another target.
        case connecting
        /// Receiving events.
        case live
        /// Lost or refused; with the number and time of the next attempt.
        case lost(RemoteFailure, attempt: Int, retryAt: Duration)
    }

    /// The handling of an event.
    public enum Ruling: Sendable, Equatable {
        /// Replace the document by the event's data.
        case replace
        /// Apply the event's data as a patch.
        case apply
        /// Ignore the event.
        case ignore
        /// Reconnect: the server ends the stream.
        case reconnect
    }

    /// The requested target; nil for none.
    public private(set) var wanted: RemoteTarget?
    /// The state of the connection.
    public private(set) var connection = Connection.connecting
    /// The target and revision of the current document.
    private var known: (target: RemoteTarget, revision: String)?
    private var backoff = Backoff(.hogaServer)
    /// The wait that the server asks for.
    private var retryHint: Duration = .zero
    private var connectedAt: Duration?

    /// Makes a state without a target.
    public init() {}

    /// Requests a target; nil for none.
    ///
    /// - Returns: whether the target changed.
    public mutating func want(_ target: RemoteTarget?) -> Bool {
        guard target != wanted else { return false }
        wanted = target
        if case .live = connection { connection = .connecting }
        return true
    }

    /// Discards the known revision and connects without a wait, because the user asked for it.
    public mutating func restart() {
        known = nil
        backoff.succeeded()
        connection = .connecting
        connectedAt = nil
    }

    /// The next step at a time, with no connection open.
    public mutating func step(at now: Duration) -> Step {
        guard let wanted else { return .idle }
        if case .lost(_, _, let retryAt) = connection, retryAt > now {
            return .pause(retryAt - now)
        }
        if case .connecting = connection, let connectedAt, connectedAt + Self.debounce > now {
            return .pause(connectedAt + Self.debounce - now)
        }
        connectedAt = now
        let revision = known.flatMap { $0.target == wanted ? $0.revision : nil }
        return .connect(wanted, resumingAfter: revision)
    }

    /// Stores the server's `retry` hint.
    public mutating func receive(retry: Duration) {
        retryHint = min(max(retry, .zero), Backoff.Policy.hogaServer.longest)
    }

    /// Decides how to handle an event.
    ///
    /// The caller reports the result with ``applied(_:of:)`` or ``mismatched(at:random:)``.
    ///
    /// - Parameters:
    ///   - name: the kind of event.
    ///   - revision: its id.
    ///   - target: the target of the connection.
    /// - Returns: the handling.
    public mutating func rule(
        _ name: String,
        revision: String,
        of target: RemoteTarget
    ) -> Ruling {
        switch name {
        case "snapshot", "reset": return .replace
        case "patch":
            let isKnown = known.map { $0.target == target && !Self.isNewer(revision, $0.revision) }
            return isKnown == true ? .ignore : .apply
        case "bookmark":
            // Without changes, a bookmark is the only sign of a working connection.
            if known?.target == target { succeed() }
            return .ignore
        case "bye": return .reconnect
        default: return .ignore
        }
    }

    /// Notes the revision of the current document.
    public mutating func applied(_ revision: String, of target: RemoteTarget) {
        known = (target, revision)
        succeed()
    }

    /// Notes that a stream was resumed; it may have no event to send.
    public mutating func resumed(_ target: RemoteTarget) {
        if known?.target == target { succeed() }
    }

    /// Notes that a patch did not fit the document; the next connection requests a snapshot.
    public mutating func mismatched(at now: Duration, random: UInt64) {
        known = nil
        failed(
            RemoteFailure(.disconnected, "a patch does not fit the document"),
            at: now,
            random: random
        )
    }

    /// Notes that connecting failed or the connection ended.
    public mutating func failed(_ failure: RemoteFailure, at now: Duration, random: UInt64) {
        // The hint is for accepted clients; refused ones back off longer by themselves.
        let hint = failure.isOfConnection ? min(retryHint, .seconds(5)) : .zero
        let isFirst = backoff.attempt == 0
        var wait = backoff.failed(at: now, random: random, pause: failure.retryAfter ?? .zero)
        if isFirst, failure.code == .leaving { wait = max(wait, hint) }
        connection = .lost(failure, attempt: backoff.attempt, retryAt: now + wait)
    }

    private mutating func succeed() {
        backoff.succeeded()
        connection = .live
    }

    /// Whether a revision is newer than another.
    ///
    /// Revisions of different epochs count as newer.
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
    /// Attempts at a hoga server: 0.5 s doubling to 30 s.
    public static let hogaServer = Backoff.Policy(
        first: .milliseconds(500),
        longest: .seconds(30)
    )
}
