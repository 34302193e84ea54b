import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@Suite("The changes of all markets are known within seconds, and equal a naive computation")
struct LivePeriodFeedTests {
    private static let periods = ChangePeriod.allCases.filter { $0.window != nil }

    @Test("in both generations", arguments: PeriodFeedHarness.Generation.allCases, periods)
    func allMarkets(generation: PeriodFeedHarness.Generation, period: ChangePeriod) async throws {
        try await check(generation, period, from: .noon(90))
    }

    @Test("over a minute's end", arguments: PeriodFeedHarness.Generation.allCases, periods)
    func minuteEnd(generation: PeriodFeedHarness.Generation, period: ChangePeriod) async throws {
        try await check(generation, period, from: .noon(115))
    }

    private func check(
        _ generation: PeriodFeedHarness.Generation,
        _ period: ChangePeriod,
        from start: Timestamp
    ) async throws {
        let harness = PeriodFeedHarness(generation, from: start)
        let lease = harness.interests.enter([.list(period, .krw)])
        #expect(harness.coverage(period).known == 0)
        #expect(harness.coverage(period).of == PeriodFeedHarness.markets.count)
        try await harness.drive {
            harness.tasks.advance(by: .seconds(6))
            let coverage = harness.coverage(period)
            #expect(coverage.of == PeriodFeedHarness.markets.count)
            #expect(coverage.isComplete && coverage.resolution == nil)
            try harness.check(period)
            #expect(harness.calls.mostInASecond <= 100)
        }
        lease?.release()
    }

    @Test(
        "API 2.x: bases of windows up to an hour are known to the minute all the time",
        arguments: [ChangePeriod.minutes30, .hour1]
    )
    func shortWindows(period: ChangePeriod) async throws {
        let harness = PeriodFeedHarness(.v2, from: .noon(115))
        let lease = harness.interests.enter([.list(period, .krw)])
        try await harness.drive {
            harness.tasks.advance(by: .seconds(6))
            let count = harness.calls.count
            for step in 0..<10 {
                // Half of them just after a minute has begun.
                harness.tasks.advance(by: .seconds(step % 2 == 0 ? 59 : 1))
                let coverage = harness.coverage(period)
                #expect(coverage.isComplete && coverage.resolution == nil)
                try harness.check(period)
            }
            // One call a market tells two minutes.
            #expect(harness.calls.count - count <= 3 * PeriodFeedHarness.markets.count)
            #expect(harness.calls.mostInASecond(since: .seconds(7)) <= 50)
        }
        lease?.release()
    }

    @Test("API 2.x: a market that was not traded before a window makes no list incomplete")
    func newMarket() async throws {
        let start = Timestamp.noon(115)
        let harness = PeriodFeedHarness(.v2, from: start) { number, trades in
            // Some markets begin to be traded within the minutes to come.
            number % 10 == 0 ? trades.filter { $0.executedAt > .noon(-1_500) } : trades
        }
        let lease = harness.interests.enter([.list(.minutes30, .krw)])
        try await harness.drive {
            harness.tasks.advance(by: .seconds(6))
            for _ in 0..<50 {
                harness.tasks.advance(by: .seconds(7))
                #expect(harness.coverage(.minutes30).isComplete)
            }
        }
        lease?.release()
    }

    @Test(
        "a status that concerns one request delays no other market",
        arguments: [
            (400, true), (404, true), (410, true), (403, false), (500, false), (503, false),
        ]
    )
    func statuses(status: Int, isOfOneMarket: Bool) async throws {
        let harness = PeriodFeedHarness(.v2, failing: DataSourceError(.httpStatus(status), "C7"))
        let rows = harness.interests.enter(
            .rows(.minutes30, of: [PeriodFeedHarness.markets[7]])
        )
        try await harness.drive {
            harness.tasks.advance(by: .milliseconds(100))
            #expect(harness.calls.count == 1)
            let list = harness.interests.enter([.list(.minutes30, .krw)])
            harness.tasks.advance(by: .milliseconds(100))
            #expect((harness.calls.count > 1) == isOfOneMarket)
            list?.release()
        }
        rows?.release()
    }

    @Test("API 1.x: only a shorter page than others proves that a market was not traded before")
    func cutPages() async throws {
        let (cut, new) = (PeriodFeedHarness.markets[3], PeriodFeedHarness.markets[4])
        let minutes = [cut: 1_300, new: 100]
        let harness = PeriodFeedHarness(.v1) { number, trades in
            let market = PeriodFeedHarness.markets[number]
            return minutes[market].map { count in
                (1...count).map { Trade(market, price: "100", at: .noon(60 * ($0 - count))) }
            } ?? trades
        }
        let rows = harness.interests.enter(.rows(.hours24, of: [cut, new]))
        try await harness.drive {
            // Whichever page is read first is read again.
            harness.tasks.advance(by: .seconds(15))
            let board = harness.board.value
            let states = board.changeStates(over: .hours24, now: harness.now)
            #expect(board.coverage(of: [new], by: states).of == 0)
            let coverage = board.coverage(of: [cut], by: states)
            #expect(coverage.known == 0 && coverage.of == 1)
        }
        rows?.release()
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
            #expect(harness.calls.count == PeriodFeedHarness.markets.count)
            harness.tasks.advance(by: .seconds(60))
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
