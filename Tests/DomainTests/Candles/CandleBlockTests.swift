import TestSupport
import Testing

@testable import Domain

@Suite("Blocks of past candles")
struct CandleBlockTests {
    @Test("blocks lie on one grid, whatever moment names them", arguments: CandleInterval.allCases)
    func grid(interval: CandleInterval) {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let second = Int64.random(in: 1_400_000_000...1_800_000_000, using: &generator)
            let moment = Timestamp(milliseconds: second * 1_000)
            let block = CandleBlock(interval, around: moment)
            #expect(block.start <= moment && moment < block.end)
            #expect(interval.bucketStart(of: block.start) == block.start)
            let count = interval.bucketCount(from: block.start, to: block.end)
            #expect(count == CandleBlock.bucketCount(of: interval))
            #expect(CandleBlock(interval, around: block.start) == block)
            #expect(CandleBlock(interval, around: block.end).start == block.end)
            let last = block.end.advanced(by: .microseconds(-1))
            #expect(CandleBlock(interval, around: last) == block)
        }
    }

    @Test("the blocks of a span cover it without holes, newest first")
    func span() {
        var generator = SeededGenerator(seed: 11)
        for interval in CandleInterval.allCases {
            for _ in 0..<50 {
                let start = Timestamp.noon().advanced(
                    by: .seconds(Int.random(in: -90_000_000...0, using: &generator))
                )
                let length = Int.random(in: 1...3_000, using: &generator)
                let end = min(interval.advanced(start, by: length), .noon())
                guard start < end else { continue }
                let blocks = CandleBlock.blocks(of: interval, in: start..<end)
                #expect(blocks.last.map { $0.start <= start } ?? false)
                #expect(blocks.first.map { $0.start < end && end <= $0.end } ?? false)
                #expect(zip(blocks, blocks.dropFirst()).allSatisfy { $0.start == $1.end })
            }
        }
    }

    @Test("there are no blocks before the exchange, nor of an empty span")
    func bounds() {
        let old = SeoulTime.timestamp(year: 2010, month: 1, day: 1)
        let first = SeoulTime.timestamp(year: 2014, month: 1, day: 1)
        #expect(CandleBlock.blocks(of: .minute1, in: old..<first).isEmpty)
        #expect(CandleBlock.blocks(of: .minute1, in: first..<first).isEmpty)
        let blocks = CandleBlock.blocks(of: .day1, in: old..<first.advanced(by: .seconds(1)))
        #expect(blocks == [CandleBlock(.day1, around: first)])
        #expect(CandleBlock.blocks(of: .month1, in: old..<Timestamp.noon()).count < 10)
    }
}
