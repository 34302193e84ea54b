import Domain
import Foundation
import HeapMemory
import TestSupport
import Testing
import ViewStates

@testable import PresentationHTTP
@testable import UseCases

@Suite("Memory of users")
struct UserMemoryTests {
    // In a process of its own, whose heap nothing else uses.
    @Test(
        "the estimate of a user's bytes is between 0.75 and 2 of the measured ones",
        .enabled(
            if: ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil,
            "the sanitizer has an allocator of its own"
        )
    )
    func estimate() async throws {
        await #expect(processExitsWith: .success) {
            for (rows, count) in [(0, Int64(2_000)), (20, 2_000), (1_000, 200)] {
                let bench = MemoryBench(rows: rows)
                // The first users also make what all users share.
                try await bench.load(1...10)
                let (heap, estimate) = (HeapMemory.usedBytes, bench.users.size.bytes)
                try await bench.load(11...count)
                let measured = Double(HeapMemory.usedBytes - heap)
                let estimated = Double(bench.users.size.bytes - estimate)
                try #require(bench.users.size.users == Int(count))
                try #require(
                    (0.75...2).contains(estimated / measured),
                    "\(rows) rows: \(measured / Double(count - 10)) bytes a user"
                )
            }
        }
    }
}

/// Users in memory with their documents, as a service has them.
private final class MemoryBench {
    let users: UserStateService
    private let store: GeneratedUsers
    private let documents = CachedUserDocuments()
    private let rows: SharedMarketRows

    /// Makes a bench whose users have a number of favorites and of holdings each.
    init(rows count: Int) {
        store = GeneratedUsers(rows: count)
        users = UserStateService(
            repository: store,
            notifications: nil,
            polls: false,
            outlet: .requests,
            bytesMax: 1 << 30,
            clock: ContinuousClock()
        )
        var board = SampleBoard.live()
        // Documents have a budget of their own.
        var bounds = DocumentCache.Bounds(bytesMax: 100_000)
        bounds.keysMax = 1
        rows = SharedMarketRows(
            presenter: MarketListPresenter(names: CoinNames([:])),
            latest: SnapshotPublisher(board.snapshot()),
            cache: DocumentCache(bounds: bounds)
        )
    }

    /// Loads users and makes a document of each.
    func load(_ numbers: ClosedRange<Int64>) async throws {
        for number in numbers {
            let state = try await users.state(of: UserID(number))
            let documents = documents.documents(of: state) { state in
                UserDocuments(
                    state,
                    producers: UserDocumentProducers(
                        personal: state,
                        rows: rows,
                        scopes: [],
                        epoch: "epoch"
                    )
                )
            }
            _ = documents.document(.portfolio(.korean), scopes: [], at: .noon())
        }
    }
}

/// A store whose users have any number and as many rows as wanted, made anew at each reading.
private struct GeneratedUsers: UserRepository {
    let rows: Int

    func record(of user: UserID) async throws(StoreFailure) -> UserRecord {
        var record = UserRecord(name: "a user with the number \(user.number)")
        record.profile.value.displayName = "a display name of \(user.number)"
        record.favorites.value = (0..<rows).compactMap {
            MarketID(symbol: "COIN\($0)", quote: .krw)
        }
        record.holdings.value = (0..<rows).compactMap { number in
            Asset(symbol: "A_LONG_COIN_NAME\(number)")
                .map { Holding(asset: $0, quantity: .one, averagePrice: nil) }
        }
        return record
    }

    func perform(
        _ change: UserChange,
        of user: UserID
    ) async throws(StoreFailure) -> UserRecord {
        try await record(of: user).applying(change)
    }

    func changeCount(of user: UserID) async throws(StoreFailure) -> Int64 { 0 }

    func checkWriting(of user: UserID) async throws(StoreFailure) {}

    func journal(
        of user: UserID,
        newest count: Int
    ) async throws(StoreFailure) -> [JournalEntry] { [] }
}
