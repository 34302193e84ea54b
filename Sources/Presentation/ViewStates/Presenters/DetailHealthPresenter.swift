import Domain

/// Presents the health of a market's detail blocks.
struct DetailHealthPresenter {
    /// How long a subscribed book is fresh after its newest data.
    static let bookStaleAfter: Duration = .seconds(10)

    private let board: MarketBoard
    private let now: Timestamp
    private let market: MarketID
    private let interval: CandleInterval
    private let language: Language

    init(_ snapshot: BoardSnapshot, _ query: MarketDetailQuery) {
        board = snapshot.board
        now = snapshot.capturedAt
        market = query.market
        interval = query.interval
        language = query.messageLanguage
    }

    /// The health of the order book, which has its own stream.
    func orderBook(_ book: LocalOrderBook) -> HealthViewState {
        let isDeepWanted = board.details[market]?.facets.contains(.deepBook) ?? false
        let deepError = isDeepWanted ? error(of: .deepBook) : nil
        let error = bookStreamError ?? error(of: .book) ?? deepError
        let staleAfter = book.lastDataAt?.advanced(by: Self.bookStaleAfter)
        let isNew = book.lastDataAt?.isFresh(at: now, for: Self.bookStaleAfter) ?? false
        return HealthViewState(
            phase: phase(
                hasData: book.isReady,
                isFresh: isNew && bookStreamError == nil,
                hasError: error != nil
            ),
            at: book.lastDataAt,
            staleAfter: isEnded ? nil : staleAfter,
            origin: book.origin.map(HealthViewState.Origin.init),
            complete: book.isComplete && !(isDeepWanted && book.lacksDeepLevels),
            deepAt: book.deepAt,
            api: book.api == board.feed.api ? nil : book.api?.rawValue,
            error: isEnded ? nil : error
        )
    }

    /// The health of the trades, which arrive on the list's stream.
    func trades(_ tape: TradeTape) -> HealthViewState {
        let error = listStreamError ?? error(of: .trades)
        let newest = tape.first?.id
        return HealthViewState(
            phase: phase(
                hasData: newest != nil || tape.isJoined,
                isFresh: isListStreamed,
                hasError: error != nil
            ),
            at: newest?.at,
            staleAfter: nil,
            origin: newest.map { _ in tape.isNewestFromREST ? .rest : .stream },
            complete: tape.isComplete,
            repair: tape.repair.map(RepairViewState.init),
            error: isEnded ? nil : error
        )
    }

    /// The health of the candles.
    ///
    /// - Parameters:
    ///   - series: the candles.
    ///   - isMissing: whether candles are missing within the shown part of the series.
    ///   - progress: how many past buckets are known; nil if none are shown.
    /// - Returns: the health; without a time of staleness.
    func chart(
        _ series: CandleSeries?,
        isMissing: Bool,
        progress: PastCandleProgress?
    ) -> HealthViewState {
        let isPastKnown = progress?.isComplete ?? true
        let error =
            listStreamError ?? error(of: .candles(interval)) ?? (isPastKnown ? nil : pastError)
        let newest = series?.last
        let isLoaded = series?.isLoaded ?? false
        let isStored = newest?.origin == .store
        return HealthViewState(
            phase: phase(
                hasData: newest != nil || isLoaded,
                isFresh: isListStreamed && !isStored,
                hasError: error != nil
            ),
            // Stored candles say nothing about the time since they were stored.
            at: isStored ? series?.storedAt : newest.map(dataTime),
            staleAfter: nil,
            origin: newest.map { HealthViewState.Origin($0.origin) },
            complete: isLoaded && !isMissing && isPastKnown,
            known: progress?.known,
            of: progress?.of,
            repair: series?.repair.map(RepairViewState.init),
            error: isEnded ? nil : error
        )
    }

    /// The time of the newest trade in the running candle, or its opening.
    private func dataTime(of candle: Candle) -> Timestamp {
        max(candle.openTime, board.tape(of: market).first?.id.at ?? candle.openTime)
    }

    private var isEnded: Bool { board.feed.connection == .ended }

    private func phase(hasData: Bool, isFresh: Bool, hasError: Bool) -> HealthViewState.Phase {
        if isEnded { return .ended }
        guard hasData else { return hasError ? .failed : .loading }
        return isFresh ? .ready : .stale
    }

    /// Whether trades arrive live; a silent market is not stale.
    private var isListStreamed: Bool {
        switch board.feed.connection {
        case .connecting, .subscribed, .live: true
        case .stale, .reconnecting, .ended: false
        }
    }

    private var bookStreamError: ErrorViewState? {
        let status = board.detailStatus
        guard status.lost.contains(market), let nextRetryAt = status.nextRetryAt else { return nil }
        return HealthPresenter.reconnecting(
            attempt: status.attempt,
            nextRetryAt: nextRetryAt,
            failure: status.failure,
            language
        )
    }

    private var listStreamError: ErrorViewState? {
        HealthPresenter.streamError(of: board.feed, language)
    }

    /// The failure of the newest block of past candles that failed.
    private var pastError: ErrorViewState? {
        let failed = (board.details[market]?.failures.keys ?? [:].keys).compactMap { facet in
            if case .pastCandles(let block) = facet, block.interval == interval {
                block
            } else {
                nil
            }
        }
        return failed.max { $0.start < $1.start }.flatMap { error(of: .pastCandles($0)) }
    }

    private func error(of facet: DetailFacet) -> ErrorViewState? {
        board.details[market]?.failures[facet].map {
            HealthPresenter.error(of: $0.failure, nextRetryAt: $0.nextRetryAt, language)
        }
    }
}

extension HealthViewState.Origin {
    init(_ origin: FeedStatus.Origin) {
        switch origin {
        case .store: self = .store
        case .rest: self = .rest
        case .stream: self = .stream
        }
    }

    fileprivate init(_ origin: Candle.Origin) {
        switch origin {
        case .store: self = .store
        case .rest: self = .rest
        case .live: self = .stream
        }
    }
}
