import FoundationEssentials

/// Secrets from files: `HOGA_TOKEN_FILE` names one that holds the token, as container platforms
/// hand them out.
enum SecretFiles {
    /// The largest file that is read, in bytes.
    static let bytesMax = 64 << 10

    /// A secret, and where it is from.
    struct Secret: Sendable, Equatable {
        /// The secret itself.
        var text: String
        /// The file that the variable names.
        var path: String
        /// Whether others than the file's owner may do anything with it.
        var isOpenToOthers: Bool
    }

    /// Reads the files that the environment names.
    ///
    /// Line ends and spaces around the content are no part of it.
    ///
    /// - Throws: ``ProgramError`` `configuration`, naming the variable and never the content: a
    ///   file that cannot be read, is empty, too large, no text or more than a line of it, or a
    ///   secret given both ways.
    static func values(
        _ environment: [String: String]
    ) throws(ProgramError) -> [Setting: Secret] {
        var values: [Setting: Secret] = [:]
        for setting in Setting.allCases {
            guard let name = setting.fileVariable, let path = environment[name] else { continue }
            guard environment[setting.environmentName] == nil else {
                throw ProgramError(
                    .configuration,
                    "\(name): \(setting.environmentName) is set as well: unset one of them"
                )
            }
            values[setting] = try secret(at: path, name)
        }
        return values
    }

    /// What to tell about a token that others can read; nil where there is nothing to tell.
    ///
    /// Platforms hand out addresses of databases in files whose mode nobody chooses; the file of a
    /// token is a person's own.
    static func warning(_ secrets: [Setting: Secret]) -> String? {
        guard let token = secrets[.token], token.isOpenToOthers else { return nil }
        let path = shown(token.path)
        return "\(Setting.token.environmentName)_FILE: others may read \(path), and use the token "
            + "in it: chmod 600 \(path)"
    }

    /// A path as one line, whatever is in it.
    static func shown(_ path: String) -> String {
        var shown = ""
        for scalar in path.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            shown.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
        }
        return shown
    }

    private static func secret(
        at path: String,
        _ name: String
    ) throws(ProgramError) -> Secret {
        let shown = shown(path)
        func failure(_ words: String) -> ProgramError {
            ProgramError(.configuration, "\(name): \(words)")
        }
        // What a link leads to counts: platforms that renew secrets use links.
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        // A pipe or device could go on for ever.
        guard !path.isEmpty, attributes?[.type] as? FileAttributeType == .typeRegular,
            let bytes = FileManager.default.contents(atPath: target)
        else { throw failure("\(shown) cannot be read: make it a readable file") }
        guard bytes.count <= bytesMax else {
            throw failure("\(shown) has more than \(bytesMax) bytes: name the right file")
        }
        guard var text = String(validating: bytes, as: UTF8.self)?[...] else {
            throw failure("\(shown) is no text in UTF-8: name the right file")
        }
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        guard !text.isEmpty else { throw failure("\(shown) is empty: write the secret into it") }
        guard !text.contains(where: \.isNewline) else {
            throw failure("\(shown) has several lines: write the secret alone into it")
        }
        let number = attributes?[.posixPermissions]
        // Which number it is depends on how much of Foundation the process has.
        let mode = (number as? any BinaryInteger).map { Int(clamping: $0) } ?? number as? Int
        return Secret(
            text: String(text),
            path: path,
            isOpenToOthers: (mode ?? 0) & 0o077 != 0
        )
    }
}
