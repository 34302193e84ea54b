import TestSupport
import Testing

@testable import Domain

@Suite("A new stream that is slow, and what REST has told before its first trade")
struct SlowSubscriptionTests {
    private let coin: MarketID = "XRP_KRW"
    private var trades: DetailInterest { DetailInterest(market: coin, facet: .trades) }

    @Test("what REST has of a slow new stream is complete, and the stream repeats it")
    func milliseconds() {
        var board = board(.millisecond)
        for second in 31...33 {
            board.apply(.trade(trade(second)), at: .noon(second + 3))
            #expect(board.detailNeeds.readings.isEmpty)
        }
        #expect(board.tape(of: coin).isComplete)
        let start = Timestamp.noon().second
        #expect(board.tape(of: coin).map { Int($0.id.at.second - start) } == [33, 32, 31, 29, 28])
    }

    @Test("a row of whole seconds does not prove that REST has the rest of its second")
    func wholeSeconds() {
        var board = board(.second)
        // REST may have been read at 31.1, and the exchange have traded at 31.2.
        board.apply(.trade(trade(31)), at: .noon(34))
        #expect(board.detailNeeds.readings == [trades])
        #expect(!board.tape(of: coin).isComplete)
        // A trade that both REST and the stream have told stands on the tape once.
        for seconds in [[28, 29, 31], [28, 29, 31, 31]] {
            var board = board
            let rows = history(of: seconds, .second, requestedAt: 35)
            board.applyDetails(.tradeHistory(rows), at: .noon(35))
            #expect(board.detailNeeds.readings.isEmpty)
            #expect(board.tape(of: coin).isComplete)
            let start = Timestamp.noon().second
            #expect(board.tape(of: coin).map { Int($0.id.at.second - start) } == seconds.reversed())
        }
    }

    @Test("trades in milliseconds before the stream's first one stay, also at a second's beginning")
    func beginningOfSecond() {
        var tape = TradeTape()
        let times = [28_000, 31_000, 31_200].map { Timestamp.noon(plus: .milliseconds($0)) }
        let rows = times.map { TradeHistory.Row(Trade(coin, price: "2", at: $0), in: .millisecond) }
        tape.join(TradeHistory(market: coin, resolution: .millisecond, rows: rows))
        tape.markLoss(at: times[2], until: .noon(plus: .milliseconds(31_400)))
        #expect(tape.reversed().map(\.id.at) == times)
    }

    @Test("a gap that was read is read again when the stream tells the trade after it")
    func readGap() {
        var tape = TradeTape()
        func trade(_ price: FixedDecimal, _ milliseconds: Int) -> Trade {
            Trade(coin, price: price, at: .noon(plus: .milliseconds(milliseconds)))
        }
        let known = [trade("1", 28_100), trade("3", 28_300)]
        for trade in known { tape.append(trade) }
        tape.markLoss(at: known[1].executedAt)
        let rows = [trade("0", 27_000), known[0], trade("2", 28_200), known[1], trade("4", 31_000)]
        tape.join(TradeHistory(rows))
        #expect(tape.lastTradeBeforeLoss == nil)
        tape.markLoss(at: .noon(31), until: .noon(plus: .milliseconds(31_400)))
        #expect(tape.lastTradeBeforeLoss == known[1].executedAt)
    }

    @Test("what REST tells in a silence and the stream after it stands once")
    func silence() {
        var tape = TradeTape()
        let trades = [28, 29, 31, 31, 32].map(trade)
        tape.join(TradeHistory(trades.prefix(4)))
        tape.markLoss(at: .noon(30), isSameStream: true)
        #expect(tape.map(\.id.at) == [.noon(29), .noon(28)])
        for trade in trades[2...] { tape.append(trade) }
        tape.join(TradeHistory(trades))
        #expect(tape.count == trades.count)
        #expect(tape.isComplete)
    }

    /// A board with trades at 28, 29 and 31 from REST and a subscription since 30.
    private func board(_ resolution: TradeHistory.Resolution) -> MarketBoard {
        var board = MarketBoard(kind: .live)
        let entry = ListingEntry(coin, price: "2")
        board.apply(.listing(Listing(at: .noon(), [entry])), at: .noon())
        board.applyDetails(.feed(.opened(trades)), at: .noon())
        let rows = history(of: [28, 29, 31], resolution, requestedAt: 32)
        board.apply(.feed(.subscribed), .feed(.live), at: .noon(30))
        board.applyDetails(.tradeHistory(rows), at: .noon(32))
        return board
    }

    private func history(
        of seconds: [Int],
        _ resolution: TradeHistory.Resolution,
        requestedAt: Int
    ) -> TradeHistory {
        TradeHistory(
            market: coin,
            resolution: resolution,
            rows: seconds.map { TradeHistory.Row(trade($0), in: resolution) },
            requestedAt: .noon(requestedAt)
        )
    }

    private func trade(_ second: Int) -> Trade {
        Trade(coin, price: "2", at: .noon(second).advanced(by: .milliseconds(400)))
    }
}
