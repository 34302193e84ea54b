import DataSources
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "TLS to the database trusts the named root, and nobody else",
    .enabled(if: TestDatabase.isThere),
    .timeLimit(.minutes(5))
)
struct DatabaseTLSTests {
    /// A server that shows a certificate of the authority.
    private static func server(
        _ authority: ThrowawayAuthority,
        showing name: String,
        days: Int = 2
    ) async throws -> TestCluster {
        let identity = try authority.identity(for: name, days: days)
        // The server takes a key only from its own user, who cannot enter the authority's folder.
        let folder = try ChildProcess.output([
            "sh", "-c",
            """
            folder=$(mktemp -d /tmp/hoga-key-XXXXXX)
            cp "$0" "$folder/server.pem" && cp "$1" "$folder/server.key"
            chmod 600 "$folder/server.key"
            if [ "$(id -u)" -eq 0 ]; then chown -R postgres: "$folder"; fi
            echo "$folder"
            """,
            identity.certificateFile, identity.keyFile,
        ])
        let cluster = try await TestCluster.make(settings: [
            "ssl=on", "ssl_cert_file=\(folder)/server.pem", "ssl_key_file=\(folder)/server.key",
        ])
        // It has read both.
        try ChildProcess.run(["rm", "-r", folder])
        return cluster
    }

    private static func encryption(
        _ cluster: TestCluster,
        host: String,
        root: String
    ) async throws -> String {
        let url =
            "postgresql://postgres@\(host):\(cluster.port)/postgres"
            + "?sslmode=verify-full&sslrootcert=\(root)"
        return try await withPool(url, { $0.waitMax = .seconds(5) }) { pool in
            try await pool.read(
                "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl"
            )[0].text(0)
        }
    }

    @Test("A server of the private root is trusted by the name it shows")
    func trusted() async throws {
        let authority = try ThrowawayAuthority()
        let server = try await Self.server(authority, showing: "DNS:localhost")
        let version = try await Self.encryption(
            server,
            host: "localhost",
            root: authority.certificateFile
        )
        #expect(version.hasPrefix("TLSv1."))
    }

    @Test(
        "Another name, another root and an expired certificate are refused and named",
        arguments: [
            ("DNS:another.test", 2, true, "does not match host name"),
            ("DNS:localhost", 2, false, "certificate verify failed"),
            ("DNS:localhost", -1, true, "certificate verify failed"),
        ]
    )
    func distrust(name: String, days: Int, isKnown: Bool, words: String) async throws {
        let authority = try ThrowawayAuthority()
        let root = isKnown ? authority : try ThrowawayAuthority()
        let server = try await Self.server(authority, showing: name, days: days)
        let error = await failure {
            _ = try await Self.encryption(server, host: "localhost", root: root.certificateFile)
        }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "no error")")
        #expect(error?.detail.contains("look at the server's certificate") == true)
    }

    @Test("A root that is not there is refused before anything is sent")
    func missingRoot() async throws {
        let authority = try ThrowawayAuthority()
        let server = try await Self.server(authority, showing: "DNS:localhost")
        let error = await failure {
            _ = try await Self.encryption(
                server,
                host: "localhost",
                root: authority.folder + "/missing.pem"
            )
        }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("missing.pem") == true, "\(error?.detail ?? "no error")")
    }
}
