import DataSourceContracts

extension UserRecordTables {
    /// Makes a change, and notes it unless it changed nothing.
    ///
    /// Texts are the same when their bytes are: Swift alone would take two spellings of one letter
    /// for equal.
    func write(_ write: UserWriteDTO, at time: Int64) throws(StoreError) {
        let revisions = try record().revisions
        let hasChanged: Bool
        switch write {
        case .addFavorite(let market, let limit):
            hasChanged = try addFavorite(market, limit: limit)
        case .removeFavorite(let market):
            hasChanged = try removeFavorite(market)
        case .moveFavorite(let market, let place):
            hasChanged = try moveFavorite(market, to: place)
        case .replaceFavorites(let markets, let expected):
            try expect(expected, revisions.favorites)
            hasChanged = try replaceFavorites(markets)
        case .putSettings(let settings, let expected):
            try expect(expected, revisions.settings)
            hasChanged = try putSettings(settings)
        case .putHolding(let holding, let limit):
            hasChanged = try putHolding(holding, limit: limit)
        case .removeHolding(let asset):
            hasChanged = try removeHolding(asset)
        case .putCash(let amount):
            hasChanged = try putCash(amount)
        case .putDisplayName(let name):
            hasChanged = try putDisplayName(name)
        }
        guard hasChanged else { return }
        try count(write)
        try note(write.kind, subject: write.subject, at: time)
    }

    private func expect(_ expected: Int64?, _ present: Int64) throws(StoreError) {
        guard let expected, expected != present else { return }
        throw StoreError(
            .conflict,
            "revision \(expected) was expected and \(present) is present: "
                + StoreError.remedy(for: .conflict)
        )
    }

    private func tooMany(_ what: String, limit: Int) -> StoreError {
        StoreError(.tooMany, "there are \(limit) \(what) already: remove one first")
    }

    /// Grows the revision of the part that changed.
    private func count(_ write: UserWriteDTO) throws(StoreError) {
        let sql: StaticString
        switch write {
        case .addFavorite, .removeFavorite, .moveFavorite, .replaceFavorites:
            sql = "UPDATE users SET favorites_revision = favorites_revision + 1 WHERE id = ?1"
        case .putSettings:
            sql = "UPDATE users SET settings_revision = settings_revision + 1 WHERE id = ?1"
        case .putHolding, .removeHolding:
            sql = "UPDATE users SET holdings_revision = holdings_revision + 1 WHERE id = ?1"
        case .putCash:
            sql = "UPDATE users SET cash_revision = cash_revision + 1 WHERE id = ?1"
        case .putDisplayName:
            sql = "UPDATE users SET profile_revision = profile_revision + 1 WHERE id = ?1"
        }
        try connection.run(sql, [.integer(user)])
    }

    // MARK: Favourites

    private func addFavorite(_ market: String, limit: Int) throws(StoreError) -> Bool {
        let markets = try favorites()
        if markets.contains(where: { $0.hasSameBytes(as: market) }) { return false }
        guard markets.count < limit else { throw tooMany("favourites", limit: limit) }
        try connection.run(
            """
            INSERT INTO favorites (user_id, market, position) VALUES (
                ?1, ?2,
                (SELECT coalesce(max(position), -1) + 1 FROM favorites WHERE user_id = ?1)
            )
            """,
            [.integer(user), .text(market)]
        )
        return true
    }

    private func removeFavorite(_ market: String) throws(StoreError) -> Bool {
        try connection.run(
            "DELETE FROM favorites WHERE user_id = ?1 AND market = ?2",
            [.integer(user), .text(market)]
        )
        return connection.changedRows > 0
    }

    private func moveFavorite(_ market: String, to place: Int) throws(StoreError) -> Bool {
        var markets = try favorites()
        guard let old = markets.firstIndex(where: { $0.hasSameBytes(as: market) }) else {
            return false
        }
        markets.insert(markets.remove(at: old), at: min(max(0, place), markets.count))
        return try replaceFavorites(markets)
    }

    private func replaceFavorites(_ markets: [String]) throws(StoreError) -> Bool {
        let old = try favorites()
        if old.count == markets.count,
            zip(old, markets).allSatisfy({ $0.hasSameBytes(as: $1) })
        {
            return false
        }
        try connection.run("DELETE FROM favorites WHERE user_id = ?1", [.integer(user)])
        try connection.run(
            "INSERT INTO favorites (user_id, market, position) VALUES (?1, ?2, ?3)",
            each: markets.enumerated().lazy.map { position, market in
                [.integer(user), .text(market), .integer(Int64(position))]
            }
        )
        return true
    }

    // MARK: Holdings, cash, profile

    private func putHolding(
        _ holding: UserRecordDTO.Holding,
        limit: Int
    ) throws(StoreError) -> Bool {
        let others = try connection.first(
            "SELECT count(*) FROM holdings WHERE user_id = ?1 AND asset <> ?2",
            [.integer(user), .text(holding.asset)]
        ) { $0.integer(0) }
        let present = try connection.first(
            "SELECT 1 FROM holdings WHERE user_id = ?1 AND asset = ?2",
            [.integer(user), .text(holding.asset)]
        ) { _ in true }
        guard present == true || (others ?? 0) < Int64(limit) else {
            throw tooMany("holdings", limit: limit)
        }
        try connection.run(
            """
            INSERT INTO holdings (user_id, asset, quantity, average_price) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (user_id, asset) DO UPDATE
            SET quantity = excluded.quantity, average_price = excluded.average_price
            WHERE quantity <> excluded.quantity OR average_price IS NOT excluded.average_price
            """,
            [
                .integer(user), .text(holding.asset), .text(holding.quantity),
                .text(ifAny: holding.averagePrice),
            ]
        )
        return connection.changedRows > 0
    }

    private func removeHolding(_ asset: String) throws(StoreError) -> Bool {
        try connection.run(
            "DELETE FROM holdings WHERE user_id = ?1 AND asset = ?2",
            [.integer(user), .text(asset)]
        )
        return connection.changedRows > 0
    }

    private func putCash(_ amount: String) throws(StoreError) -> Bool {
        try connection.run(
            """
            INSERT INTO cash (user_id, amount) VALUES (?1, ?2)
            ON CONFLICT (user_id) DO UPDATE SET amount = excluded.amount
            WHERE amount <> excluded.amount
            """,
            [.integer(user), .text(amount)]
        )
        return connection.changedRows > 0
    }

    private func putDisplayName(_ name: String?) throws(StoreError) -> Bool {
        try connection.run(
            "UPDATE users SET display_name = ?2 WHERE id = ?1 AND display_name IS NOT ?2",
            [.integer(user), .text(ifAny: name)]
        )
        return connection.changedRows > 0
    }

    // MARK: Settings

    private func putSettings(_ settings: SettingsDTO) throws(StoreError) -> Bool {
        try connection.run(
            """
            INSERT INTO settings (
                user_id, sort, sort_direction, quote, tab, pin_favorites, change_period, "interval",
                chart_style, averages, depth, theme, colors, lang
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            ON CONFLICT (user_id) DO UPDATE SET
                sort = excluded.sort, sort_direction = excluded.sort_direction,
                quote = excluded.quote, tab = excluded.tab,
                pin_favorites = excluded.pin_favorites, change_period = excluded.change_period,
                "interval" = excluded."interval", chart_style = excluded.chart_style,
                averages = excluded.averages, depth = excluded.depth, theme = excluded.theme,
                colors = excluded.colors, lang = excluded.lang
            WHERE (
                sort, sort_direction, quote, tab, pin_favorites, change_period, "interval",
                chart_style, averages, depth, theme, colors, lang
            ) <> (
                excluded.sort, excluded.sort_direction, excluded.quote, excluded.tab,
                excluded.pin_favorites, excluded.change_period, excluded."interval",
                excluded.chart_style, excluded.averages, excluded.depth, excluded.theme,
                excluded.colors, excluded.lang
            )
            """,
            [
                .integer(user), .text(settings.sort), .text(settings.sortDirection),
                .text(settings.quote), .text(settings.tab),
                .integer(settings.pinFavorites ? 1 : 0), .text(settings.changePeriod),
                .text(settings.interval), .text(settings.chartStyle), .text(settings.averages),
                .integer(Int64(settings.depth)), .text(settings.theme), .text(settings.colors),
                .text(settings.lang),
            ]
        )
        return connection.changedRows > 0
    }
}

extension String {
    /// Whether two texts have the same bytes.
    fileprivate func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
