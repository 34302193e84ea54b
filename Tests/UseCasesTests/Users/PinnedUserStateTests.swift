import Domain
import Synchronization
import TestSupport
import Testing
@testable import UseCases

@Suite("What is personal is published when it is kept, and goes on without a store")
struct PinnedUserStateTests {
    private typealias Bench = PinnedUserBench

    private static let damaged = StoreFailure(.damaged, "a file")
    private static let busy = StoreFailure(.busy, "a file")
    private static let full = StoreFailure(.full, "a disk")

    @Test("reads at the start, keeps a change, and publishes it then")
    func keeping() async throws {
        let bench = Bench()
        try bench.repository.changeElsewhere(.addFavorite("BTC_KRW"))
        try await bench.drive {
            #expect(bench.cut.status == .ready)
            #expect(bench.favorites == ["BTC_KRW"])
            bench.put(.addFavorite("ETH_KRW"))
            #expect(bench.favorites == ["BTC_KRW", "ETH_KRW"])
            #expect(bench.repository.kept == bench.cut.record)
        }
    }

    @Test("shows what others change within a second, and reads no more than it must")
    func others() async throws {
        let bench = Bench()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(10))
            #expect(bench.repository.readCount == 1)
            let sequence = bench.cut.sequence
            try bench.repository.changeElsewhere(.putCash("5"))
            #expect(bench.cut.record.cash.value == nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.record.cash.value == "5")
            #expect(bench.cut.sequence == sequence + 1)
        }
    }

    @Test("publishes a refusal and changes nothing else; the next change ends it")
    func refusals() async throws {
        let bench = Bench()
        try await bench.drive {
            bench.put(.putCash("7"))
            let before = bench.cut.record
            bench.repository.failWriting(Self.full)
            bench.put(.addFavorite("BTC_KRW"))
            #expect(bench.cut.refusal?.failure == Self.full)
            #expect(bench.cut.refusal?.change == .addFavorite("BTC_KRW"))
            #expect(bench.cut.record == before)
            bench.put(.addFavorite("BTC_KRW"))
            #expect(bench.cut.refusal?.number == 2)
            bench.put(.putCash("-1"))
            #expect(bench.cut.refusal?.failure.code == .refused)
            #expect(bench.repository.kept == before)
            bench.repository.failWriting(nil)
            bench.tasks.advance(by: .seconds(2))
            #expect(bench.cut.refusal?.number == 3)
            bench.put(.addFavorite("BTC_KRW"))
            #expect(bench.cut.refusal == nil)
            #expect(bench.favorites == ["BTC_KRW"])
        }
    }

    @Test("goes on in memory without a store, and says so")
    func noStore() async throws {
        let bench = Bench(hasStore: false)
        try await bench.drive {
            #expect(bench.cut.status == .volatile(.noStore))
            bench.put(.addFavorite("BTC_KRW"))
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.favorites == ["BTC_KRW"])
            bench.put(.putCash("-1"))
            #expect(bench.cut.refusal?.failure.code == .refused)
        }
    }

    @Test("takes a store that opens later, unless something was changed in memory")
    func lateStore() async throws {
        for isChanged in [false, true] {
            let bench = Bench()
            bench.repository.failReading(Self.damaged)
            try bench.repository.changeElsewhere(.addFavorite("ETH_KRW"))
            try await bench.drive {
                #expect(bench.cut.status == .volatile(Self.damaged))
                bench.tasks.advance(by: .seconds(3))
                if isChanged { bench.put(.addFavorite("BTC_KRW")) }
                bench.repository.failReading(nil)
                bench.tasks.advance(by: .seconds(1))
                #expect(bench.cut.status == (isChanged ? .volatile(Self.damaged) : .ready))
                #expect(bench.favorites == [isChanged ? "BTC_KRW" : "ETH_KRW"])
            }
        }
    }

    @Test("waits for a store that is only busy at the start")
    func busyStore() async throws {
        let bench = Bench()
        bench.repository.failReading(Self.busy)
        try await bench.drive {
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.cut.status == .waiting(Self.busy))
            bench.repository.failReading(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status == .ready)
        }
    }

    @Test("shows what it read last while a store fails that worked, and heals with it")
    func failing() async throws {
        let bench = Bench()
        try bench.repository.changeElsewhere(.addFavorite("BTC_KRW"))
        try await bench.drive {
            bench.repository.failReading(Self.damaged)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status == .failing(Self.damaged))
            #expect(bench.favorites == ["BTC_KRW"])
            let sequence = bench.cut.sequence
            bench.tasks.advance(by: .seconds(3))
            #expect(bench.cut.sequence == sequence)
            bench.repository.failReading(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.cut.status == .ready)
        }
    }

    @Test("does not let a reading that was under way hide a change")
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

    @Test("makes what was handed in before the end, once it is told to")
    func flush() async throws {
        let bench = Bench()
        bench.commands.put(.addFavorite("BTC_KRW"))
        bench.commands.put(.putCash("3"))
        #expect(await bench.keep.flush() == [])
        #expect(bench.repository.kept.favorites.value == ["BTC_KRW"])
        #expect(bench.repository.kept.cash.value == "3")
    }

    @Test("takes no more changes than it has room for, and says so")
    func overflow() async throws {
        let bench = Bench()
        for number in 0..<64 {
            let market = try #require(MarketID(symbol: "M\(number)", quote: .krw))
            #expect(bench.commands.put(.addFavorite(market)))
        }
        #expect(!bench.commands.put(.addFavorite("BTC_KRW")))
        try await bench.drive {
            #expect(bench.favorites.count == 64)
            #expect(bench.cut.refusal?.change == .addFavorite("BTC_KRW"))
            #expect(bench.cut.refusal?.failure.code == .busy)
            bench.put(.addFavorite("BTC_KRW"))
            #expect(bench.favorites.last == "BTC_KRW")
            #expect(bench.cut.refusal == nil)
        }
    }

    @Test("answers who waits: with what is kept, or why it is not")
    func performing() async throws {
        let bench = Bench()
        let cut = try await bench.keep.perform(.putDisplayName("Kim"))
        #expect(cut.record.profile.value.displayName == "Kim")
        #expect(bench.cut.sequence == cut.sequence)
        let failure = await #expect(throws: StoreFailure.self) {
            try await bench.keep.perform(.replaceFavorites([], expecting: 5))
        }
        #expect(failure?.code == .conflict)
        #expect(bench.cut.refusal?.failure.code == .conflict)
    }
}
