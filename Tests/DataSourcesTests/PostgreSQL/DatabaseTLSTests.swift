import DataSourceContracts
import Synchronization
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite(
    "TLS to the database trusts the given root certificate only",
    .tags(.threads),
    .enabled(if: TestDatabase.isAvailable),
    .timeLimit(.minutes(15))
)
struct DatabaseTLSTests {
    /// A server that shows a certificate of the authority.
    private static func server(
        _ authority: TestCertificateAuthority,
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
        // The server has read both files.
        try ChildProcess.run(["rm", "-r", folder])
        return cluster
    }

    private static func url(_ cluster: TestCluster, root: String) -> String {
        "postgresql://postgres@localhost:\(cluster.port)/postgres"
            + "?sslmode=verify-full&sslrootcert=\(root)"
    }

    /// Asks until the reason has the words: before the first attempt has failed there is none.
    private static func refusal(
        by cluster: TestCluster,
        root: String,
        saying words: String
    ) async throws -> StoreError? {
        try await withPool(
            url(cluster, root: root),
            { $0.waitMax = .milliseconds(200) },
            { pool in
                let last = Mutex<StoreError?>(nil)
                let isTold = try await eventually {
                    let error = await failure { try await pool.read("SELECT 1") }
                    last.withLock { $0 = error }
                    return error?.detail.contains(words) == true
                }
                let error = last.withLock { $0 }
                #expect(isTold, "\(error?.detail ?? "no error")")
                return error
            }
        )
    }

    @Test("a server with a certificate of the given root and its own name is trusted")
    func trusted() async throws {
        let authority = try TestCertificateAuthority()
        let server = try await Self.server(authority, showing: "DNS:localhost")
        let url = Self.url(server, root: authority.certificateFile)
        let version = try await withPool(url) { pool in
            try await pool.read(
                "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl"
            )[0].text(0)
        }
        #expect(version.hasPrefix("TLSv1."))
    }

    @Test(
        "another name, another root and an expired certificate are refused with the reason",
        arguments: [
            ("DNS:another.test", 2, true, "does not match host name"),
            ("DNS:localhost", 2, false, "certificate verify failed"),
            ("DNS:localhost", -1, true, "certificate verify failed"),
        ]
    )
    func distrust(name: String, days: Int, isKnown: Bool, words: String) async throws {
        let authority = try TestCertificateAuthority()
        let root = isKnown ? authority : try TestCertificateAuthority()
        let server = try await Self.server(authority, showing: name, days: days)
        let error = try await Self.refusal(
            by: server,
            root: root.certificateFile,
            saying: words
        )
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("check the server's certificate") == true)
    }

    @Test("a missing root certificate is refused before connecting")
    func missingRoot() async throws {
        let authority = try TestCertificateAuthority()
        let server = try await Self.server(authority, showing: "DNS:localhost")
        let error = try await Self.refusal(
            by: server,
            root: authority.folder + "/missing.pem",
            saying: "missing.pem"
        )
        #expect(error?.code == .unavailable)
    }
}
