public import Domain

extension DocumentQuery {
    /// The longest wait of a first request for a market's data.
    public static let patience: Duration = .seconds(3)

    /// Whether all data of the document has arrived, has failed, or cannot arrive.
    ///
    /// Stale data is good enough: the document's health says so.
    public func isReady(in board: MarketBoard) -> Bool {
        if board.feed.connection == .ended || isUnknown(in: board) { return true }
        // A recording has no deposits and withdrawals.
        if requiresTransfers, !board.reference.assets.wasRead, board.feed.kind != .replay {
            return false
        }
        guard let detail else { return true }
        let isListed = board.market(detail.market) != nil || board.feed.listingFailure != nil
        return isListed && interests.allSatisfy { board.isReady($0) }
    }

    /// Whether the market does not exist at the exchange.
    public func isUnknown(in board: MarketBoard) -> Bool {
        guard let market = detail?.market else { return false }
        return board.market(market) == nil && board.hasListed(market.quote)
    }
}

extension MarketBoard {
    /// Whether a part of a market's detail has arrived or has failed.
    fileprivate func isReady(_ interest: DetailInterest) -> Bool {
        let detail = details[interest.market]
        if detail?.failures[interest.facet] != nil { return true }
        switch interest.facet {
        case .book: return detail?.book.isReady ?? false
        case .deepBook: return detail.map { !$0.book.lacksDeepLevels } ?? false
        case .trades:
            let tape = tape(of: interest.market)
            return tape.isJoined || (tape.count > 0 && feed.isLost)
        case .candles(let interval):
            guard let series = detail?.candles[interval] else { return false }
            // Stored candles are enough only while the exchange is away.
            return series.wasLoaded || (series.storedAt != nil && !feed.isFollowed)
        case .pastCandles(let block):
            return !(detail?.lacks(block) ?? true) && isReady(interest.series)
        case .newestCandles(let interval, _):
            guard let detail, detail.facets.contains(interest.facet) else { return false }
            return isReady(interest.series) && !detail.lacksBlocks(of: interval)
        }
    }

    /// Whether any market of a currency is known.
    func isListed(_ quote: Quote) -> Bool {
        feed.listedQuotes.contains(quote)
            || markets.contains { $0.id.quote == quote && !$0.isStored }
    }
}

extension AssetStates {
    /// Whether a reading succeeded or failed.
    fileprivate var wasRead: Bool { readAt != nil || failure != nil }
}

extension FeedStatus {
    /// Whether the exchange is connected, so that requested data arrives soon.
    fileprivate var isFollowed: Bool {
        switch connection {
        case .subscribed, .live, .stale: true
        case .connecting, .reconnecting, .ended: false
        }
    }

    /// Whether the trade stream is lost: a tape is not joined before it is back.
    fileprivate var isLost: Bool {
        switch connection {
        case .reconnecting, .ended: true
        case .connecting, .subscribed, .live, .stale: false
        }
    }
}

extension DetailInterest {
    /// The interest in the series of candles; other interests are their own.
    fileprivate var series: DetailInterest {
        switch facet {
        case .pastCandles(let block):
            DetailInterest(market: market, facet: .candles(block.interval))
        case .newestCandles(let interval, _):
            DetailInterest(market: market, facet: .candles(interval))
        case .book, .deepBook, .trades, .candles: self
        }
    }
}
