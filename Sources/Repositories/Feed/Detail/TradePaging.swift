import DataSourceContracts
import Domain

/// Decides which pages of a market's trades are read: a pure state machine.
///
/// Without a loss, the newest page alone. After a loss, pages backwards by cursor until one has a
/// trade older than the last one before the loss; at most ``pagesMax``. The exchange may begin a
/// page with the trade at the cursor or behind it, so rows are told apart by their ids. It does not
/// say whether a cursor crosses midnight, or what day a time of midnight selects. Where a cursor
/// brings nothing new, trades before the time of the oldest row are asked for by day and time, then
/// those before the midnight that precedes it, then those of the day that ended there; if that
/// brings nothing new either, the exchange has no more.
struct TradePaging: Sendable {
    /// The most pages of one reading: 5,000 trades.
    static let pagesMax = 10
    /// The trades of a page after a loss: as many as API 2.x returns.
    static let lossCount = 500
    /// How many days ago the exchange's oldest trades are.
    private static let daysMax = 7
    /// The trades of a page without a loss.
    static let newestCount = 100

    /// One page to read.
    struct Request: Sendable, Hashable {
        /// Where the page begins.
        var page: TradePage
        /// The number of trades.
        var count: Int
    }

    /// The page to read next; nil once all are read.
    private(set) var next: Request?
    /// Number of rows with an impossible number or time.
    private(set) var skippedCount = 0

    /// Ways to ask for trades older than a row, in the order in which they are tried.
    private enum Step: Int {
        case cursor, time, midnight, dayEnd
    }

    private let market: MarketID
    private let lastTrade: Timestamp?
    /// The exchange's day, as of ``SeoulTime/day``.
    private let today: Int
    private var step = Step.cursor
    /// Whether the cursor has found nothing more.
    private var isCursorSpent = false
    /// The oldest row so far.
    private var oldest: (id: Int64, at: Timestamp)?
    private var resolution = TradeHistory.Resolution.second
    /// Newest first in milliseconds, in the order of the wire in seconds.
    private var rows: [TradeHistory.Row] = []
    private var ids: Set<Int64> = []
    private var pageCount = 0
    private var beginning = TradeHistory.Beginning.asRequested

    /// Begins with the newest trades.
    ///
    /// - Parameters:
    ///   - market: the market.
    ///   - lastTrade: the time of the last trade before a loss; nil without one.
    ///   - today: the exchange's day, as of ``SeoulTime/day``.
    init(_ market: MarketID, after lastTrade: Timestamp?, today: Int) {
        self.market = market
        self.lastTrade = lastTrade
        self.today = today
        let count = lastTrade == nil ? Self.newestCount : Self.lossCount
        next = Request(page: .newest, count: count)
    }

    /// Applies the page that ``next`` asked for.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - limit: the latest plausible time; nil for no limit.
    mutating func apply(_ page: TradeHistoryDTO, notAfter limit: Timestamp?) {
        guard let request = next else { return }
        next = nil
        pageCount += 1
        if page.isPaged {
            applyPaged(page, notAfter: limit)
        } else if pageCount == 1 {
            applyNewest(page, asked: request.count, notAfter: limit)
        } else {
            // API 1.x took over, which has no pages.
            beginning = .short(.onePage)
        }
    }

    /// Makes a history of the trades so far.
    ///
    /// - Parameter requestedAt: when the first page was requested, in exchange time.
    /// - Returns: the history.
    func history(requestedAt: Timestamp) -> TradeHistory {
        TradeHistory(
            market: market,
            resolution: resolution,
            rows: rows,
            beginning: beginning,
            requestedAt: requestedAt
        )
    }

    private mutating func applyNewest(
        _ page: TradeHistoryDTO,
        asked: Int,
        notAfter limit: Timestamp?
    ) {
        rows = page.trades.compactMap {
            TradeHistoryMapping.row($0, in: resolution, notAfter: limit)
        }
        skippedCount = page.skippedCount + page.trades.count - rows.count
        let oldest = rows.map(\.at).min()
        if page.trades.count + page.skippedCount < min(asked, Self.newestCount) {
            beginning = .firstTrade
        } else if let lastTrade, oldest.map({ $0 >= resolution.start(of: lastTrade) }) ?? true {
            beginning = .short(.onePage)
        }
    }

    private mutating func applyPaged(_ page: TradeHistoryDTO, notAfter limit: Timestamp?) {
        resolution = .millisecond
        var new: [(id: Int64, row: TradeHistory.Row)] = []
        var skipped = page.skippedCount
        for trade in page.trades {
            let row = TradeHistoryMapping.row(trade, in: resolution, notAfter: limit)
            guard let row, let id = trade.sequentialID else {
                skipped += 1
                continue
            }
            if ids.insert(id).inserted { new.append((id, row)) }
        }
        skippedCount += skipped
        guard let lastTrade else {
            rows = new.map(\.row)
            return
        }
        // The rows of a page with a hole do not follow each other.
        guard skipped == 0 else {
            beginning = .short(.unreadable)
            return
        }
        guard new.isEmpty || continues(with: new.map(\.row.at), of: page) else {
            beginning = .short(.notServed)
            return
        }
        rows += new.map(\.row)
        if let oldest = new.min(by: { $0.id < $1.id }) {
            self.oldest = (oldest.id, oldest.row.at)
            if TradeHistory.hasAll(after: lastTrade, from: oldest.row.at) { return }
            step = isCursorSpent ? .time : .cursor
        } else if page.trades.count < Self.lossCount {
            isCursorSpent = true
            guard let further = Step(rawValue: step.rawValue + 1) else { return endServed() }
            step = further
        } else {
            beginning = .short(.notServed)
            return
        }
        if pageCount == Self.pagesMax {
            beginning = .short(.tooLong)
        } else {
            requestOlder()
        }
    }

    /// Whether no trade is missing between the rows so far and new rows, which are older.
    private func continues(with times: [Timestamp], of page: TradeHistoryDTO) -> Bool {
        switch step {
        // A page of midnight ends where the day of the oldest row begins.
        case .cursor, .midnight: return true
        // A page of a time begins with trades that are known.
        case .time: return times.count < page.trades.count
        case .dayEnd:
            // The exchange may leave out the second that it is asked for.
            guard let oldest else { return false }
            let midnight = SeoulTime.startOfDay(SeoulTime(oldest.at).day)
            let lastSecond = midnight.advanced(by: .seconds(-1))
            return times.contains { $0 >= lastSecond && $0 < midnight }
        }
    }

    /// Ends the reading where the exchange serves no older trade.
    ///
    /// All is read if the oldest row is the last trade before the loss, as the first trade of a
    /// market may be.
    private mutating func endServed() {
        let isReached =
            if let oldest, let lastTrade {
                TradeHistory.begins(with: lastTrade, from: oldest.at)
            } else { false }
        beginning = isReached ? .oldestServed : .short(.notServed)
    }

    /// Asks for trades older than the oldest row, by the current step.
    private mutating func requestOlder() {
        guard let oldest else { return endServed() }
        let day = SeoulTime(oldest.at).day
        let page: TradePage? =
            switch step {
            case .cursor: .cursor(oldest.id)
            case .time:
                // Other trades of the same second may be missing.
                dayPage(before: Timestamp(milliseconds: (oldest.at.second + 1) * 1_000))
            case .midnight: dayPage(before: SeoulTime.startOfDay(day))
            case .dayEnd: dayPage(before: SeoulTime.startOfDay(day).advanced(by: .seconds(-1)))
            }
        if let page {
            next = Request(page: page, count: Self.lossCount)
        } else {
            endServed()
        }
    }

    /// The page of trades before a moment; nil if the exchange keeps none of that day.
    private func dayPage(before moment: Timestamp) -> TradePage? {
        let time = SeoulTime(moment)
        let daysAgo = today - time.day
        guard (0...Self.daysMax).contains(daysAgo) else { return nil }
        let text = [time.clock.hour, time.clock.minute, time.clock.second]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }
        return .day(daysAgo: daysAgo, before: text.joined())
    }
}
