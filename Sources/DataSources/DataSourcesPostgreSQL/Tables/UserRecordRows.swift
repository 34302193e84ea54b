import DataSourceContracts

/// Gathers the rows of one record, which arrive in any order.
struct UserRecordRows {
    private var states: [AlertStateDTO] = []
    private var record = UserRecordDTO(name: "")
    private var hasUser = false
    private var favorites: [(position: Int64, market: String)] = []

    /// Adds a row whose first column is its part.
    ///
    /// - Parameters:
    ///   - row: a row of ``Statements/readUserRecord`` or ``Statements/readAlertOwners``.
    ///   - first: the column of the part.
    /// - Throws: ``StoreError``: `incompatible` for columns of other types.
    mutating func add(_ row: PostgreSQLRows.Row, from first: Int = 0) throws(StoreError) {
        let row = RecordRow(row: row, first: first)
        switch try row.part() {
        case 0:
            hasUser = true
            record.name = try row.text(1)
            record.displayName = try row.optionalText(2)
            record.revisions.profile = try row.number(1)
            record.revisions.favorites = try row.number(2)
            record.revisions.settings = try row.number(3)
            record.revisions.holdings = try row.number(4)
            record.revisions.cash = try row.number(5)
        case 1: favorites.append((try row.number(1), try row.text(1)))
        case 2: record.settings = try SettingsDTO(row)
        case 3:
            record.holdings.append(
                UserRecordDTO.Holding(
                    asset: try row.text(1),
                    quantity: try row.text(2),
                    averagePrice: try row.optionalText(3)
                )
            )
        case 4: record.cash = try row.text(1)
        case 5:
            record.revisions.alerts = try row.number(1)
            record.alertsSeen = try row.number(2)
        case 6: record.alertRules.append(try AlertRuleDTO(row))
        case 7: record.alertLog.append(try AlertLogDTO(row))
        default:
            states.append(
                AlertStateDTO(
                    rule: try row.number(1),
                    market: try row.optionalText(1),
                    text: try row.text(2)
                )
            )
        }
    }

    /// The states of the rules that have fired, by rule and market.
    var sortedStates: [AlertStateDTO] {
        states.sorted { left, right in
            left.rule == right.rule
                ? (left.market ?? "").precedes(right.market ?? "") : left.rule < right.rule
        }
    }

    /// The record; nil without a row of the user.
    func finished() -> UserRecordDTO? {
        guard hasUser else { return nil }
        var record = record
        record.favorites = favorites.sorted { $0.position < $1.position }.map(\.market)
        record.sort()
        return record
    }
}

/// The columns of a row of a record: its part, five numbers, a flag and twelve texts.
private struct RecordRow {
    let row: PostgreSQLRows.Row
    let first: Int

    func part() throws(StoreError) -> Int64 { try row.integer(first) }

    /// A number, from 1.
    func number(_ place: Int) throws(StoreError) -> Int64 { try row.integer(first + place) }

    func optionalNumber(_ place: Int) throws(StoreError) -> Int64? {
        try row.optionalInteger(first + place)
    }

    func flag() throws(StoreError) -> Bool { try row.bool(first + 6) }

    /// A text, from 1.
    func text(_ place: Int) throws(StoreError) -> String { try row.text(first + 6 + place) }

    func optionalText(_ place: Int) throws(StoreError) -> String? {
        try row.optionalText(first + 6 + place)
    }
}

extension UserRecordDTO {
    /// Reads the answer of ``Statements/readUserRecord``; nil without such a user.
    static func read(_ rows: PostgreSQLRows) throws(StoreError) -> UserRecordDTO? {
        var record = UserRecordRows()
        for row in rows { try record.add(row) }
        return record.finished()
    }

    /// Brings rows into their order: coins by bytes, which PostgreSQL sorts by collation.
    mutating func sort() {
        holdings.sort { $0.asset.precedes($1.asset) }
        alertRules.sort { $0.number < $1.number }
        alertLog.sort { $0.number > $1.number }
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
        alerts = try row.integer(5)
    }
}

extension SettingsDTO {
    fileprivate init(_ row: RecordRow) throws(StoreError) {
        self.init(
            sort: try row.text(1),
            sortDirection: try row.text(2),
            quote: try row.text(3),
            tab: try row.text(4),
            pinFavorites: try row.flag(),
            changePeriod: try row.text(5),
            interval: try row.text(6),
            chartStyle: try row.text(7),
            averages: try row.text(8),
            depth: Int(try row.number(1)),
            theme: try row.text(9),
            colors: try row.text(10),
            lang: try row.text(11),
            marketLayout: try row.optionalText(12)
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

extension AlertRuleDTO {
    fileprivate init(_ row: RecordRow) throws(StoreError) {
        self.init(
            number: try row.number(1),
            text: try row.text(1),
            feed: try row.text(2),
            books: try row.optionalText(3),
            createdAt: try row.number(2),
            firedAt: try row.optionalNumber(3)
        )
    }

    /// The columns of a row after the user's number.
    var values: [PostgreSQLValue] {
        [
            .integer(number), .text(text), .text(feed), .text(ifAny: books), .time(createdAt),
            .time(ifAny: firedAt),
        ]
    }
}

extension AlertLogDTO {
    fileprivate init(_ row: RecordRow) throws(StoreError) {
        self.init(
            number: try row.number(1),
            alert: AlertDTO(
                rule: try row.number(2),
                market: try row.optionalText(1),
                at: try row.number(3),
                value: try row.text(2),
                isRise: try row.flag(),
                lateness: try row.optionalText(3)
            ),
            text: try row.text(4),
            feed: try row.text(5),
            storedAt: try row.number(4)
        )
    }

    /// Reads the columns of ``Statements/readAlertLog``, from a column on.
    init(_ row: PostgreSQLRows.Row, from first: Int = 0) throws(StoreError) {
        self.init(
            number: try row.integer(first),
            alert: AlertDTO(
                rule: try row.integer(first + 1),
                market: try row.optionalText(first + 2),
                at: try row.time(first + 3),
                value: try row.text(first + 4),
                isRise: try row.bool(first + 5),
                lateness: try row.optionalText(first + 6)
            ),
            text: try row.text(first + 7),
            feed: try row.text(first + 8),
            storedAt: try row.time(first + 9)
        )
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
