import DataSourcesPostgreSQL

/// A connection pool for a measurement, which must be run.
func measuredPool(
    _ url: String,
    _ adjust: (inout PostgreSQLPool.Settings) -> Void = { _ in }
) throws -> PostgreSQLPool {
    var settings = PostgreSQLPool.Settings(applicationName: "hoga-bench")
    adjust(&settings)
    return try PostgreSQLPool(
        address: try PostgreSQLAddress(url),
        settings: settings,
        clock: ContinuousClock(),
        random: { .random(in: .min ... .max) }
    )
}

/// Runs a connection pool while the body runs.
func withMeasuredPool(
    _ url: String,
    _ adjust: (inout PostgreSQLPool.Settings) -> Void = { _ in },
    _ body: @Sendable (PostgreSQLPool) async throws -> Void
) async throws {
    let pool = try measuredPool(url, adjust)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await pool.run() }
        defer { group.cancelAll() }
        try await body(pool)
    }
}
