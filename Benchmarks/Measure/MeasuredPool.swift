import DataSourcesPostgreSQL

/// Connections for a measurement; somebody has to run them.
func measuredPool(
    _ url: String,
    _ adjust: (inout PostgreSQLPool.Settings) -> Void = { _ in }
) throws -> PostgreSQLPool {
    var settings = PostgreSQLPool.Settings(applicationName: "hoga-bench")
    adjust(&settings)
    return PostgreSQLPool(
        address: try PostgreSQLAddress(url),
        settings: settings,
        clock: ContinuousClock(),
        random: { .random(in: .min ... .max) }
    )
}

/// Runs connections for as long as the body runs.
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
