import Domain
import Synchronization
import TestSupport
import Testing

@testable import UseCases

@Suite("A shared store never falls back to memory")
struct PinnedUserSharedStoreTests {
    private static let away = StoreFailure(.unavailable, "away")
    private static let revoked = StoreFailure(.unauthorized, "revoked")

    @Test("A store that is unreachable at the start is waited for, and changes are refused")
    func awayAtTheStart() async throws {
        let bench = PinnedUserBench(isShared: true)
        try bench.repository.changeElsewhere(.addFavorite("BTC_KRW"))
        bench.repository.failReading(Self.away)
        bench.repository.failWriting(Self.away)
        try await bench.drive {
            #expect(bench.state.status == .waiting(Self.away))
            bench.put(.putCash("5"))
            #expect(bench.state.refusal?.failure == Self.away)
            #expect(bench.state.record.cash.value == nil)
            bench.tasks.advance(by: .seconds(90))
            #expect(bench.state.status == .waiting(Self.away))
            bench.repository.failReading(nil)
            bench.repository.failWriting(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status == .ready)
            #expect(bench.state.record.favorites.value == ["BTC_KRW"])
            bench.put(.putCash("6"))
            #expect(bench.state.record.cash.value == "6")
        }
    }

    @Test("The last record stays visible while the store is unreachable")
    func awayLater() async throws {
        let bench = PinnedUserBench(isShared: true)
        try bench.repository.changeElsewhere(.putCash("5"))
        try await bench.drive {
            bench.repository.failReading(Self.away)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status == .failing(Self.away))
            #expect(bench.state.record.cash.value == "5")
            bench.repository.failReading(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status == .ready)
        }
    }

    @Test("A revoked token hides the record within a second")
    func revocation() async throws {
        let bench = PinnedUserBench(isShared: true)
        var patch = SettingsPatch()
        patch.theme = .dark
        for change in [
            UserChange.putCash("5"), .addFavorite("BTC_KRW"), .putDisplayName("이름"),
            .changeSettings(patch, expecting: nil),
            .putHolding(Holding(asset: Asset(of: "BTC_KRW"), quantity: "1", averagePrice: nil)),
        ] { try bench.repository.changeElsewhere(change) }
        let kept = bench.repository.kept
        try await bench.drive {
            #expect(bench.state.record == kept)
            bench.repository.failReading(Self.revoked)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status == .failing(Self.revoked))
            var bare = UserRecord(name: "local")
            bare.settings = kept.settings
            #expect(bench.state.record == bare)
            let sequence = bench.state.sequence
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.state.sequence == sequence, "the state is published once")
            bench.repository.failReading(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status == .ready)
            #expect(bench.state.record == kept)
        }
    }

    @Test("A hidden record is unread when the store becomes unreachable")
    func revokedThenAway() async throws {
        let bench = PinnedUserBench(isShared: true)
        try bench.repository.changeElsewhere(.putCash("5"))
        try await bench.drive {
            #expect(bench.state.status.visibility == .shown)
            bench.repository.failReading(Self.revoked)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status.visibility == .closed(Self.revoked))
            bench.repository.failReading(Self.away)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status.visibility == .unread(Self.away))
            bench.repository.failReading(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status.visibility == .shown)
            #expect(bench.state.record.cash.value == "5")
            bench.repository.failReading(Self.away)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status.visibility == .shown, "the record of the last load")
        }
    }

    @Test("A change with a revoked token hides the record at once")
    func revokedByChange() async throws {
        let bench = PinnedUserBench(isShared: true)
        try bench.repository.changeElsewhere(.putCash("5"))
        try await bench.drive {
            bench.repository.failWriting(Self.revoked)
            bench.put(.putCash("6"))
            #expect(bench.state.status.visibility == .closed(Self.revoked))
            #expect(bench.state.record.cash.value == nil)
        }
    }

    @Test(
        "The first load tells whether the token allows changes",
        arguments: [true, false]
    )
    func allowsChanges(allows: Bool) async throws {
        let bench = PinnedUserBench(isShared: true)
        bench.repository.failWriting(allows ? nil : StoreFailure(.forbidden, "read only"))
        try await bench.drive {
            #expect(bench.state.allowsChanges == allows)
            #expect(bench.state.status == .ready)
        }
    }

    @Test("A store call in flight is visible in the state")
    func pendingCall() async throws {
        let bench = PinnedUserBench(isShared: true)
        try await bench.drive {
            #expect(bench.state.pendingCall == nil)
            try bench.repository.changeElsewhere(.putCash("5"))
            bench.repository.hold()
            let sequence = bench.state.sequence
            bench.tasks.advance(by: .seconds(1))
            let call = bench.state.pendingCall
            #expect(call != nil)
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.state.pendingCall == call)
            #expect(bench.state.sequence == sequence)
            bench.repository.letGo()
            bench.tasks.settle()
            #expect(bench.state.pendingCall == nil)
        }
    }

    @Test("A read-only token is refused changes, and the store is not failing")
    func readOnly() async throws {
        let bench = PinnedUserBench(isShared: true)
        let forbidden = StoreFailure(.forbidden, "read only")
        bench.repository.failWriting(forbidden)
        try await bench.drive {
            bench.put(.putCash("5"))
            #expect(bench.state.refusal?.failure == forbidden)
            #expect(bench.state.status == .ready)
            bench.pinned.report(Self.away)
            bench.tasks.settle()
            #expect(bench.state.status == .failing(Self.away))
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status == .ready)
        }
    }

    @Test("A burst of reload requests causes one load at once")
    func reloadRequests() async throws {
        let bench = PinnedUserBench(isShared: true)
        try await bench.drive {
            try bench.repository.changeElsewhere(.putCash("5"))
            for _ in 0..<100 { bench.pinned.reload() }
            let count = bench.repository.readCount
            bench.tasks.settle()
            #expect(bench.state.record.cash.value == "5")
            #expect(bench.repository.readCount == count + 1)
        }
    }

    @Test("A reload request during a load causes another load")
    func reloadRequestDuringLoad() async throws {
        let bench = PinnedUserBench(isShared: true)
        try await bench.drive {
            try bench.repository.changeElsewhere(.putCash("5"))
            bench.repository.hold()
            bench.tasks.advance(by: .seconds(1))
            // The load reads 5. Meanwhile the value becomes 6.
            try bench.repository.changeElsewhere(.putCash("6"))
            bench.pinned.reload()
            bench.tasks.settle()
            #expect(bench.state.record.cash.value == nil)
            bench.repository.letGo()
            bench.tasks.settle()
            #expect(bench.state.record.cash.value == "6")
        }
    }
}
