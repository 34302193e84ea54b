import Domain
import FoundationEssentials

/// The content of config.json: values of settings and key bindings of the terminal.
struct ConfigurationFile: Sendable {
    /// The object of the file with key bindings.
    static let keysKey = "keys"

    /// The maximum size of the file, in bytes.
    static let bytesMax = 1 << 20

    /// The settings, as text like the values of flags.
    private(set) var values: [Setting: String] = [:]
    /// Key names by the name of their action.
    private(set) var keys: [String: [String]] = [:]

    /// The bytes of the configuration file; nil if there is none.
    ///
    /// - Throws: ``ProgramError`` `configuration` if the file cannot be read or is too large.
    static func content(_ environment: [String: String]) throws(ProgramError) -> [UInt8]? {
        guard let path = ConfigurationSources.filePath(environment),
            FileManager.default.fileExists(atPath: path)
        else { return nil }
        do throws(ImportFile.Refusal) {
            return try ImportFile.content(of: path, bytesMax: bytesMax)
        } catch {
            throw ProgramError(
                .configuration,
                "cannot use \(SecretFiles.shown(path)): \(error); make it a readable file of JSON"
            )
        }
    }

    /// Parses a configuration file.
    ///
    /// - Parameter bytes: the JSON text; nil without a file.
    /// - Throws: ``ProgramError`` `configuration`, naming the wrong key.
    init(_ bytes: [UInt8]?) throws(ProgramError) {
        guard let bytes else { return }
        let content: [String: Value]
        do {
            content = try JSONDecoder().decode([String: Value].self, from: Data(bytes))
        } catch {
            throw ProgramError(
                .configuration,
                "config.json: must be a JSON object of strings, numbers and booleans, "
                    + "with an optional object \"keys\""
            )
        }
        for (key, value) in content.sorted(by: { $0.key < $1.key }) {
            switch (Setting.named(key), value) {
            case (let setting?, .scalar(let text)): values[setting] = text
            case (nil, .keys(let keys)) where key == Self.keysKey: self.keys = keys
            case (nil, .scalar) where key == Self.keysKey:
                throw ProgramError(
                    .configuration,
                    "\"keys\" in config.json: must be an object like {\"list.sort\": \"F5\"}; "
                        + "'hoga keys' lists the names"
                )
            case (_?, .keys):
                throw ProgramError(
                    .configuration,
                    "\"\(key)\" in config.json: must be a string, a number or a boolean"
                )
            case (nil, _):
                let known = Setting.allCases.map(\.key) + [Self.keysKey]
                let near = SpellingSuggestions.of(key, among: known)
                throw ProgramError(
                    .configuration,
                    "\"\(key)\" in config.json: unknown setting"
                        + (near.isEmpty
                            ? "; known settings: " + known.joined(separator: ", ")
                            : ". Did you mean " + near.joined(separator: ", ") + "?")
                )
            }
        }
    }

    /// A value of the file.
    private enum Value: Decodable {
        /// A setting, as text like the value of a flag.
        case scalar(String)
        /// Key names by the name of their action.
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
