import DataSourceContracts

extension UserRecordDTO {
    /// Reads the answer of ``Statements/readUserRecord``; nil without such a user.
    static func read(_ rows: PostgreSQLRows) throws(StoreError) -> UserRecordDTO? {
        var record: UserRecordDTO?
        var favorites: [(position: Int64, market: String)] = []
        var holdings: [Holding] = []
        var settings: SettingsDTO?
        var cash: String?
        for row in rows {
            switch try row.integer(0) {
            case 0:
                var read = UserRecordDTO(name: try row.text(7))
                read.displayName = try row.optionalText(8)
                read.revisions.profile = try row.integer(1)
                read.revisions.favorites = try row.integer(2)
                read.revisions.settings = try row.integer(3)
                read.revisions.holdings = try row.integer(4)
                read.revisions.cash = try row.integer(5)
                record = read
            case 1: favorites.append((try row.integer(1), try row.text(7)))
            case 2: settings = try SettingsDTO(row)
            case 3:
                holdings.append(
                    Holding(
                        asset: try row.text(7),
                        quantity: try row.text(8),
                        averagePrice: try row.optionalText(9)
                    )
                )
            default: cash = try row.text(7)
            }
        }
        record?.favorites = favorites.sorted { $0.position < $1.position }.map(\.market)
        // PostgreSQL sorts by collation; stores sort by bytes.
        record?.holdings = holdings.sorted { $0.asset.precedes($1.asset) }
        record?.settings = settings
        record?.cash = cash
        return record
    }
}

extension UserRecordDTO.Revisions {
    /// Reads the row of ``Statements/recordChange``.
    init(_ row: PostgreSQLRows.Row) throws(StoreError) {
        self.init()
        profile = try row.integer(0)
        favorites = try row.integer(1)
        settings = try row.integer(2)
        holdings = try row.integer(3)
        cash = try row.integer(4)
    }
}

extension SettingsDTO {
    fileprivate init(_ row: PostgreSQLRows.Row) throws(StoreError) {
        self.init(
            sort: try row.text(7),
            sortDirection: try row.text(8),
            quote: try row.text(9),
            tab: try row.text(10),
            pinFavorites: try row.bool(6),
            changePeriod: try row.text(11),
            interval: try row.text(12),
            chartStyle: try row.text(13),
            averages: try row.text(14),
            depth: Int(try row.integer(1)),
            theme: try row.text(15),
            colors: try row.text(16),
            lang: try row.text(17),
            marketLayout: try row.optionalText(18)
        )
    }

    /// The columns of a row after the user's number.
    var values: [PostgreSQLValue] {
        [
            .text(sort), .text(sortDirection), .text(quote), .text(tab), .bool(pinFavorites),
            .text(changePeriod), .text(interval), .text(chartStyle), .text(averages),
            .integer(Int64(depth)), .text(theme), .text(colors), .text(lang),
            .text(ifAny: marketLayout),
        ]
    }
}

extension JournalDTO {
    /// Reads a row of ``Statements/readJournal``.
    init(_ row: PostgreSQLRows.Row) throws(StoreError) {
        self.init(
            number: try row.integer(0),
            at: try row.time(1),
            kind: try row.text(2),
            subject: try row.optionalText(3)
        )
    }
}
