import Foundation
import Testing

@testable import App

@Suite("The doctor says of a store's file what would come of it")
struct StoreChecksTests {
    private let folder = NSTemporaryDirectory() + "hoga-doctor-\(UUID().uuidString)"

    private func finding(_ path: String) async throws -> DoctorFinding {
        let checks = StoreChecks(place: .file(StorePlace.store(at: path)), token: nil).checks
        let check = try #require(checks.first)
        return await check.look()
    }

    @Test("A file that is not there can be made, in folders that are not there either")
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
        "A folder that takes no files is told, whatever its rights say",
        arguments: ["/proc/nope/x.db", "/proc/x.db", "/dev/null/x.db"]
    )
    func impossible(path: String) async throws {
        let finding = try await finding(path)
        #expect(finding.level == .fail && finding.text.hasSuffix("cannot be made"))
        #expect(finding.remedy?.contains("--store") == true)
    }

    @Test("A folder in the place of a file, and a file that is no store, name the file's setting")
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
