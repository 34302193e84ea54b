import DataSourceContracts
import Foundation
import TestSupport
import Testing

@testable import DataSourcesSQLite

@Suite("Alerts of every store: each is logged once, by the holder of the lease")
struct AlertStoreContractTests {
    @Test("alerts are logged with states and times, once", arguments: AlertStoreSubject.allCases)
    func storing(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            let lease = try await stand.lease()
            try await stand.add(1)
            try await stand.add(2, books: "ETH_KRW")
            let alerts = [
                NewAlertDTO(1, at: 20, value: "150000000"),
                NewAlertDTO(2, at: 21, market: nil, value: "-0.5", isRise: false),
                NewAlertDTO(1, at: 22, isRise: false, lateness: "repaired"),
                NewAlertDTO(1, at: 22, market: "ETH_KRW", value: "0"),
            ]
            let count = try await store.storeAlerts(alerts, at: 100, under: lease)
            #expect(count == 4)

            let record = try await store.record(of: 1)
            let log = alerts.enumerated().map { $1.logged(Int64($0 + 1), at: 100) }
            #expect(record.alertLog == log.reversed())
            #expect(record.alertRules.map(\.firedAt) == [22, 21])
            #expect(record.alertsSeen == 0)
            #expect(record.revisions.alerts == 3)
            #expect(try await store.changeCount(of: 1) == 3)
            let journal = try await store.journal(user: 1, newest: 4)
            #expect(journal.map(\.kind) == Array(repeating: "alert.fire", count: 4))
            #expect(journal.map(\.subject) == ["1", "1", "2", "1"])
            #expect(journal.map(\.at) == [100, 100, 100, 100])
            #expect(journal.map(\.number) == [6, 5, 4, 3])
            let states = [
                AlertStateDTO(rule: 1, market: "BTC_KRW", text: "state 22"),
                AlertStateDTO(rule: 1, market: "ETH_KRW", text: "state 22"),
                AlertStateDTO(rule: 2, market: nil, text: "state 21"),
            ]
            #expect(try await store.alertOwners(nil, feed: "live").map(\.states) == [states])

            // Again, as after a lost answer, with one more.
            let more = alerts + [NewAlertDTO(1, at: 23)]
            #expect(try await store.storeAlerts(more, at: 101, under: lease) == 1)
            #expect(try await store.storeAlerts(more, at: 102, under: lease) == 0)
            #expect(try await store.storeAlerts([], at: 102, under: lease) == 0)
            let again = try await store.record(of: 1)
            #expect(again.alertLog == [more[4].logged(5, at: 101)] + record.alertLog)
            #expect(again.revisions.alerts == 4)
            #expect(try await store.journal(user: 1, newest: 99).count == 7)
        }
    }

    @Test(
        "alerts of changed, removed and other feeds' rules are skipped",
        arguments: AlertStoreSubject.allCases
    )
    func skipping(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            let lease = try await stand.lease()
            try await stand.add(1)
            try await stand.add(2)
            try await stand.add(3)
            try await stand.add(4, feed: "simulated")
            let first = [1, 2].map { NewAlertDTO($0, at: 20) }
            #expect(try await store.storeAlerts(first, at: 100, under: lease) == 2)
            try await stand.add(1, createdAt: 30)
            _ = try await store.write(.removeAlertRule(2), user: 1, at: 1)
            let before = try await store.record(of: 1)
            #expect(before.alertRules.map(\.firedAt) == [nil, nil, nil])
            #expect(before.alertLog.count == 2)
            let owner = try #require(try await store.alertOwners(nil, feed: "live").first)
            #expect(owner.states == [])

            var skipped = [1, 2, 4, 9].map { NewAlertDTO($0, at: 40) }
            skipped += [NewAlertDTO(3, at: 40, createdAt: 11), NewAlertDTO(3, at: 40, of: 77)]
            #expect(try await store.storeAlerts(skipped, at: 101, under: lease) == 0)
            #expect(try await store.record(of: 1) == before)

            // The changed rule fires as a new one, also at times before its last firing.
            let fired = NewAlertDTO(1, at: 40, createdAt: 30)
            #expect(try await store.storeAlerts([fired], at: 102, under: lease) == 1)
            // A rule that is removed and added again has no states either.
            try await stand.add(2)
            let old = NewAlertDTO(2, at: 19)
            #expect(try await store.storeAlerts([old], at: 103, under: lease) == 1)
            let log = try await store.record(of: 1).alertLog
            #expect(log.map(\.alert.at) == [19, 40, 20, 20])
            #expect(log.map(\.number) == [4, 3, 2, 1])
        }
    }

    @Test(
        "an alert that its rule fired before a change is logged anew, and keeps no other one",
        arguments: AlertStoreSubject.allCases
    )
    func repeating(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            let lease = try await stand.lease()
            try await stand.add(1)
            try await stand.add(2)
            let first = [NewAlertDTO(1, at: 20), NewAlertDTO(2, at: 21)]
            #expect(try await store.storeAlerts(first, at: 100, under: lease) == 2)
            // A recording is played again: the exchange's time is before the alert.
            try await stand.add(1, createdAt: 11)
            let again = NewAlertDTO(1, at: 20, value: "6.5", lateness: "repaired", createdAt: 11)
            let both = [again, NewAlertDTO(2, at: 22)]
            #expect(try await store.storeAlerts(both, at: 101, under: lease) == 2)
            let record = try await store.record(of: 1)
            let log = [
                first[1].logged(2, at: 100), again.logged(3, at: 101), both[1].logged(4, at: 101),
            ]
            #expect(record.alertLog == log.reversed())
            #expect(record.alertRules.map(\.firedAt) == [20, 22])
            #expect(try await store.alertLog(of: 1, before: nil, count: 9) == log.reversed())
            #expect(try await store.storeAlerts(both, at: 102, under: lease) == 0)
        }
    }

    @Test("only the holder of the lease writes", arguments: AlertStoreSubject.allCases)
    func fencing(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            try await stand.add(1)
            try await stand.add(2, feed: "simulated")
            let old = try await stand.lease()
            var wrong = old
            wrong.holder = "b"
            try await store.saveAlertValues(["old"], under: old)
            try await stand.runOut()
            let new = try #require(try await store.takeLease(holder: "b"))
            var renamed = new
            renamed.feed = "simulated"
            for lease in [old, wrong, renamed] {
                let alerts = [NewAlertDTO(1, at: 20), NewAlertDTO(2, at: 20)]
                let stored = await StoreSubject.code { () throws(StoreError) in
                    try await store.storeAlerts(alerts, at: 100, under: lease)
                }
                #expect(stored == .fenced)
                let saved = await StoreSubject.code { () throws(StoreError) in
                    try await store.saveAlertValues(["wrong"], under: lease)
                }
                #expect(saved == .fenced)
            }
            #expect(try await store.record(of: 1).alertLog == [])
            #expect(try await store.alertValues(feed: "live") == ["old"])
            #expect(try await store.alertValues(feed: "simulated") == [])
            let alert = NewAlertDTO(1, at: 20)
            #expect(try await store.storeAlerts([alert], at: 100, under: new) == 1)
            try await store.saveAlertValues(["new"], under: new)
            #expect(try await store.alertValues(feed: "live") == ["new"])
            try await stand.runOut()
            let expired = await StoreSubject.code { () throws(StoreError) in
                try await store.storeAlerts([NewAlertDTO(1, at: 21)], at: 100, under: new)
            }
            #expect(expired == .fenced)
        }
    }

    @Test("saved values are replaced as a whole", arguments: AlertStoreSubject.allCases)
    func values(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            let lease = try await stand.lease()
            #expect(try await store.alertValues(feed: "live") == [])
            let texts = difficultTexts.filter { !$0.contains { $0.isNewline } }
            for lines in [texts, ["a"], [""], ["", ""], [], texts.reversed(), texts.reversed()] {
                try await store.saveAlertValues(lines, under: lease)
                let read = try await store.alertValues(feed: "live")
                #expect(bytes(of: read) == bytes(of: lines))
            }
        }
    }

    @Test(
        "the log keeps 1,000 rows, is read in pages, and never gives a number twice",
        arguments: AlertStoreSubject.allCases
    )
    func pages(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            let lease = try await stand.lease()
            try await stand.add(1)
            let alerts = (1...1_010).map { NewAlertDTO(1, at: 10 + $0) }
            #expect(try await store.storeAlerts(alerts, at: 100, under: lease) == 1_010)
            // The oldest ones are gone, and yet known.
            #expect(try await store.storeAlerts(alerts, at: 101, under: lease) == 0)
            let all = try await store.alertLog(of: 1, before: nil, count: 2_000)
            #expect(all.map(\.number) == (11...1_010).reversed())
            let record = try await store.record(of: 1)
            #expect(record.alertLog == Array(all.prefix(100)))
            #expect(record.alertLog.first?.alert.at == 1_020)
            let page = try await store.alertLog(of: 1, before: 20, count: 5)
            #expect(page.map(\.number) == [19, 18, 17, 16, 15])
            #expect(page == Array(all.dropFirst(991).prefix(5)))
            #expect(try await store.alertLog(of: 1, before: 11, count: 5) == [])
            #expect(try await store.alertLog(of: 1, before: nil, count: 0) == [])
            #expect(try await store.alertLog(of: 1, before: nil, count: -1) == [])
            #expect(try await store.alertLog(of: 77, before: nil, count: 5) == [])

            let next = [NewAlertDTO(1, at: 2_000)]
            #expect(try await store.storeAlerts(next, at: 102, under: lease) == 1)
            let after = try await store.alertLog(of: 1, before: nil, count: 2_000)
            #expect(after.map(\.number) == (12...1_011).reversed())
        }
    }

    @Test("owners are the users with rules of a feed", arguments: AlertStoreSubject.allCases)
    func owners(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            #expect(try await store.alertOwners(nil, feed: "live") == [])
            let changes: [TestChange] = [
                .addFavorite("BTC_KRW", limit: 9), .addFavorite("A_KRW", limit: 9),
                .putSettings(UserRecordSamples.settings, expecting: nil),
                .putHolding(.init(asset: "B", quantity: "2", averagePrice: "7.5"), limit: 9),
                .putHolding(.init(asset: "A", quantity: "1", averagePrice: nil), limit: 9),
                .putCash("12.5"), .seeAlerts(3),
            ]
            for change in changes { _ = try await store.write(change, user: 1, at: 1) }
            #expect(try await store.alertOwners(nil, feed: "live") == [])
            try await stand.add(9, feed: "simulated")
            try await stand.add(2)
            let lease = try await stand.lease()
            let alert = NewAlertDTO(2, at: 20)
            #expect(try await store.storeAlerts([alert], at: 100, under: lease) == 1)
            var record = try await store.record(of: 1)
            record.alertLog = []
            let state = AlertStateDTO(rule: 2, market: "BTC_KRW", text: "state 20")
            let owner = AlertOwnerDTO(user: 1, record: record, states: [state])
            for feed in ["live", "simulated"] {
                #expect(try await store.alertOwners(nil, feed: feed) == [owner])
                #expect(try await store.alertOwners([7, 1], feed: feed) == [owner])
            }
            #expect(try await store.alertOwners([], feed: "live") == [])
            #expect(try await store.alertOwners([7], feed: "live") == [])
            #expect(try await store.alertOwners(nil, feed: "replay") == [])
        }
    }

    @Test("books are those of the rules and of favorites", arguments: AlertStoreSubject.allCases)
    func books(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            let favorites = TestChange.replaceFavorites(["B_KRW", "A_KRW"], expecting: nil)
            _ = try await store.write(favorites, user: 1, at: 1)
            try await stand.add(1)
            #expect(try await store.alertBooks(feed: "live") == [])
            try await stand.add(2, books: "C_KRW")
            try await stand.add(3, books: "B_KRW")
            try await stand.add(4, books: "B_KRW")
            try await stand.add(5, feed: "simulated", books: "favorites")
            #expect(try await store.alertBooks(feed: "live") == ["B_KRW", "C_KRW"])
            #expect(try await store.alertBooks(feed: "simulated") == ["A_KRW", "B_KRW"])
            try await stand.add(6, books: "favorites")
            #expect(try await store.alertBooks(feed: "live") == ["A_KRW", "B_KRW", "C_KRW"])
            _ = try await store.write(.removeAlertRule(2), user: 1, at: 1)
            #expect(try await store.alertBooks(feed: "live") == ["A_KRW", "B_KRW"])
        }
    }

    @Test("users with alerts who change are named once", arguments: AlertStoreSubject.allCases)
    func changes(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            _ = try await store.write(.putCash("1"), user: 1, at: 1)
            let first = try await store.alertChanges(after: nil)
            #expect(first.users == [])
            _ = try await store.write(.putCash("2"), user: 1, at: 1)
            let without = try await store.alertChanges(after: first.mark)
            #expect(without.users == [])
            try await stand.add(1)
            let added = try await store.alertChanges(after: without.mark)
            #expect(added.users == [1])
            #expect(try await store.alertChanges(after: added.mark).users == [])
            _ = try await store.write(.addFavorite("A_KRW", limit: 9), user: 1, at: 1)
            let favorite = try await store.alertChanges(after: added.mark)
            #expect(favorite.users == [1])
            let lease = try await stand.lease()
            _ = try await store.storeAlerts([NewAlertDTO(1, at: 20)], at: 1, under: lease)
            #expect(try await store.alertChanges(after: favorite.mark).users == [1])
            // An older mark tells the same again.
            #expect(try await store.alertChanges(after: first.mark).users == [1])
        }
    }

    // MARK: Several users

    @Test("each user's alerts have their own numbers", arguments: AlertStoreSubject.shared)
    func users(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            let lease = try await stand.lease()
            try await stand.add(1)
            try await stand.add(1, of: 2)
            let alerts = [
                NewAlertDTO(1, at: 20, of: 2), NewAlertDTO(1, at: 20),
                NewAlertDTO(1, at: 21, of: 2),
            ]
            #expect(try await store.storeAlerts(alerts, at: 100, under: lease) == 3)
            #expect(try await store.record(of: 1).alertLog.map(\.number) == [1])
            #expect(try await store.record(of: 2).alertLog.map(\.number) == [2, 1])
            #expect(try await store.record(of: 2).revisions.alerts == 2)
            #expect(try await store.alertOwners(nil, feed: "live").map(\.user) == [1, 2])
            #expect(try await store.alertOwners([2], feed: "live").map(\.user) == [2])
        }
    }

    @Test(
        "disabled users are no owners, and access is a change",
        arguments: AlertStoreSubject.shared
    )
    func disabled(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            try await stand.add(1, books: "A_KRW")
            try await stand.add(1, of: 2, books: "B_KRW")
            var mark = try await store.alertChanges(after: nil).mark
            for isDisabled in [true, false] {
                try await stand.users.setUser(name: "local", isDisabled: isDisabled)
                let owners = try await store.alertOwners(nil, feed: "live").map(\.user)
                #expect(owners == (isDisabled ? [2] : [1, 2]))
                let books = try await store.alertBooks(feed: "live")
                #expect(books == (isDisabled ? ["B_KRW"] : ["A_KRW", "B_KRW"]))
                let changes = try await store.alertChanges(after: mark)
                #expect(changes.users == [1])
                mark = changes.mark
            }
            try await stand.users.removeUser(name: "other")
            #expect(try await store.alertChanges(after: mark).users == [2])
            #expect(try await store.alertOwners(nil, feed: "live").map(\.user) == [1])
        }
    }

    @Test("an export has rules and the whole log", arguments: AlertStoreSubject.allCases)
    func export(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            let lease = try await stand.lease()
            try await stand.add(1)
            let alerts = (1...150).map { NewAlertDTO(1, at: 10 + $0) }
            #expect(try await store.storeAlerts(alerts, at: 100, under: lease) == 150)
            let export = try await stand.users.export(name: "local")
            let record = try await store.record(of: 1)
            #expect(export.personal == record)
            let log = try await store.alertLog(of: 1, before: nil, count: 1_000)
            #expect(export.alertLog == log.reversed())
            #expect(export.alertLog.count == 150)
        }
    }

    // MARK: A file

    @Test("two programs with one file have one evaluator, and an idle one writes nothing")
    func file() async throws {
        try await AlertStoreSubject.sqlite.with { stand async throws in
            let path = try #require(stand.path)
            let lease = try await stand.lease()
            try await stand.store.saveAlertValues(["a", "b"], under: lease)
            let other = SQLiteStore(path: path) { 1_700_000_000_000_000 }
            _ = try await other.record(of: 1)
            let before = try Data(contentsOf: URL(filePath: path + "-wal"))
            #expect(try await other.takeLease(holder: "b") == nil)
            try await stand.store.saveAlertValues(["a", "b"], under: lease)
            #expect(try await stand.store.storeAlerts([], at: 1, under: lease) == 0)
            #expect(try await other.alertChanges(after: "0").users == [])
            #expect(try Data(contentsOf: URL(filePath: path + "-wal")) == before)
            try await stand.store.releaseLease(lease)
            let taken = try #require(try await other.takeLease(holder: "b"))
            #expect(taken.epoch == lease.epoch + 1)
            #expect(try await stand.store.takeLease(holder: "a") == nil)
            #expect(try await other.alertValues(feed: "live") == ["a", "b"])
        }
    }
}
