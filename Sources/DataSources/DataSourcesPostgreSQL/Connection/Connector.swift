import Concurrency
import DataSourceContracts
import Glibc
import Synchronization

/// Opens connections on a thread of its own, which waits for one attempt after the other.
final class Connector: Sendable {
    /// How long sent data may stay unacknowledged before the connection breaks.
    private static let silenceMax = Duration.seconds(10)

    private let attempts: [[String: String]]
    private let hosts: [String]
    private let location: String
    private let timeout: Duration
    private let firstTimeout: Duration
    private let clock: any Clock<Duration>
    private let lookup: HostLookup
    private let executor = BlockingExecutor(label: "hoga.postgresql.connect")
    private let event: EventDescriptor
    private let hasEnded = Atomic(false)
    private let isFirst = Atomic(true)
    private let timelines = Mutex(KnownTimeline())

    /// Makes a connector.
    ///
    /// - Throws: ``StoreError`` with `unavailable` if no file descriptor is left.
    init(
        address: PostgreSQLAddress,
        settings: PostgreSQLPool.Settings,
        clock: any Clock<Duration>,
        lookup: HostLookup = HostLookup()
    ) throws(StoreError) {
        event = try SocketPoll.makeEvent()
        self.lookup = lookup
        attempts = address.attempts(
            applicationName: settings.applicationName,
            silenceMax: Self.silenceMax
        )
        let rounds = attempts.count / address.hostCount
        hosts = Array(repeatElement(address.hostNames, count: rounds).joined())
        location = "\(address)"
        timeout = settings.connectTimeout
        // With several hosts the next one may answer sooner.
        firstTimeout =
            attempts.count > 1 ? timeout : max(timeout, settings.firstConnectTimeout)
        self.clock = clock
    }

    /// Opens a connection to the first host that accepts it.
    ///
    /// - Parameter deliver: called once, on the connector's thread.
    func open(deliver: @escaping @Sendable (Result<OpenConnection, StoreError>) -> Void) {
        executor.start { [self] in deliver(openNow()) }
    }

    /// Cancels the current and all later attempts.
    func end() {
        hasEnded.store(true, ordering: .releasing)
        event.signal()
    }

    /// Opens a connection; blocks the calling thread.
    private func openNow() -> Result<OpenConnection, StoreError> {
        var failures: [StoreError] = []
        let timeout = isFirst.exchange(false, ordering: .relaxed) ? firstTimeout : timeout
        for attempt in attempts {
            guard !hasEnded.load(ordering: .acquiring) else { break }
            do throws(StoreError) {
                let deadline = Deadline(after: timeout, clock: clock)
                let connection = try open(attempt, until: deadline, timeout)
                try connection.prepareForBatches()
                try check(connection, until: deadline, timeout)
                return .success(OpenConnection(connection: connection))
            } catch {
                failures.append(error)
            }
        }
        return .failure(.joining(failures, of: hosts, at: location))
    }

    private func open(
        _ attempt: [String: String],
        until deadline: Deadline,
        _ timeout: Duration
    ) throws(StoreError) -> PostgreSQLConnection {
        let attempt = try lookup.addresses(
            for: attempt,
            at: location,
            until: deadline,
            cancelledBy: event
        )
        let connection = try PostgreSQLConnection(attempt, at: location)
        var isForOutput = true
        while true {
            guard try wait(for: connection, output: isForOutput, until: deadline, timeout) else {
                continue
            }
            switch connection.continueOpening() {
            case .open: return connection
            case .failed(let error): throw error
            case .waiting(let forOutput): isForOutput = forOutput
            }
        }
    }

    /// Refuses a server that was the primary before one that this connector has used.
    private func check(
        _ connection: PostgreSQLConnection,
        until deadline: Deadline,
        _ timeout: Duration
    ) throws(StoreError) {
        var exchange = try RoundTrip(.batch([KnownTimeline.statement]), on: connection)
        while true {
            switch try exchange.advance(on: connection) {
            case .inFlight: break
            case .refused(let fields): throw StoreError(postgreSQL: fields, at: location)
            case .done(let results):
                guard let row = results.first?.first else { return }
                let (cluster, timeline) = (try row.integer(0), try row.optionalInteger(1))
                guard let known = timelines.withLock({ $0.known(before: timeline, of: cluster) })
                else { return }
                throw .formerPrimary(timeline, known, at: location)
            }
            let hasOutput = exchange.hasOutput
            if try wait(for: connection, output: hasOutput, until: deadline, timeout) {
                try connection.receive()
            }
        }
    }

    /// Waits for the socket of a connection.
    ///
    /// - Returns: false if the wait ended early.
    /// - Throws: ``StoreError`` if the time is over or the connector ends.
    private func wait(
        for connection: PostgreSQLConnection,
        output: Bool,
        until deadline: Deadline,
        _ timeout: Duration
    ) throws(StoreError) -> Bool {
        // The socket changes with each address of a host.
        var entries = [
            SocketPoll.entry(for: event),
            SocketPoll.entry(for: connection.descriptor, output: output),
        ]
        SocketPoll.wait(&entries, for: deadline.remaining)
        guard entries[0].revents == 0 else {
            throw StoreError.away("the attempt was cancelled", at: location)
        }
        if entries[1].revents != 0 { return true }
        guard !deadline.hasPassed else {
            throw StoreError.away("it did not answer within \(timeout)", at: location)
        }
        return false
    }
}

extension Backoff.Policy {
    /// Attempts to open a connection: 0.1 s doubling to 5 s.
    static let postgreSQL = Backoff.Policy(first: .milliseconds(100), longest: .seconds(5))
}

/// Transfers a connection from the thread that opened it to the thread that uses it.
// Unchecked: the connector keeps no reference, so only the receiver uses the connection.
struct OpenConnection: @unchecked Sendable {
    let connection: PostgreSQLConnection
}

/// Sends cancel requests on a thread of its own, because they block and cannot be interrupted.
///
/// Bound: `requestsMax` requests; a further one is not sent, and the pool closes its connection
/// instead.
final class QueryCanceler: Sendable {
    private let requestsMax: Int
    private let executor = BlockingExecutor(label: "hoga.postgresql.cancel")
    private let underway = Atomic(0)

    /// Makes a canceler.
    init(requestsMax: Int) { self.requestsMax = requestsMax }

    /// Sends a cancel request.
    ///
    /// - Parameters:
    ///   - cancellation: the connection whose statement is cancelled.
    ///   - deliver: called once the server has received it, on the canceler's thread; never for a
    ///     request beyond the bound.
    func send(
        _ cancellation: PostgreSQLCancellation,
        deliver: @escaping @Sendable () -> Void
    ) {
        guard underway.add(1, ordering: .relaxed).newValue <= requestsMax else {
            underway.subtract(1, ordering: .relaxed)
            return
        }
        executor.start { [self] in
            cancellation.send()
            underway.subtract(1, ordering: .relaxed)
            deliver()
        }
    }
}
