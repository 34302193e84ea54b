import DataSourceContracts
import Domain

/// Maps last prices, names and warnings to the rows of a store, and back.
///
/// Unreadable rows are skipped and counted.
enum StoredReferenceMapping {
    /// The last prices of all markets, delisted ones included: other processes value by them.
    static func closes(of board: MarketBoard) -> [StoredPriceDTO] {
        board.markets.compactMap { market in
            let isGone = board.isUnlistedStored(market)
            guard isGone || !market.isStored, let price = market.price, let at = market.priceAt
            else { return nil }
            return StoredPriceDTO(
                market: market.id.name,
                price: price.canonicalText,
                at: at.microseconds,
                tradeValue24h: market.tradeValue24h?.canonicalText,
                isTrading: market.isTrading && !isGone
            )
        }
    }

    /// Stored last prices, newest first, at most as many as a board holds.
    static func closes(_ rows: [StoredPriceDTO]) -> (closes: [StoredPrice], skipped: Int) {
        let closes = rows.compactMap { row -> StoredPrice? in
            guard let market = MarketID(name: row.market),
                let price = try? FixedDecimal(parsing: row.price), price.sign > 0
            else { return nil }
            return StoredPrice(
                market: market,
                price: price,
                at: Timestamp(microseconds: row.at),
                tradeValue24h: row.tradeValue24h.flatMap { try? FixedDecimal(parsing: $0) }
                    .flatMap { $0.sign >= 0 ? $0 : nil },
                isTrading: row.isTrading
            )
        }
        let newest = closes.sorted { $0.at > $1.at }.prefix(MarketBoard.marketsMax)
        return (Array(newest), rows.count - closes.count)
    }

    /// Names as rows.
    static func names(_ names: CoinNames, readAt: Timestamp) -> StoredNamesDTO {
        let rows = names.entries.sorted { $0.key < $1.key }
            .map { symbol, entry in
                StoredNamesDTO.Row(
                    symbol: symbol,
                    korean: entry.korean,
                    english: entry.english ?? ""
                )
            }
        return StoredNamesDTO(rows: rows, readAt: readAt.microseconds)
    }

    /// Stored names.
    static func names(_ dto: StoredNamesDTO) -> (names: CoinNames, skipped: Int) {
        var entries: [String: CoinNames.Entry] = [:]
        for row in dto.rows where Asset(symbol: row.symbol) != nil && !row.korean.isEmpty {
            entries[row.symbol] = CoinNames.Entry(
                symbol: row.symbol,
                korean: row.korean,
                english: row.english
            )
        }
        return (CoinNames(entries), dto.rows.count - entries.count)
    }

    /// Warnings as rows.
    static func marks(_ marks: MarketWarnings) -> StoredWarningsDTO {
        let alerts = marks.alerts.sorted { $0.key < $1.key }
            .flatMap { market, alerts in
                alerts.map { alert in
                    StoredWarningsDTO.Alert(
                        market: market.name,
                        type: alert.type,
                        step: alert.step,
                        endsAt: alert.endsAt?.microseconds
                    )
                }
            }
        return StoredWarningsDTO(
            warned: marks.warned.sorted().map(\.name),
            alerts: alerts,
            readAt: marks.readAt.microseconds
        )
    }

    /// Stored warnings.
    static func marks(_ dto: StoredWarningsDTO) -> (marks: MarketWarnings, skipped: Int) {
        let warned = dto.warned.compactMap(MarketID.init(name:))
        var alerts: [MarketID: [MarketAlert]] = [:]
        var skipped = dto.warned.count - warned.count
        for row in dto.alerts {
            guard let market = MarketID(name: row.market) else {
                skipped += 1
                continue
            }
            alerts[market, default: []].append(
                MarketAlert(
                    type: row.type,
                    step: row.step,
                    endsAt: row.endsAt.map(Timestamp.init(microseconds:))
                )
            )
        }
        let marks = MarketWarnings(
            warned: Set(warned),
            alerts: alerts,
            readAt: Timestamp(microseconds: dto.readAt)
        )
        return (marks, skipped)
    }
}
