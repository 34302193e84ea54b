public import DataSourceContracts

/// A fake of the candles of both generations: those that trades make.
public final class InMemoryCandlePageSource: CandlePageSource, CloseSource {
    /// A trade of a market.
    public typealias Trade = (atMilliseconds: Int64, price: WireDecimal)

    /// All trades of a market until now, in order, or the failure of a request for them.
    public typealias Trades = @Sendable (_ symbol: String) throws(DataSourceError) -> [Trade]

    private let trades: Trades

    /// Creates a source of these trades.
    public init(trades: @escaping Trades) { self.trades = trades }

    /// The newest candles that opened before the end, newest first.
    public func candles(
        symbol: String,
        minutes: Int,
        before end: Int64?,
        count: Int
    ) async throws(DataSourceError) -> CandlesDTO {
        let limit = end.map { $0 * 1_000 } ?? .max
        let rows = try rows(symbol, minutes).filter { $0.atMilliseconds < limit }
        return CandlesDTO(rows: rows.suffix(count).reversed())
    }

    /// The closes of all minutes, as API 1.x returns them.
    public func closes(
        symbol: String,
        interval: String
    ) async throws(DataSourceError) -> ClosesDTO {
        precondition(interval == "1m", "Other intervals are not simulated.")
        return try ClosesDTO(
            rows: rows(symbol, 1).map { row in
                CloseDTO(atMilliseconds: row.atMilliseconds, close: row.close)
            }
        )
    }

    private func rows(
        _ symbol: String,
        _ minutes: Int
    ) throws(DataSourceError) -> [CandleDTO] {
        let length = Int64(minutes) * 60_000
        var rows: [CandleDTO] = []
        for trade in try trades(symbol) {
            let open = trade.atMilliseconds / length * length
            let price = trade.price
            if rows.last?.atMilliseconds == open { rows.removeLast() }
            rows.append(
                CandleDTO(
                    atMilliseconds: open,
                    open: price,
                    close: price,
                    high: price,
                    low: price,
                    volume: "1"
                )
            )
        }
        return rows
    }
}
