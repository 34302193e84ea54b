import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Pages of trades are read until one is older than the last known trade")
struct TradePagingTests {
    /// Trades of the first millisecond of each second, newest first, of API 2.x.
    private static func exchange(seconds: Int, perSecond count: Int = 1) -> TradeHistoryDTO {
        let start = Timestamp.noon().microseconds / 1_000
        let idsPerMillisecond: Int64 = 10_000
        let trades = (0..<seconds * count).reversed().map { number in
            let milliseconds = start + Int64(number / count) * 1_000
            return HistoricTradeDTO(
                atMilliseconds: milliseconds,
                takerBought: true,
                quantity: "1",
                price: "100",
                sequentialID: milliseconds * idsPerMillisecond + Int64(number % count)
            )
        }
        return TradeHistoryDTO(trades: trades, isPaged: true)
    }

    private static let today = SeoulTime(.noon()).day

    private static func read(
        _ exchange: TradeHistoryDTO,
        after lastTrade: Timestamp?,
        isInclusive: Bool = false
    ) -> (history: TradeHistory, pages: Int) {
        var paging = TradePaging("BTC_KRW", after: lastTrade, today: today)
        var count = 0
        while let page = paging.next {
            count += 1
            let answer = exchange.page(
                page.page,
                count: page.count,
                isInclusive: isInclusive
            )
            paging.apply(answer, notAfter: nil)
        }
        return (paging.history(requestedAt: .noon()), count)
    }

    @Test("without a loss one page is read")
    func newest() {
        let (history, pages) = Self.read(Self.exchange(seconds: 900), after: nil)
        #expect(pages == 1 && history.rows.count == TradePaging.newestCount)
        #expect(history.beginning == .asRequested && history.resolution == .millisecond)
    }

    @Test("a loss is read back to a trade before the last one", arguments: [false, true])
    func loss(isInclusive: Bool) {
        let exchange = Self.exchange(seconds: 2_000)
        let (history, pages) = Self.read(exchange, after: .noon(700), isInclusive: isInclusive)
        #expect(pages == 3 && history.beginning == .asRequested)
        #expect(
            history.rows.map(\.at) == ((2_000 - history.rows.count)..<2_000).map(Timestamp.noon)
        )
        // The row of the last trade itself proves nothing.
        let (_, more) = Self.read(exchange, after: .noon(1_500), isInclusive: isInclusive)
        #expect(more == 2)
    }

    @Test("a page that ends within a millisecond loses no trade of it", arguments: [false, true])
    func cutMillisecond(isInclusive: Bool) {
        let exchange = Self.exchange(seconds: 600, perSecond: 3)
        let (history, pages) = Self.read(exchange, after: .noon(200), isInclusive: isInclusive)
        #expect(pages == 3)
        let counts = Dictionary(grouping: history.rows, by: \.at).mapValues(\.count)
        for second in 200..<600 { #expect(counts[.noon(second)] == 3, "\(second)") }
    }

    @Test("a long loss ends at the bound, and one beyond the exchange's trades at their end")
    func bounds() {
        let long = Self.read(Self.exchange(seconds: 6_000), after: .noon(10))
        #expect(long.pages == TradePaging.pagesMax && long.history.rows.count == 5_000)
        #expect(long.history.beginning == .short(.tooLong))
        let short = Self.read(Self.exchange(seconds: 600), after: .noon(-10))
        // The cursor, the time, the midnight before it and the day before bring nothing more.
        #expect(short.pages == 6 && short.history.rows.count == 600)
        #expect(short.history.beginning == .short(.notServed))
    }

    @Test("a loss after a market's first trade is read back to that trade", arguments: [5, 600])
    func firstTrade(seconds: Int) {
        let (history, _) = Self.read(Self.exchange(seconds: seconds), after: .noon(0))
        #expect(history.beginning == .oldestServed && history.rows.count == seconds)
        let (late, _) = Self.read(Self.exchange(seconds: seconds), after: .noon(-1))
        #expect(late.beginning == .short(.notServed))
    }

    /// An exchange whose pages end at midnight in Seoul, of one trade every 100 s.
    private struct DayExchange {
        /// What a time of day selects.
        enum Times: CaseIterable {
            /// Trades before it; midnight selects the day before.
            case midnightOfDayBefore
            /// Trades of its own day before it, so that midnight selects none.
            case ownDay
            /// The same with those of the second itself.
            case ownDayAndSecond
        }

        let all: [HistoricTradeDTO]
        let today: Int
        /// Whether a cursor selects trades of today alone; else those of its own day.
        let isCursorOfToday: Bool
        let times: Times

        init(count: Int, isCursorOfToday: Bool, times: Times = .midnightOfDayBefore) {
            self.times = times
            // 50 trades after midnight, and one half a second before it.
            let newest = SeoulTime.startOfDay(SeoulTime(.noon()).day)
                .advanced(by: .milliseconds(4_999_500))
            today = SeoulTime(newest).day
            self.isCursorOfToday = isCursorOfToday
            all = (0..<count).map { number in
                let at = newest.advanced(by: .seconds(-100 * number)).microseconds / 1_000
                return HistoricTradeDTO(
                    atMilliseconds: at,
                    takerBought: true,
                    quantity: "1",
                    price: "100",
                    sequentialID: at * 10_000
                )
            }
        }

        private func day(_ trade: HistoricTradeDTO) -> Int {
            SeoulTime(Timestamp(milliseconds: trade.atMilliseconds)).day
        }

        func page(_ page: TradePage, count: Int) -> TradeHistoryDTO {
            let rows: [HistoricTradeDTO]
            switch page {
            case .newest: rows = all.filter { day($0) == today }
            case .cursor(let cursor):
                let own =
                    isCursorOfToday
                    ? today
                    : SeoulTime(
                        Timestamp(milliseconds: cursor / 10_000)
                    ).day
                rows = all.filter { $0.sequentialID ?? 0 < cursor && day($0) == own }
            case .day(let daysAgo, let time):
                let seconds =
                    (Int(time) ?? 0) / 10_000 * 3_600 + (Int(time) ?? 0) / 100 % 100 * 60
                    + (Int(time) ?? 0) % 100
                let end = SeoulTime.startOfDay(today - daysAgo)
                    .advanced(by: .seconds(times == .ownDayAndSecond ? seconds + 1 : seconds))
                let isDayBefore = seconds == 0 && times == .midnightOfDayBefore
                let own = isDayBefore ? today - daysAgo - 1 : today - daysAgo
                rows = all.filter {
                    day($0) == own && $0.atMilliseconds < end.microseconds / 1_000
                }
            }
            return TradeHistoryDTO(trades: Array(rows.prefix(count)), isPaged: true)
        }
    }

    @Test(
        "where a cursor ends at midnight, days and times go on",
        arguments: [false, true],
        [DayExchange.Times.midnightOfDayBefore, .ownDayAndSecond]
    )
    private func midnight(isCursorOfToday: Bool, times: DayExchange.Times) {
        let exchange = DayExchange(count: 2_000, isCursorOfToday: isCursorOfToday, times: times)
        let lastTrade = Timestamp(milliseconds: exchange.all[1_400].atMilliseconds)
        var paging = TradePaging("BTC_KRW", after: lastTrade, today: exchange.today)
        var count = 0
        while let page = paging.next {
            count += 1
            paging.apply(exchange.page(page.page, count: page.count), notAfter: nil)
        }
        let history = paging.history(requestedAt: .noon())
        #expect(history.beginning == .asRequested && count <= TradePaging.pagesMax)
        let ids = history.rows.reversed().map(\.at.microseconds)
        #expect(ids == exchange.all.prefix(ids.count).map { $0.atMilliseconds * 1_000 })
        #expect(ids.count > 1_400)
    }

    @Test("a day without its last second is no repair of a loss over midnight")
    func lastSecond() {
        let exchange = DayExchange(count: 200, isCursorOfToday: true, times: .ownDay)
        let lastTrade = Timestamp(milliseconds: exchange.all[100].atMilliseconds)
        var paging = TradePaging("BTC_KRW", after: lastTrade, today: exchange.today)
        while let page = paging.next {
            paging.apply(exchange.page(page.page, count: page.count), notAfter: nil)
        }
        let history = paging.history(requestedAt: .noon())
        #expect(history.beginning == .short(.notServed) && history.rows.count == 50)
    }

    @Test("a page of a time that does not join the trades before it is no repair")
    func apart() {
        let exchange = DayExchange(count: 300, isCursorOfToday: true)
        var paging = TradePaging("BTC_KRW", after: .noon(-1_000_000), today: exchange.today)
        paging.apply(exchange.page(.newest, count: 500), notAfter: nil)
        paging.apply(TradeHistoryDTO(trades: [], isPaged: true), notAfter: nil)
        guard case .day = paging.next?.page else {
            Issue.record("no page of a time")
            return
        }
        let older = TradeHistoryDTO(trades: Array(exchange.all.suffix(100)), isPaged: true)
        paging.apply(older, notAfter: nil)
        #expect(paging.next == nil)
        let history = paging.history(requestedAt: .noon())
        #expect(history.beginning == .short(.notServed) && history.rows.count < 100)
    }

    @Test("trades older than the exchange keeps are not asked for")
    func oldDays() {
        var paging = TradePaging("BTC_KRW", after: .noon(-1_000_000), today: 20_000)
        let exchange = Self.exchange(seconds: 10)
        paging.apply(exchange.page(.newest, count: 500), notAfter: nil)
        paging.apply(TradeHistoryDTO(trades: [], isPaged: true), notAfter: nil)
        #expect(paging.next == nil)
        #expect(paging.history(requestedAt: .noon()).beginning == .short(.notServed))
    }

    @Test("a page with an unreadable row and one of API 1.x end the reading")
    func holes() {
        let exchange = Self.exchange(seconds: 2_000)
        var paging = TradePaging("BTC_KRW", after: .noon(10), today: Self.today)
        paging.apply(exchange.page(.newest, count: 500), notAfter: nil)
        var other = paging
        let next = paging.next?.page ?? .newest
        var broken = exchange.page(next, count: 500)
        broken.trades[7].sequentialID = nil
        paging.apply(broken, notAfter: nil)
        #expect(paging.next == nil && paging.skippedCount == 1)
        let history = paging.history(requestedAt: .noon())
        #expect(history.beginning == .short(.unreadable) && history.rows.count == 500)
        other.apply(TradeHistoryDTO(trades: []), notAfter: nil)
        #expect(other.next == nil)
        #expect(other.history(requestedAt: .noon()).beginning == .short(.onePage))
    }
}
