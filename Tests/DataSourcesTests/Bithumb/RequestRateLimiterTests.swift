import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite(
    "Callers acquire requests in the order of their calls",
    .tags(.threads),
    .timeLimit(.minutes(30))
)
struct RequestRateLimiterTests {
    private static let oneASecond = RequestPacer(
        rate: RequestRate(perSecond: 1, burst: 1, pause: .seconds(60))
    )

    /// Acquires a request and returns the outcome.
    private func outcome(
        _ rateLimiter: RequestRateLimiter,
        _ category: RequestCategory = .ticker
    ) async -> DataSourceError.Code? {
        do {
            try await rateLimiter.acquire(category)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("a burst passes without sleeping; the next request sleeps its interval")
    func burst() async throws {
        let clock = ManualClock()
        let rateLimiter = RequestRateLimiter(clock: clock)
        for _ in 0..<100 { try await rateLimiter.acquire(.ticker) }
        async let last = outcome(rateLimiter)
        await clock.untilSleeping()
        try await rateLimiter.acquire(.orderbook)
        clock.advance(by: .milliseconds(10))
        #expect(await last == nil)
    }

    @Test("callers of a category proceed in order")
    func order() async {
        let clock = ManualClock()
        let rateLimiter = RequestRateLimiter(pacer: Self.oneASecond, clock: clock)
        _ = await outcome(rateLimiter)
        let order = await withTaskGroup(of: Int.self) { group in
            for index in 0..<6 {
                group.addTask {
                    _ = await outcome(rateLimiter)
                    return index
                }
                while rateLimiter.waitingCount(.ticker) < index + 1 { await Task.yield() }
            }
            var order: [Int] = []
            while rateLimiter.waitingCount(.ticker) > 0 {
                await clock.untilSleeping()
                clock.advance(by: .seconds(1))
                if let passed = await group.next() { order.append(passed) }
            }
            return order
        }
        #expect(order == [0, 1, 2, 3, 4, 5])
    }

    @Test("a full queue refuses a further caller at once; other categories have room")
    func full() async {
        let clock = ManualClock()
        let rateLimiter = RequestRateLimiter(pacer: Self.oneASecond, clock: clock, waitersMax: 1)
        _ = await outcome(rateLimiter)
        _ = await outcome(rateLimiter, .trades)
        await withTaskGroup { group in
            group.addTask { #expect(await outcome(rateLimiter) == nil) }
            await clock.untilSleeping()
            #expect(await outcome(rateLimiter) == .rateLimited(retryAfter: .seconds(1)))
            group.addTask { #expect(await outcome(rateLimiter, .trades) == nil) }
            await clock.untilSleeping(2)
            clock.advance(by: .seconds(1))
        }
    }

    @Test("a pause refuses new and waiting callers")
    func pause() async {
        let clock = ManualClock()
        let rateLimiter = RequestRateLimiter(pacer: Self.oneASecond, clock: clock)
        _ = await outcome(rateLimiter)
        await withTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    #expect(await outcome(rateLimiter) == .rateLimited(retryAfter: .seconds(59)))
                }
            }
            while rateLimiter.waitingCount(.ticker) < 3 { await Task.yield() }
            await clock.untilSleeping()
            #expect(rateLimiter.pause(.ticker) == .seconds(60))
            clock.advance(by: .seconds(1))
        }
        #expect(await outcome(rateLimiter) == .rateLimited(retryAfter: .seconds(59)))
        #expect(await outcome(rateLimiter, .candles) == nil)
        clock.advance(by: .seconds(59))
        #expect(await outcome(rateLimiter) == nil)
    }

    @Test("remaining requests of the exchange slow the rate limiter")
    func remaining() async {
        let clock = ManualClock()
        let rateLimiter = RequestRateLimiter(clock: clock)
        rateLimiter.note(remaining: 0, .ticker)
        async let passed = outcome(rateLimiter)
        await clock.untilSleeping()
        clock.advance(by: .milliseconds(10))
        #expect(await passed == nil)
    }

    @Test("a cancelled caller leaves the queue at once, and the queue moves on")
    func cancellation() async {
        let clock = ManualClock()
        let rateLimiter = RequestRateLimiter(pacer: Self.oneASecond, clock: clock)
        _ = await outcome(rateLimiter)
        // The first sleeps on the clock, the second and the third wait for their turn.
        let first = Task { await outcome(rateLimiter) }
        await clock.untilSleeping()
        let second = Task { await outcome(rateLimiter) }
        while rateLimiter.waitingCount(.ticker) < 2 { await Task.yield() }
        let third = Task { await outcome(rateLimiter) }
        while rateLimiter.waitingCount(.ticker) < 3 { await Task.yield() }

        second.cancel()
        #expect(await second.value == .cancelled)
        #expect(rateLimiter.waitingCount(.ticker) == 2)
        first.cancel()
        #expect(await first.value == .cancelled)
        await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        #expect(await third.value == nil)
        #expect(rateLimiter.waitingCount(.ticker) == 0)
    }

    @Test("a caller cancelled before acquiring takes no token")
    func cancelledBefore() async {
        let rateLimiter = RequestRateLimiter(pacer: Self.oneASecond, clock: ManualClock())
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { #expect(await outcome(rateLimiter) == .cancelled) }
        }
        #expect(await outcome(rateLimiter) == nil)
    }
}
