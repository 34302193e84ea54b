import Concurrency
public import DataSourceContracts
import Synchronization

/// Reads market history from a standby as long as its data are fresh enough.
///
/// Each answer comes with the place up to which its server has replayed the log, and is refused if
/// that is too long ago. The caller then reads from the primary, as it does while no standby is
/// reachable. ``run()`` asks both servers each second, so that readers need not wait for a standby
/// that is away.
public final class StandbyReader: Sendable {
    /// The state of reading from standbys.
    public struct Status: Sendable, Hashable {
        /// Whether history is read from a standby; otherwise from the primary.
        public var isUsed: Bool
        /// The greatest possible age of the standby's data; nil if unknown.
        public var age: Duration?
        /// Why the standby is not used; nil while it is.
        public var failure: StoreError?
    }

    private struct State {
        var progress = ReplayProgress()
        /// The log position that the standby had replayed at its last answer.
        var position: WalPosition?
        /// Why the standby cannot be used.
        var failure: StoreError? = StoreError(.unavailable, "no standby has answered yet")
        /// Whether readers use it: it answered the last question.
        var isInUse = false
        /// Whether a look has ended; a standby that works from the start is not reported.
        var isReported = false
    }

    /// How often both servers are asked.
    static let interval: Duration = .seconds(1)
    /// The longest round trip to the standby, beyond which the primary is asked.
    private static let roundTripMax: Duration = .seconds(1)

    private let pool: PostgreSQLPool
    private let primary: PostgreSQLPool
    private let ageMax: Duration
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let onFailure: @Sendable (StoreError?) -> Void
    private let state = Mutex(State())

    /// Makes a reader that uses no standby before ``run()`` has found one.
    ///
    /// - Parameters:
    ///   - pool: its address leads to standbys.
    ///   - primary: leads to the primary.
    ///   - ageMax: the greatest allowed age of an answer.
    ///   - clock: measures ages.
    ///   - onFailure: receives why the standby is not used, and nil when it is used again; it must
    ///     return at once.
    public init(
        pool: PostgreSQLPool,
        primary: PostgreSQLPool,
        ageMax: Duration,
        clock: any Clock<Duration>,
        onFailure: @escaping @Sendable (StoreError?) -> Void = { _ in }
    ) {
        self.pool = pool
        self.primary = primary
        self.ageMax = ageMax
        self.clock = clock
        stopwatch = Stopwatch(clock)
        self.onFailure = onFailure
    }

    /// The state of reading from standbys.
    public var status: Status {
        let now = stopwatch.elapsed
        return state.withLock { state in
            let age = state.position.flatMap { state.progress.age(of: $0, at: now) }
            return Status(
                isUsed: state.isInUse && isFresh(age),
                age: age,
                failure: state.failure ?? (isFresh(age) ? nil : old(age))
            )
        }
    }

    /// Asks both servers until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            await look()
            try? await clock.sleep(for: Self.interval)
        }
    }

    /// Asks both servers until the standby can be used.
    ///
    /// - Throws: ``StoreError``: why it cannot be after the limit.
    public func verify(within limit: Duration) async throws(StoreError) {
        let deadline = Deadline(after: limit, clock: clock)
        while true {
            await look()
            guard let failure = status.failure else { return }
            guard !deadline.hasPassed, !Task.isCancelled else { throw failure }
            try? await clock.sleep(for: .milliseconds(100))
        }
    }

    /// Asks both servers once.
    func look() async {
        let askedAt = stopwatch.elapsed
        // First, so that the standby may have replayed it when it is asked. A primary that does
        // not answer proves nothing, and the age of the standby's data grows.
        if let position = try? await Self.position(of: primary) {
            state.withLock { $0.progress.note(position, at: askedAt) }
        }
        do throws(StoreError) {
            note(try await Self.position(of: pool))
        } catch {
            if !Task.isCancelled { note(nil, error) }
        }
    }

    /// Reads from the standby.
    ///
    /// - Parameters:
    ///   - statement: changes nothing.
    ///   - settings: the first statement of the transaction.
    /// - Returns: nil if the primary must be asked: no standby answers, or its data are too old.
    func rows(
        of statement: PostgreSQLStatement,
        after settings: PostgreSQLStatement
    ) async -> PostgreSQLRows? {
        guard status.isUsed else { return nil }
        do throws(StoreError) {
            // The place comes before the rows, which are thus at least as new.
            let answers = try await pool.perform(
                [settings, Statements.readWalPosition(), statement],
                as: .reading,
                within: Self.roundTripMax
            )
            note(try WalPosition(answers[1]))
            return status.isUsed ? answers[2] : nil
        } catch {
            // The next look tells why. A query that replay had to cancel is no failure.
            if !Task.isCancelled { state.withLock { $0.isInUse = false } }
            return nil
        }
    }

    private static func position(of pool: PostgreSQLPool) async throws(StoreError) -> WalPosition {
        let answers = try await pool.perform(
            [Statements.readWalPosition()],
            as: .reading,
            within: roundTripMax
        )
        return try WalPosition(answers[0])
    }

    /// Records what the standby has replayed, or why it did not answer, and reports a change.
    private func note(_ position: WalPosition?, _ error: StoreError? = nil) {
        let now = stopwatch.elapsed
        let report = state.withLock { state -> StoreError?? in
            let before = !state.isReported || state.failure == nil
            if let position { state.position = position }
            let age = state.position.flatMap { state.progress.age(of: $0, at: now) }
            state.failure = error ?? (isFresh(age) ? nil : old(age))
            state.isInUse = state.failure == nil
            state.isReported = true
            return before == state.isInUse ? nil : .some(state.failure)
        }
        if let report { onFailure(report) }
    }

    private func isFresh(_ age: Duration?) -> Bool { age.map { $0 <= ageMax } ?? false }

    private func old(_ age: Duration?) -> StoreError {
        let limit = ageMax.components.seconds
        let found = age.map { "are up to \($0.components.seconds) s old" } ?? "are of unknown age"
        return StoreError(
            .unavailable,
            "\(pool.address): the standby's data \(found), the limit is \(limit) s: check that it "
                + "follows the primary, and that the primary runs"
        )
    }
}

extension WalPosition {
    /// Reads the row of `read_wal_position`.
    fileprivate init(_ rows: PostgreSQLRows) throws(StoreError) {
        guard let row = rows.first else {
            throw StoreError(.incompatible, "the server does not tell its place in the log")
        }
        self.init(cluster: try row.integer(0), byte: try row.integer(1))
    }
}
