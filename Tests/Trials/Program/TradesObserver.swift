import Domain

/// Compares tapes and candles of the watched market with the trades of the exchange.
enum TradesObserver {
    /// The common part of two records of one trade: REST of API 1.x has whole seconds, and the
    /// two streams differ below.
    private struct Key: Hashable {
        var second: Int64
        var price: FixedDecimal
        var quantity: FixedDecimal
        var side: Trade.Side
    }

    /// Compares a tape.
    static func check(
        _ tape: TradeTape,
        _ now: Duration,
        _ truth: ExchangeTruth,
        _ effects: FaultEffects,
        into report: inout ProgramReport
    ) {
        guard let first = truth.trades.first, !effects.hasShiftedTimes, let oldest = tape.last,
            let newest = tape.first
        else { return }
        report.check("tape")
        // The trades before the start are not known here; the end of the newest second may follow.
        let start = max(first.executedAt.second + 1, oldest.id.at.second + 1)
        let end = newest.id.at.second
        var shown: [Key: Int] = [:]
        for trade in tape where trade.id.at.second >= start {
            let key = Key(
                second: trade.id.at.second,
                price: trade.price,
                quantity: trade.quantity,
                side: trade.side
            )
            shown[key, default: 0] += 1
        }
        var known: [Key: (count: Int, at: Timestamp)] = [:]
        for trade in truth.trades where trade.executedAt.second >= start {
            let key = Key(
                second: trade.executedAt.second,
                price: trade.price,
                quantity: trade.quantity,
                side: trade.side
            )
            known[key, default: (0, trade.executedAt)].count += 1
        }
        for (key, count) in shown
        where count > known[key]?.count ?? 0 && !(effects.hasDuplicates && known[key] != nil) {
            report.fail("\(now): the tape has \(count) times \(key), not \(known[key]?.count ?? 0)")
        }
        // Until past trades were read again the document says that it is not complete.
        guard tape.isJoined, !effects.hasSilentLoss else { return }
        report.check("tape without silent losses")
        let gaps = tape.gaps + [tape.openGapFrom].compactMap { $0.map { $0..<Timestamp.distant } }
        for (key, (count, at)) in known where key.second < end && shown[key, default: 0] < count {
            let isKnown = gaps.contains { gap in
                gap.lowerBound.second <= at.second && at.second <= gap.upperBound.second
            }
            if !isKnown {
                report.fail("\(now): the tape lacks \(key) without a gap, from \(start) to \(end)")
            }
        }
    }

    /// How many seconds a trade is on its way after all has healed, at most.
    private static let wayMax: Int64 = 2

    /// Compares the candles of whole minutes at the end.
    static func checkMinutes(
        _ series: CandleSeries,
        _ truth: ExchangeTruth,
        into report: inout ProgramReport
    ) {
        guard let first = truth.trades.first?.executedAt, let last = truth.trades.last?.executedAt
        else { return }
        let minutes = Dictionary(grouping: truth.trades) { $0.executedAt.second / 60 }
        // The trades of the last moments are on their way.
        let end = (last.second - Self.wayMax) / 60
        for (minute, trades) in minutes where minute > first.second / 60 && minute < end {
            let open = Timestamp(microseconds: minute * 60_000_000)
            report.check("minute candle")
            guard let index = series.index(opening: open) else {
                report.fail("there is no candle of the minute \(open)")
                continue
            }
            let candle = series[index]
            let prices = trades.map(\.price)
            let isEqual =
                candle.open == prices.first && candle.close == prices.last
                && candle.high == prices.max() && candle.low == prices.min()
            if !isEqual {
                report.fail(
                    "the candle of \(open) is \(candle); its trades have \(prices.count) prices "
                        + "from \(prices[0]) to \(prices[prices.count - 1]), "
                        + "at most \(prices.max() ?? .zero), at least \(prices.min() ?? .zero)"
                )
            }
        }
    }
}

extension Timestamp {
    /// After every trial.
    fileprivate static var distant: Timestamp { Timestamp(microseconds: .max) }
}
