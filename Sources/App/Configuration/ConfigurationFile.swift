import FoundationEssentials

/// What a configuration file says: values of settings, and keys of the terminal.
struct ConfigurationFile: Sendable {
    /// The object of the file that gives actions other keys.
    static let keysKey = "keys"

    /// The settings as the texts that flags would have.
    private(set) var values: [Setting: String] = [:]
    /// Names of keys by the names of what they are to do.
    private(set) var keys: [String: [String]] = [:]

    /// Reads the text of a file.
    ///
    /// - Parameter bytes: the text; nil if there is none.
    /// - Throws: ``ProgramError`` naming what is not as it must be.
    init(_ bytes: [UInt8]?) throws(ProgramError) {
        guard let bytes else { return }
        let content: [String: Value]
        do {
            content = try JSONDecoder().decode([String: Value].self, from: Data(bytes))
        } catch {
            throw ProgramError(
                .configuration,
                "config.json: must be one JSON object of texts, numbers and booleans, "
                    + "and \"keys\" of names of keys"
            )
        }
        for (key, value) in content.sorted(by: { $0.key < $1.key }) {
            switch (Setting(rawValue: key), value) {
            case (let setting?, .scalar(let text)): values[setting] = text
            case (nil, .keys(let keys)) where key == Self.keysKey: self.keys = keys
            case (nil, .scalar) where key == Self.keysKey:
                throw ProgramError(
                    .configuration,
                    "\"keys\" in config.json: must be an object like {\"list.sort\": \"F5\"}; "
                        + "`hoga keys` lists the names"
                )
            case (_?, .keys):
                throw ProgramError(
                    .configuration,
                    "\"\(key)\" in config.json: must be a text, a number or a boolean"
                )
            case (nil, _):
                let known = Setting.allCases.map(\.key) + [Self.keysKey]
                throw ProgramError(
                    .configuration,
                    "\"\(key)\" in config.json: there is no such setting; known are "
                        + known.joined(separator: ", ")
                )
            }
        }
    }

    /// A value of the file.
    private enum Value: Decodable {
        /// As the text that a flag would have.
        case scalar(String)
        /// Names of keys by the name of what they do.
        case keys([String: [String]])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .scalar(text)
            } else if let flag = try? container.decode(Bool.self) {
                self = .scalar(String(flag))
            } else if let number = try? container.decode(Int.self) {
                self = .scalar(String(number))
            } else if let names = try? container.decode([String: Names].self) {
                self = .keys(names.mapValues(\.names))
            } else {
                self = .scalar(String(try container.decode(Double.self)))
            }
        }
    }

    /// One name, or a list of them.
    private struct Names: Decodable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let name = try? container.decode(String.self) {
                names = [name]
            } else {
                names = try container.decode([String].self)
            }
        }
    }
}
