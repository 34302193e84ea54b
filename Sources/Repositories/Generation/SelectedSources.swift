import Concurrency
public import DataSourceContracts

/// The order books of the generations that are read, over their streams and REST.
public struct SelectedBooks: Sendable {
    private let streams: [APIGeneration: any MarketStreamSource]
    private let books: [APIGeneration: any OrderBookSource]
    private let selector: GenerationSelector

    /// Makes sources; each needs one for each generation of the selector.
    public init(
        streams: [APIGeneration: any MarketStreamSource],
        books: [APIGeneration: any OrderBookSource],
        selector: GenerationSelector
    ) {
        self.streams = streams
        self.books = books
        self.selector = selector
    }

    /// The generations that have a stream.
    var generations: [APIGeneration] { streams.keys.sorted { $0.rawValue < $1.rawValue } }

    /// How the generations are used.
    var use: AsyncValue<GenerationUse> { selector.use }

    /// Connects to the stream of a generation; see ``MarketStreamSource``.
    func connect(
        to generation: APIGeneration
    ) async throws(DataSourceError) -> any MarketStream {
        try await selector.noting(generation, .stream) { () async throws(DataSourceError) in
            try await streams.source(generation).connect()
        }
    }

    /// Reads a book of a generation; see ``OrderBookSource``.
    func orderBook(
        symbol: String,
        of generation: APIGeneration
    ) async throws(DataSourceError) -> OrderBookDTO {
        try await selector.noting(generation, .books) { () async throws(DataSourceError) in
            try await books.source(generation).orderBook(symbol: symbol)
        }
    }
}

/// Reads past trades and candles of the primary generation.
public struct SelectedDetailSources: TradeHistorySource, CandleSource {
    private let trades: [APIGeneration: any TradeHistorySource]
    private let candles: [APIGeneration: any CandleSource]
    private let selector: GenerationSelector

    /// Makes sources; each needs one for each generation of the selector.
    public init(
        trades: [APIGeneration: any TradeHistorySource],
        candles: [APIGeneration: any CandleSource],
        selector: GenerationSelector
    ) {
        self.trades = trades
        self.candles = candles
        self.selector = selector
    }

    /// Reads trades of the primary generation; see ``TradeHistorySource``.
    public func trades(
        symbol: String,
        page: TradePage,
        count: Int
    ) async throws(DataSourceError) -> TradeHistoryDTO {
        let generation = selector.use.value.primary
        return try await selector.noting(generation, .rest) { () async throws(DataSourceError) in
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
        return try await selector.noting(generation, .rest) { () async throws(DataSourceError) in
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
        _ channel: GenerationChannel,
        _ call: () async throws(DataSourceError) -> Output
    ) async throws(DataSourceError) -> Output {
        do throws(DataSourceError) {
            let output = try await call()
            note(nil, of: generation, on: channel)
            return output
        } catch {
            if error.code != .cancelled { note(error, of: generation, on: channel) }
            throw error
        }
    }
}
