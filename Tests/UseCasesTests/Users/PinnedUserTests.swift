import Domain
import Synchronization
import TestSupport
import Testing

@testable import UseCases

@Suite("The pinned user of a terminal")
struct PinnedUserTests {
    private typealias Bench = PinnedUserBench

    private static let damaged = StoreFailure(.damaged, "a file")
    private static let busy = StoreFailure(.busy, "a file")
    private static let full = StoreFailure(.full, "a disk")

    @Test("A record is loaded at the start, and a change is published once it is stored")
    func keeping() async throws {
        let bench = Bench()
        try bench.repository.changeElsewhere(.addFavorite("BTC_KRW"))
        try await bench.drive {
            #expect(bench.state.status == .ready)
            #expect(bench.favorites == ["BTC_KRW"])
            bench.put(.addFavorite("ETH_KRW"))
            #expect(bench.favorites == ["BTC_KRW", "ETH_KRW"])
            #expect(bench.repository.kept == bench.state.record)
        }
    }

    @Test("A change of another process is visible within a second, without needless reads")
    func others() async throws {
        let bench = Bench()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(10))
            #expect(bench.repository.readCount == 1)
            let sequence = bench.state.sequence
            try bench.repository.changeElsewhere(.putCash("5"))
            #expect(bench.state.record.cash.value == nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.record.cash.value == "5")
            #expect(bench.state.sequence == sequence + 1)
        }
    }

    @Test("A rejected change is published until the next change succeeds")
    func refusals() async throws {
        let bench = Bench()
        try await bench.drive {
            bench.put(.putCash("7"))
            let before = bench.state.record
            bench.repository.failWriting(Self.full)
            bench.put(.addFavorite("BTC_KRW"))
            #expect(bench.state.refusal?.failure == Self.full)
            #expect(bench.state.refusal?.change == .addFavorite("BTC_KRW"))
            #expect(bench.state.record == before)
            bench.put(.addFavorite("BTC_KRW"))
            #expect(bench.state.refusal?.number == 2)
            bench.put(.putCash("-1"))
            #expect(bench.state.refusal?.failure.code == .refused)
            #expect(bench.repository.kept == before)
            bench.repository.failWriting(nil)
            bench.tasks.advance(by: .seconds(2))
            #expect(bench.state.refusal?.number == 3)
            bench.put(.addFavorite("BTC_KRW"))
            #expect(bench.state.refusal == nil)
            #expect(bench.favorites == ["BTC_KRW"])
        }
    }

    @Test("Without a store changes are made in memory")
    func noStore() async throws {
        let bench = Bench(hasStore: false)
        try await bench.drive {
            #expect(bench.state.status == .volatile(.noStore))
            bench.put(.addFavorite("BTC_KRW"))
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.favorites == ["BTC_KRW"])
            bench.put(.putCash("-1"))
            #expect(bench.state.refusal?.failure.code == .refused)
        }
    }

    @Test("A store that opens later is used unless a change was made in memory")
    func lateStore() async throws {
        for isChanged in [false, true] {
            let bench = Bench()
            bench.repository.failReading(Self.damaged)
            try bench.repository.changeElsewhere(.addFavorite("ETH_KRW"))
            try await bench.drive {
                #expect(bench.state.status == .volatile(Self.damaged))
                bench.tasks.advance(by: .seconds(3))
                if isChanged { bench.put(.addFavorite("BTC_KRW")) }
                bench.repository.failReading(nil)
                bench.tasks.advance(by: .seconds(1))
                #expect(bench.state.status == (isChanged ? .volatile(Self.damaged) : .ready))
                #expect(bench.favorites == [isChanged ? "BTC_KRW" : "ETH_KRW"])
            }
        }
    }

    @Test("A store that is busy at the start is waited for")
    func busyStore() async throws {
        let bench = Bench()
        bench.repository.failReading(Self.busy)
        try await bench.drive {
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.state.status == .waiting(Self.busy))
            bench.repository.failReading(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status == .ready)
        }
    }

    @Test("While a store fails, the last record stays visible until it works again")
    func failing() async throws {
        let bench = Bench()
        try bench.repository.changeElsewhere(.addFavorite("BTC_KRW"))
        try await bench.drive {
            bench.repository.failReading(Self.damaged)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status == .failing(Self.damaged))
            #expect(bench.favorites == ["BTC_KRW"])
            let sequence = bench.state.sequence
            bench.tasks.advance(by: .seconds(3))
            #expect(bench.state.sequence == sequence)
            bench.repository.failReading(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state.status == .ready)
        }
    }

    @Test("A load in flight does not hide a change")
    func overtaken() async throws {
        let bench = Bench()
        try await bench.drive {
            bench.repository.hold()
            try bench.repository.changeElsewhere(.addFavorite("BTC_KRW"))
            bench.tasks.advance(by: .seconds(1))
            bench.put(.addFavorite("ETH_KRW"))
            #expect(bench.favorites == ["BTC_KRW", "ETH_KRW"])
            bench.repository.letGo()
            bench.tasks.settle()
            #expect(bench.favorites == ["BTC_KRW", "ETH_KRW"])
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.favorites == ["BTC_KRW", "ETH_KRW"])
        }
    }

    @Test("flush() applies the queued changes")
    func flush() async throws {
        let bench = Bench()
        bench.pinned.enqueue(.addFavorite("BTC_KRW"))
        bench.pinned.enqueue(.putCash("3"))
        #expect(await bench.pinned.flush() == [])
        #expect(bench.repository.kept.favorites.value == ["BTC_KRW"])
        #expect(bench.repository.kept.cash.value == "3")
    }

    @Test("A change beyond the queue limit is refused")
    func overflow() async throws {
        let bench = Bench()
        for number in 0..<64 {
            let market = try #require(MarketID(symbol: "M\(number)", quote: .krw))
            #expect(bench.pinned.enqueue(.addFavorite(market)))
        }
        #expect(!bench.pinned.enqueue(.addFavorite("BTC_KRW")))
        try await bench.drive {
            #expect(bench.favorites.count == 64)
            #expect(bench.state.refusal?.change == .addFavorite("BTC_KRW"))
            #expect(bench.state.refusal?.failure.code == .busy)
            bench.put(.addFavorite("BTC_KRW"))
            #expect(bench.favorites.last == "BTC_KRW")
            #expect(bench.state.refusal == nil)
        }
    }

    @Test("perform() returns the state, or throws and publishes the failure")
    func performing() async throws {
        let bench = Bench()
        let state = try await bench.pinned.perform(.putDisplayName("Kim"))
        #expect(state.record.profile.value.displayName == "Kim")
        #expect(bench.state.sequence == state.sequence)
        let failure = await #expect(throws: StoreFailure.self) {
            try await bench.pinned.perform(.replaceFavorites([], expecting: 5))
        }
        #expect(failure?.code == .conflict)
        #expect(bench.state.refusal?.failure.code == .conflict)
    }
}
