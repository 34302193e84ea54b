extension TradeTape {
    /// Marks that trades after a moment, or after the newest one if later, may be lost until the
    /// next trade.
    ///
    /// - Parameters:
    ///   - time: exchange time until which the stream was complete.
    ///   - notedAt: when the loss was noted, in exchange time; nil if that is unknown.
    ///   - end: the exchange time of the trade from which the stream is complete again; nil if that
    ///     is unknown. A tape that was read from REST up to there has lost nothing, and goes on
    ///     expecting that the stream repeats its rows.
    /// - Returns: trades known from REST that the stream has not repeated.
    @discardableResult
    public mutating func markLoss(
        at time: Timestamp,
        notedAt: Timestamp? = nil,
        until end: Timestamp? = nil
    ) -> [TapedTrade] {
        if isJoined, let end, reaches(end) { return [] }
        let lost: [TapedTrade] =
            if case .rows(let repeats) = expected { repeats.lost } else { [] }
        if let end { removeAwaited(in: end) }
        isJoined = false
        expected = nil
        lossNotedAt = notedAt ?? lossNotedAt
        addBreak(at: time)
        return lost
    }

    /// Accepts each history from now on, until the next loss: it is requested later than the last
    /// loss was noted, whatever the clock said then.
    mutating func acceptHistories() { lossNotedAt = nil }

    /// Whether REST was read up to a trade: all trades of one millisecond are made known at once.
    ///
    /// A row of whole seconds stands at its second's beginning: it proves nothing of the rest.
    private func reaches(_ trade: Timestamp) -> Bool {
        let moment = TradeHistory.Resolution.millisecond.start(of: trade)
        return first.map { $0.id.at >= moment } ?? false
    }

    /// Removes the rows of whole seconds that may be trades of the stream from a moment on; REST is
    /// read again, and tells which are not.
    private mutating func removeAwaited(in moment: Timestamp) {
        let start = TradeHistory.Resolution.second.start(of: moment)
        let ids = Set(awaited.lazy.map(\.id).filter { $0.at == start })
        var segments = segments
        guard !ids.isEmpty, var newest = segments.popLast() else { return }
        newest.removeAll { ids.contains($0.id) }
        if let gap = breaks.indices.last { breaks[gap].next = newest.first?.id }
        storage.replaceAll(with: segments.joined() + newest)
        if storage.count == 0 { beginsWithFirstTrade = false }
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
