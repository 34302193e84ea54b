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
            guard text(.databaseSessionURL).isEmpty else {
                throw failure(
                    .databaseSessionURL,
                    "needs \(Setting.databaseURL.environmentName) too"
                )
            }
            _ = try integer(.databasePool)
            return file
        }
        guard file == .automatic else {
            throw failure(
                .store,
                "conflicts with \(Setting.databaseURL.environmentName); unset one of them"
            )
        }
        let session = text(.databaseSessionURL)
        return .postgresql(
            DatabaseChoice(
                url: try databaseURL(.databaseURL),
                sessionURL: session.isEmpty ? nil : try databaseURL(.databaseSessionURL),
                connectionsMax: try integer(.databasePool),
                administrator: administrator
            )
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

    private func databaseURL(_ setting: Setting) throws(ProgramError) -> String {
        let url = text(setting)
        do throws(StoreError) {
            _ = try PostgreSQLAddress(url)
        } catch {
            throw failure(setting, error.detail)
        }
        return url
    }
}
