import Domain
import ViewStates
import TestSupport
import Testing

@Suite("The exchange's warnings are in rows and headers while they are in force")
struct MarketWarningsTests {
    private static let ending = MarketAlert(
        type: "PRICE_SUDDEN_FLUCTUATION",
        step: "CAUTION",
        endsAt: SampleBoard.start.advanced(by: .seconds(10))
    )
    private static let lasting = MarketAlert(type: "GLOBAL_PRICE", step: nil, endsAt: nil)

    @Test("before the first response a warning is unknown, afterwards it is true or false")
    func investmentWarning() throws {
        var sample = SampleBoard.live()
        #expect(try row("XRP_KRW", &sample).marks.investmentWarning == nil)
        sample.marks(warned: ["XRP_KRW"])
        let warned = try row("XRP_KRW", &sample)
        #expect(warned.marks.investmentWarning == true)
        #expect(warned.spokenText.hasSuffix("거래금액 999,999원, 유의"))
        #expect(try row("BTC_KRW", &sample).marks.investmentWarning == false)
        #expect(
            try row("XRP_KRW", &sample, .english).spokenText.hasSuffix(", investment warning")
        )
    }

    @Test("alerts are listed with step and end until they expire")
    func alerts() throws {
        var sample = SampleBoard.live()
        sample.marks(alerts: ["BTC_KRW": [Self.ending, Self.lasting], "XRP_KRW": [Self.ending]])
        let all: [MarksViewState.Alert] = [
            .init(type: "PRICE_SUDDEN_FLUCTUATION", step: "CAUTION", endsAt: Self.ending.endsAt),
            .init(type: "GLOBAL_PRICE", step: nil, endsAt: nil),
        ]
        #expect(try row("BTC_KRW", &sample).marks.alerts == all)
        sample.wait(.milliseconds(9_999))
        #expect(try row("BTC_KRW", &sample).marks.alerts == all)
        sample.wait(.milliseconds(1))
        #expect(try row("BTC_KRW", &sample).marks.alerts == [all[1]])
        #expect(try row("XRP_KRW", &sample).marks.alerts.isEmpty)
    }

    @Test("a header has the row's marks, the exchange's names and fresh transfer states")
    func header() throws {
        var sample = SampleBoard.live()
        sample.marks(warned: ["XRP_KRW"], alerts: ["XRP_KRW": [Self.lasting]])
        sample.transfers(["XRP": (true, nil)])
        let names = CoinNames(["XRP": .init(symbol: "XRP", korean: "새이름", english: "New")])
        sample.applyReference(.names(names))
        var header = header("XRP_KRW", &sample)
        #expect(try header.marks == row("XRP_KRW", &sample).marks)
        #expect(header.name == .init(ko: "새이름", en: "New"))
        #expect(header.deposit == .normal && header.withdrawal == nil)
        sample.wait(.seconds(120))
        header = self.header("XRP_KRW", &sample)
        #expect(header.deposit == nil)
        #expect(self.header("BTC_KRW", &sample).deposit == nil)
    }

    @Test("an unlisted market is suspended in its header")
    func gone() {
        var sample = SampleBoard()
        sample.marks(warned: ["GONE_KRW"])
        #expect(header("GONE_KRW", &sample).marks.state == .trading)
        sample.list(.krw, [.sample("BTC_KRW", price: "1", tradeValue: nil, nil)])
        let header = header("GONE_KRW", &sample)
        #expect(header.marks.state == .suspended && header.marks.investmentWarning == true)
    }

    private func row(
        _ market: MarketID,
        _ sample: inout SampleBoard,
        _ language: Language = .korean
    ) throws -> MarketRowViewState {
        var query = MarketListQuery()
        query.language = language
        let snapshot = sample.snapshot()
        let list = MarketListPresenter(names: .sample).present(
            snapshot,
            query: query,
            list: query.listMarkets(snapshot.board, names: .sample, now: snapshot.capturedAt),
            ranks: PopularityRanks(snapshot.board, names: .sample, now: snapshot.capturedAt)
        )
        return try #require(list.rows.first { $0.market == market.name })
    }

    private func header(
        _ market: MarketID,
        _ sample: inout SampleBoard
    ) -> DetailHeaderViewState {
        MarketDetailPresenter(names: .sample)
            .header(sample.snapshot(), MarketDetailQuery(market: market))
    }
}
