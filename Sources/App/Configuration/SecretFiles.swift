import FoundationEssentials

/// Secrets from files: `HOGA_TOKEN_FILE` names one that holds the token, as container platforms
/// hand them out.
enum SecretFiles {
    /// The largest file that is read, in bytes.
    static let bytesMax = 64 << 10

    /// Reads the files that the environment names.
    ///
    /// Line ends and spaces around the content are no part of it.
    ///
    /// - Throws: ``ProgramError`` `configuration`, naming the variable and never the content: a
    ///   file that cannot be read, is empty, too large or no text, or a secret given both ways.
    static func values(
        _ environment: [String: String]
    ) throws(ProgramError) -> [Setting: String] {
        var values: [Setting: String] = [:]
        for setting in Setting.allCases {
            guard let name = setting.fileVariable, let path = environment[name] else { continue }
            guard environment[setting.environmentName] == nil else {
                throw ProgramError(
                    .configuration,
                    "\(name): \(setting.environmentName) is set as well: unset one of them"
                )
            }
            values[setting] = try content(of: path, name)
        }
        return values
    }

    private static func content(
        of path: String,
        _ name: String
    ) throws(ProgramError) -> String {
        func failure(_ words: String) -> ProgramError {
            ProgramError(.configuration, "\(name): \(words)")
        }
        // What a link leads to counts: platforms that renew secrets use links.
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        // A pipe or device could go on for ever.
        guard !path.isEmpty, attributes?[.type] as? FileAttributeType == .typeRegular,
            let bytes = FileManager.default.contents(atPath: target)
        else { throw failure("\(path) cannot be read: make it a readable file") }
        guard bytes.count <= bytesMax else {
            throw failure("\(path) has more than \(bytesMax) bytes: name the right file")
        }
        guard var text = String(validating: bytes, as: UTF8.self)?[...] else {
            throw failure("\(path) is no text in UTF-8: name the right file")
        }
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        guard !text.isEmpty else { throw failure("\(path) is empty: write the secret into it") }
        return String(text)
    }
}
