import DataSourceContracts

/// Last prices, names and warnings as parameters, in key order and each key once, so that all
/// writers lock rows in the same order.
enum ReferenceRows {
    /// Last prices, each market once: the latest one, or of equal times the later in the list.
    ///
    /// - Throws: ``StoreError``: `refused` for a number or time that cannot be stored.
    static func closes(_ closes: [StoredPriceDTO]) throws(StoreError) -> [StoredPriceDTO] {
        for close in closes {
            try CanonicalValues.check(decimal: close.price, "a last price")
            try CanonicalValues.check(decimal: close.tradeValue24h, "the turnover of a market")
            try CanonicalValues.check(time: close.at, "the time of a last price")
        }
        return distinct(closes, by: \.market) { $1.at >= $0.at }
    }

    /// Statements that replace all names of a feed; of two for one coin the last one is kept.
    ///
    /// - Throws: ``StoreError``: `refused` for a time that cannot be stored.
    static func names(
        _ names: StoredNamesDTO,
        feed: String
    ) throws(StoreError) -> [PostgreSQLStatement] {
        try CanonicalValues.check(time: names.readAt, "the time of reading names")
        let rows = distinct(names.rows, by: \.symbol) { _, _ in true }
        // The row of the reading comes first, because writers lock it.
        return [
            Statements.noteReading(.text(feed), .text("names"), .time(names.readAt)),
            Statements.removeNames(.text(feed)),
            Statements.insertNames(
                .text(feed),
                .texts(rows.map(\.symbol)),
                .texts(rows.map(\.korean)),
                .texts(rows.map(\.english))
            ),
        ]
    }

    /// Statements that replace all warnings of a feed.
    ///
    /// - Throws: ``StoreError``: `refused` for a time that cannot be stored.
    static func marks(
        _ marks: StoredWarningsDTO,
        feed: String
    ) throws(StoreError) -> [PostgreSQLStatement] {
        try CanonicalValues.check(time: marks.readAt, "the time of reading warnings")
        for alert in marks.alerts {
            try CanonicalValues.check(time: alert.endsAt, "the end of a warning")
        }
        let warned = distinct(marks.warned, by: \.self) { _, _ in true }
        return [
            Statements.noteReading(.text(feed), .text("marks"), .time(marks.readAt)),
            Statements.removeWarnings(.text(feed)),
            Statements.insertWarnings(.text(feed), .texts(warned)),
            Statements.removeAlerts(.text(feed)),
            Statements.insertAlerts(
                .text(feed),
                .texts(marks.alerts.map(\.market)),
                .texts(marks.alerts.map(\.type)),
                .texts(marks.alerts.map(\.step)),
                .times(marks.alerts.map(\.endsAt))
            ),
        ]
    }

    /// Rows in byte order of their keys; of two with one key the later if `replaces` returns true,
    /// else the earlier.
    private static func distinct<Row>(
        _ rows: [Row],
        by key: (Row) -> String,
        _ replaces: (Row, Row) -> Bool
    ) -> [Row] {
        var kept: [Row] = []
        // The sort is stable.
        for row in rows.sorted(by: { key($0).precedes(key($1)) }) {
            if let last = kept.last, key(last).hasSameBytes(as: key(row)) {
                if replaces(last, row) { kept[kept.count - 1] = row }
            } else {
                kept.append(row)
            }
        }
        return kept
    }
}

extension [StoredPriceDTO] {
    /// The parameters of ``Statements/savePrices``.
    func values(feed: String) -> [PostgreSQLValue] {
        [
            .text(feed), .texts(map(\.market)), .texts(map(\.price)), .times(map(\.at)),
            .texts(map(\.tradeValue24h)), .integers(map { $0.isTrading ? 1 : 0 }),
        ]
    }
}
