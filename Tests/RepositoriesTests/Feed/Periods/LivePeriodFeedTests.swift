import Domain
import TestSupport
import Testing
import UseCases

@Suite("The changes of all markets are known within seconds, and equal a naive computation")
struct LivePeriodFeedTests {
    private static let periods = ChangePeriod.allCases.filter { $0.window != nil }

    @Test("in both generations", arguments: PeriodFeedHarness.Generation.allCases, periods)
    func allMarkets(generation: PeriodFeedHarness.Generation, period: ChangePeriod) async throws {
        let harness = PeriodFeedHarness(generation)
        let lease = harness.interests.enter([.list(period, .krw)])
        #expect(harness.coverage(period).known == 0)
        #expect(harness.coverage(period).of == PeriodFeedHarness.markets.count)
        try await harness.drive {
            harness.tasks.advance(by: .seconds(6))
            let coverage = harness.coverage(period)
            #expect(coverage.of == PeriodFeedHarness.markets.count)
            #expect(coverage.isComplete && coverage.resolution == nil)
            try harness.check(period)
            #expect(harness.calls.mostInASecond <= 111)
        }
        lease?.release()
    }

    @Test("rows on a screen are read first", arguments: PeriodFeedHarness.Generation.allCases)
    func visibleRows(generation: PeriodFeedHarness.Generation) async throws {
        let harness = PeriodFeedHarness(generation)
        let visible = PeriodFeedHarness.markets[400..<440]
        let list = harness.interests.enter([.list(.hours12, .krw)])
        let rows = harness.interests.enter(.rows(.hours12, of: visible))
        try await harness.drive { harness.tasks.advance(by: .seconds(2)) }
        let first = harness.calls.symbols.prefix(visible.count)
        #expect(Set(first) == Set(visible.map(\.name)))
        #expect(harness.calls.count > visible.count)
        list?.release()
        rows?.release()
    }

    @Test("the first bases are requested as soon as the markets are known")
    func start() async throws {
        let harness = PeriodFeedHarness(.v1, listedAt: .milliseconds(250))
        let lease = harness.interests.enter([.list(.minutes30, .krw)])
        try await harness.drive {
            harness.tasks.advance(by: .milliseconds(200))
            #expect(harness.calls.count == 0)
            harness.tasks.advance(by: .milliseconds(200))
            #expect(harness.calls.count > 0)
        }
        lease?.release()
    }

    @Test("rows without a list are read alone")
    func rowsAlone() async throws {
        let harness = PeriodFeedHarness(.v1)
        let market = PeriodFeedHarness.markets[7]
        let rows = harness.interests.enter(.rows(.minutes30, of: [market]))
        try await harness.drive { harness.tasks.advance(by: .seconds(5)) }
        #expect(harness.calls.symbols == [market.name])
        rows?.release()
    }

    @Test("after a change of the generation the other one is read")
    func change() async throws {
        let harness = PeriodFeedHarness(.v2, then: (.v1, at: .milliseconds(1_500)))
        let lease = harness.interests.enter([.list(.hour1, .krw)])
        try await harness.drive {
            harness.tasks.advance(by: .seconds(7))
            #expect(harness.coverage(.hour1).isComplete)
            try harness.check(.hour1)
        }
        lease?.release()
    }

    @Test("API 2.x: candles of ten minutes keep the bases moving, with few requests")
    func coarse() async throws {
        let harness = PeriodFeedHarness(.v2)
        let lease = harness.interests.enter([.list(.hours12, .krw)])
        try await harness.drive {
            harness.tasks.advance(by: .seconds(20))
            #expect(harness.coverage(.hours12).resolution == nil)
            #expect(harness.calls.count == 2 * PeriodFeedHarness.markets.count)
            harness.tasks.advance(by: .seconds(300))
            let coverage = harness.coverage(.hours12)
            #expect(coverage.isComplete && coverage.resolution == .minutes10)
            #expect(harness.calls.count == 2 * PeriodFeedHarness.markets.count)
            harness.tasks.advance(by: .seconds(3_000))
            #expect(harness.coverage(.hours12).isComplete)
            // One request a market and ten minutes.
            #expect(harness.calls.count <= 8 * PeriodFeedHarness.markets.count)
        }
        lease?.release()
    }

    @Test("nothing is read without a list, or for a recording", arguments: [true, false])
    func idle(isReplay: Bool) async throws {
        let harness = PeriodFeedHarness(.v1, kind: isReplay ? .replay : .live)
        let shown = ShownPeriod.list(.minutes30, isReplay ? .krw : .btc)
        let lease = harness.interests.enter([shown])
        try await harness.drive { harness.tasks.advance(by: .seconds(60)) }
        #expect(harness.calls.count == 0)
        lease?.release()
    }
}
