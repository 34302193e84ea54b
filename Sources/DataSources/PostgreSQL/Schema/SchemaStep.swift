import Cryptography

/// A migration that this program ships: numbered, and the same for ever once it was released.
struct SchemaStep: Sendable {
    /// From 1, without holes.
    let number: Int
    /// The name of its file: `0001_people`.
    let name: String
    /// What it does; the first line tells what program can live with the result.
    let sql: String

    /// Makes a step of the bytes of its file.
    init(number: Int, name: String, file: [UInt8]) {
        self.number = number
        self.name = name
        sql = String(decoding: file, as: UTF8.self)
    }

    /// The hash of its file, in hexadecimal.
    var sha256: String {
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
    var runsWith: Int {
        let prefix = "-- runs-with: "
        guard let line = sql.split(separator: "\n", maxSplits: 1).first, line.hasPrefix(prefix),
            let number = Int(line.dropFirst(prefix.count))
        else { preconditionFailure("\(name) does not say what it runs with.") }
        return number
    }

    /// All steps, in order.
    static var all: [SchemaStep] {
        [
            SchemaStep(number: 1, name: "0001_people", file: PackageResources._001_people_sql),
            SchemaStep(number: 2, name: "0002_tokens", file: PackageResources._002_tokens_sql),
            SchemaStep(
                number: 3,
                name: "0003_market_data",
                file: PackageResources._003_market_data_sql
            ),
            SchemaStep(number: 4, name: "0004_lease", file: PackageResources._004_lease_sql),
            SchemaStep(
                number: 5,
                name: "0005_changes_by_transaction",
                file: PackageResources._005_changes_by_transaction_sql
            ),
        ]
    }

    /// The number of the newest step without which the program cannot live; what comes after it
    /// only makes it faster.
    static let oldest = 4
}
