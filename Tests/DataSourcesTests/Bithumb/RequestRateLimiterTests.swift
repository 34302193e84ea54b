import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("Callers pass the gate in the order they came", .tags(.threads), .timeLimit(.minutes(30)))
struct RequestRateLimiterTests {
    private static let oneASecond = RequestPacer(
        rate: RequestRate(perSecond: 1, burst: 1, pause: .seconds(60))
    )

    /// Passes the gate and says how that ended.
    private func outcome(
        _ gate: RequestRateLimiter,
        _ category: RequestCategory = .ticker
    ) async -> DataSourceError.Code? {
        do {
            try await gate.pass(category)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A burst passes without sleeping; the next one sleeps its interval")
    func burst() async throws {
        let clock = ManualClock()
        let gate = RequestRateLimiter(clock: clock)
        for _ in 0..<100 { try await gate.pass(.ticker) }
        async let last = outcome(gate)
        await clock.untilSleeping()
        try await gate.pass(.orderbook)
        clock.advance(by: .milliseconds(10))
        #expect(await last == nil)
    }

    @Test("A line keeps its order")
    func order() async {
        let clock = ManualClock()
        let gate = RequestRateLimiter(pacer: Self.oneASecond, clock: clock)
        _ = await outcome(gate)
        let order = await withTaskGroup(of: Int.self) { group in
            for index in 0..<6 {
                group.addTask {
                    _ = await outcome(gate)
                    return index
                }
                while gate.waitingCount(.ticker) < index + 1 { await Task.yield() }
            }
            var order: [Int] = []
            while gate.waitingCount(.ticker) > 0 {
                await clock.untilSleeping()
                clock.advance(by: .seconds(1))
                if let passed = await group.next() { order.append(passed) }
            }
            return order
        }
        #expect(order == [0, 1, 2, 3, 4, 5])
    }

    @Test("A full line refuses one more, at once; other lines have room")
    func full() async {
        let clock = ManualClock()
        let gate = RequestRateLimiter(pacer: Self.oneASecond, clock: clock, waitersMax: 1)
        _ = await outcome(gate)
        _ = await outcome(gate, .trades)
        await withTaskGroup { group in
            group.addTask { #expect(await outcome(gate) == nil) }
            await clock.untilSleeping()
            #expect(await outcome(gate) == .rateLimited(retryAfter: .seconds(1)))
            group.addTask { #expect(await outcome(gate, .trades) == nil) }
            await clock.untilSleeping(2)
            clock.advance(by: .seconds(1))
        }
    }

    @Test("A rest turns away whoever comes and whoever waits")
    func pause() async {
        let clock = ManualClock()
        let gate = RequestRateLimiter(pacer: Self.oneASecond, clock: clock)
        _ = await outcome(gate)
        await withTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    #expect(await outcome(gate) == .rateLimited(retryAfter: .seconds(59)))
                }
            }
            while gate.waitingCount(.ticker) < 3 { await Task.yield() }
            await clock.untilSleeping()
            #expect(gate.pause(.ticker) == .seconds(60))
            clock.advance(by: .seconds(1))
        }
        #expect(await outcome(gate) == .rateLimited(retryAfter: .seconds(59)))
        #expect(await outcome(gate, .candles) == nil)
        clock.advance(by: .seconds(59))
        #expect(await outcome(gate) == nil)
    }

    @Test("What the exchange has left slows the gate down")
    func remaining() async {
        let clock = ManualClock()
        let gate = RequestRateLimiter(clock: clock)
        gate.note(remaining: 0, .ticker)
        async let passed = outcome(gate)
        await clock.untilSleeping()
        clock.advance(by: .milliseconds(10))
        #expect(await passed == nil)
    }

    @Test("A cancelled caller leaves the line at once, and the line moves on")
    func cancellation() async {
        let clock = ManualClock()
        let gate = RequestRateLimiter(pacer: Self.oneASecond, clock: clock)
        _ = await outcome(gate)
        // The first sleeps on the clock, the second and the third wait for their turn.
        let first = Task { await outcome(gate) }
        await clock.untilSleeping()
        let second = Task { await outcome(gate) }
        while gate.waitingCount(.ticker) < 2 { await Task.yield() }
        let third = Task { await outcome(gate) }
        while gate.waitingCount(.ticker) < 3 { await Task.yield() }

        second.cancel()
        #expect(await second.value == .cancelled)
        #expect(gate.waitingCount(.ticker) == 2)
        first.cancel()
        #expect(await first.value == .cancelled)
        await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        #expect(await third.value == nil)
        #expect(gate.waitingCount(.ticker) == 0)
    }

    @Test("A caller cancelled before it comes takes no token")
    func cancelledBefore() async {
        let gate = RequestRateLimiter(pacer: Self.oneASecond, clock: ManualClock())
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { #expect(await outcome(gate) == .cancelled) }
        }
        #expect(await outcome(gate) == nil)
    }
}
