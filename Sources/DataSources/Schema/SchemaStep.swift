import Cryptography

/// A migration that this program ships: numbered, and the same for ever once it was released.
public struct SchemaStep: Sendable {
    /// From 1, without holes.
    public let number: Int
    /// The name of its file: `0001_people`.
    public let name: String
    /// What it does; the first line tells what program can live with the result.
    public let sql: String

    /// Makes a step of the bytes of its file.
    public init(number: Int, name: String, file: [UInt8]) {
        self.number = number
        self.name = name
        sql = String(decoding: file, as: UTF8.self)
    }

    /// The hash of its file, in hexadecimal.
    public var sha256: String {
        Cryptography.sha256(Array(sql.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }
        .joined()
    }

    /// The number of the oldest step that a program must ship to live with the schema from here on.
    ///
    /// It stands in the first line: `-- runs-with: 1`. A file without it is a broken promise of
    /// this program: a test reads them all.
    public var runsWith: Int {
        let prefix = "-- runs-with: "
        guard let line = sql.split(separator: "\n", maxSplits: 1).first, line.hasPrefix(prefix),
            let number = Int(line.dropFirst(prefix.count))
        else { preconditionFailure("\(name) does not say what it runs with.") }
        return number
    }
}
