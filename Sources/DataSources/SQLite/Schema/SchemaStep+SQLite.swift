import DataSourcesSchema

extension SchemaStep {
    /// The names of the tables that it makes, as the lines of its file begin.
    var newTables: Set<String> {
        let prefix = "CREATE TABLE "
        return Set(
            sql.split(separator: "\n").filter { $0.hasPrefix(prefix) }
                .map { line in String(line.dropFirst(prefix.count).prefix { $0 != " " }) }
        )
    }

    /// All steps, in order.
    static var all: [SchemaStep] {
        [
            SchemaStep(
                number: 1,
                name: "0001_people",
                file: PackageResources._001_people_sql
            ),
            SchemaStep(
                number: 2,
                name: "0002_market_data",
                file: PackageResources._002_market_data_sql
            ),
            SchemaStep(
                number: 3,
                name: "0003_names_and_marks",
                file: PackageResources._003_names_and_marks_sql
            ),
            SchemaStep(
                number: 4,
                name: "0004_users_and_tokens",
                file: PackageResources._004_users_and_tokens_sql
            ),
        ]
    }
}
