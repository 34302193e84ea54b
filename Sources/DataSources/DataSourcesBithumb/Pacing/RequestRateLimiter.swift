import Concurrency
public import DataSourceContracts

/// Delays requests to the rate of a ``RequestPacer``: its shell with a clock and a queue.
///
/// Callers of one category proceed in order of arrival. One limiter serves all clients of the same
/// exchange, because the exchange counts requests by address.
///
/// Bound: `waitersMax` callers of a category wait; one more is refused.
public final class RequestRateLimiter: Sendable {
    private struct State {
        var pacer: RequestPacer
        /// The tickets of the waiting callers, first come first.
        var queues: [RequestCategory: [UInt64]] = [:]
        var nextTicket: UInt64 = 0
    }

    private let state: AsyncValue<State>
    private let clock: any Clock<Duration>
    let stopwatch: Stopwatch
    private let waitersMax: Int

    /// Makes a limiter.
    ///
    /// - Parameters:
    ///   - pacer: the rate of each category.
    ///   - clock: measures and sleeps; monotonic.
    ///   - waitersMax: the callers of one category that may wait.
    public init(
        pacer: RequestPacer = RequestPacer(),
        clock: any Clock<Duration>,
        waitersMax: Int = 256
    ) {
        precondition(waitersMax > 0, "At least one caller may wait.")
        state = AsyncValue(State(pacer: pacer))
        self.clock = clock
        stopwatch = Stopwatch(clock)
        self.waitersMax = waitersMax
    }

    /// Waits until a request of the category may go, and takes its token.
    ///
    /// - Throws: `rateLimited` when the queue is full or the category is paused, also for callers
    ///   that wait already; `cancelled` promptly when the task is cancelled.
    public func acquire(_ category: RequestCategory) async throws(DataSourceError) {
        guard let ticket = try enter(category) else { return }
        defer { leave(ticket, category) }
        guard await state.first(where: { $0.queues[category]?.first == ticket }) != nil else {
            throw Self.cancelled
        }
        while let delay = try request(category) {
            do {
                try await clock.sleep(for: delay)
            } catch {
                throw Self.cancelled
            }
        }
    }

    /// The callers of a category that wait now.
    public func waitingCount(_ category: RequestCategory) -> Int {
        state.value.queues[category, default: []].count
    }

    /// Applies the exchange's count of remaining requests.
    public func note(remaining: Int, _ category: RequestCategory) {
        let now = stopwatch.elapsed
        state.update { $0.pacer.note(remaining: remaining, category, at: now) }
    }

    /// Pauses a category after the exchange refused a request for its rate.
    ///
    /// - Returns: how long the category is paused.
    @discardableResult
    public func pause(_ category: RequestCategory) -> Duration {
        let now = stopwatch.elapsed
        var until = now
        state.update { until = $0.pacer.pause(category, at: now) }
        return until - now
    }

    private static var cancelled: DataSourceError {
        DataSourceError(.cancelled, "cancelled while waiting for the request rate")
    }
}

extension RequestRateLimiter {
    /// Takes a token at once if no caller waits and one is left; else joins the queue.
    ///
    /// - Returns: the ticket in the queue; nil if a token was taken.
    private func enter(_ category: RequestCategory) throws(DataSourceError) -> UInt64? {
        if Task.isCancelled { throw Self.cancelled }
        let now = stopwatch.elapsed
        var entry = Result<UInt64?, DataSourceError>.success(nil)
        state.update { state in
            let waiting = state.queues[category, default: []].count
            if waiting == 0 {
                switch state.pacer.request(category, at: now) {
                case .go: return
                case .wait: break
                case .paused(let until):
                    entry = .failure(Self.paused(category, until - now))
                    return
                }
            }
            guard waiting < waitersMax else {
                entry = .failure(Self.full(category))
                return
            }
            entry = .success(state.nextTicket)
            state.queues[category, default: []].append(state.nextTicket)
            state.nextTicket += 1
        }
        return try entry.get()
    }

    /// Asks the pacer on behalf of the first caller in the queue.
    ///
    /// - Returns: how long to sleep before asking again; nil when the request may go.
    private func request(_ category: RequestCategory) throws(DataSourceError) -> Duration? {
        if Task.isCancelled { throw Self.cancelled }
        let now = stopwatch.elapsed
        var answer = RequestPacer.Answer.go
        state.update { answer = $0.pacer.request(category, at: now) }
        switch answer {
        case .go: return nil
        case .wait(let delay): return delay
        case .paused(let until): throw Self.paused(category, until - now)
        }
    }

    /// Leaves the queue, which lets the next caller proceed.
    private func leave(_ ticket: UInt64, _ category: RequestCategory) {
        state.update { $0.queues[category]?.removeAll { $0 == ticket } }
    }

    private static func paused(
        _ category: RequestCategory,
        _ duration: Duration
    ) -> DataSourceError {
        DataSourceError(
            .rateLimited(retryAfter: duration),
            "\(category): the exchange refused requests for coming too often"
        )
    }

    /// A queue moves within a second unless the exchange slows it down.
    private static func full(_ category: RequestCategory) -> DataSourceError {
        DataSourceError(
            .rateLimited(retryAfter: .seconds(1)),
            "\(category): too many requests are waiting"
        )
    }
}
