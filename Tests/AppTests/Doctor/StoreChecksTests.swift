import DataSourcesPostgreSQL
import Foundation
import Testing

@testable import App

@Suite("The doctor checks a SQLite file without creating it")
struct StoreChecksTests {
    private let folder = NSTemporaryDirectory() + "hoga-doctor-\(UUID().uuidString)"

    private func finding(_ path: String) async throws -> DoctorFinding {
        let checks = FileStore(path: path).doctorChecks(token: nil)
        let check = try #require(checks.first)
        return await check.body()
    }

    @Test("a missing file can be created, also in missing folders")
    func absent() async throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        for path in ["/hoga.sqlite", "/a/b/hoga.sqlite"] {
            let finding = try await finding(folder + path)
            #expect(finding.level == .ok && finding.text.hasSuffix("with the first change"))
        }
        #expect(try files.contentsOfDirectory(atPath: folder).isEmpty, "nothing is left behind")
    }

    @Test(
        "a folder that refuses files fails, whatever its permissions",
        arguments: ["/proc/nope/x.db", "/proc/x.db", "/dev/null/x.db"]
    )
    func impossible(path: String) async throws {
        let finding = try await finding(path)
        #expect(finding.level == .fail && finding.text.hasPrefix("cannot create "))
        #expect(finding.remedy?.contains("--store") == true)
    }

    @Test("a connection that does not verify its server is a warning that names its setting")
    func protection() throws {
        let here = try PostgreSQLAddress("postgresql://127.0.0.1/hoga")
        let safe = try PostgreSQLAddress("postgresql://db.example/hoga?sslmode=verify-full")
        let open = try PostgreSQLAddress("postgresql://me:secret@db.example/hoga?sslmode=require")
        func finding(_ session: PostgreSQLAddress) -> DoctorFinding {
            StoreChecks.protection([(.databaseURL, here), (.databaseSessionURL, session)])
        }
        #expect(finding(here) == .ok("the server is on this machine"))
        #expect(finding(safe) == .ok("the certificate is verified"))
        let warning = finding(open)
        #expect(warning.level == .warn && warning.text.hasPrefix("sslmode=require "))
        #expect(warning.remedy?.contains("verify-full in HOGA_DATABASE_SESSION_URL") == true)
        #expect("\(warning)".contains("secret") == false)
    }

    @Test("a folder, and a file without a store, name the setting of the file")
    func wrong() async throws {
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        let path = folder + "/text"
        try Data("no store at all, but long enough to be looked at as one".utf8)
            .write(to: URL(fileURLWithPath: path))
        for path in [folder, "/etc", path] {
            let finding = try await finding(path)
            #expect(finding.level == .fail, "\(path)")
            #expect(finding.remedy?.contains("HOGA_DATABASE") == false, "\(path)")
        }
        let etc = try await finding("/etc")
        #expect(etc.text == "/etc is a folder" && etc.remedy?.contains("--store") == true)
    }
}
