import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("One instance at a time writes the candles of all markets, and all are correct in the end")
struct LeaderElectionTests {
    private static let away = StoreError(.unavailable, "the test took the store away")

    /// Checks that every finished candle is stored once, is correct, and is covered.
    private func expectAll(_ bench: DeploymentHarness, _ note: Comment? = nil) async throws {
        let end = CandleInterval.minute1.bucketStart(of: bench.now.advanced(by: .seconds(-2)))
        for market in TradingExchange.markets {
            let stored = try await bench.stored(market)
            let truth = bench.exchange.rows(of: market)
                .filter { $0.atMilliseconds * 1_000 < end.microseconds }
            #expect(stored.count == truth.count, note)
            for row in truth {
                let candle = stored[row.atMilliseconds * 1_000]
                let numbers = [row.open, row.high, row.low, row.close, row.volume]
                let told = [candle?.open, candle?.high, candle?.low, candle?.close, candle?.volume]
                #expect(told == numbers.map { "\($0.mantissa)" }, note)
            }
        }
        let covered = try await bench.covered()
        #expect(covered.count == 1, note)
        #expect(covered.last?.to == end.microseconds, note)
    }

    @Test("minutes are written two seconds after their end, and earlier ones over REST")
    func oneInstance() async throws {
        let bench = DeploymentHarness(1, seed: 1)
        try await bench.drive {
            bench.advance(by: .seconds(60 * 5 + 50))
            let status = bench.instances[0].writer.status
            #expect(status.isLeading)
            #expect(status.epoch == 1)
            #expect(status.bufferedRows == 0)
            #expect(status.droppedRows == 0)
            #expect(status.healingLeft == 0)
            // Two seconds, and the time until a trade shows that they have ended.
            let lag = try #require(status.lag)
            #expect(lag < .seconds(66))
        }
        try await expectAll(bench)
        let readings = bench.exchange.readings
        #expect(readings.count == TradingExchange.markets.count)
        for (earlier, later) in zip(readings, readings.dropFirst()) {
            #expect(later.duration(since: earlier) >= Backfill.spacing)
        }
    }

    @Test("the next leader writes what the last one did not, within five seconds")
    func takingOver() async throws {
        enum Trouble: CaseIterable { case killed, stopped, cutOff }
        for (place, trouble) in Trouble.allCases.enumerated() {
            let bench = DeploymentHarness(2, seed: UInt64(place))
            try await bench.drive {
                // The third minute has ended, but is not written.
                bench.advance(by: .seconds(60 * 3 + 48))
                let leader = try #require(bench.leader)
                let before = bench.audit.entries.last
                switch trouble {
                case .killed: leader.kill()
                case .stopped: leader.stop()
                case .cutOff: leader.link.lose()
                }
                bench.advance(by: .seconds(5))
                #expect(bench.leader?.name != leader.name)
                let after = try #require(bench.audit.entries.last)
                #expect(after.lease.epoch == before.map { $0.lease.epoch + 1 })
                #expect(!leader.writer.status.isLeading || trouble == .killed)
                bench.advance(by: .seconds(10))
                switch trouble {
                case .killed: leader.revive(at: bench.now)
                case .stopped: leader.goOn()
                case .cutOff: leader.link.open()
                }
                bench.advance(by: .seconds(60 * 4))
                #expect(bench.leader?.name != leader.name)
                #expect(bench.audit.entries.allSatisfy { $0.lease == $0.inForce })
            }
            try await expectAll(bench, "\(trouble)")
        }
    }

    @Test("a write sent before its leader was stopped changes nothing afterwards")
    func lateWrite() async throws {
        let bench = DeploymentHarness(2, seed: 4)
        try await bench.drive {
            bench.advance(by: .seconds(60 * 2 + 48))
            let leader = try #require(bench.leader)
            // The leader writes a minute that closes now, and the write stays in flight.
            leader.link.hold()
            bench.advance(by: .seconds(8))
            #expect(bench.leader?.name != leader.name)
            let written = bench.audit.entries.count
            leader.goOn()
            bench.tasks.settle()
            #expect(bench.audit.fenced > 0)
            let later = bench.audit.entries.dropFirst(written)
            #expect(later.allSatisfy { $0.lease == $0.inForce })
            #expect(!leader.writer.status.isLeading)
            bench.advance(by: .seconds(120))
            #expect(bench.leader?.name != leader.name)
        }
        try await expectAll(bench)
    }

    @Test("a leader that resigns is replaced within a second, with everything written")
    func resigning() async throws {
        let bench = DeploymentHarness(2, seed: 5)
        try await bench.drive {
            bench.advance(by: .seconds(60 * 3 + 30))
            let leader = try #require(bench.leader)
            leader.kill()
            leader.link.open()
        }
        #expect(bench.leader != nil)
        await bench.instances.first { bench.leader === $0 }?.writer.resign()
        #expect(bench.leader == nil)
    }

    @Test(
        "an instance with a recording or an unknown feed never leads",
        arguments: [.replay, nil] as [FeedKind?]
    )
    func nothingToWrite(kind: FeedKind?) async throws {
        let bench = DeploymentHarness(1, seed: 11, kind: kind)
        try await bench.drive {
            bench.advance(by: .seconds(150))
            #expect(bench.leader == nil)
            #expect(!bench.instances[0].writer.status.isLed, "nobody was asked")
            #expect(bench.store.callCount == 0)
            #expect(bench.exchange.readings.isEmpty)
        }
    }

    @Test("the leader of another feed prevents no one from leading")
    func otherFeed() async throws {
        let bench = DeploymentHarness(1, seed: 12)
        let other = try #require(
            try await bench.store.takeLease(
                holder: "other",
                feed: "simulated",
                for: .seconds(86_400)
            )
        )
        try await bench.drive {
            bench.advance(by: .seconds(150))
            #expect(bench.leader != nil)
            #expect(bench.store.leaseInForce(feed: "simulated") == other)
        }
        try await expectAll(bench)
    }

    @Test("a store that was unreachable for a minute lacks nothing afterwards")
    func awayForShort() async throws {
        let bench = DeploymentHarness(2, seed: 6)
        try await bench.drive {
            bench.advance(by: .seconds(60 * 3 + 20))
            bench.store.fail(Self.away)
            bench.advance(by: .seconds(60))
            #expect(bench.leader == nil || bench.instances.allSatisfy { !$0.isWell })
            for instance in bench.instances {
                let status = instance.writer.status
                #expect(!status.isLeading && !status.isLed)
                #expect(status.bufferedRows > 0)
                #expect(status.failure?.code == .unavailable)
            }
            bench.store.fail(nil)
            bench.advance(by: .seconds(3))
            #expect(bench.leader != nil)
            #expect(bench.instances.allSatisfy { $0.writer.status.isLed }, "all know it")
            #expect(bench.instances.allSatisfy { $0.writer.status.droppedRows == 0 })
            let leader = try #require(bench.leader)
            #expect(leader.writer.status.bufferedRows == 0)
            bench.advance(by: .seconds(60))
        }
        try await expectAll(bench)
    }

    @Test("a store that was unreachable beyond the kept minutes is backfilled over REST")
    func awayForLong() async throws {
        let bench = DeploymentHarness(1, seed: 7)
        try await bench.drive {
            bench.advance(by: .seconds(60 * 2 + 20))
            bench.store.fail(Self.away)
            bench.advance(by: .seconds(60 * 80))
            let status = bench.instances[0].writer.status
            let rowsMax = MinuteCandleBuilder.minutesMax * TradingExchange.markets.count
            #expect((1...rowsMax).contains(status.bufferedRows))
            #expect(status.droppedRows > 0)
            bench.store.fail(nil)
            bench.advance(by: .seconds(3))
            #expect(bench.instances[0].writer.status.bufferedRows == 0)
            bench.advance(by: .seconds(57 + 60))
        }
        try await expectAll(bench)
    }

    @Test("the minutes of a stalled stream are read over REST")
    func stalled() async throws {
        let bench = DeploymentHarness(1, seed: 9)
        try await bench.drive {
            bench.advance(by: .seconds(60 * 3 + 40))
            let readings = bench.exchange.readings.count
            bench.advance(by: .seconds(5), isStalled: true)
            bench.instances[0].reportSilence(at: bench.now)
            bench.advance(by: .seconds(3), isStalled: true)
            bench.advance(by: .seconds(60 * 4))
            let again = bench.exchange.readings.count - readings
            #expect(again == TradingExchange.markets.count)
        }
        try await expectAll(bench)
    }

    @Test(
        "an exchange that fails or refuses all markets is asked again with increasing pauses",
        arguments: [
            .timedOut, .httpStatus(429), .httpStatus(500),
            .refused(status: "5600", message: "later"), .refused(status: "5900", message: ""),
            // A valid answer for one market, but not for all.
            .refused(status: "5500", message: "not listed"),
        ] as [DataSourceError.Code]
    )
    func failingReadings(code: DataSourceError.Code) async throws {
        let bench = DeploymentHarness(1, seed: 8)
        try await bench.drive {
            bench.exchange.fail(DataSourceError(code, "the test"))
            bench.advance(by: .seconds(60 * 60))
            let readings = bench.exchange.readings.count
            // Up to three attempts for each of three markets, after 1, 2, 4, 8, 16 and 32 minutes.
            #expect((6...(9 * 7)).contains(readings))
            bench.exchange.fail(nil)
            bench.advance(by: .seconds(60 * 64 + 50))
        }
        try await expectAll(bench)
    }

    @Test(
        "random faults of instances: one writes at a time, and every candle is correct in the end"
    )
    func randomTroubles() async throws {
        for seed in UInt64(20)..<26 {
            let bench = DeploymentHarness(3, seed: seed)
            try await bench.drive { try trouble(bench, seed) }
            try await expectAll(bench, "seed \(seed)")
            let entries = bench.audit.entries
            #expect(entries.allSatisfy { $0.lease == $0.inForce }, "seed \(seed)")
            let epochs = entries.map(\.lease.epoch)
            #expect(epochs == epochs.sorted(), "seed \(seed)")
            #expect(Set(epochs).count > 3, "seed \(seed)")
        }
    }

    private func trouble(_ bench: DeploymentHarness, _ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        bench.advance(by: .seconds(150))
        for _ in 0..<24 {
            let victim = Bool.random(using: &generator) ? bench.leader : nil
            let instance = try #require(
                victim ?? bench.instances.randomElement(using: &generator)
            )
            let kind = Int.random(in: 0..<4, using: &generator)
            let epoch = bench.audit.entries.last?.lease.epoch ?? 0
            switch kind {
            case 0: instance.kill()
            case 1: instance.stop()
            case 2: instance.link.lose()
            default: instance.loseExchange(at: bench.now)
            }
            bench.advance(by: .seconds(5))
            #expect(bench.leader?.isWell ?? false, "seed \(seed)")
            if let victim, kind < 3 {
                #expect(bench.leader?.name != victim.name)
                // Healthy instances have received whole minutes, unless they began just now.
                let taken = bench.audit.entries.last?.lease.epoch ?? 0
                let hasHeard = bench.leader?.writer.status.lag != nil
                #expect(taken > epoch || !hasHeard, "seed \(seed)")
            }
            bench.advance(by: .seconds(Int64.random(in: 0...20, using: &generator)))
            switch kind {
            case 0: instance.revive(at: bench.now)
            case 1: instance.goOn()
            case 2: instance.link.open()
            default: instance.resubscribe(at: bench.now)
            }
            bench.advance(by: .seconds(Int64.random(in: 5...80, using: &generator)))
        }
        bench.advance(by: .seconds(60 * 4))
    }
}
