public import DataSourceContracts
import Domain

/// Reads closes of one API generation.
public enum CloseReader: Sendable {
    /// API 1.x: one call returns the newest minutes with a trade, of busy markets those of a day
    /// and an hour.
    case v1(any CloseSource)
    /// API 2.x: one call returns the last minutes before a moment, another 200 candles of ten
    /// minutes, which is more than a day.
    case v2(any CandlePageSource)

    /// The candles of one page of API 2.x.
    static let pageCount = 200
    /// The minutes that tell the base of a moment and that of the next minute.
    static let minuteCount = 2

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
    ///   - longest: notes the number of candles in a response of API 1.x, which has no written
    ///     limit, and returns the most so far.
    ///   - limit: the latest plausible time; nil for no limit.
    /// - Returns: the page.
    /// - Throws: ``DataSourceError``; `malformed` if a row is unreadable, because it would look
    ///   like a minute without a trade.
    func page(
        _ fetch: CloseFetchScheduler.Fetch,
        requestedAt: Timestamp,
        longest: @Sendable (Int) -> Int,
        notAfter limit: Timestamp?
    ) async throws(DataSourceError) -> ClosePage {
        let answer = try await read(fetch, longest)
        // A candle is final some seconds after its end.
        let settled = requestedAt.advanced(by: .zero - CandleCorrection.first)
        return try CloseMapping.page(
            answer.closes,
            of: fetch.market,
            interval: answer.interval,
            until: answer.until ?? answer.interval.bucketStart(of: settled),
            isWhole: answer.isWhole(at: requestedAt),
            notAfter: limit
        )
    }

    private struct Answer {
        var closes: ClosesDTO
        var interval: CandleInterval
        /// The end of its candles; nil if it has all of them until now.
        var until: Timestamp?
        /// The exchange returns as many candles of a market that has them.
        var limit: Int

        /// Whether the rows prove that no earlier candle matters: because they reach back over
        /// every period, or because the exchange would have returned more.
        func isWhole(at now: Timestamp) -> Bool {
            let start = now.advanced(by: .zero - ClosePage.reach).microseconds / 1_000
            return closes.rows.count < limit
                || closes.rows.contains { $0.atMilliseconds <= start }
        }
    }

    private func read(
        _ fetch: CloseFetchScheduler.Fetch,
        _ longest: @Sendable (Int) -> Int
    ) async throws(DataSourceError) -> Answer {
        let symbol = fetch.market.name
        switch (self, fetch.request) {
        // A request may be older than a change of the generation.
        case (.v1(let source), _):
            let minute = CandleInterval.minute1
            let closes = try await source.closes(symbol: symbol, interval: minute.rawValue)
            let limit = longest(closes.rows.count)
            return Answer(closes: closes, interval: minute, limit: limit)
        case (.v2(let source), .minute), (.v2(let source), .minutes):
            // The next minute too, so that every second minute needs no call.
            let until = CandleInterval.minute1.nextBucket(after: fetch.moment)
            let candles = try await source.candles(
                symbol: symbol,
                minutes: 1,
                before: until.second,
                count: Self.minuteCount
            )
            return Answer(
                closes: ClosesDTO(candles),
                interval: .minute1,
                until: until,
                limit: Self.minuteCount
            )
        case (.v2(let source), .tenMinutes):
            let candles = try await source.candles(
                symbol: symbol,
                minutes: 10,
                before: nil,
                count: Self.pageCount
            )
            return Answer(
                closes: ClosesDTO(candles),
                interval: .minutes10,
                limit: Self.pageCount
            )
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
