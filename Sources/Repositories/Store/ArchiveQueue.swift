import DataSourceContracts
import Domain

/// What waits to be written into the store of market data, and what was written of late.
///
/// A plain value: it decides, ``MarketArchive`` does.
struct ArchiveQueue: Sendable {
    /// How many pages of candles wait at the most; the oldest is given up, because it can be read
    /// from the exchange again.
    static let pagesMax = 64
    /// Of how many series is remembered what was written of them; the one not written for longest
    /// is forgotten, and its next page is written whole.
    static let seriesMax = 64

    /// One thing to write.
    enum Work: Sendable {
        /// Candles of one reading, with what is to be remembered of them.
        case candles(StoredCandlesDTO, Written)
        /// Last prices.
        case closes([StoredPriceDTO], feed: String)
        /// Names of coins.
        case names(StoredNamesDTO, feed: String)
        /// Warnings.
        case marks(StoredWarningsDTO, feed: String)
    }

    /// What the store was told of a series.
    struct Written: Sendable, Hashable {
        /// A hash of the numbers of each candle, by open time.
        var rows: [Int64: Int] = [:]
        /// The span of the last page.
        var span: StoredCandlesDTO.Span
    }

    /// The feed that the data are of.
    private(set) var kind: FeedKind
    /// Whether the exchange itself said so: nothing is written before.
    private(set) var isCertain = false
    /// How many pages were given up.
    private(set) var droppedPages = 0

    private var pages: [CandlePage] = []
    private var closes: [StoredPriceDTO]?
    private var names: StoredNamesDTO?
    private var marks: StoredWarningsDTO?
    private var written: [CandleSeriesDTO: Written] = [:]
    private var writtenOrder: [CandleSeriesDTO] = []
    private var given: Given?

    /// What was handed out last, until it is known how that went.
    private enum Given {
        case page(CandlePage, CandleSeriesDTO, Written)
        case closes([StoredPriceDTO])
        case names(StoredNamesDTO)
        case marks(StoredWarningsDTO)
    }

    init(expecting kind: FeedKind) { self.kind = kind }

    /// How many pages wait.
    var waitingPages: Int { pages.count }

    /// Takes what the exchange says it is; what was gathered of another one is given up.
    mutating func identify(_ kind: FeedKind) {
        if isCertain, kind != self.kind {
            pages = []
            (closes, names, marks) = (nil, nil, nil)
        }
        self.kind = kind
        isCertain = true
    }

    /// Takes a page of the exchange; a waiting one of the same series that it reaches as far back
    /// as is not needed any more.
    mutating func add(_ page: CandlePage) {
        guard page.interval == page.interval.served, let first = page.candles.first,
            page.candles.contains(where: { $0.origin != .store })
        else { return }
        pages.removeAll { waiting in
            waiting.market == page.market && waiting.interval == page.interval
                && waiting.requestedAt <= page.requestedAt
                && waiting.candles.first.map { $0.openTime >= first.openTime } ?? true
        }
        if pages.count >= Self.pagesMax {
            pages.removeFirst()
            droppedPages += 1
        }
        pages.append(page)
    }

    /// Takes the newest last prices instead of those that wait.
    mutating func add(closes: [StoredPriceDTO]) {
        if !closes.isEmpty { self.closes = closes }
    }

    /// Takes the newest names instead of those that wait.
    mutating func add(names: StoredNamesDTO) { self.names = names }

    /// Takes the newest warnings instead of those that wait.
    mutating func add(marks: StoredWarningsDTO) { self.marks = marks }

    /// Hands out the next thing to write.
    ///
    /// - Parameter now: the local wall clock: candles too old to be kept are left out.
    /// - Returns: nil while there is none.
    mutating func next(now: Timestamp) -> Work? {
        guard isCertain else { return nil }
        guard kind != .replay else {
            // A recording may be of any year, and its prices are nobody's last ones.
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

    /// Notes that what was handed out last is written.
    mutating func succeeded() {
        if case .page(_, let series, let rows) = given {
            writtenOrder.removeAll { $0 == series }
            writtenOrder.append(series)
            written[series] = rows
            if writtenOrder.count > Self.seriesMax {
                written[writtenOrder.removeFirst()] = nil
            }
        }
        given = nil
    }

    /// Notes that what was handed out last is another's to write.
    mutating func letGo() { given = nil }

    /// Notes that what was handed out last could not be written.
    ///
    /// - Parameter mayRetry: whether it is to be handed out again; newer ones go before it.
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

    /// What of a page the store was not told yet; nil if that is nothing.
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
        var news: [StoredCandlesDTO.Row] = []
        for row in rows {
            let hash = row.numbersHash
            after.rows[row.openTime] = hash
            if before?.rows[row.openTime] != hash { news.append(row) }
        }
        if news.isEmpty, before?.span == span { return nil }
        given = .page(page, series, after)
        return .candles(StoredCandlesDTO(series: series, rows: news, spans: [span]), after)
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
