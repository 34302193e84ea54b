import Domain
import Synchronization
import TestSupport
import Testing
@testable import UseCases

@Suite("Where others keep theirs too, nothing goes on in memory, and news are looked at at once")
struct PinnedUserSharedStoreTests {
    private static let away = StoreFailure(.unavailable, "away")
    private static let revoked = StoreFailure(.unauthorized, "revoked")

    @Test("A store that is away at the start is waited for, and takes no change meanwhile")
    func awayAtTheStart() async throws {
        let bench = PinnedUserBench(isShared: true)
        try bench.repository.changeElsewhere(.addFavorite("BTC_KRW"))
        bench.repository.failReading(Self.away)
        bench.repository.failWriting(Self.away)
        try await bench.drive {
            #expect(bench.cut.status == .waiting(Self.away))
            bench.put(.putCash("5"))
            #expect(bench.cut.refusal?.failure == Self.away)
            #expect(bench.cut.record.cash.value == nil)
            bench.tasks.advance(by: .seconds(90))
            #expect(bench.cut.status == .waiting(Self.away))
            bench.repository.failReading(nil)
            bench.repository.failWriting(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status == .ready)
            #expect(bench.cut.record.favorites.value == ["BTC_KRW"])
            bench.put(.putCash("6"))
            #expect(bench.cut.record.cash.value == "6")
        }
    }

    @Test("A store that goes away later is failing: what was read last stays, and says so")
    func awayLater() async throws {
        let bench = PinnedUserBench(isShared: true)
        try bench.repository.changeElsewhere(.putCash("5"))
        try await bench.drive {
            bench.repository.failReading(Self.away)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status == .failing(Self.away))
            #expect(bench.cut.record.cash.value == "5")
            bench.repository.failReading(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status == .ready)
        }
    }

    @Test("A token that opens nothing any more takes what is personal away, within a second")
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
            #expect(bench.cut.record == kept)
            bench.repository.failReading(Self.revoked)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status == .failing(Self.revoked))
            var bare = UserRecord(name: "local")
            bare.settings = kept.settings
            #expect(bench.cut.record == bare)
            let sequence = bench.cut.sequence
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.cut.sequence == sequence, "it is said once")
            bench.repository.failReading(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status == .ready)
            #expect(bench.cut.record == kept)
        }
    }

    @Test("What a token was refused is not known any more when the store goes away after that")
    func revokedThenAway() async throws {
        let bench = PinnedUserBench(isShared: true)
        try bench.repository.changeElsewhere(.putCash("5"))
        try await bench.drive {
            #expect(bench.cut.status.visibility == .shown)
            bench.repository.failReading(Self.revoked)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status.visibility == .closed(Self.revoked))
            bench.repository.failReading(Self.away)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status.visibility == .unread(Self.away))
            bench.repository.failReading(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status.visibility == .shown)
            #expect(bench.cut.record.cash.value == "5")
            bench.repository.failReading(Self.away)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status.visibility == .shown, "it is as it was last read")
        }
    }

    @Test("A change that finds the token revoked takes what is personal away at once")
    func revokedByChange() async throws {
        let bench = PinnedUserBench(isShared: true)
        try bench.repository.changeElsewhere(.putCash("5"))
        try await bench.drive {
            bench.repository.failWriting(Self.revoked)
            bench.put(.putCash("6"))
            #expect(bench.cut.status.visibility == .closed(Self.revoked))
            #expect(bench.cut.record.cash.value == nil)
        }
    }

    @Test(
        "Whether the token opens changes is known with the first reading",
        arguments: [true, false]
    )
    func allowsChanges(allows: Bool) async throws {
        let bench = PinnedUserBench(isShared: true)
        bench.repository.failWriting(allows ? nil : StoreFailure(.forbidden, "read only"))
        try await bench.drive {
            #expect(bench.cut.allowsChanges == allows)
            #expect(bench.cut.status == .ready)
        }
    }

    @Test("A call that the store has not answered is seen without being told")
    func pendingCall() async throws {
        let bench = PinnedUserBench(isShared: true)
        try await bench.drive {
            #expect(bench.cut.pendingCall == nil)
            try bench.repository.changeElsewhere(.putCash("5"))
            bench.repository.hold()
            let sequence = bench.cut.sequence
            bench.tasks.advance(by: .seconds(1))
            let call = bench.cut.pendingCall
            #expect(call != nil)
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.cut.pendingCall == call)
            #expect(bench.cut.sequence == sequence)
            bench.repository.letGo()
            bench.tasks.settle()
            #expect(bench.cut.pendingCall == nil)
        }
    }

    @Test("A token of reading alone is refused changes, and makes the store no failing one")
    func readOnly() async throws {
        let bench = PinnedUserBench(isShared: true)
        let forbidden = StoreFailure(.forbidden, "read only")
        bench.repository.failWriting(forbidden)
        try await bench.drive {
            bench.put(.putCash("5"))
            #expect(bench.cut.refusal?.failure == forbidden)
            #expect(bench.cut.status == .ready)
            bench.commands.report(Self.away)
            bench.tasks.settle()
            #expect(bench.cut.status == .failing(Self.away))
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status == .ready)
        }
    }

    @Test("News are looked at without waiting, and a burst of them is one look")
    func news() async throws {
        let bench = PinnedUserBench(isShared: true)
        try await bench.drive {
            try bench.repository.changeElsewhere(.putCash("5"))
            for _ in 0..<100 { bench.commands.signalChange() }
            let count = bench.repository.readCount
            bench.tasks.settle()
            #expect(bench.cut.record.cash.value == "5")
            #expect(bench.repository.readCount == count + 1)
            // Without a change there is nothing to read.
            bench.commands.signalChange()
            bench.tasks.settle()
            #expect(bench.repository.readCount == count + 1)
        }
    }

    @Test("News that come while the store is being read are looked at afterwards")
    func newsWhileReading() async throws {
        let bench = PinnedUserBench(isShared: true)
        try await bench.drive {
            try bench.repository.changeElsewhere(.putCash("5"))
            bench.repository.hold()
            bench.tasks.advance(by: .seconds(1))
            // The poll reads 5, slowly; meanwhile it is 6.
            try bench.repository.changeElsewhere(.putCash("6"))
            bench.commands.signalChange()
            bench.tasks.settle()
            #expect(bench.cut.record.cash.value == nil)
            bench.repository.letGo()
            bench.tasks.settle()
            #expect(bench.cut.record.cash.value == "6")
        }
    }
}
