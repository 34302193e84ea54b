import DataSourceContracts
import Domain

/// Turns candles made of trades into the rows of a store.
enum MinuteCandleBatchMapping {
    /// A recording as a store keeps it.
    static func dto(_ minutes: MinuteCandleBatch, feed: String) -> MinuteCandleBatchDTO {
        MinuteCandleBatchDTO(
            feed: feed,
            rows: minutes.rows.map { row in
                MinuteCandleBatchDTO.Row(
                    market: row.market.name,
                    candle: StoredCandleMapping.row(row.candle, fetchedAt: row.lastTradeAt)
                )
            },
            covered: spans(minutes.covered)
        )
    }

    /// Spans as a store keeps them.
    static func spans(_ ranges: [Range<Timestamp>]) -> [StoredCandlesDTO.Span] {
        ranges.map {
            StoredCandlesDTO.Span(from: $0.lowerBound.microseconds, to: $0.upperBound.microseconds)
        }
    }
}
