import Domain
import TestSupport
import Testing

@Suite("Trade tape")
struct TradeTapeTests {
    private static func trade(
        _ microseconds: Int64,
        _ price: FixedDecimal = "100",
        _ quantity: FixedDecimal = "1"
    ) -> Trade {
        Trade(
            market: "BTC_KRW",
            price: price,
            quantity: quantity,
            side: .buy,
            executedAt: .noon(plus: .microseconds(microseconds))
        )
    }

    @Test("a full tape holds the newest 500 trades, by age")
    func capacity() {
        var random = RandomTrades(seed: 1)
        let trades = random.list(1_700, within: .milliseconds(300))
        var tape = TradeTape()
        for (index, trade) in trades.enumerated() {
            tape.append(trade)
            #expect(tape.count == min(index + 1, TradeTape.capacity))
            #expect(tape.first?.price == trade.price)
        }
        #expect(tape.rows == trades.suffix(TradeTape.capacity).map { TradeHistory.Row($0) })
        for age in [0, 1, 63, 64, 65, 499] {
            #expect(tape[age].price == trades[trades.count - 1 - age].price)
            #expect(tape.age(of: tape[age].id) == age)
        }
        #expect(tape.age(of: TradeID(at: trades[0].executedAt, sequence: 0)) == nil)
        #expect(tape.dropped == 0)
    }

    @Test("a new tape is empty")
    func empty() {
        let tape = TradeTape()
        #expect(tape.isEmpty && tape.first == nil && tape.gaps.isEmpty)
        #expect(!tape.isJoined && !tape.isComplete && tape.openGapFrom == nil)
        #expect(!tape.isWhole(since: .noon()))
        #expect(tape.age(of: TradeID(at: .noon(), sequence: 0)) == nil)
    }

    @Test("trades of one microsecond are numbered by arrival, equal ones included")
    func twins() {
        let tape = TradeTape([
            Self.trade(5), Self.trade(5), Self.trade(6), Self.trade(5, "101"), Self.trade(6),
        ])
        #expect(tape.reversed().map(\.id.sequence) == [0, 1, 2, 0, 1])
        #expect(
            tape.reversed().map(\.id.at.microseconds)
                == [5, 5, 5, 6, 6].map { Timestamp.noon().microseconds + $0 }
        )
        #expect(tape.reversed().map(\.tick) == [nil, .flat, .up, .down, .flat])
    }

    @Test("a late trade is inserted by time and updates its neighbor's direction")
    func late() {
        var tape = TradeTape([Self.trade(10, "100"), Self.trade(30, "120")])
        let id = tape[0].id
        tape.append(Self.trade(20, "130"))
        #expect(tape.reversed().map(\.price) == ["100", "130", "120"])
        #expect(tape.reversed().map(\.tick) == [nil, .up, .down])
        #expect(tape.age(of: id) == 0)
        tape.append(Self.trade(5, "99"))
        #expect(tape.reversed().map(\.tick) == [nil, .up, .up, .down])
    }

    @Test("a full tape drops and counts a trade older than all others")
    func tooLate() {
        var tape = TradeTape((0..<TradeTape.capacity).map { Self.trade(Int64($0) + 100) })
        let before = tape
        tape.append(Self.trade(99))
        #expect(tape.dropped == 1)
        #expect(tape.elementsEqual(before))
        // A trade among the oldest is inserted, and the oldest is evicted.
        tape.append(Self.trade(100))
        #expect(tape.dropped == 1)
        #expect(tape.count == TradeTape.capacity)
        #expect(tape.last?.id == TradeID(at: Self.trade(100).executedAt, sequence: 1))
    }

    @Test(
        "order and identifiers are correct in any order of arrival",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func disorder(seed: UInt64) {
        var random = RandomTrades(seed: seed)
        var trades = random.list(400, within: .microseconds(3), kinds: 3)
        for index in trades.indices.dropLast(8) where Bool.random(using: &random.generator) {
            trades.swapAt(index, index + Int.random(in: 0...7, using: &random.generator))
        }
        var names: [TradeID: TradeHistory.Row] = [:]
        var tape = TradeTape()
        for (index, trade) in trades.enumerated() {
            tape.append(trade)
            guard index % 20 == 0 || index == trades.count - 1 else { continue }
            for taped in tape {
                let row = TradeHistory.Row(taped)
                if let known = names[taped.id], known != row {
                    Issue.record("\(taped.id.text) is another trade now")
                }
                names[taped.id] = row
            }
        }
        let sorted = trades.enumerated()
            .sorted { ($0.element.executedAt, $0.offset) < ($1.element.executedAt, $1.offset) }
        #expect(tape.rows == sorted.map { TradeHistory.Row($0.element) })
        #expect(names.count == trades.count)
        #expect(tape.reversed().map(\.id) == tape.map(\.id).sorted())
    }

    @Test("a copy does not change with the original")
    func copies() {
        var random = RandomTrades(seed: 3)
        var tape = TradeTape()
        var copies: [(TradeTape, [TapedTrade])] = []
        for trade in random.list(700, within: .milliseconds(10)) {
            tape.append(trade)
            if Int.random(in: 0...9, using: &random.generator) == 0 {
                copies.append((tape, Array(tape)))
            }
        }
        for (copy, trades) in copies { #expect(Array(copy) == trades) }
        #expect(copies.last?.0 != copies.first?.0)
    }

    @Test("a trade takes 48 bytes, because every market holds a tape")
    func size() {
        #expect(MemoryLayout<TapedTrade>.stride == 48)
    }

    @Test("identifiers parse the text they print, and nothing else")
    func names() {
        let id = TradeID(at: Timestamp(microseconds: 1_795_176_191_151_220), sequence: 3)
        #expect(id.text == "1795176191151220.3")
        #expect(TradeID(text: id.text) == id)
        for text in ["", "1", "1.", ".1", "1.-1", "1.0.0", "a.0", "1. 0", "1.2147483648"] {
            #expect(TradeID(text: text) == nil)
        }
    }
}
