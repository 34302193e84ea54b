import DataSourceContracts
import DataSourcesPostgreSQL
import Domain

extension SettingReader {
    /// The store to use.
    func store() throws(ProgramError) -> StoreChoice {
        let administrator = try administrator()
        let file = try fileStore()
        let url = text(.databaseURL)
        guard !url.isEmpty else {
            for setting in [Setting.databaseSessionURL, .databaseReadURL]
            where !text(setting).isEmpty {
                throw failure(setting, "needs \(Setting.databaseURL.environmentName) too")
            }
            _ = try integer(.databasePool)
            _ = try duration(.databaseReadAge)
            return file
        }
        guard file == .automatic else {
            throw failure(
                .store,
                "conflicts with \(Setting.databaseURL.environmentName); unset one of them"
            )
        }
        return .postgresql(try database(administrator))
    }

    /// The addresses of the database.
    private func database(
        _ administrator: String?
    ) throws(ProgramError) -> DatabaseChoice {
        let address = try parsed(.databaseURL)
        let hasSession = !text(.databaseSessionURL).isEmpty
        let hasReplica = !text(.databaseReadURL).isEmpty
        if address.isReadOnly {
            // A standby sends no notices, and all is read from it anyway.
            for setting in [Setting.databaseSessionURL, .databaseReadURL]
            where !text(setting).isEmpty {
                throw failure(
                    setting,
                    "has no effect because \(Setting.databaseURL.environmentName) names a "
                        + "standby; unset it"
                )
            }
        }
        if hasSession { _ = try parsed(.databaseSessionURL) }
        if hasReplica { _ = try parsed(.databaseReadURL) }
        return DatabaseChoice(
            url: text(.databaseURL),
            sessionURL: hasSession ? text(.databaseSessionURL) : nil,
            readURL: hasReplica ? text(.databaseReadURL) : nil,
            readAgeMax: try duration(.databaseReadAge),
            connectionsMax: try integer(.databasePool),
            administrator: administrator
        )
    }

    /// The access token; nil if none was given.
    func token() throws(ProgramError) -> AccessToken? {
        let text = text(.token)
        guard !text.isEmpty else { return nil }
        guard let token = AccessToken(text) else {
            throw failure(
                .token,
                "must be a token from 'hoga user token new': \(AccessToken.prefix) and "
                    + "\(AccessToken.textLength - AccessToken.prefix.utf8.count) characters"
            )
        }
        return token
    }

    private func administrator() throws(ProgramError) -> String? {
        let text = text(.administrator)
        guard !text.isEmpty else { return nil }
        do throws(InputError) {
            return try UserInput.userName(text)
        } catch {
            throw failure(.administrator, error.detail)
        }
    }

    private func fileStore() throws(ProgramError) -> StoreChoice {
        let text = text(.store)
        switch text {
        case "": return .automatic
        case "none": return .none
        default:
            guard !text.contains("://") else {
                throw failure(
                    .store,
                    "must be a file path or none; for a database set "
                        + Setting.databaseURL.environmentName
                )
            }
            // C ends a path at a zero byte, and SQLite cannot open a folder.
            guard !text.utf8.contains(0), !text.hasSuffix("/") else {
                throw failure(.store, "must be a file path or none")
            }
            return .file(path: text)
        }
    }

    private func parsed(_ setting: Setting) throws(ProgramError) -> PostgreSQLAddress {
        do throws(StoreError) {
            return try PostgreSQLAddress(text(setting))
        } catch {
            throw failure(setting, error.detail)
        }
    }
}
