import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite(
    "Other market data is written by the leader and discarded by followers",
    .tags(.threads)
)
struct LeaderStoreTests {
    /// Two instances, each with an archive.
    private struct Bench {
        let deployment = DeploymentHarness(2, seed: 9)
        let archives: [MarketArchive]

        init() {
            let clock = deployment.tasks.clock
            let board = MarketBoard(kind: .live)
            let latest = SnapshotPublisher(
                BoardSnapshot(board: board, sequence: 0, capturedAt: .noon())
            )
            archives = deployment.instances.map { instance in
                let archive = MarketArchive(
                    expecting: .live,
                    parts: .init(
                        store: LeaderStore(instance.link, election: instance.writer.election),
                        latest: latest,
                        clock: clock,
                        now: { DeploymentHarness.start.advanced(by: clock.now.offset) },
                        onFailure: { _ in }
                    )
                )
                archive.identify(.live)
                return archive
            }
        }

        func drive(_ drive: () throws -> Void) async throws {
            let (deployment, archives) = (deployment, archives)
            try await deployment.tasks.running(
                {
                    await withTaskGroup { group in
                        for instance in deployment.instances {
                            group.addTask { await instance.run() }
                        }
                        for archive in archives { group.addTask { await archive.run() } }
                        await group.waitForAll()
                    }
                },
                drive: drive
            )
        }

        /// Writes names that identify their archive.
        func saveNames() {
            for (place, archive) in archives.enumerated() {
                let names = CoinNames([
                    "BTC": .init(symbol: "BTC", korean: "\(place)", english: "")
                ])
                archive.keep(names, readAt: deployment.now)
            }
        }

        func names() async throws -> String? {
            try await deployment.store.names(feed: "live")?.rows.first?.korean
        }
    }

    @Test("a follower discards without failing, and writes once it leads")
    func following() async throws {
        let bench = Bench()
        try await bench.drive {
            bench.saveNames()
            bench.deployment.advance(by: .seconds(2))
            let entries = bench.deployment.audit.entries
            #expect(Set(entries.map(\.lease.holder)).count == 1)
            for archive in bench.archives {
                #expect(archive.status.failure == nil)
                #expect(archive.status.droppedPages == 0)
            }
            let leader = try #require(bench.deployment.leader)
            leader.link.lose()
            bench.deployment.advance(by: .seconds(5))
            bench.saveNames()
            bench.deployment.advance(by: .seconds(2))
            let next = try #require(bench.deployment.leader)
            #expect(next !== leader)
            #expect(bench.deployment.audit.entries.last?.lease.holder.hasPrefix(next.name) ?? false)
            #expect(bench.deployment.audit.entries.allSatisfy { $0.lease == $0.inForce })
        }
        let place = bench.deployment.leader?.name.last.map(String.init)
        #expect(try await bench.names() == place)
    }

    @Test("while the leader is unknown, values stay queued")
    func waiting() async throws {
        let bench = Bench()
        bench.deployment.store.fail(StoreError(.unavailable, "the test"))
        try await bench.drive {
            bench.saveNames()
            bench.deployment.advance(by: .seconds(30))
            #expect(bench.archives.allSatisfy { $0.status.failure?.code == .unavailable })
            bench.deployment.store.fail(nil)
            bench.deployment.advance(by: .seconds(3))
            #expect(bench.archives.allSatisfy { $0.status.failure == nil })
        }
        let place = bench.deployment.leader?.name.last.map(String.init)
        #expect(try await bench.names() == place)
    }

    @Test("a program that only reads never writes, and every program reads")
    func reading() async throws {
        let store = InMemorySharedStore { 0 }
        let lease = try #require(
            try await store.takeLease(holder: "a", feed: "live", for: .seconds(3))
        )
        let close = StoredPriceDTO(market: "BTC_KRW", price: "1", at: 7, tradeValue24h: nil)
        try await store.fenced(by: lease).savePrices([close], feed: "live")
        let view = LeaderStore(store, election: nil)
        #expect(try await view.closes(feed: "live") == [close])
        let error = await #expect(throws: StoreError.self) {
            try await view.savePrices([close], feed: "live")
        }
        #expect(error?.code == .forbidden)
    }

    @Test("each term is reported once to each waiter")
    func terms() async throws {
        let deployment = DeploymentHarness(2, seed: 10)
        let told = WriteAudit()
        let first = deployment.instances[0].writer
        let clock = deployment.tasks.clock
        try await deployment.tasks.running(
            {
                await withTaskGroup { group in
                    for instance in deployment.instances {
                        group.addTask { await instance.run() }
                    }
                    group.addTask {
                        await first.election.forEachTerm {
                            let lease = LeaseDTO(
                                feed: "live",
                                holder: "",
                                epoch: first.status.epoch ?? 0
                            )
                            told.note(lease, inForce: nil, at: clock.now.offset)
                        }
                    }
                    await group.waitForAll()
                }
            },
            drive: {
                deployment.advance(by: .seconds(2))
                #expect(told.entries.map(\.lease.epoch) == [1])
                deployment.instances[0].link.lose()
                deployment.advance(by: .seconds(5))
                deployment.instances[0].link.open()
                deployment.instances[1].link.lose()
                deployment.advance(by: .seconds(5))
                #expect(told.entries.map(\.lease.epoch) == [1, 3])
            }
        )
    }
}
