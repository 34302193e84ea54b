import Domain

/// Says how fresh and complete the blocks of a detail are.
struct DetailHealthPresenter {
    /// How long a followed book counts as fresh after its newest data.
    static let bookStaleAfter: Duration = .seconds(10)

    private let board: MarketBoard
    private let now: Timestamp
    private let market: MarketID
    private let interval: CandleInterval
    private let language: Language

    init(_ cut: BoardSnapshot, _ query: MarketDetailQuery) {
        board = cut.board
        now = cut.capturedAt
        market = query.market
        interval = query.interval
        language = query.messageLanguage
    }

    /// The health of the order book, which has a stream of its own.
    func orderBook(_ book: LocalOrderBook) -> HealthViewState {
        let error = bookStreamError ?? error(of: .book)
        let staleAfter = book.lastDataAt?.advanced(by: Self.bookStaleAfter)
        let isFresh = bookStreamError == nil && staleAfter.map { now < $0 } ?? false
        return HealthViewState(
            phase: phase(hasData: book.isReady, isFresh: isFresh, hasError: error != nil),
            at: book.lastDataAt,
            staleAfter: isEnded ? nil : staleAfter,
            origin: book.origin.map(HealthViewState.Origin.init),
            complete: book.isComplete,
            error: isEnded ? nil : error
        )
    }

    /// The health of the trades, which the stream of the list brings.
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
            origin: newest.map { $0.isOfWholeSecond ? .rest : .stream },
            complete: tape.isComplete,
            error: isEnded ? nil : error
        )
    }

    /// The health of candles: those of a series, of which some are shown.
    func chart(_ series: CandleSeries?, isMissing: Bool) -> HealthViewState {
        let error = listStreamError ?? error(of: .candles(interval))
        let newest = series?.last
        let isLoaded = series?.isLoaded ?? false
        let isStored = newest?.origin == .store
        return HealthViewState(
            phase: phase(
                hasData: newest != nil || isLoaded,
                isFresh: isListStreamed && !isStored,
                hasError: error != nil
            ),
            // What the store knew last tells nothing of the time since.
            at: isStored ? series?.storedAt : newest.map(dataTime),
            staleAfter: nil,
            origin: newest.map { HealthViewState.Origin($0.origin) },
            complete: isLoaded && !isMissing,
            error: isEnded ? nil : error
        )
    }

    /// When the newest trade in a running candle was; without one, when the candle opens.
    private func dataTime(of candle: Candle) -> Timestamp {
        max(candle.openTime, board.tape(of: market).first?.id.at ?? candle.openTime)
    }

    private var isEnded: Bool { board.feed.connection == .ended }

    private func phase(hasData: Bool, isFresh: Bool, hasError: Bool) -> HealthViewState.Phase {
        if isEnded { return .ended }
        guard hasData else { return hasError ? .failed : .loading }
        return isFresh ? .ready : .stale
    }

    /// Whether trades arrive as they happen: silence of a market is no sign of age.
    private var isListStreamed: Bool {
        switch board.feed.connection {
        case .connecting, .subscribed, .live: true
        case .stale, .reconnecting, .ended: false
        }
    }

    private var bookStreamError: ErrorViewState? {
        let status = board.detailStatus
        guard status.attempt > 0, let nextRetryAt = status.nextRetryAt else { return nil }
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

extension TradeID {
    /// Whether REST told the trade, which knows seconds only.
    fileprivate var isOfWholeSecond: Bool { at.microseconds.isMultiple(of: 1_000_000) }
}
