import Concurrency
public import DataSourceContracts

/// Opens streams of the generation that has the order books.
public struct SelectedBookStreams: MarketStreamSource {
    private let sources: [APIGeneration: any MarketStreamSource]
    private let selector: GenerationSelector

    /// Makes a source; it needs one for each generation of the selector.
    public init(
        _ sources: [APIGeneration: any MarketStreamSource],
        selector: GenerationSelector
    ) {
        self.sources = sources
        self.selector = selector
    }

    /// Connects; see ``MarketStreamSource``.
    public func connect() async throws(DataSourceError) -> any MarketStream {
        let generation = selector.use.value.books
        return try await selector.noting(generation) { () async throws(DataSourceError) in
            try await sources.source(generation).connect()
        }
    }

    /// Waits until other books are in use.
    public func waitForReplacement() async {
        let generation = selector.use.value.books
        _ = await selector.use.first { $0.books != generation }
    }
}

/// Reads order books, past trades and candles of the generations that are in use for them.
public struct SelectedDetailSources: OrderBookSource, TradeHistorySource, CandleSource {
    private let books: [APIGeneration: any OrderBookSource]
    private let trades: [APIGeneration: any TradeHistorySource]
    private let candles: [APIGeneration: any CandleSource]
    private let selector: GenerationSelector

    /// Makes sources; each needs one for each generation of the selector.
    public init(
        books: [APIGeneration: any OrderBookSource],
        trades: [APIGeneration: any TradeHistorySource],
        candles: [APIGeneration: any CandleSource],
        selector: GenerationSelector
    ) {
        self.books = books
        self.trades = trades
        self.candles = candles
        self.selector = selector
    }

    /// Reads a book of the generation whose stream has it; see ``OrderBookSource``.
    public func orderBook(symbol: String) async throws(DataSourceError) -> OrderBookDTO {
        let generation = selector.use.value.books
        let book = try await selector.noting(generation) { () async throws(DataSourceError) in
            try await books.source(generation).orderBook(symbol: symbol)
        }
        guard selector.use.value.books == generation else {
            throw DataSourceError(.disconnected, "orderbook/\(symbol): another API is read now")
        }
        return book
    }

    /// Reads trades of the primary generation; see ``TradeHistorySource``.
    public func trades(
        symbol: String,
        page: TradePage,
        count: Int
    ) async throws(DataSourceError) -> TradeHistoryDTO {
        let generation = selector.use.value.primary
        return try await selector.noting(generation) { () async throws(DataSourceError) in
            try await trades.source(generation)
                .trades(symbol: symbol, page: page, count: count)
        }
    }

    /// Reads candles of the primary generation; see ``CandleSource``.
    public func candles(
        symbol: String,
        interval: String,
        reach: CandleReach
    ) async throws(DataSourceError) -> CandlesDTO {
        let generation = selector.use.value.primary
        return try await selector.noting(generation) { () async throws(DataSourceError) in
            try await candles.source(generation)
                .candles(symbol: symbol, interval: interval, reach: reach)
        }
    }
}

extension Dictionary where Key == APIGeneration {
    fileprivate func source(_ generation: APIGeneration) -> Value {
        guard let source = self[generation] else {
            preconditionFailure("Each generation in use has a source.")
        }
        return source
    }
}

extension GenerationSelector {
    /// Makes a call and stores its outcome.
    fileprivate func noting<Output>(
        _ generation: APIGeneration,
        _ call: () async throws(DataSourceError) -> Output
    ) async throws(DataSourceError) -> Output {
        do throws(DataSourceError) {
            let output = try await call()
            note(nil, of: generation)
            return output
        } catch {
            if error.code != .cancelled { note(error, of: generation) }
            throw error
        }
    }
}
