import DataSourcesSchema

extension SchemaStep {
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
