import Domain
import TestSupport
import Testing

@testable import UseCases

@Suite("The user service caches, shares and reloads records")
struct UserStateServiceTests {
    private static let away = StoreFailure(.unavailable, "away")

    private static func cash(_ state: UserStatePublisher?) -> FixedDecimal? {
        state?.value.record.cash.value
    }

    @Test("Callers share a load, and its record is fresh until a notification")
    func shared() async throws {
        let bench = UserStateBench()
        bench.store.hold()
        try await bench.drive {
            let answers = (0..<50).map { _ in bench.state(1) }
            #expect(bench.store.counts.readings == 1)
            bench.store.letGo()
            bench.tasks.settle()
            #expect(answers.allSatisfy { $0.value?.value.user == UserID(1) })
            for _ in 0..<50 { #expect(bench.users.current(UserID(1)) != nil) }
            bench.tasks.advance(by: .seconds(59))
            #expect(bench.state(1).value != nil)
            #expect(bench.store.counts.readings == 1)
            try bench.store.changeElsewhere(.putCash("5"), of: UserID(2))
            #expect(bench.users.current(UserID(1)) != nil)
            try bench.store.changeElsewhere(.putCash("7"), of: UserID(1))
            #expect(bench.users.current(UserID(1)) == nil)
            #expect(Self.cash(bench.state(1).value) == "7")
            #expect(bench.store.counts.readings == 2)
        }
    }

    @Test("A notification during a load causes another load")
    func newsMeanwhile() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            bench.store.hold()
            let first = bench.state(1)
            bench.store.notify(.users([UserID(1)]))
            let second = bench.state(1)
            #expect(bench.store.counts.readings == 1)
            bench.store.letGo()
            bench.tasks.settle()
            #expect(first.value != nil)
            #expect(second.value != nil)
            // A caller after the notification gets a record that was read after it.
            #expect(bench.store.counts.readings == 2)
        }
    }

    @Test("A record that is older than before is shown, and the loss told once")
    func lost() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            for number: Int64 in 1...2 {
                #expect(bench.change(.putCash("5"), of: number).value?.cash.value == "5")
            }
            // As after the promotion of a standby that was behind.
            bench.store.addUser(UserID(1), name: "user1")
            bench.store.notify(.anybody)
            #expect(Self.cash(bench.state(1).value) == nil)
            #expect(Self.cash(bench.state(2).value) == "5")
            bench.store.notify(.anybody)
            #expect(bench.state(1).value != nil)
        }
        #expect(await bench.losses.next() == UserID(1))
        #expect(bench.losses.isEmpty)
    }

    @Test("An older record is a loss unless a change may have overtaken the load")
    func older() throws {
        let old = UserRecord(name: "user1")
        let new = try old.applying(.putCash("5"))
        for (mayBeOlder, isLoss, shown) in [(false, true, old), (true, false, new)] {
            let unread = UserState(unread: UserID(1), name: "")
            var machine = UserStateMachine(unread, outlet: .requests)
            for record in [old, new, new] {
                let isLoss = machine.loaded(
                    record,
                    mayBeOlder: mayBeOlder,
                    check: nil,
                    at: .zero
                )
                #expect(!isLoss)
            }
            let answer = machine.loaded(old, mayBeOlder: mayBeOlder, check: nil, at: .zero)
            #expect(answer == isLoss)
            #expect(machine.state.record == shown)
        }
    }

    @Test("A record is reloaded after a minute without notifications")
    func mute() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            _ = bench.state(1)
            bench.store.mute()
            try bench.store.changeElsewhere(.putCash("7"), of: UserID(1))
            bench.tasks.advance(by: .seconds(59))
            #expect(Self.cash(bench.state(1).value) == nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(Self.cash(bench.state(1).value) == "7")
        }
    }

    @Test("A store without notifications is polled each second for records in use")
    func polled() async throws {
        let bench = UserStateBench(polls: true)
        try await bench.drive {
            #expect(bench.state(1).value != nil)
            bench.tasks.advance(by: .seconds(2))
            #expect(bench.users.current(UserID(1)) != nil)
            #expect(bench.store.counts.readings == 1)
            try bench.store.changeElsewhere(.putCash("7"), of: UserID(1))
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.users.current(UserID(1)) == nil)
            #expect(Self.cash(bench.state(1).value) == "7")
            #expect(bench.store.counts.readings == 2)
            bench.store.fail(Self.away)
            bench.tasks.advance(by: .seconds(1))
            bench.store.fail(nil)
            #expect(bench.users.current(UserID(1)) == nil, "the change count is unknown")
            bench.tasks.advance(by: .seconds(31))
            let polls = bench.store.counts.polls
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.store.counts.polls == polls, "the record is not in use")
        }
    }

    @Test("A change is visible at once, and an older load does not undo it")
    func ownChange() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            #expect(bench.state(1).value != nil)
            #expect(bench.change(.putCash("9"), of: 1).value?.cash.value == "9")
            #expect(Self.cash(bench.state(1).value) == "9")
            #expect(Self.cash(bench.state(2).value) == nil)
            #expect(bench.change(.putCash("-1"), of: 1).failure == .refused)
            #expect(Self.cash(bench.state(1).value) == "9")
        }
    }

    @Test("While the store fails, loaded records stay visible and others are refused")
    func away() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            #expect(bench.state(1).value != nil)
            bench.store.fail(Self.away)
            bench.store.notify(.anybody)
            let shown = bench.state(1)
            #expect(shown.value?.value.status == .failing(Self.away))
            let count = bench.store.counts.readings
            // The store is not asked again for a second.
            for _ in 0..<20 { #expect(bench.users.current(UserID(1)) != nil) }
            #expect(bench.store.counts.readings == count)
            #expect(bench.state(2).failure == .unavailable)
            bench.store.fail(nil)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.state(1).value?.value.status == .ready)
            #expect(bench.state(2).value != nil)
        }
    }

    @Test("A pinned record is reloaded after a notification")
    func held() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            try bench.users.pin(UserID(1))
            let state = try #require(bench.state(1).value)
            try bench.store.changeElsewhere(.putCash("3"), of: UserID(1))
            bench.tasks.settle()
            #expect(Self.cash(state) == "3")
            bench.users.unpin(UserID(1))
            try bench.store.changeElsewhere(.putCash("4"), of: UserID(1))
            bench.tasks.advance(by: .seconds(5))
            #expect(Self.cash(state) == "3")
        }
    }

    @Test("A pinned record is reloaded each minute unless notifications are known to be complete")
    func complete() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            try bench.users.pin(UserID(1))
            #expect(bench.state(1).value != nil)
            let readings = bench.store.counts.readings
            bench.passWithNews(seconds: 300)
            #expect(bench.store.counts.readings == readings)
            try bench.store.changeElsewhere(.putCash("3"), of: UserID(1))
            bench.tasks.settle()
            #expect(bench.store.counts.readings == readings + 1)
            bench.tasks.advance(by: .seconds(62))
            #expect(bench.store.counts.readings == readings + 2)
        }
    }

    @Test("A record is old once notifications have ceased, or a load failed")
    func age() async throws {
        let bench = UserStateBench()
        try await bench.drive {
            let user = UserID(1)
            #expect(bench.users.age(of: user) == nil)
            #expect(bench.state(1).value != nil)
            bench.tasks.advance(by: .seconds(50))
            #expect(bench.users.age(of: user) == nil, "there are no notifications")
            bench.passWithNews(seconds: 10)
            bench.tasks.advance(by: .seconds(2))
            #expect(bench.users.age(of: user) == nil)
            bench.tasks.advance(by: .seconds(2))
            #expect(bench.users.age(of: user) == .seconds(4))
            bench.passWithNews(seconds: 1)
            #expect(bench.users.age(of: user) == nil)
            bench.store.fail(Self.away)
            try? bench.store.changeElsewhere(.putCash("3"), of: user)
            bench.store.notify(.users([user]))
            #expect(bench.state(1).value != nil)
            // It was loaded 65 seconds ago; news since then do not confirm it.
            #expect(bench.users.age(of: user) == .seconds(65))
        }
    }

    @Test("a full cache evicts idle users, keeps pinned ones and mixes no records")
    func bounded() async throws {
        let limit = 100
        let bench = UserStateBench(users: 300, bytesMax: limit * UserStateEntries.userBytes)
        try await bench.drive {
            #expect(bench.change(.putCash("1"), of: 1).value != nil)
            try bench.users.pin(UserID(1))
            for number in 2...Int64(300) {
                bench.tasks.advance(by: .milliseconds(1))
                let state = bench.state(number).value
                #expect(state?.value.user == UserID(number))
                #expect(state?.value.record.profile.value.name == "user\(number)")
                #expect(bench.users.size.users <= limit)
                #expect(bench.users.size.bytes <= bench.users.size.bytesMax)
            }
            #expect(Self.cash(bench.state(1).value) == "1")
            #expect(bench.users.current(UserID(2)) == nil)
            #expect(bench.users.current(UserID(300)) != nil)
        }
    }

    @Test("users with large records leave room for fewer of them")
    func largeRecords() async throws {
        let bench = UserStateBench(users: 40, bytesMax: 20 * UserStateEntries.userBytes)
        let markets = (0..<1_000).compactMap { MarketID(symbol: "COIN\($0)", quote: .krw) }
        try await bench.drive {
            for number in Int64(1)...10 {
                let change = UserChange.replaceFavorites(markets, expecting: nil)
                #expect(bench.change(change, of: number).value != nil)
                bench.tasks.advance(by: .milliseconds(1))
            }
            // Each takes seven times as much as an empty one.
            #expect((2...5).contains(bench.users.size.users))
            for number in Int64(11)...40 { #expect(bench.state(number).value != nil) }
            #expect(bench.users.size.users >= 17)
            #expect(bench.users.size.bytes <= bench.users.size.bytesMax)
        }
    }

    @Test("while users in use fill the cache, new ones are refused, and admitted after it")
    func full() async throws {
        let bench = UserStateBench(users: 4, bytesMax: 3 * UserStateEntries.userBytes)
        try await bench.drive {
            for number in Int64(1)...2 {
                try bench.users.pin(UserID(number))
                bench.tasks.settle()
            }
            // The third user's record does not fit beside them: it is served nonetheless.
            let name = String(repeating: "x", count: 40)
            #expect(bench.change(.putDisplayName(name), of: 3).value != nil)
            try bench.users.pin(UserID(3))
            #expect(bench.users.size.bytes > bench.users.size.bytesMax)
            #expect(bench.state(3).value != nil)
            #expect(bench.state(4).failure == .busy)
            #expect(throws: StoreFailure.tooManyUsers) { try bench.users.pin(UserID(4)) }
            for number in Int64(1)...2 { bench.users.unpin(UserID(number)) }
            bench.tasks.advance(by: .milliseconds(1))
            #expect(bench.state(4).value?.value.user == UserID(4))
            #expect(bench.users.current(UserID(2)) == nil)
        }
    }
}
