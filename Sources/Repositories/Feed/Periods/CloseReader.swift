public import DataSourceContracts
import Domain

/// Reads closes of one API generation.
public enum CloseReader: Sendable {
    /// API 1.x: one call returns 3,000 minutes with a trade, more than two days of any market.
    case v1(any CloseSource)
    /// API 2.x: one call returns the last minute before a moment, another 200 candles of ten
    /// minutes, which is more than a day.
    case v2(any CandlePageSource)

    /// The candles of one page of API 2.x.
    static let pageCount = 200

    /// Whether one call returns all minutes of a market.
    var isWhole: Bool {
        switch self {
        case .v1: true
        case .v2: false
        }
    }

    /// Reads what a fetch requests.
    ///
    /// - Parameters:
    ///   - fetch: the fetch.
    ///   - requestedAt: the exchange time of the request.
    ///   - limit: the latest plausible time; nil for no limit.
    /// - Returns: the page.
    /// - Throws: ``DataSourceError``; `malformed` if a row is unreadable, because it would look
    ///   like a minute without a trade.
    func page(
        _ fetch: CloseFetchScheduler.Fetch,
        requestedAt: Timestamp,
        notAfter limit: Timestamp?
    ) async throws(DataSourceError) -> ClosePage {
        let answer = try await read(fetch)
        // A candle is final some seconds after its end.
        let settled = requestedAt.advanced(by: .zero - CandleCorrection.first)
        return try CloseMapping.page(
            answer.closes,
            of: fetch.market,
            interval: answer.interval,
            until: answer.isWhole ? answer.interval.bucketStart(of: settled) : fetch.moment,
            isWhole: answer.isWhole,
            notAfter: limit
        )
    }

    private struct Answer {
        var closes: ClosesDTO
        var interval: CandleInterval
        /// Whether it has all candles until now, not only the last one before the fetch's moment.
        var isWhole: Bool
    }

    private func read(
        _ fetch: CloseFetchScheduler.Fetch
    ) async throws(DataSourceError) -> Answer {
        let symbol = fetch.market.name
        switch (self, fetch.request) {
        // A request may be older than a change of the generation.
        case (.v1(let source), _):
            let minute = CandleInterval.minute1
            let closes = try await source.closes(symbol: symbol, interval: minute.rawValue)
            return Answer(closes: closes, interval: minute, isWhole: true)
        case (.v2(let source), .minute), (.v2(let source), .minutes):
            let candles = try await source.candles(
                symbol: symbol,
                minutes: 1,
                before: fetch.moment.second,
                count: 1
            )
            return Answer(closes: ClosesDTO(candles), interval: .minute1, isWhole: false)
        case (.v2(let source), .tenMinutes):
            let candles = try await source.candles(
                symbol: symbol,
                minutes: 10,
                before: nil,
                count: Self.pageCount
            )
            return Answer(closes: ClosesDTO(candles), interval: .minutes10, isWhole: true)
        }
    }
}

extension ClosesDTO {
    /// The closes of candles.
    fileprivate init(_ candles: CandlesDTO) {
        self.init(
            rows: candles.rows.map {
                CloseDTO(atMilliseconds: $0.atMilliseconds, close: $0.close)
            },
            skippedCount: candles.skippedCount
        )
    }
}
