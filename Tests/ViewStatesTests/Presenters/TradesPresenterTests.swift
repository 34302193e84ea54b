import Domain
import ViewStates
import TestSupport
import Testing

@Suite("Trades are newest first, in pages without losses or duplicates")
struct TradesPresenterTests {
    private static let market: MarketID = "XRP_KRW"

    @Test("a row has time, price, quantity, amount, side and tick direction")
    func row() throws {
        var sample = SampleBoard.live()
        sample.wait(.milliseconds(1))
        sample.trade(Self.market, "743.5", "0.0012", .buy)
        sample.wait(.microseconds(2))
        sample.trade(Self.market, "743", "1000", .sell)
        let rows = Self.present(&sample).rows
        #expect(rows.count == 2)
        let newest = try #require(rows.first)
        #expect(newest.id == "1795176190001002.0")
        #expect(newest.at == SampleBoard.start.advanced(by: .microseconds(1_002)))
        #expect(newest.timeText == "21:03:10")
        #expect(newest.price == "743" && newest.priceText == "743.0")
        #expect(newest.quantity == "1000" && newest.quantityText == "1,000.0000")
        #expect(newest.amount == "743000" && newest.amountText == "743,000")
        #expect(newest.side == .sell && newest.tickDirection == .down)
        let oldest = try #require(rows.last)
        #expect(oldest.side == .buy && oldest.tickDirection == nil)
        // 0.8922 won are less than one.
        #expect(oldest.amount == "0" && oldest.amountText == "0")
    }

    @Test("health says which lost span was read again, or why it could not be")
    func repair() throws {
        var sample = SampleBoard.live()
        sample.open(Self.market, .trades)
        sample.wait(.seconds(1))
        sample.trade(Self.market, "743", "1", .buy)
        let (from, price) = (sample.now, "743" as FixedDecimal)
        func history(
            _ times: [Timestamp],
            _ beginning: TradeHistory.Beginning = .asRequested
        ) -> DetailEvent {
            let rows = times.map { at in
                TradeHistory.Row(at: at, price: price, quantity: .one, side: .buy)
            }
            return .tradeHistory(
                TradeHistory(
                    market: Self.market,
                    resolution: .millisecond,
                    rows: rows,
                    beginning: beginning
                )
            )
        }
        func lose() -> Timestamp {
            let failure = FeedFailure(code: .disconnected, detail: "gone", isRetryable: true)
            let retry = FeedEvent.reconnecting(attempt: 1, nextRetryAt: from, failure: failure)
            sample.apply(.feed(retry))
            sample.apply(.feed(.subscribed))
            sample.wait(.seconds(30))
            sample.trade(Self.market, price, "1", .buy)
            return sample.now
        }
        #expect(Self.present(&sample).health.repair == nil)
        let to = lose()
        #expect(!Self.present(&sample).gaps.isEmpty)
        let lost = to.advanced(by: .seconds(-5))
        sample.applyDetails(history([from.advanced(by: .seconds(-1)), from, lost, to]))
        let repaired = Self.present(&sample)
        #expect(repaired.health.repair == RepairViewState(from: from, to: to, failure: nil))
        #expect(repaired.gaps.isEmpty && repaired.health.complete)
        #expect(repaired.rows.map(\.at) == [to, lost, from, from.advanced(by: .seconds(-1))])

        let end = lose()
        sample.applyDetails(history([end], .short(.tooLong)))
        let gap = Self.present(&sample)
        #expect(gap.health.repair == RepairViewState(from: to, to: end, failure: .tooLong))
        #expect(gap.gaps == [GapViewState(from: to, to: end, reason: .missing)])
        #expect(!gap.health.complete)
    }

    @Test(
        "amounts are truncated to whole won or to eight decimals of bitcoin",
        arguments: [
            ("BTC_KRW", "143210000", "0.0012", "171852", "171,852"),
            ("BTC_KRW", "143210000", "0.00001234", "1767", "1,767"),
            ("BTC_KRW", "999", "1.9999", "1997", "1,997"),
            ("ETH_BTC", "0.0315", "1.5", "0.04725", "0.04725000"),
            ("ETH_BTC", "0.03149999", "0.00012345", "0.00000388", "0.00000388"),
        ] as [(MarketID, String, String, String, String)]
    )
    func amount(
        market: MarketID,
        price: String,
        quantity: String,
        amount: String,
        text: String
    ) {
        var sample = SampleBoard.live()
        sample.wait(.seconds(1))
        sample.trade(market, .init(stringLiteral: price), .init(stringLiteral: quantity), .buy)
        let row = Self.present(&sample, market).rows.first
        #expect(row?.amount == .init(stringLiteral: amount) && row?.amountText == text)
    }

    @Test("an amount that overflows saturates at the largest number")
    func overflow() {
        var sample = SampleBoard.live()
        sample.wait(.seconds(1))
        sample.trade(Self.market, FixedDecimal(.max), FixedDecimal(.max), .buy)
        #expect(Self.present(&sample).rows.first?.amount == FixedDecimal(units: .max))
    }

    @Test("pages of any length add up to the whole tape, backwards and forwards")
    func pages() throws {
        var sample = SampleBoard.live()
        var generator = SeededGenerator(seed: 41)
        for number in 0..<120 {
            // Some trades share a microsecond.
            if Bool.random(using: &generator) { sample.wait(.microseconds(1)) }
            sample.trade(Self.market, FixedDecimal(Int64(700 + number % 5)), .one, .buy)
        }
        let all = Self.present(&sample) { $0.tradeLimit = 500 }.rows
        #expect(all.count == 120 && Set(all.map(\.id)).count == 120)
        for limit in [1, 7, 60, 119, 120, 200] {
            var rows = Self.present(&sample) { $0.tradeLimit = limit }.rows
            while rows.count <= all.count {
                let last = try #require(TradeID(text: rows.last?.id ?? ""))
                let page = Self.present(&sample) {
                    $0.tradeLimit = limit
                    $0.trades = .before(last)
                }.rows
                #expect(page.count <= limit)
                if page.isEmpty { break }
                rows += page
            }
            #expect(rows == all, "\(limit)")
        }
        for place in [0, 1, 60, 119] {
            let id = try #require(TradeID(text: all[place].id))
            let newer = Self.present(&sample) {
                $0.tradeLimit = 500
                $0.trades = .since(id)
            }.rows
            #expect(newer == Array(all[..<place]))
        }
    }

    @Test("a cursor that is not on the tape has an empty page")
    func unknownCursor() {
        var sample = SampleBoard.live()
        sample.trade(Self.market, at: "743")
        let id = TradeID(at: .noon(), sequence: 0)
        for selection in [MarketDetailQuery.TradeSelection.since(id), .before(id)] {
            #expect(Self.present(&sample) { $0.trades = selection }.rows.isEmpty)
        }
    }

    @Test("health has the stream's state and the newest trade's time, and does not age by itself")
    func health() {
        var sample = SampleBoard.live()
        sample.open(Self.market, .trades)
        #expect(Self.present(&sample).health.phase == .loading)
        sample.joinTrades(Self.market)
        var health = Self.present(&sample).health
        #expect(health.phase == .ready && health.complete && health.at == nil)
        sample.wait(.milliseconds(1))
        let tradedAt = sample.now
        sample.trade(Self.market, at: "743")
        sample.wait(.seconds(3_600))
        health = Self.present(&sample).health
        #expect(health.phase == .ready && health.at == tradedAt && health.staleAfter == nil)
        #expect(health.origin == .stream && health.complete && health.error == nil)
        sample.apply(.feed(.stale))
        health = Self.present(&sample).health
        #expect(health.phase == .stale && health.error?.code == "silent")
        sample.apply(
            .feed(.reconnecting(attempt: 2, nextRetryAt: sample.now, failure: .sample))
        )
        health = Self.present(&sample) { $0.messageLanguage = .english }.health
        #expect(health.phase == .stale && !health.complete)
        #expect(health.error?.code == "reconnecting")
        #expect(health.error?.message == "reconnecting (attempt 2): the request timed out")
        sample.apply(.feed(.ended))
        health = Self.present(&sample).health
        #expect(health.phase == .ended && health.error == nil)
    }

    @Test("trades whose request failed are failed until a trade arrives")
    func failed() {
        var sample = SampleBoard.live()
        sample.open(Self.market, .trades)
        let interest = DetailInterest(market: Self.market, facet: .trades)
        let retryAt = sample.now.advanced(by: .seconds(5))
        sample.applyDetails(.feed(.failed(interest, .sample, nextRetryAt: retryAt)))
        var health = Self.present(&sample).health
        #expect(health.phase == .failed && health.error?.code == "timed_out")
        #expect(health.error?.nextRetryAt == retryAt)
        sample.trade(Self.market, at: "743")
        health = Self.present(&sample).health
        #expect(health.phase == .ready && !health.complete && health.error != nil)
    }

    @Test("time in which trades may be missing is a gap")
    func gap() throws {
        var sample = SampleBoard.live()
        sample.joinTrades(Self.market)
        sample.trade(Self.market, at: "743")
        let lostAt = sample.now
        sample.apply(
            .feed(.reconnecting(attempt: 1, nextRetryAt: sample.now, failure: .sample))
        )
        sample.wait(.seconds(9))
        sample.apply(.feed(.subscribed), .feed(.live))
        sample.trade(Self.market, at: "744")
        let trades = Self.present(&sample)
        let gap = try #require(trades.gaps.first)
        #expect(gap.from <= lostAt && gap.to == sample.now && gap.reason == .missing)
        #expect(!trades.health.complete && trades.rows.count == 2)
    }

    private static func present(
        _ sample: inout SampleBoard,
        _ market: MarketID = market,
        _ change: (inout MarketDetailQuery) -> Void = { _ in }
    ) -> TradesViewState {
        var query = MarketDetailQuery(market: market)
        change(&query)
        return MarketDetailPresenter(names: .sample).trades(sample.snapshot(), query)
    }
}
