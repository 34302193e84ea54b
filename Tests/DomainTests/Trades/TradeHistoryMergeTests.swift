import Domain
import TestSupport
import Testing

@Suite("Trades of REST and stream form one list")
struct TradeHistoryMergeTests {
    typealias Row = TradeHistory.Row

    /// The rule by definition: the number of last rows that equal the stream's first trades.
    private static func overlap(_ rest: [Row], _ stream: [Row]) -> Int {
        (0...min(rest.count, stream.count)).last { rest.suffix($0) == stream.prefix($0) } ?? 0
    }

    /// A list of trades: a part of it from REST, and its end from the stream.
    struct Cut {
        let trades: [Trade]
        /// The part from REST.
        let rest: Range<Int>
        /// Index of the stream's first trade.
        let streamStart: Int
        /// Number of stream trades before REST's answer.
        let heardAtAnswer: Int

        init(_ random: inout RandomTrades, kinds: Int64?) {
            var trades = random.list(60, within: .milliseconds(150), kinds: kinds)
            // A trade of a later second shows that the stream has sent everything that REST had.
            trades.append(
                Trade(
                    RandomTrades.market,
                    price: "7",
                    at: (trades.last?.executedAt ?? .noon()).advanced(by: .seconds(2))
                )
            )
            self.trades = trades
            streamStart = Int.random(in: 0..<60, using: &random.generator)
            rest =
                Int.random(
                    in: 0...streamStart,
                    using: &random.generator
                )..<Int.random(in: streamStart...60, using: &random.generator)
            heardAtAnswer = Int.random(in: streamStart...60, using: &random.generator)
        }

        var tape: TradeTape {
            var tape = TradeTape(trades[streamStart..<heardAtAnswer])
            let names = Dictionary(uniqueKeysWithValues: tape.map { ($0.id, Row($0)) })
            tape.join(TradeHistory(trades[rest]))
            for (id, row) in names { #expect(tape.first { $0.id == id }.map { Row($0) } == row) }
            for trade in trades[heardAtAnswer...] { tape.append(trade) }
            return tape
        }
    }

    @Test(
        "the overlap follows the rule, however many trades are equal",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func rule(seed: UInt64) {
        var random = RandomTrades(seed: seed)
        var decided = 0
        for _ in 0..<60 {
            let cut = Cut(&random, kinds: 2)
            let rest = cut.trades[cut.rest].map { Row($0) }
            let stream = cut.trades[cut.streamStart...].map { Row($0) }
            let tape = cut.tape
            let overlap = Self.overlap(rest, stream)
            #expect(tape.rows == rest.dropLast(overlap) + stream)
            #expect(tape.isComplete && Set(tape.map(\.id)).count == tape.count)
            // If the rule finds the true overlap, the list is exact.
            if overlap == cut.rest.upperBound - cut.streamStart {
                decided += 1
                #expect(tape.rows == cut.trades[cut.rest.lowerBound...].map { Row($0) })
            }
        }
        #expect(decided > 30)
    }

    @Test(
        "without equal trades the list is exact",
        arguments: [21, 22, 23] as [UInt64]
    )
    func truth(seed: UInt64) {
        var random = RandomTrades(seed: seed)
        for _ in 0..<60 {
            let cut = Cut(&random, kinds: nil)
            let tape = cut.tape
            #expect(tape.rows == cut.trades[cut.rest.lowerBound...].map { Row($0) })
            let ticks = tape.reversed().map(\.tick)
            #expect(ticks.first == .some(nil))
            #expect(ticks.dropFirst().allSatisfy { $0 == .up || $0 == .down })
        }
    }

    @Test("rows sent newest first give the same list")
    func newestFirst() {
        var random = RandomTrades(seed: 4)
        let trades = random.list(30, within: .seconds(3))
        let history = TradeHistory(trades[..<20].reversed())
        var tape = TradeTape(trades[10...])
        tape.join(history)
        // Trades of the same second are in REST's order, so only the order of seconds is known.
        #expect(tape.rows.map(\.at.second) == trades.map(\.executedAt.second))
        #expect(Set(tape.rows) == Set(trades.map { Row($0) }))
    }

    @Test("a stream that reaches farther back than REST stays unchanged")
    func farther() {
        var random = RandomTrades(seed: 5)
        let trades = random.list(50, within: .seconds(2), kinds: 2)
        var tape = TradeTape(trades)
        let before = Array(tape)
        tape.join(TradeHistory(trades[20..<45]))
        #expect(Array(tape) == before)
        #expect(tape.isJoined)
        tape.join(TradeHistory([]))
        #expect(Array(tape) == before)
    }

    @Test("a stream that reaches farther back stays unchanged also within one second")
    func fartherInSecond() {
        var random = RandomTrades(seed: 12)
        let trades = random.list(300, within: .microseconds(10))
        var tape = TradeTape(trades[..<250])
        tape.join(TradeHistory(trades[100..<200]))
        #expect(tape.rows == trades[..<250].map { Row($0) })
    }

    @Test("REST trades have identifiers of whole seconds with a sequence number")
    func names() {
        let at = Timestamp.noon(5)
        let rest = (0..<3).map { _ in Trade("BTC_KRW", price: "5", at: at) }
        var tape = TradeTape([Trade("BTC_KRW", price: "6", at: at)])
        tape.join(TradeHistory(rest))
        // The stream's trade lies on a whole second too and keeps its identifier.
        #expect(tape.reversed().map(\.price) == ["5", "5", "5", "6"])
        #expect(tape.reversed().map(\.id.sequence) == [1, 2, 3, 0])
        #expect(tape.allSatisfy { $0.id.at == at })
        tape.append(Trade("BTC_KRW", price: "7", at: at))
        #expect(tape.first?.id.sequence == 4)
    }

    @Test("a history before any live trade is the tape until the stream starts")
    func silent() {
        var random = RandomTrades(seed: 6)
        let trades = random.list(20, within: .milliseconds(400))
        var tape = TradeTape()
        tape.join(TradeHistory(trades[..<12], isComplete: true))
        #expect(tape.rows == trades[..<12].map { Row($0) })
        #expect(tape.isComplete)
        // Whether the stream repeats these is open, so they do not count as known yet.
        #expect(!tape.isWhole(since: trades[0].executedAt))
        for trade in trades[9...] { tape.append(trade) }
        #expect(tape.rows == trades.map { Row($0) })
        #expect(tape.isWhole(since: trades[0].executedAt))
    }

    @Test(
        "a trade that was told before REST was read is the row it equals, if the next row is lost",
        arguments: [nil, .noon(1), .noon(2)] as [Timestamp?]
    )
    func lostBehindRow(requestedAt: Timestamp?) {
        let market = RandomTrades.market
        let told = Trade(market, price: "5", at: .noon(1).advanced(by: .milliseconds(200)))
        var tape = TradeTape([told])
        var history = TradeHistory([
            Trade(market, price: "3", at: .noon()), Trade(market, price: "4", at: .noon(1)), told,
            Trade(market, price: "6", at: .noon(1)),
        ])
        history.requestedAt = requestedAt
        tape.join(history)
        tape.append(Trade(market, price: "7", at: .noon(2)))
        let isRow = requestedAt == .noon(2)
        #expect(tape.rows.map(\.price) == ["3", "4", "5", "6"] + (isRow ? ["7"] : ["5", "7"]))
    }

    @Test("contradicting sources leave a gap instead of duplicates")
    func contradiction() {
        var random = RandomTrades(seed: 7)
        let trades = random.list(40, within: .seconds(2))
        // The stream lost its third trade.
        var stream = Array(trades[20...])
        stream.remove(at: 2)
        var tape = TradeTape(stream)
        tape.join(TradeHistory(trades[5..<35]))
        let first = trades[20].executedAt.second
        let before = trades[5..<20].filter { $0.executedAt.second < first }
        #expect(tape.rows == (before + stream).map { Row($0) })
        #expect(tape.gaps.count == 1)
        #expect(tape.gaps.first?.upperBound == trades[20].executedAt)
    }

    @Test("a merged tape holds at most its capacity")
    func capacity() {
        var random = RandomTrades(seed: 8)
        let trades = random.list(900, within: .milliseconds(100))
        var tape = TradeTape(trades[450...])
        tape.join(TradeHistory(trades[..<500]))
        #expect(tape.rows == trades.suffix(TradeTape.capacity).map { Row($0) })
        var other = TradeTape()
        other.join(TradeHistory(trades))
        #expect(other.count == TradeTape.capacity)
    }
}

@Suite("A loss of trades leaves a gap until REST fills it")
struct TradeLossTests {
    typealias Row = TradeHistory.Row

    @Test("the gap lies between the last trade before and the first one after the loss")
    func gap() {
        var tape = TradeTape([Trade("BTC_KRW", price: "5", at: .noon(0))])
        tape.join(TradeHistory([]))
        #expect(tape.isComplete)
        tape.markLoss(at: .noon(3))
        #expect(!tape.isJoined && tape.openGapFrom == .noon(3) && tape.gaps.isEmpty)
        tape.markLoss(at: .noon(4))
        tape.append(Trade("BTC_KRW", price: "6", at: .noon(9)))
        #expect(tape.openGapFrom == nil)
        #expect(tape.gaps == [.noon(3)..<(.noon(9))])
        #expect(tape[0].tick == nil)
        #expect(!tape.isWhole(since: .noon(8)))
        tape.append(Trade("BTC_KRW", price: "7", at: .noon(10)))
        #expect(tape.isWhole(since: .noon(10)) && !tape.isWhole(since: .noon(9)))
        #expect(tape[0].tick == .up)
    }

    @Test("REST restores any lost trades", arguments: 1...10 as ClosedRange<UInt64>)
    func losses(seed: UInt64) {
        var random = RandomTrades(seed: seed)
        for _ in 0..<40 {
            let trades = random.list(80, within: .milliseconds(400))
            let restStart = Int.random(in: 0..<40, using: &random.generator)
            var tape = TradeTape()
            var told: Set<Int> = []
            var isLive = Bool.random(using: &random.generator)
            // REST cannot connect trades of the stream from before its reach.
            for index in 0..<60 {
                if Int.random(in: 0...9, using: &random.generator) == 0 {
                    if isLive { tape.markLoss(at: trades[index].executedAt) }
                    isLive.toggle()
                }
                if isLive {
                    tape.append(trades[index])
                    told.insert(index)
                }
            }
            let names = Dictionary(uniqueKeysWithValues: tape.map { ($0.price, $0.id) })
            let answered = Int.random(in: 60...80, using: &random.generator)
            for index in 60..<answered {
                tape.append(trades[index])
                told.insert(index)
            }
            tape.join(TradeHistory(trades[restStart..<60]))
            for trade in trades[answered...] { tape.append(trade) }

            let isBefore = told.filter { $0 < restStart }
            let expected = isBefore.sorted().map { trades[$0] } + trades[restStart...]
            #expect(tape.rows == expected.map { Row($0) })
            #expect(tape.isJoined)
            if isBefore.isEmpty { #expect(tape.gaps.isEmpty) }
            if told.contains(restStart), told.contains(restStart - 1) {
                #expect(!tape.gaps.contains { $0.upperBound > trades[restStart].executedAt })
            }
            for (price, id) in names {
                #expect(tape.first { $0.price == price }?.id == id)
            }
        }
    }

    @Test("the gap stays if REST does not reach back to the old trades")
    func unreached() {
        var random = RandomTrades(seed: 9)
        let trades = random.list(60, within: .seconds(3))
        var tape = TradeTape(trades[..<10])
        tape.markLoss(at: trades[9].executedAt)
        tape.join(TradeHistory(trades[30..<50]))
        #expect(tape.isJoined && !tape.isComplete)
        for trade in trades[45...] { tape.append(trade) }
        #expect(tape.rows == (trades[..<10] + trades[30...]).map { Row($0) })
        #expect(tape.gaps.map(\.lowerBound) == [trades[9].executedAt])
        #expect(tape.gaps.map(\.upperBound.second) == [trades[30].executedAt.second])
    }

    @Test("the gap is removed when the trades before it are evicted")
    func scrolls() {
        var random = RandomTrades(seed: 10)
        var tape = TradeTape(random.list(3, within: .seconds(1)))
        tape.markLoss(at: .noon(100))
        for trade in random.list(TradeTape.capacity - 1, within: .seconds(1)) { tape.append(trade) }
        #expect(tape.gaps.count == 1)
        tape.append(random.next(within: .seconds(1)))
        #expect(tape.gaps.isEmpty)
    }

    @Test("the number of gaps is bounded")
    func bound() {
        var random = RandomTrades(seed: 11)
        var tape = TradeTape()
        var trades: [Trade] = []
        for _ in 0..<(TradeTape.gapsMax * 2) {
            let part = random.list(2, within: .seconds(1))
            trades += part
            for trade in part { tape.append(trade) }
            tape.markLoss(at: part[1].executedAt)
            tape.markLoss(at: part[1].executedAt)
        }
        #expect(tape.gaps.count == TradeTape.gapsMax - 1)
        #expect(tape.openGapFrom != nil)
        #expect(tape.rows == trades.suffix(TradeTape.gapsMax * 2).map { Row($0) })
    }
}
