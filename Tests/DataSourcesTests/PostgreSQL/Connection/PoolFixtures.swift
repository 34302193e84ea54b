import DataSourceContracts
import TestSupport

@testable import DataSourcesPostgreSQL

/// A pool that does not run yet.
func testPool(
    _ url: String,
    _ adjust: (inout PostgreSQLPool.Settings) -> Void = { _ in },
    clock: some Clock<Duration> = ContinuousClock()
) throws -> PostgreSQLPool {
    var settings = PostgreSQLPool.Settings(applicationName: "hoga-test")
    // Generous defaults for a loaded machine.
    settings.waitMax = .seconds(60)
    settings.connectTimeout = .seconds(60)
    settings.statementTimeout = .seconds(60)
    adjust(&settings)
    return try PostgreSQLPool(
        address: try PostgreSQLAddress(url),
        settings: settings,
        clock: clock,
        random: { UInt64.random(in: 0...UInt64.max) }
    )
}

/// Runs a pool during the body.
func withPool<Value: Sendable>(
    _ url: String,
    _ adjust: (inout PostgreSQLPool.Settings) -> Void = { _ in },
    clock: some Clock<Duration> = ContinuousClock(),
    _ body: @Sendable (PostgreSQLPool) async throws -> Value
) async throws -> Value {
    let pool = try testPool(url, adjust, clock: clock)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await pool.run() }
        defer { group.cancelAll() }
        return try await body(pool)
    }
}

/// A listener that does not run yet; its heartbeats may take any time unless a test limits them.
func testListener(
    _ url: String,
    pool: PostgreSQLPool,
    hearingMax: Duration = .seconds(300),
    clock: any Clock<Duration> = ContinuousClock(),
    onFailure: @escaping @Sendable (StoreError?) -> Void = { _ in }
) throws -> PostgreSQLListener {
    try PostgreSQLListener(
        address: try PostgreSQLAddress(url),
        settings: PostgreSQLPool.Settings(applicationName: "hoga-test"),
        pool: pool,
        clock: clock,
        random: { UInt64.random(in: 0...UInt64.max) },
        hearingMax: hearingMax,
        onFailure: onFailure
    )
}

extension PostgreSQLPool {
    /// Runs one statement that changes nothing.
    func read(
        _ sql: StaticString,
        _ values: [PostgreSQLValue] = [],
        within patience: Duration? = nil
    ) async throws(StoreError) -> PostgreSQLRows {
        try await perform([PostgreSQLStatement(sql, values)], as: .reading, within: patience)[0]
    }

    /// Runs one statement that changes something.
    @discardableResult
    func write(
        _ sql: StaticString,
        _ values: [PostgreSQLValue] = []
    ) async throws(StoreError) -> PostgreSQLRows {
        try await perform([PostgreSQLStatement(sql, values)], as: .writing)[0]
    }

    /// Reads one number.
    func number(_ sql: StaticString, _ values: [PostgreSQLValue] = []) async throws -> Int64 {
        let rows = try await read(sql, values)
        return try rows[0].integer(0)
    }
}

/// The error of a call; nil if it succeeded.
func failure<Value>(
    of body: () async throws -> Value
) async -> StoreError? {
    do {
        _ = try await body()
        return nil
    } catch let error as StoreError {
        return error
    } catch {
        return nil
    }
}

/// Waits until something holds that nothing tells of, such as what the server shows; only what
/// never holds takes so long that this gives up.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return false
}
