import Domain

/// The newest trades of each market, so that the other generation repeats none.
///
/// A stream that was open before it became the primary one may be slow: it then brings trades that
/// the other one has told already.
struct DeliveredTrades: Sendable {
    /// One trade may have times that differ by this much.
    private static let clockDifference: Duration = .milliseconds(1)

    /// How many trades of a moment are remembered; a repeat of a further one passes.
    static let momentMax = 64

    /// The trades of the newest moment, which may have others that were not told.
    private struct Newest: Sendable {
        var at: Timestamp
        var trades: [Trade]
    }

    /// By market; no more of them than a board has.
    private var newest: [MarketID: Newest] = [:]
    /// The trades that the generation before has delivered; empty without one.
    private var before: [MarketID: Newest] = [:]

    /// Another generation goes on.
    mutating func handOver() { before = newest }

    /// Notes the trades of a batch, and leaves out those that the generation before has told.
    mutating func take(_ batch: MarketEventBatch) -> MarketEventBatch {
        var batch = batch
        if !before.isEmpty { batch.events.removeAll(where: isRepeated) }
        for case .trade(let trade) in batch.events { note(trade) }
        return batch
    }

    private mutating func note(_ trade: Trade) {
        let at = TradeHistory.Resolution.millisecond.start(of: trade.executedAt)
        guard let last = newest[trade.market] else {
            guard newest.count < MarketBoard.marketsMax else { return }
            return newest[trade.market] = Newest(at: at, trades: [trade])
        }
        if at > last.at {
            newest[trade.market] = Newest(at: at, trades: [trade])
        } else if at == last.at, last.trades.count < Self.momentMax {
            newest[trade.market]?.trades.append(trade)
        }
    }

    private func isRepeated(_ event: MarketEvent) -> Bool {
        guard case .trade(let trade) = event, let last = before[trade.market] else { return false }
        let at = TradeHistory.Resolution.millisecond.start(of: trade.executedAt)
        if at > last.at.advanced(by: Self.clockDifference) { return false }
        if at.advanced(by: Self.clockDifference) < last.at { return true }
        return last.trades.contains {
            $0.price == trade.price && $0.quantity == trade.quantity && $0.side == trade.side
        }
    }
}
