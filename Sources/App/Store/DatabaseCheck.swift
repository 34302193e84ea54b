import DataSourceContracts
import DataSourcesPostgreSQL
import Domain

/// `hoga store check` of a database: its schema, leases and gaps in one-minute candles.
///
/// PostgreSQL itself detects damaged files.
struct DatabaseCheck: Sendable {
    /// The maximum number of gaps to report for a feed, the newest.
    private static let gapsMax = 100

    let shared: DatabaseStore

    /// Prints the report.
    ///
    /// - Throws: ``ProgramError`` `unavailable` if the database has another schema or does not
    ///   answer.
    func run() async throws(ProgramError) {
        try Console.line("\(shared.address)")
        try Console.line("role \(shared.address.user ?? "-")")
        let migrations = try await StoreAccess.call { () async throws(StoreError) in
            try await shared.schema.migrations()
        }
        try StoreCommand.write(migrations)
        _ = try await StoreAccess.call { () async throws(StoreError) in
            try await shared.schema.verify()
        }
        try await printLeases()
        for feed in [FeedKind.live, .simulated] { try await printCoverage(of: feed.rawValue) }
        try Console.line("sound")
    }

    private func printLeases() async throws(ProgramError) {
        let leases = try await StoreAccess.call { () async throws(StoreError) in
            try await shared.store.leaseStatuses()
        }
        if leases.isEmpty { try Console.line("lease none") }
        for status in leases {
            let lease = status.lease
            let word = status.isInForce ? "held until" : "free since"
            try Console.line(
                "lease \(lease.feed) \(lease.holder) epoch=\(lease.epoch) \(word) "
                    + StoreCommand.iso(status.expiresAt)
            )
        }
    }

    private func printCoverage(of feed: String) async throws(ProgramError) {
        // Reads need no valid lease.
        let minutes = shared.store.fenced(by: LeaseDTO(feed: feed, holder: "check", epoch: 0))
        let spans = try await StoreAccess.call { () async throws(StoreError) in
            try await minutes.coveredMinutes(feed: feed)
        }
        guard let first = spans.first, let last = spans.last else { return }
        let gaps = zip(spans, spans.dropFirst()).map { (from: $0.to, to: $1.from) }
        try Console.line(
            "minutes \(feed) \(StoreCommand.iso(first.from))..\(StoreCommand.iso(last.to)) "
                + "gaps=\(gaps.count)"
        )
        for gap in gaps.suffix(Self.gapsMax) {
            try Console.line("  gap \(StoreCommand.iso(gap.from))..\(StoreCommand.iso(gap.to))")
        }
    }
}
