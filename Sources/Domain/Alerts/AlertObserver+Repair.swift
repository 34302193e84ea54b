extension AlertObserver {
    /// Evaluates trades that were read again.
    ///
    /// - Parameters:
    ///   - market: the market.
    ///   - start: the time of the last trade before the loss.
    ///   - board: the board with the trades.
    /// - Returns: the alerts; none while the trades after the loss are not all there.
    public mutating func repair(
        _ market: MarketID,
        since start: Timestamp,
        _ board: MarketBoard
    ) -> [FiredAlert] {
        let tape = board.tape(of: market)
        guard tape.lastTradeBeforeLoss.map({ $0 > start }) ?? true else { return [] }
        // Rows of whole seconds stand at their second's beginning, also those after that trade.
        let trades = tape.prefix { $0.id.at >= start || $0.id.at.second == start.second }
        let run = trades.reversed().drop { $0.id.at != start }
        let points = (run.isEmpty ? trades.reversed()[...] : run).map { trade in
            let isAfterGap = tape.isAfterGap(trade.id)
            return AlertPricePoint(price: trade.price, at: trade.id.at, isAfterGap: isAfterGap)
        }
        guard points.count > 1 else { return [] }
        noteAwaited(tape, of: market)
        var fired: [FiredAlert] = []
        let subject = AlertSubject(market)
        let before = book.last(.price, of: subject)
        apply(.repaired(market, points), &fired)
        if let last = book.last(.price, of: subject), before.map({ $0 != last }) ?? true {
            // The changes at the trades before the last one are not told.
            for case .change(let period) in watched.signals(of: market) {
                book.lose(.change(period), of: subject, at: nil)
            }
        }
        return fired
    }

    /// Notes the trades that were told before a slow stream brings them.
    private mutating func noteAwaited(_ tape: TradeTape, of market: MarketID) {
        let rows = tape.awaited.map { $0.row(in: .second) }
        awaited[market] = rows.isEmpty ? nil : rows
    }

    /// The value that a trade tells: its price; if it was told when it was read again, it proves no
    /// more than that the last known price is the current one.
    mutating func observation(of trade: Trade) -> AlertObservation {
        var observation = AlertObservation(trade)
        guard isAwaited(trade), let known = book.last(.price, of: AlertSubject(trade.market)) else {
            return observation
        }
        observation.value = known.value
        observation.at = known.at
        return observation
    }

    /// Whether a trade is one of ``awaited``, which it is once.
    private mutating func isAwaited(_ trade: Trade) -> Bool {
        guard !awaited.isEmpty, var rows = awaited[trade.market], let last = rows.last else {
            return false
        }
        let row = trade.row(in: .second)
        if let place = rows.firstIndex(of: row) {
            rows.remove(at: place)
            awaited[trade.market] = rows.isEmpty ? nil : rows
            return true
        }
        if row.at > last.at { awaited[trade.market] = nil }
        return false
    }
}
