import ViewStates
import TestSupport
import Testing

@testable import Domain

@Suite("A market's header has the values of its list row and the figures of its day")
struct DetailHeaderPresenterTests {
    private let presenter = MarketDetailPresenter(names: .sample)

    @Test("price and change equal the market's row for every period")
    func row() throws {
        var sample = SampleBoard.live()
        let snapshot = sample.snapshot()
        for period in ChangePeriod.allCases {
            var listQuery = MarketListQuery()
            listQuery.quote = nil
            listQuery.period = period
            let list = MarketListPresenter(names: .sample).present(
                snapshot,
                query: listQuery,
                list: listQuery.listMarkets(
                    snapshot.board,
                    names: .sample,
                    now: snapshot.capturedAt
                ),
                ranks: PopularityRanks(snapshot.board, names: .sample, now: snapshot.capturedAt)
            )
            #expect(list.rows.count == 5)
            for row in list.rows {
                var query = MarketDetailQuery(market: try #require(MarketID(name: row.market)))
                query.period = period
                let header = presenter.header(snapshot, query)
                #expect(header.market == row.market && header.symbol == row.symbol)
                #expect(header.quote == row.quote && header.name == row.name)
                #expect(header.price == row.price && header.priceText == row.priceText)
                #expect(header.priceAt == row.priceAt && header.marks == row.marks)
                #expect(header.changePeriod == row.changePeriod)
                #expect(header.changeRatePercent == row.changeRatePercent)
                #expect(header.changeRateText == row.changeRateText)
                #expect(header.changeAmount == row.changeAmount)
                #expect(header.changeAmountText == row.changeAmountText)
                #expect(header.priceDirection == row.priceDirection)
                #expect(header.tickDirection == row.tickDirection)
                // A header counts no rows, and its own change alone has to be known.
                var health = list.health
                (health.known, health.of) = (nil, nil)
                let market = try #require(snapshot.board.market(query.market))
                health.complete = snapshot.board.isChangeKnown(
                    of: market,
                    over: period,
                    now: snapshot.capturedAt
                )
                #expect(header.health == health)
            }
        }
    }

    @Test("figures of the day and of 24 hours are separate")
    func figures() {
        var sample = SampleBoard.live()
        var entry = ListingEntry(
            "XRP_KRW",
            price: "743.5",
            previousClose: "740",
            volumeToday: "12.5",
            volume24h: "683.2219",
            tradeValue24h: "98123456789.5123"
        )
        entry.openToday = "741"
        entry.highToday = "750"
        entry.lowToday = "739"
        entry.tradeValueToday = "57912345678.1"
        sample.wait(.seconds(10))
        sample.list(.krw, [entry])
        let header = presenter.header(sample.snapshot(), MarketDetailQuery(market: "XRP_KRW"))
        #expect(header.today.open == "741" && header.today.high == "750")
        #expect(header.today.low == "739" && header.today.previousClose == "740")
        #expect(header.today.volume == "12.5" && header.today.tradeValue == "57912345678.1")
        #expect(header.rolling24h.volume == "683.2219")
        #expect(header.rolling24h.tradeValue == "98123456789.5123")
        #expect(header.deposit == nil && header.withdrawal == nil)
    }

    @Test("a header is complete once the base of its own period is known")
    func period() {
        var sample = SampleBoard.live()
        var query = MarketDetailQuery(market: "XRP_KRW")
        query.period = .hour1
        let unknown = presenter.header(sample.snapshot(), query)
        #expect(!unknown.health.complete && unknown.changePeriod == "1H")
        #expect(unknown.changeRatePercent == nil && unknown.changeAmount == nil)
        #expect(unknown.changeRateText == nil)
        #expect(unknown.rolling24h.changeRatePercent == "0")
        sample.closes(of: "XRP_KRW", [(.seconds(7_200), "700")])
        let known = presenter.header(sample.snapshot(), query)
        #expect(known.health.complete && known.changeRatePercent == "6.21")
        #expect(known.changeAmount == "43.5")
        #expect(known.health.known == nil && known.health.of == nil)
    }

    @Test("the rolling change is over 24 hours, whatever the period of the header")
    func rolling() {
        var sample = SampleBoard.live()
        var query = MarketDetailQuery(market: "BTC_KRW")
        query.period = .midnight
        let header = presenter.header(sample.snapshot(), query)
        #expect(header.rolling24h.changeRatePercent == "-1.34")
        #expect(header.changeRatePercent == "0" && header.changePeriod == "MID")
    }

    @Test("the price has its origin")
    func origin() {
        var sample = SampleBoard.live()
        #expect(origin(&sample, "XRP_KRW") == "listing")
        #expect(origin(&sample, "BTC_KRW") == "trade")
        #expect(origin(&sample, "NEW_KRW") == nil)
        sample.wait(.seconds(5))
        sample.apply(
            .ticker(TickerFrame("XRP_KRW", .hours24, at: sample.now, open: "740", close: "744"))
        )
        #expect(origin(&sample, "XRP_KRW") == "ticker")
    }

    @Test("the trade strength is the bought volume in percent of the sold volume")
    func strength() {
        var sample = SampleBoard.live()
        sample.wait(.seconds(5))
        var frame = TickerFrame("XRP_KRW", .hours24, at: sample.now, open: "740", close: "744")
        frame.buyVolume = "44.41644978"
        frame.sellVolume = "13.63083704"
        sample.apply(.ticker(frame))
        let query = MarketDetailQuery(market: "XRP_KRW")
        #expect(presenter.header(sample.snapshot(), query).tradeStrengthPercent == "325.85")
        sample.wait(.seconds(1))
        frame.at = sample.now
        frame.sellVolume = "0"
        sample.apply(.ticker(frame))
        #expect(presenter.header(sample.snapshot(), query).tradeStrengthPercent == nil)
    }

    @Test("a market that is not on the board has its names and no figures")
    func unknown() {
        let header = presenter.header(
            BoardSnapshot(board: MarketBoard(kind: .live), sequence: 1, capturedAt: .noon()),
            MarketDetailQuery(market: "BTC_KRW")
        )
        #expect(header.health.phase == .loading && header.name.ko == "비트코인")
        #expect(header.price == nil && header.priceOrigin == nil && header.sparkline == nil)
        #expect(header.today == .init() && header.rolling24h == .init())
    }

    @Test("a suspended market is marked and keeps its price")
    func suspended() {
        var sample = SampleBoard.live()
        sample.wait(.seconds(10))
        sample.list(.krw, [], suspended: ["XRP_KRW"])
        let header = presenter.header(sample.snapshot(), MarketDetailQuery(market: "XRP_KRW"))
        #expect(header.marks.state == .suspended && header.price == "743.5")
    }

    @Test(
        "the sparkline has the opening prices of at most ninety days, today included",
        arguments: [0, 1, 2, 89, 90, 91, 400]
    )
    func sparkline(days: Int) {
        var sample = SampleBoard.live()
        sample.open("XRP_KRW", .candles(.day1))
        #expect(line(&sample) == nil)
        let today = SeoulTime(sample.now).day
        let candles = (0..<days).reversed().map { age in
            let price = FixedDecimal(Int64(1_000 - age))
            return Candle(
                SeoulTime.startOfDay(today - age),
                open: price,
                high: "2000",
                low: "1",
                close: "5"
            )
        }
        sample.candles("XRP_KRW", .day1, candles)
        let line = line(&sample)
        guard days > 0 else { return #expect(line == nil) }
        let count = min(days, 90)
        #expect(line?.opens == candles.suffix(count).map(\.open))
        #expect(line?.to == "2026-11-20" && line?.complete == true)
        #expect(line?.from == (count == 90 ? "2026-08-23" : dates[count]))
    }

    @Test("the sparkline omits days without a trade and days older than ninety")
    func holes() {
        var sample = SampleBoard.live()
        sample.open("XRP_KRW", .candles(.day1))
        let today = SeoulTime(sample.now).day
        let candles = [91, 90, 89, 40, 3].map { age in
            let price = FixedDecimal(Int64(age))
            return Candle(
                SeoulTime.startOfDay(today - age),
                open: price,
                high: price,
                low: price,
                close: price
            )
        }
        sample.candles("XRP_KRW", .day1, candles)
        let line = line(&sample)
        #expect(line?.opens == ["89", "40", "3"])
        #expect(line?.from == "2026-08-23" && line?.to == "2026-11-17")
        sample.candles("XRP_KRW", .day1, Array(candles.prefix(2)))
    }

    @Test("the sparkline is incomplete while days may be missing")
    func incomplete() {
        var sample = SampleBoard.live()
        sample.open("XRP_KRW", .candles(.day1))
        let day = SeoulTime.startOfDay(SeoulTime(sample.now).day - 5)
        sample.candles(
            "XRP_KRW",
            .day1,
            [Candle(day, open: "1", high: "1", low: "1", close: "1")]
        )
        #expect(line(&sample)?.complete == true)
        sample.apply(
            .feed(.reconnecting(attempt: 1, nextRetryAt: sample.now, failure: .sample))
        )
        #expect(line(&sample)?.complete == false)
    }

    private let dates = [1: "2026-11-20", 2: "2026-11-19", 89: "2026-08-24"]

    private func line(_ sample: inout SampleBoard) -> SparklineViewState? {
        presenter.header(sample.snapshot(), MarketDetailQuery(market: "XRP_KRW")).sparkline
    }

    private func origin(_ sample: inout SampleBoard, _ market: MarketID) -> String? {
        presenter.header(sample.snapshot(), MarketDetailQuery(market: market)).priceOrigin
    }
}
