import DataSourceContracts
import Domain

/// The queue of values to write to the market data store, and the recently written values.
///
/// A plain value: it decides, and ``MarketArchive`` acts.
struct ArchiveQueue: Sendable {
    /// Maximum number of queued pages of candles.
    ///
    /// The oldest is dropped, because it can be read from the exchange again.
    static let pagesMax = 64
    /// Number of series whose written candles are remembered.
    ///
    /// The least recently written is evicted, and its next page is written completely.
    static let seriesMax = 64

    /// One value to write.
    enum Work: Sendable {
        /// Candles of one answer.
        case candles(StoredCandlesDTO)
        /// Last prices.
        case closes([StoredPriceDTO], feed: String)
        /// Names of coins.
        case names(StoredNamesDTO, feed: String)
        /// Warnings.
        case marks(StoredWarningsDTO, feed: String)
    }

    /// The written candles of a series.
    struct Written: Sendable, Hashable {
        /// A hash of the numbers of each candle, by open time.
        var rows: [Int64: Int] = [:]
        /// The span of the last page.
        var span: StoredCandlesDTO.Span
    }

    /// The feed of the data.
    private(set) var kind: FeedKind
    /// Whether the exchange has confirmed the feed; nothing is written before.
    private(set) var isCertain = false
    /// Number of dropped pages.
    private(set) var droppedPages = 0

    private var pages: [CandlePage] = []
    private var closes: [StoredPriceDTO]?
    private var names: StoredNamesDTO?
    private var marks: StoredWarningsDTO?
    private var written: [CandleSeriesDTO: Written] = [:]
    private var writtenOrder: [CandleSeriesDTO] = []
    private var given: Given?

    /// The value being written, until its outcome is known.
    private enum Given {
        case page(CandlePage, CandleSeriesDTO, Written?)
        case closes([StoredPriceDTO])
        case names(StoredNamesDTO)
        case marks(StoredWarningsDTO)
    }

    init(expecting kind: FeedKind) { self.kind = kind }

    /// Number of queued pages.
    var waitingPages: Int { pages.count }

    /// Sets the feed according to the exchange, and discards data of another one.
    mutating func identify(_ kind: FeedKind) {
        if isCertain, kind != self.kind {
            pages = []
            (closes, names, marks) = (nil, nil, nil)
        }
        self.kind = kind
        isCertain = true
    }

    /// Queues a page of the exchange.
    ///
    /// The newest candles replace queued ones of the same series that do not reach farther back. A
    /// page without a candle tells of its span that nobody traded.
    mutating func add(_ page: CandlePage) {
        guard page.interval == page.interval.served,
            let start = page.spans.first?.lowerBound ?? page.candles.first?.openTime,
            page.candles.isEmpty || page.candles.contains(where: { $0.origin != .store })
        else { return }
        pages.removeAll { waiting in
            waiting.spans == page.spans && waiting.market == page.market
                && waiting.interval == page.interval
                && waiting.requestedAt <= page.requestedAt
                && waiting.candles.first.map { $0.openTime >= start } ?? true
        }
        if pages.count >= Self.pagesMax {
            pages.removeFirst()
            droppedPages += 1
        }
        pages.append(page)
    }

    /// Replaces queued last prices.
    mutating func add(closes: [StoredPriceDTO]) {
        if !closes.isEmpty { self.closes = closes }
    }

    /// Replaces queued names.
    mutating func add(names: StoredNamesDTO) { self.names = names }

    /// Replaces queued warnings.
    mutating func add(marks: StoredWarningsDTO) { self.marks = marks }

    /// Returns the next value to write.
    ///
    /// - Parameter now: the local wall clock; candles beyond their retention are left out.
    /// - Returns: nil if there is none.
    mutating func next(now: Timestamp) -> Work? {
        guard isCertain else { return nil }
        guard kind != .replay else {
            // A recording may be of any year, and its prices are not the last ones.
            pages = []
            (closes, names, marks) = (nil, nil, nil)
            return nil
        }
        let feed = kind.rawValue
        if let closes {
            self.closes = nil
            given = .closes(closes)
            return .closes(closes, feed: feed)
        }
        if let names {
            self.names = nil
            given = .names(names)
            return .names(names, feed: feed)
        }
        if let marks {
            self.marks = nil
            given = .marks(marks)
            return .marks(marks, feed: feed)
        }
        while !pages.isEmpty {
            let page = pages.removeFirst()
            if let work = work(page, feed, now) { return work }
        }
        return nil
    }

    /// Records that the value was written.
    mutating func succeeded() {
        if case .page(_, let series, let rows?) = given {
            writtenOrder.removeAll { $0 == series }
            writtenOrder.append(series)
            written[series] = rows
            if writtenOrder.count > Self.seriesMax {
                written[writtenOrder.removeFirst()] = nil
            }
        }
        given = nil
    }

    /// Records that another process writes the value.
    mutating func discarded() { given = nil }

    /// Records that the value could not be written.
    ///
    /// - Parameter mayRetry: whether it is returned again, after newer ones.
    mutating func failed(mayRetry: Bool) {
        defer { given = nil }
        switch given {
        case .page(let page, _, _):
            if mayRetry, pages.count < Self.pagesMax {
                pages.insert(page, at: 0)
            } else {
                droppedPages += 1
            }
        case .closes(let closes): if mayRetry, self.closes == nil { self.closes = closes }
        case .names(let names): if mayRetry, self.names == nil { self.names = names }
        case .marks(let marks): if mayRetry, self.marks == nil { self.marks = marks }
        case nil: break
        }
    }

    /// The unwritten part of a page; nil if there is none.
    private mutating func work(_ page: CandlePage, _ feed: String, _ now: Timestamp) -> Work? {
        let oldest = page.interval.retentionPeriod.map { now.advanced(by: .zero - $0) }
        guard let (rows, span) = StoredCandleMapping.rows(page, since: oldest) else { return nil }
        let series = CandleSeriesDTO(
            feed: feed,
            market: page.market.name,
            interval: page.interval.rawValue
        )
        let before = written[series]
        var after = Written(span: span)
        var changed: [StoredCandlesDTO.Row] = []
        for row in rows {
            let hash = row.numbersHash
            after.rows[row.openTime] = hash
            if before?.rows[row.openTime] != hash { changed.append(row) }
        }
        if changed.isEmpty, before?.span == span { return nil }
        // Past candles are written once; what is remembered is the newest page.
        given = .page(page, series, page.spans.isEmpty ? after : nil)
        return .candles(StoredCandlesDTO(series: series, rows: changed, spans: [span]))
    }
}

extension StoredCandlesDTO.Row {
    /// A hash of the five numbers.
    fileprivate var numbersHash: Int {
        var hasher = Hasher()
        for text in [open, high, low, close, volume] { hasher.combine(text) }
        return hasher.finalize()
    }
}
