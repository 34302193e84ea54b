import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("The log of alerts in a store")
struct StoredAlertLogTests {
    private static func repository(_ unreadable: Set<Int64> = []) -> StoredUserRepository {
        StoredUserRepository(
            store: InMemoryStore(),
            alerts: AlertRows(count: 9, unreadable: unreadable),
            now: { .noon() }
        )
    }

    private static func numbers(
        _ unreadable: Set<Int64> = [],
        before number: Int64?,
        count: Int
    ) async throws -> [Int64] {
        try await repository(unreadable)
            .alertLog(of: .local, before: number, count: count).map(\.number)
    }

    @Test("pages begin before a number and are as long as asked, but for the last")
    func pages() async throws {
        #expect(try await Self.numbers(before: nil, count: 4) == [9, 8, 7, 6])
        #expect(try await Self.numbers(before: 6, count: 4) == [5, 4, 3, 2])
        #expect(try await Self.numbers(before: 2, count: 4) == [1])
        #expect(try await Self.numbers(before: 1, count: 4) == [])
    }

    @Test("unreadable rows make room for older ones, so that only the last page is short")
    func unreadable() async throws {
        #expect(try await Self.numbers([9, 7, 4], before: nil, count: 4) == [8, 6, 5, 3])
        #expect(try await Self.numbers([1, 2, 3, 4], before: nil, count: 4) == [9, 8, 7, 6])
        #expect(try await Self.numbers([1, 2, 3, 4], before: 6, count: 4) == [5])
    }

    @Test("a row is the alert that was stored")
    func row() async throws {
        let page = try await Self.repository().alertLog(of: .local, before: nil, count: 1)
        let first = try #require(page.first)
        #expect(first.rule.text == "BTC_KRW > 5")
        #expect(first.alert.value == "9")
        #expect(first.alert.at == .noon())
        #expect(first.alert.subject == AlertSubject("BTC_KRW"))
    }
}

/// Rows of one user; nothing is written.
private struct AlertRows: AlertStoreSource {
    let count: Int64
    let unreadable: Set<Int64>

    init(count: Int64, unreadable: Set<Int64>) {
        self.count = count
        self.unreadable = unreadable
    }

    func alertLog(
        of user: Int64,
        before number: Int64?,
        count: Int
    ) async throws(StoreError) -> [AlertLogDTO] {
        (1...self.count).reversed().filter { row in number.map { row < $0 } ?? true }
            .prefix(count)
            .map { row in
                AlertLogDTO(
                    number: row,
                    alert: AlertDTO(
                        rule: 1,
                        market: "BTC_KRW",
                        at: Timestamp.noon().microseconds,
                        value: "\(row)",
                        isRise: true,
                        lateness: nil
                    ),
                    text: unreadable.contains(row) ? "BTC_KRW moon" : "BTC_KRW > 5",
                    feed: "live",
                    storedAt: Timestamp.noon().microseconds
                )
            }
    }

    func alertOwners(
        _ users: [Int64]?,
        feed: String
    ) async throws(StoreError) -> [AlertOwnerDTO] { [] }

    func storeAlerts(
        _ alerts: [NewAlertDTO],
        at storedAt: Int64,
        under lease: LeaseDTO
    ) async throws(StoreError) -> Int { 0 }

    func alertValues(feed: String) async throws(StoreError) -> [String] { [] }

    func saveAlertValues(_ lines: [String], under lease: LeaseDTO) async throws(StoreError) {}

    func alertChanges(
        after mark: String?
    ) async throws(StoreError) -> (users: [Int64], mark: String) { ([], "") }

    func alertBooks(feed: String) async throws(StoreError) -> [String] { [] }

    func takeLease(
        holder: String,
        feed: String,
        for duration: Duration
    ) async throws(StoreError) -> LeaseDTO? { nil }

    func renewLease(
        _ lease: LeaseDTO,
        for duration: Duration
    ) async throws(StoreError) -> Bool { false }

    func releaseLease(_ lease: LeaseDTO) async throws(StoreError) {}
}
