import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("The failure of a leader's operation ends with the next success of that operation")
struct LeaderFailureTests {
    private typealias Call = UnreliableStore.Call

    /// A leader in the middle of a minute, long before it writes the next one.
    private func withLeader(
        _ body: (DeploymentHarness, Instance) throws -> Void
    ) async throws {
        let bench = DeploymentHarness(1, seed: 1)
        try await bench.drive {
            bench.advance(by: .seconds(60 * 3 + 10))
            let leader = try #require(bench.leader)
            #expect(leader.writer.status.failure == nil)
            try body(bench, leader)
        }
    }

    @Test("a renewal that failed once is reported until the next one, not until the next minute")
    func lease() async throws {
        try await withLeader { bench, leader in
            leader.link.refuse([.lease])
            bench.advance(by: .seconds(1))
            #expect(leader.writer.status.failure?.code == .busy)
            #expect(leader.writer.status.isLeading)
            leader.link.refuse([])
            bench.advance(by: .seconds(1))
            #expect(leader.writer.status.failure == nil)
            #expect(leader.writer.status.isLeading)
        }
    }

    @Test("a roll-up that failed is repeated within seconds, and its success is reported")
    func rollUp() async throws {
        try await withLeader { bench, leader in
            leader.link.refuse([.rollUp])
            // The end of a minute; the lease is renewed meanwhile.
            bench.advance(by: .seconds(60))
            #expect(leader.writer.status.failure?.code == .busy)
            leader.link.refuse([])
            bench.advance(by: .seconds(5))
            #expect(leader.writer.status.failure == nil)
        }
    }

    @Test("a write that fails is reported although the lease is renewed each second")
    func write() async throws {
        try await withLeader { bench, leader in
            leader.link.refuse([.minutes])
            bench.advance(by: .seconds(60))
            for _ in 0..<10 {
                bench.advance(by: .milliseconds(500))
                #expect(leader.writer.status.failure?.code == .busy)
            }
            leader.link.refuse([])
            bench.advance(by: .seconds(2))
            #expect(leader.writer.status.failure == nil)
        }
    }

    @Test("a search for missing minutes that failed is repeated after a second")
    func coverage() async throws {
        try await withLeader { bench, leader in
            leader.link.refuse([.coverage])
            bench.advance(by: .seconds(25))
            #expect(leader.writer.status.failure?.code == .busy)
            leader.link.refuse([])
            bench.advance(by: .seconds(3))
            #expect(leader.writer.status.failure == nil)
        }
    }

    @Test("partitions that could not be made are tried again within seconds")
    func prepare() async throws {
        let bench = DeploymentHarness(1, seed: 3)
        bench.instances[0].link.refuse([.prepare])
        try await bench.drive {
            bench.advance(by: .seconds(60 * 2 + 10))
            let leader = try #require(bench.leader)
            #expect(leader.writer.status.failure?.code == .busy)
            leader.link.refuse([])
            bench.advance(by: .seconds(6))
            #expect(leader.writer.status.failure == nil)
        }
    }

    @Test("an instance that no longer leads forgets what it failed to do as the leader")
    func following() async throws {
        let bench = DeploymentHarness(2, seed: 2)
        try await bench.drive {
            bench.advance(by: .seconds(60 * 3 + 10))
            let leader = try #require(bench.leader)
            leader.link.refuse([.rollUp])
            bench.advance(by: .seconds(60))
            #expect(leader.writer.status.failure != nil)
            leader.link.refuse(Set(Call.allCases))
            bench.advance(by: .seconds(5))
            #expect(bench.leader?.name != leader.name)
            leader.link.refuse([.rollUp])
            bench.advance(by: .seconds(1))
            #expect(leader.writer.status.failure == nil)
        }
    }

    @Test(
        "a write that fails after its leader was replaced is no failure of the follower",
        arguments: stride(from: 48_000, through: 52_000, by: 500).map { $0 }
    )
    func late(milliseconds: Int) async throws {
        let bench = DeploymentHarness(2, seed: 4)
        try await bench.drive {
            bench.advance(by: .seconds(60 * 3 + 10))
            let leader = try #require(bench.leader)
            // Around the end of the minute: a write is on its way while the lease still lasts.
            bench.advance(by: .milliseconds(milliseconds))
            leader.link.hold()
            bench.advance(by: .seconds(8))
            #expect(bench.leader?.name != leader.name)
            leader.link.lose()
            bench.advance(by: .milliseconds(500))
            leader.link.open()
            bench.advance(by: .seconds(5))
            #expect(leader.writer.status.failure == nil)
            #expect(!leader.writer.status.isLeading)
        }
    }

    @Test("operations are reported in their order, and each clears its own failure only")
    func order() {
        let (busy, full) = (StoreFailure(.busy, "a"), StoreFailure(.full, "b"))
        var failures = OperationFailures<LeaderElection.Operation>()
        #expect(failures.note(nil, of: .lease) == StoreFailure??.none)
        #expect(failures.note(busy, of: .rollUp) == .some(.some(busy)))
        #expect(failures.note(full, of: .write) == .some(.some(full)))
        #expect(failures.note(nil, of: .lease) == StoreFailure??.none)
        #expect(failures.note(nil, of: .write) == .some(.some(busy)))
        #expect(failures.note(nil, of: .rollUp) == .some(.none))
        #expect(failures.first == nil)
    }
}
