import Foundation
import TestSupport
import Testing

@Suite(
    "A missing privilege of the service's role is named with the remedy",
    .enabled(if: TestDatabase.isAvailable),
    .ownThread,
    .timeLimit(.minutes(4))
)
struct PrivilegeTests {
    @Test("doctor, store check and serve name it, and migrate up repairs it")
    func commands() async throws {
        try await Deployment.run { deployment in
            let database = deployment.database
            try await database.execute("REVOKE INSERT ON hoga.candles FROM hoga_app")
            let words = "lacks INSERT on table hoga.candles: run 'hoga migrate up'"
            for url in [database.appURL, database.ownerURL] {
                for arguments in [
                    ["doctor", "--exchange", "simulated"], ["store", "check"],
                ] {
                    let outcome = try await deployment.hoga(arguments, ["HOGA_DATABASE_URL": url])
                    #expect(outcome.status == 69)
                    #expect((outcome.output + outcome.errors).contains(words), "\(outcome.output)")
                }
            }
            let serve = try await deployment.hoga(
                ["serve", "--exchange", "simulated", "--listen", "127.0.0.1:0"],
                ["HOGA_DATABASE_URL": database.appURL]
            )
            #expect(serve.status == 69)
            #expect(serve.errors.contains(words))
            #expect(try await deployment.owner("migrate", "up").status == 0)
            let check = try await deployment.hoga(
                ["store", "check"],
                ["HOGA_DATABASE_URL": database.appURL]
            )
            #expect(check.status == 0, "\(check.errors)")
        }
    }

    @Test("readyz names a privilege that was revoked from a running instance")
    func readiness() async throws {
        try await Deployment.run { deployment in
            let database = deployment.database
            let service = try ServiceProcess(
                ["--exchange", "simulated"],
                environment: ["HOGA_DATABASE_URL": database.appURL]
            )
            // The leader renews its lease several times a second.
            try await database.execute(
                "REVOKE UPDATE (expires_at) ON hoga.instance_lease FROM hoga_app"
            )
            var detail = ""
            while !detail.contains("instance_lease"), !Task.isCancelled {
                let store = try service.readiness()["store"] as? [String: Any]
                detail = store?["failureDetail"] as? String ?? ""
            }
            // As the failed statement says it, or as the next check of the schema does.
            #expect(
                detail.contains("permission denied for table instance_lease")
                    || detail.contains("lacks UPDATE (expires_at) on table hoga.instance_lease")
            )
            #expect(detail.contains("hoga migrate up"))
        }
    }

    @Test("the owner's backup is written, told with its size, and never replaces a file")
    func backup() async throws {
        try await Deployment.run { deployment in
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appending(path: "hoga.dump").path
            let written = try await deployment.owner("store", "backup", path)
            #expect(written.status == 0, "\(written.errors)")
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            #expect(written.output.hasPrefix("\(path) \(size) bytes, checked by restoring "))
            let again = try await deployment.owner("store", "backup", path)
            #expect(again.status == 69)
            #expect(again.errors.contains("choose another path"))
        }
    }
}
