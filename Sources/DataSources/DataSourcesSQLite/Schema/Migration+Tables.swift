import Migrations

extension Migration {
    /// The names of the tables that this migration creates.
    var newTables: Set<String> {
        let prefix = "CREATE TABLE "
        return Set(
            sql.split(separator: "\n").filter { $0.hasPrefix(prefix) }
                .map { line in String(line.dropFirst(prefix.count).prefix { $0 != " " }) }
        )
    }
}
