import DataSourceContracts
import DataSourcesPostgreSQL
import DataSourcesSQLite
import Domain
import FoundationEssentials
import Repositories
import UseCases

extension NoStore {
    func doctorChecks(token: AccessToken?) -> [DoctorCheck] {
        [DoctorCheck("store") { .ok("none: changes last as long as the program") }]
    }
}

extension FileStore {
    func doctorChecks(token: AccessToken?) -> [DoctorCheck] {
        [DoctorCheck("store") { await StoreChecks.check(store) }]
    }
}

extension DatabaseStore {
    func doctorChecks(token: AccessToken?) -> [DoctorCheck] {
        StoreChecks.checks(self, token: token)
    }
}

/// The checks of the store: the file, or the database with its schema, role, session and token.
enum StoreChecks {
    /// The time limit for opening a session and for its first notification, below a check's limit.
    private static let sessionLimit: Duration = .seconds(8)

    static func check(_ store: SQLiteStore) async -> DoctorFinding {
        let path = SecretFiles.shown(store.path)
        let folder = folder(of: store.path)
        let files = FileManager.default
        if (try? files.attributesOfItem(atPath: store.path))?[.type] as? FileAttributeType
            == .typeDirectory
        {
            return .fail("\(path) is a folder", "set a file with \(Setting.store.flag)")
        }
        if !files.fileExists(atPath: store.path) {
            return isWritable(folder)
                ? .ok("\(path) will be created with the first change")
                : .fail(
                    "cannot create \(path)",
                    "make \(SecretFiles.shown(folder)) writable, or set another file with "
                        + Setting.store.flag
                )
        }
        let finding = await finding(naming: .store) { () async throws(StoreError) in
            let migrations = try await store.verifyMigrations()
            let pending = migrations.count { $0.state == .pending }
            return "\(path), schema \(migrations.count - pending) of \(migrations.count)"
        }
        await store.close()
        let isWritable =
            files.isWritableFile(atPath: store.path) && files.isWritableFile(atPath: folder)
        if finding.level == .ok, !isWritable {
            return .fail(
                "\(path) or its folder is not writable",
                "make both writable: SQLite creates a file beside the store"
            )
        }
        return finding
    }

    /// Whether a folder is writable, or can be created.
    private static func isWritable(_ folder: String) -> Bool {
        let files = FileManager.default
        if files.fileExists(atPath: folder) {
            // Permissions are not enough: folders such as /proc refuse new files anyway.
            let probe = "\(folder)/.hoga-doctor-\(SystemSources.epoch())"
            guard
                (try? files.createDirectory(atPath: probe, withIntermediateDirectories: false))
                    != nil
            else { return false }
            try? files.removeItem(atPath: probe)
            return true
        }
        let above = self.folder(of: folder)
        return above != folder && isWritable(above)
    }

    private static func folder(of path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true).dropLast()
        let joined = parts.joined(separator: "/")
        return path.hasPrefix("/") ? "/" + joined : joined.isEmpty ? "." : joined
    }

    static func checks(_ shared: DatabaseStore, token: AccessToken?) -> [DoctorCheck] {
        var checks = [
            DoctorCheck("store schema") {
                await finding { () async throws(StoreError) in
                    let migrations = try await shared.schema.verify()
                    let applied = migrations.count { $0.state == .applied }
                    return "\(shared.address), schema \(applied) of \(migrations.count)"
                }
            },
            DoctorCheck("store role") {
                await finding { () async throws(StoreError) in
                    try await shared.store.verifyRole()
                    return "role \(shared.address.user ?? "-") is restricted by row-level security"
                }
            },
            DoctorCheck("store TLS") { protection(shared.addresses) },
            DoctorCheck("store writes") { await writes(shared) },
            DoctorCheck("store candles") { await leases(shared) },
        ]
        if let session = shared.session {
            checks.append(
                DoctorCheck("store session") {
                    await finding(naming: .databaseSessionURL) {
                        () async throws(StoreError) in
                        try await session.verify(within: Self.sessionLimit)
                        return "notifications arrive"
                    }
                }
            )
        }
        if let history = shared.store.history {
            checks.append(
                DoctorCheck("store standby") {
                    await finding(naming: .databaseReadURL) { () async throws(StoreError) in
                        try await history.verify(within: Self.sessionLimit)
                        return "candles are read from a standby"
                    }
                }
            )
        }
        if let token {
            checks.append(DoctorCheck("store token") { await tokenFinding(token, shared) })
        }
        return checks
    }

    /// Whether others can read or change what goes to the database.
    static func protection(
        _ addresses: [(setting: Setting, address: PostgreSQLAddress)]
    ) -> DoctorFinding {
        var isLocal = true
        for (setting, address) in addresses {
            switch address.protection {
            case .local: continue
            case .verified: isLocal = false
            case .unverified(let mode):
                return .warn(
                    "sslmode=\(mode) does not verify the server: others may read the traffic",
                    "set sslmode=verify-full in \(setting.environmentName), and sslrootcert= to "
                        + "the PEM file of the server's authority"
                )
            }
        }
        return .ok(isLocal ? "the server is on this machine" : "the certificate is verified")
    }

    private static func writes(_ shared: DatabaseStore) async -> DoctorFinding {
        do throws(StoreError) {
            switch try await shared.store.writeObstacle() {
            case nil: return .ok("the server accepts changes")
            case .standby where shared.store.isReadOnly:
                return .ok("a standby, as its address says: changes are refused")
            case .standby:
                return .fail(
                    "the server is a standby: it accepts no changes",
                    "set \(Setting.databaseURL.environmentName) to the primary, or list all "
                        + "servers in it: the one that accepts changes is used"
                )
            case .readOnlyDefault:
                return .fail(
                    "default_transaction_read_only is on: all changes are refused",
                    "have an administrator turn it off for this role (ALTER ROLE), the database "
                        + "(ALTER DATABASE) or the server (ALTER SYSTEM)"
                )
            }
        } catch {
            return failure(error, naming: .databaseURL)
        }
    }

    private static func leases(_ shared: DatabaseStore) async -> DoctorFinding {
        do throws(StoreError) {
            let leases = try await shared.store.leaseStatuses()
            guard let held = leases.first(where: \.isInForce) else {
                return .warn(
                    "no instance writes candles",
                    "start 'hoga serve' on this database; it takes over within five seconds"
                )
            }
            return .ok("written by \(held.lease.holder) for \(held.lease.feed)")
        } catch {
            return failure(error, naming: .databaseURL)
        }
    }

    private static func tokenFinding(
        _ token: AccessToken,
        _ store: DatabaseStore
    ) async -> DoctorFinding {
        do {
            guard let access = try store.owner(token)?.access else {
                return .ok("not needed")
            }
            let grant = try await access.grant()
            return .ok("user \(grant.user.number), \(grant.scope.rawValue)")
        } catch let failure as StoreFailure {
            return .fail(
                failure.detail,
                "set \(Setting.token.environmentName)_FILE to a file with a new token from "
                    + "'hoga user token new NAME'"
            )
        } catch {
            return .fail("\(error)", "check \(Setting.token.environmentName)")
        }
    }

    private static func finding(
        naming setting: Setting = .databaseURL,
        _ look: () async throws(StoreError) -> String
    ) async -> DoctorFinding {
        do throws(StoreError) {
            return .ok(try await look())
        } catch {
            return failure(error, naming: setting)
        }
    }

    /// The finding of a store failure, with a suggested fix.
    static func failure(_ error: StoreError, naming setting: Setting) -> DoctorFinding {
        let remedy =
            switch error.code {
            case .unavailable:
                setting == .store
                    ? "check the file and its folder, or set another file with \(setting.flag)"
                    : "check that it runs, and \(setting.environmentName)"
            case .busy: "find the process that locks it: another hoga, a backup, a long transaction"
            case .full: "free some disk space"
            case .readOnly: "make it writable, or use the primary server"
            case .damaged: "run 'hoga store check' for details and restore a backup"
            case .incompatible: "see 'hoga migrate status'"
            case .conflict, .tooMany, .notFound, .refused, .fenced: "run 'hoga store check'"
            case .unauthorized, .forbidden:
                setting == .store
                    ? "make the file and its folder readable and writable"
                    : "check role and password in \(setting.environmentName)"
            }
        return .fail(error.detail, remedy)
    }
}
