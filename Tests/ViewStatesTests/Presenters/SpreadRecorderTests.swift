import Domain
import TestSupport
import Testing
import ViewStates

@Suite("The spread of the books on the screen")
struct SpreadRecorderTests {
    private static let market: MarketID = "DOGE_KRW"

    /// A fresh book of two prices.
    private static func book(ask: FixedDecimal, bid: FixedDecimal) -> OrderBookViewState {
        var sample = SampleBoard.live()
        sample.open(market, .book)
        var book = MarketDetailPresenter(names: .sample)
            .orderBook(sample.snapshot(), MarketDetailQuery(market: market))
        book.health.phase = .ready
        book.best = .init(
            ask: .init(price: ask, quantity: .one),
            bid: .init(price: bid, quantity: .one)
        )
        return book
    }

    @Test("a spread is printed in basis points, finer below one")
    func text() {
        let texts: [(FixedDecimal, String)] = [
            ("0", "0.00bp"), ("0.001", "<0.01bp"), ("0.005", "0.01bp"), ("0.0698", "0.07bp"),
            ("0.994", "0.99bp"), ("0.996", "1.0bp"), ("1", "1.0bp"), ("12.34", "12.3bp"),
            ("12.35", "12.4bp"), ("1234.56", "1,234.6bp"), ("-0.5", "-0.50bp"),
        ]
        for (points, text) in texts { #expect(NumberText.basisPoints(points) == text) }
    }

    @Test("the hour has mean, range and length, and says where the spread went")
    func hour() {
        let recorder = SpreadRecorder()
        func record(_ seconds: Int, wide: Bool) -> SpreadHourViewState? {
            let book = Self.book(ask: wide ? "10020" : "10010", bid: wide ? "9980" : "9990")
            return recorder.record(book, of: Self.market, at: .noon(seconds))
        }
        #expect(record(0, wide: true) == nil)
        #expect(record(1, wide: true)?.meanText == nil, "less than a minute is known")
        for second in 2..<120 { _ = record(second, wide: true) }
        let hour = record(120, wide: false)
        #expect(hour?.minutes == ["40", "40", nil], "nothing is known yet of the running one")
        #expect(hour?.minutesKnown == 2)
        #expect(hour?.rangeText == "40.0bp")
        #expect(hour?.meanText == "40.0bp")
        #expect(hour?.trend == .down)
        for second in 121..<240 { _ = record(second, wide: false) }
        let wider = record(240, wide: true)
        #expect(wider?.minutes == ["40", "40", "20", "20", nil])
        #expect(wider?.rangeText == "20.0–40.0bp")
        #expect(wider?.meanText == "30.0bp")
        #expect(wider?.trend == .up)
    }

    @Test("an hour that is known but for its running minute counts as whole")
    func whole() {
        let recorder = SpreadRecorder()
        let book = Self.book(ask: "10010", bid: "9990")
        var last: SpreadHourViewState?
        for second in 0...(59 * 60) {
            last = recorder.record(book, of: Self.market, at: .noon(second))
        }
        #expect(last?.minutesKnown == 60)
        #expect(last?.trend == .flat)
    }

    @Test("a stale book and one whose sides cross leave a gap")
    func gaps() {
        let recorder = SpreadRecorder()
        let fresh = Self.book(ask: "10010", bid: "9990")
        var stale = fresh
        stale.health.phase = .stale
        var crossed = fresh
        crossed.crossed = true
        var empty = fresh
        empty.best.bid = nil
        var minute = 0
        for gap in [stale, crossed, empty] {
            for second in 0..<120 {
                let book = second < 60 ? fresh : gap
                _ = recorder.record(book, of: Self.market, at: .noon(minute * 60 + second))
            }
            minute += 2
        }
        let hour = recorder.record(fresh, of: Self.market, at: .noon(360))
        #expect(hour?.minutes == ["20", nil, "20", nil, "20", nil, nil])
    }
}
