import DataSourceContracts
import Domain

/// Maps responses of `market/all` and `virtual_asset_warning` to names and warnings.
enum MarketReferenceMapping {
    /// The names of coins, from their won markets, else from their bitcoin markets.
    ///
    /// - Returns: the names, and the number of skipped rows: unreadable ones, those of unknown
    ///   markets, and those without a Korean name.
    static func names(_ answer: MarketNamesDTO) -> (names: CoinNames, skipped: Int) {
        var quotes: [String: Quote] = [:]
        var entries: [String: CoinNames.Entry] = [:]
        var skipped = answer.skippedCount
        for row in answer.markets {
            guard let market = MarketID(code: row.market), !row.korean.isEmpty else {
                skipped += 1
                continue
            }
            if let quote = quotes[market.symbol], quote < market.quote { continue }
            quotes[market.symbol] = market.quote
            entries[market.symbol] = CoinNames.Entry(
                symbol: market.symbol,
                korean: row.korean,
                english: row.english
            )
        }
        return (CoinNames(entries), skipped)
    }

    /// 유의: the markets with an investment warning.
    static func warned(_ answer: MarketNamesDTO) -> Set<MarketID> {
        var warned: Set<MarketID> = []
        for row in answer.markets where row.isWarned == true {
            if let market = MarketID(code: row.market) { warned.insert(market) }
        }
        return warned
    }

    /// 경보: the warnings by market, in the order of the wire.
    ///
    /// - Returns: the warnings, and the number of skipped rows unreadable ones and those of
    ///   unknown markets.
    static func alerts(
        _ answer: MarketAlertsDTO
    ) -> (alerts: [MarketID: [MarketAlert]], skipped: Int) {
        var alerts: [MarketID: [MarketAlert]] = [:]
        var skipped = answer.skippedCount
        for row in answer.alerts {
            guard let market = MarketID(code: row.market) else {
                skipped += 1
                continue
            }
            alerts[market, default: []].append(
                MarketAlert(
                    type: row.type,
                    step: row.step,
                    endsAt: row.endsAtMicroseconds.map(Timestamp.init(microseconds:))
                )
            )
        }
        return (alerts, skipped)
    }
}

extension CoinNames {
    /// These names, with missing coins and missing English names from `others`.
    func filled(from others: CoinNames) -> CoinNames {
        var filled = others.entries
        for (symbol, entry) in entries {
            filled[symbol] = CoinNames.Entry(
                symbol: symbol,
                korean: entry.korean,
                english: entry.english ?? others[symbol]?.english ?? ""
            )
        }
        return CoinNames(filled)
    }
}
