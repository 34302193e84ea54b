import Domain
import TestSupport
import Testing
@testable import UseCases

@Suite("What is kept for many users is read when it was changed, and shared by all who wait")
struct UserStateServiceTests {
    private static let away = StoreFailure(.unavailable, "away")

    private static func cash(_ seat: UserStateEntry<Int>?) -> FixedDecimal? {
        seat?.latest.value.record.cash.value
    }

    @Test("A reading is shared by everybody who waits for it, and counts until there are news")
    func shared() async throws {
        let bench = UserStateBench()
        bench.store.hold()
        try await bench.drive {
            let answers = (0..<50).map { _ in bench.seat(1) }
            #expect(bench.store.counts.readings == 1)
            bench.store.letGo()
            bench.tasks.settle()
            #expect(answers.allSatisfy { $0.value?.companion == 1 })
            for _ in 0..<50 { #expect(bench.users.current(UserID(1)) != nil) }
            bench.tasks.advance(by: .seconds(59))
            #expect(bench.seat(1).value != nil)
            #expect(bench.store.counts.readings == 1)
            try bench.store.changeElsewhere(.putCash("5"), of: UserID(2))
            #expect(bench.users.current(UserID(1)) != nil)
            try bench.store.changeElsewhere(.putCash("7"), of: UserID(1))
            #expect(bench.users.current(UserID(1)) == nil)
            #expect(Self.cash(bench.seat(1).value) == "7")
            #expect(bench.store.counts.readings == 2)
        }
    }

    @Test("News that come while it is read are not lost")
    func newsMeanwhile() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            bench.store.hold()
            let first = bench.seat(1)
            bench.store.tell(.users([UserID(1)]))
            let second = bench.seat(1)
            #expect(bench.store.counts.readings == 1)
            bench.store.letGo()
            bench.tasks.settle()
            #expect(first.value != nil)
            #expect(second.value != nil)
            // Whoever came after the news has what was read after them.
            #expect(bench.store.counts.readings == 2)
        }
    }

    @Test("A lost connection for news is made up for within a minute")
    func mute() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            _ = bench.seat(1)
            bench.store.mute()
            try bench.store.changeElsewhere(.putCash("7"), of: UserID(1))
            bench.tasks.advance(by: .seconds(59))
            #expect(Self.cash(bench.seat(1).value) == nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(Self.cash(bench.seat(1).value) == "7")
        }
    }

    @Test("A change is seen at once, and a reading that began before takes nothing back")
    func ownChange() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            #expect(bench.seat(1).value != nil)
            #expect(bench.change(.putCash("9"), of: 1).value?.cash.value == "9")
            #expect(Self.cash(bench.seat(1).value) == "9")
            #expect(Self.cash(bench.seat(2).value) == nil)
            #expect(bench.change(.putCash("-1"), of: 1).failure == .refused)
            #expect(Self.cash(bench.seat(1).value) == "9")
        }
    }

    @Test("While the store is away what was read is shown, and what was not is refused")
    func away() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            #expect(bench.seat(1).value != nil)
            bench.store.fail(Self.away)
            bench.store.tell(.anybody)
            let shown = bench.seat(1)
            #expect(shown.value?.latest.value.status == .failing(Self.away))
            let count = bench.store.counts.readings
            // For a second nobody asks again.
            for _ in 0..<20 { #expect(bench.users.current(UserID(1)) != nil) }
            #expect(bench.store.counts.readings == count)
            #expect(bench.seat(2).failure == .unavailable)
            bench.store.fail(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.seat(1).value?.latest.value.status == .ready)
            #expect(bench.seat(2).value != nil)
        }
    }

    @Test("What a stream shows is read by itself when there are news")
    func held() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            try bench.users.hold(UserID(1))
            let seat = try #require(bench.seat(1).value)
            try bench.store.changeElsewhere(.putCash("3"), of: UserID(1))
            bench.tasks.settle()
            #expect(Self.cash(seat) == "3")
            bench.users.release(UserID(1))
            try bench.store.changeElsewhere(.putCash("4"), of: UserID(1))
            bench.tasks.advance(by: .seconds(5))
            #expect(Self.cash(seat) == "3")
        }
    }

    @Test("Seats are bounded; those of streams stay, and a new seat shows nobody else's things")
    func bounded() async throws {
        let limit = UserStateService<Int>.usersMax
        let bench = UserStateBench(users: limit + 500)
        try await bench.drive {
            #expect(bench.change(.putCash("1"), of: 1).value != nil)
            try bench.users.hold(UserID(1))
            for number in 2...Int64(limit + 500) {
                bench.tasks.advance(by: .milliseconds(1))
                let seat = bench.seat(number).value
                #expect(seat?.companion == Int(number))
                #expect(seat?.latest.value.record.profile.value.name == "user\(number)")
                #expect(bench.users.count <= limit)
            }
            #expect(Self.cash(bench.seat(1).value) == "1")
            #expect(bench.users.current(UserID(2)) == nil)
        }
    }
}
