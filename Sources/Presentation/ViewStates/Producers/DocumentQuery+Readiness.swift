public import Domain

extension DocumentQuery {
    /// How long a reader's first question of a market waits for the answer at the most.
    public static let patience: Duration = .seconds(3)

    /// Whether waiting is over: everything asked for is there, has failed, or cannot come.
    ///
    /// What is there but old counts as there: its health says so.
    public func isSettled(in board: MarketBoard) -> Bool {
        if board.feed.connection == .ended || isUnknown(in: board) { return true }
        // Of a recording they are never read.
        if requiresTransfers, !board.reference.assets.wasRead, board.feed.kind != .replay {
            return false
        }
        guard let detail else { return true }
        let isListed = board.market(detail.market) != nil || board.feed.listingFailure != nil
        return isListed && interests.allSatisfy { board.isSettled($0) }
    }

    /// Whether the question is of a market that the exchange does not have.
    public func isUnknown(in board: MarketBoard) -> Bool {
        guard let market = detail?.market else { return false }
        return board.market(market) == nil && board.hasListed(market.quote)
    }
}

extension MarketBoard {
    /// Whether a part of a market's detail is there, or could not be read.
    fileprivate func isSettled(_ interest: DetailInterest) -> Bool {
        let detail = details[interest.market]
        if detail?.failures[interest.facet] != nil { return true }
        switch interest.facet {
        case .book: return detail?.book.isReady ?? false
        case .trades:
            let tape = tape(of: interest.market)
            return tape.isJoined || (tape.count > 0 && feed.isLost)
        case .candles(let interval):
            guard let series = detail?.candles[interval] else { return false }
            // While the exchange is there, what it says is worth waiting for.
            return series.wasLoaded || (series.storedAt != nil && !feed.isFollowed)
        }
    }

    /// Whether any market of a currency is known.
    func isListed(_ quote: Quote) -> Bool {
        feed.listedQuotes.contains(quote)
            || markets.contains { $0.id.quote == quote && !$0.isStored }
    }
}

extension AssetStates {
    /// Whether there was a reading, or an attempt at one.
    fileprivate var wasRead: Bool { readAt != nil || failure != nil }
}

extension FeedStatus {
    /// Whether the exchange is connected: what is asked of it comes soon.
    fileprivate var isFollowed: Bool {
        switch connection {
        case .subscribed, .live, .stale: true
        case .connecting, .reconnecting, .ended: false
        }
    }

    /// Whether the stream of trades is gone, so that a tape is not joined before it is back.
    fileprivate var isLost: Bool {
        switch connection {
        case .reconnecting, .ended: true
        case .connecting, .subscribed, .live, .stale: false
        }
    }
}
