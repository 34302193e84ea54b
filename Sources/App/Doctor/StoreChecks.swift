import DataSourceContracts
import DataSourcesPostgreSQL
import DataSourcesSQLite
import Domain
import FoundationEssentials
import Repositories

/// Whether the store can be used: the file or the database, its schema, role, session and token.
struct StoreChecks: Sendable {
    /// How long a session may take to open, and then to hear: both together less than a check.
    private static let sessionLimit: Duration = .seconds(4)

    let place: StorePlace
    let token: AccessToken?

    /// The checks, in the order in which they are told.
    var checks: [DoctorCheck] {
        switch place {
        case .nowhere:
            [DoctorCheck("store") { .ok("none: what is changed lives as long as the program") }]
        case .file(let store): [DoctorCheck("store") { await Self.look(store) }]
        case .database(let shared): database(shared)
        }
    }

    private static func look(_ store: SQLiteStore) async -> DoctorFinding {
        let path = SecretFiles.shown(store.path)
        let folder = folder(of: store.path)
        let files = FileManager.default
        if (try? files.attributesOfItem(atPath: store.path))?[.type] as? FileAttributeType
            == .typeDirectory
        {
            return .fail("\(path) is a folder", "name a file in it with \(Setting.store.flag)")
        }
        if !files.fileExists(atPath: store.path) {
            return isWritable(folder)
                ? .ok("\(path) will be made with the first change")
                : .fail(
                    "\(path) cannot be made",
                    "make \(SecretFiles.shown(folder)) writable, or name another file with "
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
                "chmod u+w both, as their owner: changes need a file beside the store"
            )
        }
        return finding
    }

    /// Whether a folder can be written to, or be made where there is something that can.
    private static func isWritable(_ folder: String) -> Bool {
        let files = FileManager.default
        if files.fileExists(atPath: folder) {
            // A folder may be writable by its rights and take nothing, as those of the kernel do.
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

    private func database(_ shared: DatabaseStore) -> [DoctorCheck] {
        var checks = [
            DoctorCheck("store schema") {
                await Self.finding { () async throws(StoreError) in
                    let migrations = try await shared.schema.verify()
                    let applied = migrations.count { $0.state == .applied }
                    return "\(shared.address), schema \(applied) of \(migrations.count)"
                }
            },
            DoctorCheck("store role") {
                await Self.finding { () async throws(StoreError) in
                    try await shared.store.verifyRole()
                    return "role \(shared.address.user ?? "-") sees only whose token it has"
                }
            },
            DoctorCheck("store candles") { await Self.leases(shared) },
        ]
        if let session = shared.session {
            checks.append(
                DoctorCheck("store session") {
                    await Self.finding(naming: .databaseSessionURL) {
                        () async throws(StoreError) in
                        try await shared.checkSession(session, within: Self.sessionLimit)
                        return "news of changes are heard at once"
                    }
                }
            )
        }
        if token != nil { checks.append(DoctorCheck("store token") { await tokenFinding() }) }
        return checks
    }

    private static func leases(_ shared: DatabaseStore) async -> DoctorFinding {
        do throws(StoreError) {
            let leases = try await shared.store.leaseStatuses()
            guard let held = leases.first(where: \.isInForce) else {
                return .warn(
                    "nobody writes candles now",
                    "start hoga serve on this database; it takes over within five seconds"
                )
            }
            return .ok("written by \(held.lease.holder) for \(held.lease.feed)")
        } catch {
            return failure(error, naming: .databaseURL)
        }
    }

    private func tokenFinding() async -> DoctorFinding {
        do {
            guard let authorized = try place.owner(token)?.personal as? TokenUserRepository else {
                return .ok("not needed")
            }
            let grant = try await authorized.grant()
            return .ok("user \(grant.user.number), \(grant.scope.rawValue)")
        } catch let failure as StoreFailure {
            return .fail(
                failure.detail,
                "have its owner make another with hoga user token new NAME, and name a file with "
                    + "it in \(Setting.token.environmentName)_FILE"
            )
        } catch {
            return .fail("\(error)", "look at \(Setting.token.environmentName)")
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

    /// What a failure means; a store's own words tell what and where, and often the remedy.
    static func failure(_ error: StoreError, naming setting: Setting) -> DoctorFinding {
        let remedy =
            switch error.code {
            case .unavailable:
                setting == .store
                    ? "look at the file and its folder, or name another file with \(setting.flag)"
                    : "look whether it runs, and at \(setting.environmentName)"
            case .busy: "look what holds it: another hoga, a backup, a long transaction"
            case .full: "make room on its disk"
            case .readOnly: "make it writable, or name the server that is"
            case .damaged: "go on with a backup: hoga store check tells what is wrong"
            case .incompatible: "do what it says; hoga migrate status shows how the schema stands"
            case .conflict, .tooMany, .notFound, .refused, .fenced: "run hoga store check"
            case .unauthorized, .forbidden:
                setting == .store
                    ? "make the file and its folder readable and writable"
                    : "look at the role and password in \(setting.environmentName)"
            }
        return .fail(error.detail, remedy)
    }
}
