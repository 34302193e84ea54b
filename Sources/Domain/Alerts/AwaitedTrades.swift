/// The trades of a market that REST has told and that the stream may still bring.
struct AwaitedTrades: Sendable {
    /// In order of their times; at most those of a tape.
    private var rows: [TradeHistory.Row]
    private let unit: TradeHistory.Resolution

    /// The trades that a tape awaits; nil without any.
    init?(_ tape: TradeTape) {
        guard let unit = tape.expected?.unit, !tape.awaited.isEmpty else { return nil }
        self.unit = unit
        rows = tape.awaited.map { $0.row(in: unit) }
    }

    /// Removes the row of a trade.
    ///
    /// - Returns: whether there is one.
    mutating func remove(_ trade: Trade) -> Bool {
        let shifts = unit == .second ? [.zero] : ExpectedRepeats.shifts
        for shift in shifts {
            var row = trade.row(in: unit)
            row.at = row.at.advanced(by: shift)
            guard let place = rows.firstIndex(of: row) else { continue }
            rows.remove(at: place)
            return true
        }
        return false
    }

    /// Whether no trade after this time can be one of them.
    func isOver(at time: Timestamp) -> Bool {
        rows.last.map { $0.at.second + 1 < time.second } ?? true
    }
}
