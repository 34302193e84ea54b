import TestSupport
import Testing

@Suite("Each test has its own database", .tags(.threads), .enabled(if: TestDatabase.isAvailable))
struct TestDatabaseTests {
    @Test("a database has an owner and a member of hoga_app, neither a superuser")
    func roles() async throws {
        let database = try await TestDatabase.make()
        let roles = """
            SELECT current_user, r.rolsuper, r.rolcreaterole, r.rolbypassrls,
                pg_has_role('hoga_app', 'USAGE'), current_user = d.datdba::regrole::name
            FROM pg_roles r, pg_database d
            WHERE r.rolname = current_user AND d.datname = current_database()
            """
        let owner = try await database.execute(roles, as: "hoga_owner")
        #expect(owner == "hoga_owner|f|t|f|f|t")
        let app = try await database.execute(roles, as: "hoga_app_login")
        #expect(app == "hoga_app_login|f|f|f|t|f")
        try await database.drop()
    }

    @Test("concurrently made databases are separate, each empty or a copy")
    func many() async throws {
        let original = try await TestDatabase.make()
        try await original.execute("CREATE TABLE kept AS SELECT 7 AS number")
        // A connection may end a moment after its program, and a copy would wait for it in vain.
        try await original.endConnections()
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<8 {
                group.addTask {
                    let database = try await TestDatabase.make(
                        copying: index.isMultiple(of: 2) ? original : nil
                    )
                    let count = try await database.execute(
                        "SELECT count(*) FROM pg_tables WHERE tablename = 'kept'"
                    )
                    #expect(count == (index.isMultiple(of: 2) ? "1" : "0"))
                    try await database.drop()
                    return database.name
                }
            }
            return try await group.reduce(into: Set([original.name])) { $0.insert($1) }
        }
        #expect(names.count == 9)
        try await original.drop()
    }

    @Test("a failed statement throws an error with PostgreSQL's SQLSTATE")
    func refusal() async throws {
        let database = try await TestDatabase.make()
        let failure = await #expect(throws: ChildProcess.Failure.self) {
            try await database.execute("SELECT * FROM nothing")
        }
        #expect(failure?.text.contains("42P01") == true)
        try await database.drop()
        await #expect(throws: ChildProcess.Failure.self) { try await database.execute("SELECT 1") }
    }
}
