import Domain
import TestSupport
import Testing
@testable import UseCases

@Suite("A store that takes no changes says so until it takes them, and at the end what is lost")
struct PinnedUserFailureTests {
    private let bench = PinnedUserBench()
    private var tasks: SteppedTasks { bench.tasks }
    private var repository: FailingUserRepository { bench.repository }
    private var commands: UserChangeQueue { bench.commands }
    private var latest: UserStatePublisher { bench.latest }
    private var keep: PinnedUserState { bench.keep }

    private static func failure(_ code: StoreFailure.Code) -> StoreFailure {
        StoreFailure(code, "a file")
    }

    @Test(
        "it is failing from the refused change on, whatever else is read, and heals by itself",
        arguments: [.full, .readOnly, .busy, .damaged, .unavailable] as [StoreFailure.Code]
    )
    func lasting(code: StoreFailure.Code) async throws {
        let failure = Self.failure(code)
        try await bench.drive {
            tasks.advance(by: .seconds(3))
            #expect(repository.checkCount == 0, "nobody asks while nothing is wrong")
            repository.failWriting(failure)
            bench.put(.putCash("7"))
            #expect(latest.value.status == .failing(failure))
            tasks.advance(by: .seconds(3))
            try repository.changeElsewhere(.addFavorite("BTC_KRW"))
            tasks.advance(by: .seconds(1))
            #expect(latest.value.status == .failing(failure))
            #expect(latest.value.record.favorites.value == ["BTC_KRW"])
            #expect(repository.checkCount == 4)
            repository.failWriting(nil)
            tasks.advance(by: .seconds(1))
            #expect(latest.value.status == .ready)
            tasks.advance(by: .seconds(3))
            #expect(repository.checkCount == 5)
        }
    }

    @Test("the cause that is told is the newest one; a change that is kept ends it at once")
    func newest() async throws {
        try await bench.drive {
            repository.failWriting(Self.failure(.busy))
            bench.put(.putCash("7"))
            repository.failWriting(Self.failure(.full))
            tasks.advance(by: .seconds(1))
            #expect(latest.value.status == .failing(Self.failure(.full)))
            repository.failWriting(nil)
            bench.put(.putCash("7"))
            #expect(latest.value.status == .ready)
        }
    }

    @Test("a change that breaks a rule says nothing of the store")
    func refused() async throws {
        try await bench.drive {
            bench.put(.putCash("-1"))
            #expect(latest.value.refusal?.failure.code == .refused)
            #expect(latest.value.status == .ready)
        }
    }

    @Test("what others found counts until the store is looked at")
    func reported() async throws {
        try await bench.drive {
            commands.report(Self.failure(.full))
            tasks.settle()
            #expect(latest.value.status == .failing(Self.failure(.full)))
            #expect(latest.value.refusal == nil)
            tasks.advance(by: .seconds(1))
            #expect(latest.value.status == .ready)
            commands.report(Self.failure(.conflict))
            tasks.settle()
            #expect(latest.value.status == .ready)
        }
    }

    @Test("at the end every change is told that was not made, and the store is tried once")
    func lost() async throws {
        repository.failWriting(Self.failure(.busy))
        let changes: [UserChange] = [
            .putCash("-1"), .addFavorite("BTC_KRW"), .putCash("2"), .addFavorite("ETH_KRW"),
        ]
        for change in changes { commands.put(change) }
        let attempts = repository.performCount
        let unmade = await keep.flush()
        #expect(unmade.map(\.change) == changes)
        #expect(unmade.map(\.failure.code) == [.refused, .busy, .busy, .busy])
        #expect(repository.performCount == attempts + 1)
        #expect(await keep.flush() == [], "each is told once")
    }

    @Test("a change that was under way when the program ended is made then, or told")
    func underWay() async throws {
        for isFailing in [false, true] {
            let bench = PinnedUserBench()
            bench.repository.failOnCancellation(Self.failure(.busy))
            try await bench.drive {
                bench.put(.putCash("2"))
                #expect(bench.repository.performCount == 1)
            }
            bench.repository.failOnCancellation(nil)
            bench.repository.failWriting(isFailing ? Self.failure(.busy) : nil)
            let unmade = await bench.keep.flush()
            #expect(unmade.map(\.change) == (isFailing ? [.putCash("2")] : []))
            #expect(bench.repository.kept.cash.value == (isFailing ? nil : "2"))
        }
    }
}
