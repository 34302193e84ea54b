import DataSourceContracts
import Foundation
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite("The statements of each release are kept, and fit the newest schema")
struct StatementListTests {
    /// The file of the next release.
    ///
    /// The file is rewritten when statements change, and gets the release's name at the release.
    /// Files of releases never change.
    private static let version = "next"
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Releases")

    /// The program's statements in the format of the file.
    private static var present: String {
        Statements.all.map { "-- \($0.name)\n\($0.sql);\n" }.joined(separator: "\n")
    }

    @Test("the file of the next release has the program's statements")
    func file() throws {
        let file = Self.folder.appending(path: Self.version + ".sql")
        if ProcessInfo.processInfo.environment["HOGA_KEEP_STATEMENTS"] != nil {
            try Self.present.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == Self.present)
    }

    @Test("statement names are unique")
    func names() {
        let names = Statements.all.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test("no statement of the running program is written elsewhere")
    func nowhereElse() throws {
        let sources = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/DataSources/DataSourcesPostgreSQL")
        for folder in ["Store", "Tables"] {
            let files = try FileManager.default.contentsOfDirectory(
                at: sources.appending(path: folder),
                includingPropertiesForKeys: nil
            )
            #expect(!files.isEmpty)
            for file in files {
                let text = try String(contentsOf: file, encoding: .utf8)
                let count = text.components(separatedBy: "static let ").count { part in
                    part.contains("= NamedStatement(\n        name:")
                }
                #expect(!text.contains("PostgreSQLStatement(\n"), "\(file.lastPathComponent)")
                #expect(!text.contains("PostgreSQLStatement(\""), "\(file.lastPathComponent)")
                // Each declared statement is in the list.
                let names = text.matches(of: /name: "([a-z0-9_]+)"/).map { String($0.1) }
                #expect(count == names.count)
                if file.lastPathComponent != "UserAccountStatements.swift" {
                    let listed = Set(Statements.all.map(\.name))
                    #expect(listed.isSuperset(of: names), "\(file.lastPathComponent)")
                }
            }
        }
    }

    @Test(
        "every statement of every kept release fits the newest schema",
        .enabled(if: TestDatabase.isAvailable)
    )
    func releases() async throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder,
            includingPropertiesForKeys: nil
        )
        #expect(files.contains { $0.lastPathComponent == Self.version + ".sql" })
        try await SharedStand.with { stand async throws in
            for file in files where file.pathExtension == "sql" {
                let text = try String(contentsOf: file, encoding: .utf8)
                let statements = text.split(separator: ";\n").filter { $0.contains("-- ") }
                // 0.1.0 stages candles in a temporary table.
                let staging = statements.first { $0.contains("CREATE TEMPORARY TABLE") } ?? ""
                #expect(statements.count > 20)
                for statement in statements {
                    // With the running program's rights and parameter types.
                    let isTable = statement.contains("CREATE TEMPORARY TABLE")
                    let script =
                        (statement.contains("pg_temp.") ? "\(staging);\n" : "")
                        + (isTable ? "\(statement)" : "PREPARE tried AS\n\(statement)")
                    let error = await failure {
                        try await stand.app.transaction { transaction async throws(StoreError) in
                            try await transaction.execute(script + ";\nDEALLOCATE ALL")
                        }
                    }
                    #expect(error == nil, "\(file.lastPathComponent): \(statement)")
                }
            }
        }
    }
}
