import Glibc

/// A pgbouncer in transaction mode in front of a cluster: each transaction may get another
/// connection.
///
/// The pooler ends with this object.
public final class TestPooler {
    /// The pooler's port on 127.0.0.1.
    public let port: UInt16
    private let process: ChildProcess

    /// Starts a pooler and waits until it listens.
    ///
    /// - Parameters:
    ///   - clusterPort: where the cluster listens on 127.0.0.1.
    ///   - serverConnectionsMax: how many connections it opens to each database for each role.
    /// - Throws: ``ChildProcess/Failure``.
    public init(
        to clusterPort: UInt16,
        serverConnectionsMax: Int
    ) throws(ChildProcess.Failure) {
        let folder = try ChildProcess.output(["mktemp", "-d", "/tmp/hoga-pooler-XXXXXX"])
        port = LoopbackServer.reservedPort()
        let settings = """
            [databases]
            * = host=127.0.0.1 port=\(clusterPort)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = trust
            auth_file = \(folder)/users
            pool_mode = transaction
            default_pool_size = \(serverConnectionsMax)
            max_client_conn = 200
            """
        let users = ["postgres", "hoga_owner", "hoga_app_login"].map { "\"\($0)\" \"\"" }
        // A shell does not parse its positional parameters.
        try ChildProcess.run([
            "sh", "-c",
            "printf '%s\\n' \"$1\" > \"$0/ini\"; printf '%s\\n' \"$2\" > \"$0/users\"; "
                + "chmod 755 \"$0\"",
            folder, settings, users.joined(separator: "\n"),
        ])
        // pgbouncer refuses to run as root.
        let asServer =
            getuid() == 0
            ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : []
        process = try ChildProcess(
            asServer + [
                "sh", "-c", "exec \"$(command -v pgbouncer || echo /usr/sbin/pgbouncer)\" $0",
                folder + "/ini",
            ]
        )
        // pgbouncer reads the files once, before it listens.
        try ChildProcess.run([
            "bash", "-c",
            """
            for _ in $(seq 2400); do
                if (: > /dev/tcp/127.0.0.1/$0) 2> /dev/null; then rm -r "$1"; exit 0; fi
                sleep 0.05
            done
            exit 1
            """,
            "\(port)", folder,
        ])
    }
}

/// One test uses a pooler.
@available(*, unavailable)
extension TestPooler: Sendable {}
