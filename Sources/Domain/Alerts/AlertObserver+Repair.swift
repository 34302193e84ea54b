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
        let ofSecond = tape.expected?.unit == .second ? Set(tape.awaited.map(\.id)) : []
        // Rows of whole seconds stand at their second's beginning, also those after that trade.
        let trades = tape.prefix { $0.id.at >= start || $0.id.at.second == start.second }
        let run = trades.reversed().drop { $0.id.at != start }
        let points = (run.isEmpty ? trades.reversed()[...] : run).map { trade in
            AlertPricePoint(
                price: trade.price,
                at: trade.id.at,
                isAfterGap: tape.isAfterGap(trade.id),
                isOfSecond: ofSecond.contains(trade.id)
            )
        }
        guard points.count > 1 else { return [] }
        awaited[market] = AwaitedTrades(tape)
        var fired: [FiredAlert] = []
        let subject = AlertSubject(market)
        let before = book.last(.price, of: subject)
        apply(.repaired(market, points), &fired)
        let known = points.lastIndex { $0.at == before?.at && $0.price == before?.value }
        let unknown = known.map { points[($0 + 1)...] } ?? points[...]
        let after = book.last(.price, of: subject)
        if !unknown.isEmpty, after?.at != before?.at || after?.value != before?.value {
            // No rule was judged by the changes at these trades. Those before are known until the
            // first one.
            for case .change(let period) in watched.signals(of: market) {
                book.lose(.change(period), of: subject, at: known == nil ? nil : unknown.first?.at)
            }
        }
        return fired
    }

    /// The price that a trade tells.
    ///
    /// A trade that REST has told before the stream proves no more than that the last known price
    /// is the current one.
    mutating func observation(of trade: Trade) -> AlertObservation {
        var observation = AlertObservation(trade)
        guard !awaited.isEmpty, var rows = awaited.removeValue(forKey: trade.market) else {
            return observation
        }
        let isRepeat = rows.remove(trade)
        if !rows.isOver(at: trade.executedAt) { awaited[trade.market] = rows }
        if isRepeat, let known = book.last(.price, of: AlertSubject(trade.market)) {
            observation.value = known.value
            observation.at = known.at
            observation.source = known.source
        }
        return observation
    }
}
