import DataSourceContracts
import DataSourcesPostgreSQL
import Domain

extension SettingReader {
    /// Where everything is kept.
    func store() throws(ProgramError) -> StoreChoice {
        let file = try fileStore()
        let url = text(.databaseURL)
        guard !url.isEmpty else {
            guard text(.databaseSessionURL).isEmpty else {
                throw failure(
                    .databaseSessionURL,
                    "needs \(Setting.databaseURL.environmentName) beside it"
                )
            }
            _ = try integer(.databasePool, in: Self.poolRange)
            return file
        }
        guard file == .automatic else {
            throw failure(
                .store,
                "\(Setting.databaseURL.environmentName) names a database, which is used instead "
                    + "of a file: leave one of them out"
            )
        }
        let session = text(.databaseSessionURL)
        return .postgresql(
            DatabaseChoice(
                url: try databaseURL(.databaseURL),
                sessionURL: session.isEmpty ? nil : try databaseURL(.databaseSessionURL),
                connectionsMax: try integer(.databasePool, in: Self.poolRange)
            )
        )
    }

    /// How many connections may be asked for.
    private static let poolRange = 1...64

    /// The token; nil where none was given.
    func token() throws(ProgramError) -> AccessToken? {
        let text = text(.token)
        guard !text.isEmpty else { return nil }
        guard let token = AccessToken(text) else {
            throw failure(
                .token,
                "must be a token as `hoga user token new` prints it: \(AccessToken.prefix) and "
                    + "\(AccessToken.textLength - AccessToken.prefix.utf8.count) characters"
            )
        }
        return token
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
                    "must be the path of a file, or none; a database is named by "
                        + Setting.databaseURL.environmentName
                )
            }
            // A folder, or a text that a C string cannot hold, would name another file than meant.
            guard !text.utf8.contains(0), !text.hasSuffix("/") else {
                throw failure(.store, "must be the path of a file, or none")
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
