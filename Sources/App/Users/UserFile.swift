import DataSourceContracts
import Domain

/// New users as CSV: a header, then one user per line.
///
/// An empty display name means none.
///
/// ```
/// name,displayName
/// kim,김민수
/// ```
enum UserFile {
    /// The maximum size of a file, in bytes.
    static let bytesMax = 16 << 20

    /// The first line.
    static let header = "name,displayName"

    /// A user and the line of the file.
    struct Entry: Equatable {
        /// The line, from 1.
        var line: Int
        /// The user.
        var user: NewUserDTO
    }

    /// Parses a whole file, or throws.
    ///
    /// - Throws: ``ImportFile/Refusal`` with the wrong lines.
    static func entries(_ bytes: [UInt8]) throws(ImportFile.Refusal) -> [Entry] {
        let rows = CSVReader.rows(bytes)
        guard let first = rows.first,
            case .success(let names) = first.fields, names == ["name", "displayName"]
        else {
            throw ImportFile.Refusal(
                description: "line \(rows.first?.line ?? 1): the header must be \(header)"
            )
        }
        var entries: [Entry] = []
        var mistakes: [String] = []
        // Names are compared byte for byte, as stores do.
        var lines: [[UInt8]: Int] = [:]
        for row in rows.dropFirst() where mistakes.count < ImportFile.mistakesMax {
            do throws(ImportFile.Refusal) {
                let user = try Self.user(row.fields)
                if let earlier = lines.updateValue(row.line, forKey: Array(user.name.utf8)) {
                    throw ImportFile.Refusal(description: "the name is on line \(earlier) too")
                }
                entries.append(Entry(line: row.line, user: user))
            } catch {
                mistakes.append("line \(row.line): \(error)")
            }
        }
        guard mistakes.isEmpty else {
            throw ImportFile.Refusal(description: mistakes.joined(separator: "\n"))
        }
        return entries
    }

    /// The refusal of a file with names that exist.
    static func refusal(_ entries: [Entry], existing: [String]) -> ImportFile.Refusal {
        let existing = Set(existing.map { Array($0.utf8) })
        let mistakes = entries.filter { existing.contains(Array($0.user.name.utf8)) }
            .prefix(ImportFile.mistakesMax)
            .map { "line \($0.line): the user exists" }
        return ImportFile.Refusal(description: mistakes.joined(separator: "\n"))
    }

    private static func user(
        _ fields: Result<[String], CSVFault>
    ) throws(ImportFile.Refusal) -> NewUserDTO {
        let values: [String]
        do throws(CSVFault) {
            values = try fields.get()
        } catch {
            throw ImportFile.Refusal(description: error.detail)
        }
        guard values.count == 2 else {
            throw ImportFile.Refusal(description: "must be a name and a display name, e.g. kim,")
        }
        var field = "name"
        do throws(InputError) {
            let name = try UserInput.userName(values[0])
            field = "displayName"
            return NewUserDTO(name: name, displayName: try UserInput.displayName(values[1]))
        } catch {
            throw ImportFile.Refusal(description: "\(field): \(error.detail)")
        }
    }
}
