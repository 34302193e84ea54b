import DataSourceContracts
import Domain

/// Maps candles built from trades to the rows of a store.
enum MinuteCandleBatchMapping {
    /// The rows of a batch of minutes.
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

    /// The rows of time spans.
    static func spans(_ ranges: [Range<Timestamp>]) -> [StoredCandlesDTO.Span] {
        ranges.map {
            StoredCandlesDTO.Span(from: $0.lowerBound.microseconds, to: $0.upperBound.microseconds)
        }
    }
}
