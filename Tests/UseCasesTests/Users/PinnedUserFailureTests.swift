import Domain
import TestSupport
import Testing

@testable import UseCases

@Suite("The pinned user while the store refuses changes")
struct PinnedUserFailureTests {
    private let bench = PinnedUserBench()
    private var tasks: SteppedTasks { bench.tasks }
    private var repository: FailingUserRepository { bench.repository }
    private var pinned: PinnedUser { bench.pinned }
    private var latest: UserStatePublisher { bench.pinned.state }

    private static func failure(_ code: StoreFailure.Code) -> StoreFailure {
        StoreFailure(code, "a file")
    }

    @Test(
        "The status is failing from the refused change until a check succeeds",
        arguments: [.full, .readOnly, .busy, .damaged, .unavailable] as [StoreFailure.Code]
    )
    func lasting(code: StoreFailure.Code) async throws {
        let failure = Self.failure(code)
        try await bench.drive {
            tasks.advance(by: .seconds(3))
            #expect(repository.checkCount == 0, "a working store is not checked")
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

    @Test("The status has the newest failure, and a stored change ends it")
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

    @Test("A change that breaks a rule does not alter the status")
    func refused() async throws {
        try await bench.drive {
            bench.put(.putCash("-1"))
            #expect(latest.value.refusal?.failure.code == .refused)
            #expect(latest.value.status == .ready)
        }
    }

    @Test("A reported failure lasts until the next check")
    func reported() async throws {
        try await bench.drive {
            pinned.report(Self.failure(.full))
            tasks.settle()
            #expect(latest.value.status == .failing(Self.failure(.full)))
            #expect(latest.value.refusal == nil)
            tasks.advance(by: .seconds(1))
            #expect(latest.value.status == .ready)
            pinned.report(Self.failure(.conflict))
            tasks.settle()
            #expect(latest.value.status == .ready)
        }
    }

    @Test("flush() returns each failed change and tries a failing store once")
    func lost() async throws {
        repository.failWriting(Self.failure(.busy))
        let changes: [UserChange] = [
            .putCash("-1"), .addFavorite("BTC_KRW"), .putCash("2"), .addFavorite("ETH_KRW"),
        ]
        for change in changes { pinned.enqueue(change) }
        let attempts = repository.performCount
        let unmade = await pinned.flush()
        #expect(unmade.map(\.change) == changes)
        #expect(unmade.map(\.failure.code) == [.refused, .busy, .busy, .busy])
        #expect(repository.performCount == attempts + 1)
        #expect(await pinned.flush() == [], "each change is returned once")
    }

    @Test("A change in flight at the end is applied by flush() or returned")
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
            let unmade = await bench.pinned.flush()
            #expect(unmade.map(\.change) == (isFailing ? [.putCash("2")] : []))
            #expect(bench.repository.kept.cash.value == (isFailing ? nil : "2"))
        }
    }
}
