import FoundationEssentials

/// Reads secrets from files: `HOGA_TOKEN_FILE` names the file with the token.
///
/// Container platforms mount secrets as files.
enum SecretFiles {
    /// The maximum size of a secret file, in bytes.
    static let bytesMax = 64 << 10

    /// A secret and its file.
    struct Secret: Sendable, Equatable {
        /// The secret.
        var text: String
        /// The path in the variable.
        var path: String
        /// Whether group or others have any permission on the file.
        var isOpenToOthers: Bool
    }

    /// Reads the files that the environment names.
    ///
    /// White space around the content is dropped.
    ///
    /// - Throws: ``ProgramError`` `configuration`, naming the variable and never the content: for
    ///   a file that is unreadable, empty, too large, not UTF-8 or longer than one line where
    ///   the setting has one, and if the secret is set directly too.
    static func values(
        _ environment: [String: String]
    ) throws(ProgramError) -> [Setting: Secret] {
        var values: [Setting: Secret] = [:]
        for setting in Setting.allCases {
            guard let name = setting.fileVariable, let path = environment[name] else { continue }
            guard environment[setting.environmentName] == nil else {
                throw ProgramError(
                    .configuration,
                    "\(name): conflicts with \(setting.environmentName); unset one of them"
                )
            }
            values[setting] = try secret(at: path, name, hasLines: setting.hasLines)
        }
        return values
    }

    /// Warnings about files of tokens and keys with open permissions.
    ///
    /// Other files are not checked: platforms mount database addresses with modes that the user
    /// cannot choose.
    ///
    /// - Parameters:
    ///   - secrets: the secrets.
    ///   - settings: the secrets that the command uses.
    /// - Returns: a warning for each file.
    static func warnings(_ secrets: [Setting: Secret], for settings: [Setting]) -> [String] {
        [Setting.token, .webhookKey].filter(settings.contains).compactMap { setting in
            guard let secret = secrets[setting], secret.isOpenToOthers else { return nil }
            let path = shown(secret.path)
            return "\(setting.environmentName)_FILE: other users can read \(path); run: "
                + "chmod 600 \(path)"
        }
    }

    /// The files that hold secrets: those that variables name, and `config.json` if it has any, in
    /// use or not.
    ///
    /// - Parameters:
    ///   - entries: the settings in use.
    ///   - file: the content of `config.json`; nil without one.
    ///   - environment: the environment.
    /// - Returns: their paths.
    static func paths(
        _ entries: [Setting: Configuration.Entry],
        _ file: ConfigurationFile?,
        _ environment: [String: String]
    ) -> Set<String> {
        var paths = entries.values.compactMap { entry -> String? in
            if case .secretFile(let path) = entry.origin { path } else { nil }
        }
        if let file, file.values.keys.contains(where: \.isSecret),
            let path = ConfigurationSources.filePath(environment)
        {
            paths.append(path)
        }
        return Set(paths)
    }

    /// A path for messages, with control characters replaced.
    static func shown(_ path: String) -> String {
        var shown = ""
        for scalar in path.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            shown.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
        }
        return shown
    }

    /// Whether group or others have any permission on a file; false if there is none.
    static func isOpenToOthers(_ path: String) -> Bool {
        isOpenToOthers(try? FileManager.default.attributesOfItem(atPath: target(of: path)))
    }

    private static func isOpenToOthers(_ attributes: [FileAttributeKey: Any]?) -> Bool {
        (attributes?.number(.posixPermissions) ?? 0) & 0o077 != 0
    }

    /// The file itself: platforms that rotate secrets mount them as symbolic links.
    private static func target(of path: String) -> String {
        URL(filePath: path).resolvingSymlinksInPath().path
    }

    private static func secret(
        at path: String,
        _ name: String,
        hasLines: Bool
    ) throws(ProgramError) -> Secret {
        let shown = shown(path)
        func failure(_ words: String) -> ProgramError {
            ProgramError(.configuration, "\(name): \(words)")
        }
        let target = target(of: path)
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        // Reading a pipe or device might never end.
        guard !path.isEmpty, attributes?[.type] as? FileAttributeType == .typeRegular,
            let bytes = FileManager.default.contents(atPath: target)
        else { throw failure("cannot read \(shown); make it a readable file") }
        guard bytes.count <= bytesMax else {
            throw failure("\(shown) is larger than \(bytesMax) bytes; use the right file")
        }
        guard var text = String(validating: bytes, as: UTF8.self)?[...] else {
            throw failure("\(shown) is not UTF-8 text; use the right file")
        }
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        guard !text.isEmpty else { throw failure("\(shown) is empty; write the secret into it") }
        guard hasLines || !text.contains(where: \.isNewline) else {
            throw failure("\(shown) has several lines; write only the secret into it")
        }
        return Secret(
            text: String(text),
            path: path,
            isOpenToOthers: isOpenToOthers(attributes)
        )
    }
}
