import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "Exactly one of several processes acquires a new lease",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable)
)
struct FirstLeaseTests {
    @Test("one process gets the lease, and the others get none, without an error")
    func race() async throws {
        try await SharedStand.with(connections: 8) { stand async throws in
            let pool = stand.store.pool
            for round in 0..<40 {
                let epochs = try await withThrowingTaskGroup(of: Int64?.self) { group in
                    for holder in 0..<8 {
                        group.addTask {
                            let statement = Statements.takeLease(
                                .text("first-\(round)"),
                                .text("\(holder)"),
                                .integer(3_600_000_000)
                            )
                            let answers = try await pool.perform([statement], as: .writing)
                            return try answers[0].first?.integer(0)
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(epochs.compactMap(\.self) == [1])
            }
        }
    }
}
