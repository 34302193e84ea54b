public import DataSourceContracts
import Synchronization

/// Lets requests through one by one at the pace of a ``RequestPacer``: its shell with a clock.
///
/// Callers of one category pass in the order they came. Shared by everything that asks the same
/// exchange, because the exchange counts by address. A lock instead of an actor: cancellation must
/// be able to take a caller out of its line at once, from whatever thread it comes.
public final class RequestRateLimiter: Sendable {
    private struct Waiter {
        let ticket: UInt64
        /// Set while its caller sleeps until it is first in line.
        var turn: CheckedContinuation<Bool, Never>?
    }

    private struct State {
        var pacer: RequestPacer
        var lines: [RequestCategory: [Waiter]] = [:]
        var nextTicket: UInt64 = 0
    }

    private let state: Mutex<State>
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let waitersMax: Int

    /// Makes a gate.
    ///
    /// - Parameters:
    ///   - pacer: the rule.
    ///   - clock: measures and sleeps; monotonic.
    ///   - waitersMax: how many callers of one category may wait; one more is refused.
    public init(
        pacer: RequestPacer = RequestPacer(),
        clock: any Clock<Duration>,
        waitersMax: Int = 256
    ) {
        precondition(waitersMax > 0, "Somebody may wait.")
        state = Mutex(State(pacer: pacer))
        self.clock = clock
        stopwatch = Stopwatch(clock)
        self.waitersMax = waitersMax
    }

    /// Waits until a request of the category may go, and takes its place in the rate.
    ///
    /// - Throws: `rateLimited` while the category rests, for those who wait as well, or when the
    ///   line is full; `cancelled` promptly when the task is cancelled.
    public func pass(_ category: RequestCategory) async throws(DataSourceError) {
        guard let ticket = try enter(category) else { return }
        defer { leave(ticket, category) }
        guard await isFirst(ticket, category) else { throw Self.cancelled }
        while let delay = try ask(category) {
            do {
                try await clock.sleep(for: delay)
            } catch {
                throw Self.cancelled
            }
        }
    }

    /// How many callers of a category wait, at this moment.
    public func waitingCount(_ category: RequestCategory) -> Int {
        state.withLock { $0.lines[category, default: []].count }
    }

    /// Hears how many requests the exchange would still take.
    public func note(remaining: Int, _ category: RequestCategory) {
        let now = stopwatch.elapsed
        state.withLock { $0.pacer.note(remaining: remaining, category, at: now) }
    }

    /// Hears that the exchange refused a request for coming too often.
    ///
    /// - Returns: how long the category rests.
    @discardableResult
    public func pause(_ category: RequestCategory) -> Duration {
        let now = stopwatch.elapsed
        return state.withLock { $0.pacer.pause(category, at: now) } - now
    }

    private static var cancelled: DataSourceError {
        DataSourceError(.cancelled, "cancelled while waiting for the request rate")
    }
}

extension RequestRateLimiter {
    /// Passes at once if nobody waits and a token is there; else joins the line.
    ///
    /// - Returns: a ticket for the line, nil when passed.
    private func enter(_ category: RequestCategory) throws(DataSourceError) -> UInt64? {
        if Task.isCancelled { throw Self.cancelled }
        let now = stopwatch.elapsed
        let entry = state.withLock { state -> Result<UInt64?, DataSourceError> in
            let waiting = state.lines[category, default: []].count
            if waiting == 0 {
                switch state.pacer.request(category, at: now) {
                case .go: return .success(nil)
                case .wait: break
                case .paused(let until): return .failure(Self.resting(category, until - now))
                }
            }
            guard waiting < waitersMax else { return .failure(Self.full(category)) }
            let ticket = state.nextTicket
            state.nextTicket += 1
            state.lines[category, default: []].append(Waiter(ticket: ticket, turn: nil))
            return .success(ticket)
        }
        return try entry.get()
    }

    /// Asks the pacer for the first in line.
    ///
    /// - Returns: how long to sleep before asking again, nil when the request may go.
    private func ask(_ category: RequestCategory) throws(DataSourceError) -> Duration? {
        if Task.isCancelled { throw Self.cancelled }
        let now = stopwatch.elapsed
        switch state.withLock({ $0.pacer.request(category, at: now) }) {
        case .go: return nil
        case .wait(let delay): return delay
        case .paused(let until): throw Self.resting(category, until - now)
        }
    }

    /// Sleeps until the ticket is first in line; false when cancelled.
    private func isFirst(_ ticket: UInt64, _ category: RequestCategory) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    let line = state.lines[category, default: []]
                    guard let index = line.firstIndex(where: { $0.ticket == ticket }) else {
                        return false
                    }
                    if index == 0 { return true }
                    state.lines[category, default: []][index].turn = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            leave(ticket, category)
        }
    }

    /// Takes a ticket out of the line and wakes its caller and the new first; idempotent.
    private func leave(_ ticket: UInt64, _ category: RequestCategory) {
        let (left, first) = state.withLock { state -> (Waiter?, Waiter?) in
            var line = state.lines[category, default: []]
            guard let index = line.firstIndex(where: { $0.ticket == ticket }) else {
                return (nil, nil)
            }
            let left = line.remove(at: index)
            var first: Waiter?
            if index == 0, !line.isEmpty {
                first = line[0]
                line[0].turn = nil
            }
            state.lines[category] = line
            return (left, first)
        }
        left?.turn?.resume(returning: false)
        first?.turn?.resume(returning: true)
    }

    private static func resting(
        _ category: RequestCategory,
        _ duration: Duration
    ) -> DataSourceError {
        DataSourceError(
            .rateLimited(retryAfter: duration),
            "\(category): the exchange refused requests for coming too often"
        )
    }

    /// A line moves on within a second unless the exchange slows it down.
    private static func full(_ category: RequestCategory) -> DataSourceError {
        DataSourceError(
            .rateLimited(retryAfter: .seconds(1)),
            "\(category): too many requests are waiting"
        )
    }
}
