import DataSourceContracts
import DataSourcesPostgreSQL
import Domain
import ViewStates

/// `hoga store check` of a database: its schema, who leads, and which minutes nobody saw whole.
///
/// What PostgreSQL itself watches over, damage of files, is not looked for.
struct DatabaseCheck: Sendable {
    /// How many gaps of a feed are told: the newest.
    private static let gapsMax = 100

    let shared: DatabaseStore

    /// Prints what is found.
    ///
    /// - Throws: ``ProgramError`` `unavailable` when this program cannot live with the database, or
    ///   it does not answer.
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
        try await tellLeases()
        for feed in [FeedKind.live, .simulated] { try await tellCoverage(of: feed.rawValue) }
        try Console.line("sound")
    }

    private func tellLeases() async throws(ProgramError) {
        let leases = try await StoreAccess.call { () async throws(StoreError) in
            try await shared.store.leaseStatuses()
        }
        if leases.isEmpty { try Console.line("lease nobody took one yet") }
        for status in leases {
            let lease = status.lease
            let word = status.isInForce ? "held until" : "free since"
            try Console.line(
                "lease \(lease.feed) \(lease.holder) epoch=\(lease.epoch) \(word) "
                    + Self.iso(status.expiresAt)
            )
        }
    }

    private func tellCoverage(of feed: String) async throws(ProgramError) {
        // Reading takes no lease.
        let minutes = shared.store.fenced(by: LeaseDTO(feed: feed, holder: "check", epoch: 0))
        let spans = try await StoreAccess.call { () async throws(StoreError) in
            try await minutes.coveredMinutes(feed: feed)
        }
        guard let first = spans.first, let last = spans.last else { return }
        let gaps = zip(spans, spans.dropFirst()).map { (from: $0.to, to: $1.from) }
        try Console.line(
            "minutes \(feed) \(Self.iso(first.from))..\(Self.iso(last.to)) gaps=\(gaps.count)"
        )
        for gap in gaps.suffix(Self.gapsMax) {
            try Console.line("  gap \(Self.iso(gap.from))..\(Self.iso(gap.to))")
        }
    }

    private static func iso(_ microseconds: Int64) -> String {
        TimeText.iso(Timestamp(microseconds: microseconds))
    }
}
