extension TradeTape {
    /// Marks that trades after a moment, or after the newest one if later, may be lost until the
    /// next trade.
    ///
    /// Rows of REST that the stream may tell again, so that it is not clear whether they are the
    /// same trades, are taken off: REST is read again.
    ///
    /// - Parameters:
    ///   - time: exchange time until which the stream was complete.
    ///   - notedAt: when the loss was noted, in exchange time; nil if that is unknown.
    ///   - end: the exchange time of the trade from which the stream is complete again; nil if that
    ///     is unknown. A tape that was read from REST up to there has lost nothing, and goes on
    ///     expecting that the stream repeats its rows.
    ///   - isSameStream: whether the stream goes on, so that it may repeat all later rows.
    /// - Returns: trades known from REST that the stream has not repeated.
    @discardableResult
    public mutating func markLoss(
        at time: Timestamp,
        notedAt: Timestamp? = nil,
        until end: Timestamp? = nil,
        isSameStream: Bool = false
    ) -> [TapedTrade] {
        if isJoined, let end, reaches(end) { return [] }
        var lost: [TapedTrade] =
            if case .rows(let repeats) = expected { repeats.lost } else { [] }
        let doubtful = awaited.filter { row in
            (isSameStream && row.id.at.second >= time.second)
                || (end.map { mayBe(row, $0) } ?? false)
        }
        let removed = removeNewest(Set(doubtful.map(\.id)))
        lost.removeAll { removed.contains($0.id) }
        isJoined = false
        expected = nil
        lossNotedAt = notedAt ?? lossNotedAt
        addBreak(at: time)
        return lost
    }

    /// Accepts each history from now on, until the next loss: it is requested later than the last
    /// loss was noted, whatever the clock said then.
    mutating func acceptHistories() { lossNotedAt = nil }

    /// Whether REST was read up to a trade.
    ///
    /// All trades of one millisecond are made known at once. A row of whole seconds stands at its
    /// second's beginning: it proves nothing of the rest.
    private func reaches(_ trade: Timestamp) -> Bool {
        guard let newest = first?.id.at else { return false }
        if expected?.unit == .second { return newest.second > trade.second }
        return newest >= TradeHistory.Resolution.millisecond.start(of: trade)
    }

    /// Whether a trade of the stream may be of the same second, or moment, as a row.
    private func mayBe(_ row: TapedTrade, _ trade: Timestamp) -> Bool {
        if expected?.unit == .second { return row.id.at.second == trade.second }
        let moment = TradeHistory.Resolution.millisecond.start(of: trade)
        return ExpectedRepeats.shifts.contains(moment.duration(since: row.id.at))
    }

    /// Removes the newest trades, after the last gap, as long as they are among these.
    ///
    /// - Returns: what was removed.
    private mutating func removeNewest(_ ids: Set<TradeID>) -> Set<TradeID> {
        var segments = segments
        guard !ids.isEmpty, let last = segments.popLast() else { return [] }
        let removed = last.reversed().prefix { ids.contains($0.id) }
        guard !removed.isEmpty else { return [] }
        let kept = last.dropLast(removed.count)
        if let gap = breaks.indices.last {
            breaks[gap].next = kept.first?.id
            // The next rows of REST may fill the gap.
            if kept.isEmpty { breaks[gap].isRead = false }
        }
        storage.replaceAll(with: Array(segments.joined()) + kept)
        if storage.count == 0 { beginsWithFirstTrade = false }
        return Set(removed.map(\.id))
    }

    private mutating func addBreak(at time: Timestamp) {
        guard let newest = storage.newest, openGapFrom == nil else { return }
        if breaks.count == Self.gapsMax, let start = breaks[0].next {
            removeAll(before: start)
        }
        breaks.append(Break(from: Swift.max(time, newest.id.at), next: nil))
        if let repair, repair.failure == nil, !hasStreamed { lossStart = repair.span.lowerBound }
    }
}
