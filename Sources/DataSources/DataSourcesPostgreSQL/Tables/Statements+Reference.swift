/// Last prices, names and warnings.
extension Statements {
    static let savePrices = NamedStatement(
        name: "keep_closes",
        sql: """
            INSERT INTO hoga.closes AS kept (
                feed, market, price, at, trade_value_24h, is_trading
            )
            SELECT $1, given.market, given.price::numeric, given.at, given.value::numeric,
                given.trading <> 0
            FROM unnest(
                $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::bigint[]
            ) AS given (market, price, at, value, trading)
            ON CONFLICT (feed, market) DO UPDATE SET
                price = excluded.price, at = excluded.at,
                trade_value_24h = excluded.trade_value_24h, is_trading = excluded.is_trading
            WHERE excluded.at >= kept.at
            """
    )

    static let readCloses = NamedStatement(
        name: "read_closes",
        sql: """
            SELECT market, trim_scale(price)::text, at, trim_scale(trade_value_24h)::text,
                is_trading
            FROM hoga.closes WHERE feed = $1
            """
    )

    static let removeNames = NamedStatement(
        name: "remove_names",
        sql: "DELETE FROM hoga.coin_names WHERE feed = $1"
    )

    static let insertNames = NamedStatement(
        name: "insert_names",
        sql: """
            INSERT INTO hoga.coin_names (feed, symbol, korean, english)
            SELECT $1, given.symbol, given.korean, given.english
            FROM unnest($2::text[], $3::text[], $4::text[]) AS given (symbol, korean, english)
            """
    )

    /// The time of the names in the first row, followed by the names, in one snapshot.
    static let readNames = NamedStatement(
        name: "read_names",
        sql: """
            SELECT read_at, NULL::text, NULL::text, NULL::text FROM hoga.readings
            WHERE feed = $1 AND kind = 'names'
            UNION ALL
            SELECT NULL, symbol, korean, english FROM hoga.coin_names WHERE feed = $1
            """
    )

    static let removeWarnings = NamedStatement(
        name: "remove_warnings",
        sql: "DELETE FROM hoga.market_warnings WHERE feed = $1"
    )

    static let insertWarnings = NamedStatement(
        name: "insert_warnings",
        sql: """
            INSERT INTO hoga.market_warnings (feed, market)
            SELECT $1, given.market FROM unnest($2::text[]) AS given (market)
            """
    )

    static let removeAlerts = NamedStatement(
        name: "remove_alerts",
        sql: "DELETE FROM hoga.market_alerts WHERE feed = $1"
    )

    static let insertAlerts = NamedStatement(
        name: "insert_alerts",
        sql: """
            INSERT INTO hoga.market_alerts (feed, position, market, type, step, ends_at)
            SELECT $1, given.place - 1, given.market, given.type, given.step, given.ends_at
            FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[])
                WITH ORDINALITY AS given (market, type, step, ends_at, place)
            """
    )

    /// The time of the warnings, the warned markets, and the alerts, in one snapshot.
    static let readMarks = NamedStatement(
        name: "read_marks",
        sql: """
            SELECT 0::bigint, NULL::bigint, NULL::text, NULL::text, NULL::text, read_at
            FROM hoga.readings WHERE feed = $1 AND kind = 'marks'
            UNION ALL
            SELECT 1, NULL, market, NULL, NULL, NULL
            FROM hoga.market_warnings WHERE feed = $1
            UNION ALL
            SELECT 2, position, market, type, step, ends_at
            FROM hoga.market_alerts WHERE feed = $1
            """
    )

    static let noteReading = NamedStatement(
        name: "note_reading",
        sql: """
            INSERT INTO hoga.readings (feed, kind, read_at) VALUES ($1, $2, $3)
            ON CONFLICT (feed, kind) DO UPDATE SET read_at = excluded.read_at
            """
    )

    static let reference = [
        savePrices, readCloses, removeNames, insertNames, readNames, removeWarnings,
        insertWarnings, removeAlerts, insertAlerts, readMarks, noteReading,
    ]
}
