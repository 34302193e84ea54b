import TestSupport
import Testing

@testable import Domain

@Suite("Past candles precede the series that REST returns")
struct PastCandlesTests {
    private static let market: MarketID = "BTC_KRW"

    /// A market's whole history, of which the series has the newest candles.
    private struct History {
        let interval: CandleInterval
        let candles: [Candle]
        let recent: CandlePage
        let end = Timestamp.noon()

        init(_ interval: CandleInterval, recent count: Int, seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            self.interval = interval
            var candles: [Candle] = []
            var hole = 0
            for number in -4_000..<0 {
                // Now and then no trade for up to two blocks.
                if Int.random(in: 0..<900, using: &generator) == 0 {
                    hole = Int.random(in: 1...1_200, using: &generator)
                }
                hole -= 1
                if hole >= 0 || Int.random(in: 0..<4, using: &generator) == 0 { continue }
                let close = FixedDecimal(Int64.random(in: 90...110, using: &generator))
                candles.append(
                    Candle(
                        openTime: interval.advanced(end, by: number),
                        open: close,
                        high: close,
                        low: close,
                        close: close,
                        volume: "1",
                        origin: .rest
                    )
                )
            }
            self.candles = candles
            recent = Self.page(Array(candles.suffix(count)), interval, end)
        }

        static func page(
            _ candles: [Candle],
            _ interval: CandleInterval,
            _ end: Timestamp
        ) -> CandlePage {
            CandlePage(
                market: market,
                interval: interval,
                candles: candles,
                requestedAt: end,
                answeredAt: end
            )
        }

        func block(_ block: CandleBlock) -> CandleBlockPage {
            CandleBlockPage(
                market: market,
                block: block,
                candles: candles.filter { block.start <= $0.openTime && $0.openTime < block.end },
                isBeginning: !candles.contains { $0.openTime < block.start }
            )
        }

        /// The series of an exchange that returns everything at once.
        var whole: CandleSeries {
            var series = CandleSeries(interval: interval)
            series.apply(Self.page(candles, interval, end), tape: TradeTape())
            return series
        }

        /// A board that follows the newest candles, and blocks of the past.
        func board(_ blocks: [CandleBlock]) -> MarketBoard {
            var board = MarketBoard(kind: .live)
            apply([.feed(.opened(interest(.candles(interval))))], &board)
            apply(blocks.map { .feed(.opened(interest(.pastCandles($0)))) }, &board)
            apply([.candles(recent)], &board)
            return board
        }

        func interest(_ facet: DetailFacet) -> DetailInterest {
            DetailInterest(market: market, facet: facet)
        }

        func apply(_ events: [DetailEvent], _ board: inout MarketBoard) {
            _ = board.apply(DetailEventBatch(events: events, receivedAt: end))
        }
    }

    @Test("with its blocks, any window equals that of a series read at once", arguments: 0..<12)
    func windows(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let interval: CandleInterval = seed % 2 == 0 ? .minute1 : .hour1
        let history = History(interval, recent: 500, seed: seed)
        let whole = history.whole
        for _ in 0..<20 {
            let start = interval.advanced(
                history.end,
                by: -Int.random(in: 1...4_200, using: &generator)
            )
            let shown =
                start..<interval.advanced(
                    start,
                    by: Int.random(in: 1...700, using: &generator)
                )
            let span = interval.advanced(start, by: -119)..<shown.upperBound
            let blocks = CandleBlock.blocks(of: interval, in: span)
            var board = history.board(blocks)
            while let need = board.detailNeeds.readings.randomElement(using: &generator) {
                guard case .pastCandles(let block) = need.facet else { break }
                history.apply([.pastCandles(history.block(block))], &board)
            }
            #expect(board.detailNeeds.readings.isEmpty)
            let detail = try #require(board.details[Self.market])
            #expect(detail.progress(interval, in: span)?.isComplete ?? true)
            let series = try #require(detail.series(interval, reaching: span))
            expectEqual(series, whole, in: shown)
            #expect(
                series.gaps(in: shown, known: history.end)
                    == whole.gaps(in: shown, known: history.end)
            )
        }
    }

    private func expectEqual(
        _ series: CandleSeries,
        _ whole: CandleSeries,
        in span: Range<Timestamp>
    ) {
        let places =
            series.index(
                openingAtOrAfter: span.lowerBound
            )..<series.index(openingAtOrAfter: span.upperBound)
        let others =
            whole.index(
                openingAtOrAfter: span.lowerBound
            )..<whole.index(openingAtOrAfter: span.upperBound)
        #expect(places.map { series[$0] } == others.map { whole[$0] })
        for (place, other) in zip(places, others) {
            // Averages count candles, and a hole may put older ones before the blocks.
            let held = min(place, other) + 1
            for window in CandleSeries.averageWindows where window <= held {
                #expect(
                    series.average(.close, window: window, at: place)
                        == whole.average(.close, window: window, at: other)
                )
            }
        }
    }

    @Test("what is not read yet is missing, is counted and is requested, newest block first")
    func unread() throws {
        let history = History(.minute1, recent: 500, seed: 3)
        let from = try #require(history.recent.candles.first?.openTime)
        let span = CandleInterval.minute1.advanced(from, by: -1_500)..<from
        let blocks = CandleBlock.blocks(of: .minute1, in: span)
        var board = history.board(blocks)
        #expect(
            board.detailNeeds.readings
                == Set(blocks.map { history.interest(.pastCandles($0)) })
        )
        var known: [Int] = []
        for block in blocks {
            let progress = try #require(
                board.details[Self.market]?.progress(.minute1, in: span)
            )
            known.append(progress.known)
            #expect(progress.of == 1_500 && !progress.isComplete)
            history.apply([.pastCandles(history.block(block))], &board)
        }
        #expect(known.first == 0 && known == known.sorted() && Set(known).count == known.count)
        #expect(board.details[Self.market]?.progress(.minute1, in: span)?.isComplete == true)
        // An older block alone does not join the series.
        var halves = history.board(blocks)
        history.apply([.pastCandles(history.block(try #require(blocks.last)))], &halves)
        let series = try #require(
            halves.details[Self.market]?.series(.minute1, reaching: span)
        )
        #expect(series.first?.openTime == from)
    }

    @Test("blocks before a market's beginning are not requested")
    func beginning() throws {
        let history = History(.minute1, recent: 500, seed: 5)
        let first = try #require(history.candles.first?.openTime)
        let span =
            CandleInterval.minute1.advanced(first, by: -2_000)..<first.advanced(by: .seconds(60))
        let blocks = CandleBlock.blocks(of: .minute1, in: span)
        var board = history.board(blocks)
        history.apply([.pastCandles(history.block(try #require(blocks.first)))], &board)
        #expect(board.detailNeeds.readings.isEmpty)
        let detail = try #require(board.details[Self.market])
        #expect(detail.progress(.minute1, in: span)?.isComplete == true)
        let series = try #require(detail.series(.minute1, reaching: span))
        #expect(series.first?.openTime == first)
        #expect(series.gaps(in: span, known: history.end).isEmpty)
    }

    @Test("blocks fill a loss that the newest candles of REST do not reach")
    func longLoss() throws {
        let history = History(.minute1, recent: 300, seed: 13)
        let interval = history.interval
        // The feed followed until 2,000 minutes before the end.
        let lostAt = interval.advanced(history.end, by: -2_000)
        let old = history.candles.filter { $0.openTime < lostAt }.suffix(300)
        var board = history.board([])
        history.apply([.feed(.closed(history.interest(.candles(interval))))], &board)
        history.apply([.feed(.opened(history.interest(.candles(interval))))], &board)
        history.apply([.candles(History.page(Array(old), interval, lostAt))], &board)
        var detail = try #require(board.details[Self.market])
        detail.candles[interval]?.markLoss(from: lostAt)
        detail.candles[interval]?.apply(history.recent, tape: TradeTape())
        board.details[Self.market] = detail
        let series = try #require(detail.candles[interval])
        let shown = interval.advanced(history.end, by: -2_200)..<history.end
        let known = history.end
        #expect(series.gaps(in: shown, known: known).contains { $0.reason == .missing })

        let blocks = CandleBlock.blocks(of: interval, in: shown)
        #expect(blocks.contains(where: detail.lacks))
        history.apply(blocks.map { .feed(.opened(history.interest(.pastCandles($0)))) }, &board)
        while let need = board.detailNeeds.readings.first {
            guard case .pastCandles(let block) = need.facet else { break }
            history.apply([.pastCandles(history.block(block))], &board)
        }
        let filled = try #require(
            board.details[Self.market]?.series(interval, reaching: shown)
        )
        expectEqual(filled, history.whole, in: shown)
        #expect(
            filled.gaps(in: shown, known: known) == history.whole.gaps(in: shown, known: known)
        )
    }

    @Test("candles that a long series evicted are past ones again")
    func evicted() throws {
        let history = History(.minute1, recent: 500, seed: 11)
        let (end, max) = (history.end, CandleSeries.candlesMax)
        let row = try #require(history.candles.last)
        let rows = (1...max + 700).reversed().map { number in
            var candle = row
            candle.openTime = CandleInterval.minute1.advanced(end, by: -number)
            return candle
        }
        var board = history.board([])
        history.apply([.candles(History.page(rows, .minute1, end))], &board)
        let detail = try #require(board.details[Self.market])
        let first = try #require(detail.candles[.minute1]?.first?.openTime)
        #expect(first == CandleInterval.minute1.advanced(end, by: -max))
        #expect(detail.lacks(CandleBlock(.minute1, around: first.advanced(by: .seconds(-60)))))
        #expect(detail.progress(.minute1, in: first..<end) == nil)
    }

    @Test("a closed block is discarded, and comes back with its data")
    func closing() throws {
        let history = History(.minute1, recent: 500, seed: 9)
        let from = try #require(history.recent.candles.first?.openTime)
        let block = CandleBlock(.minute1, around: from.advanced(by: .seconds(-60)))
        var board = history.board([block])
        history.apply([.pastCandles(history.block(block))], &board)
        #expect(board.detailNeeds.readings.isEmpty)
        history.apply([.feed(.closed(history.interest(.pastCandles(block))))], &board)
        #expect(board.details[Self.market]?.past.isEmpty == true)
        // A late answer does not bring it back.
        history.apply([.pastCandles(history.block(block))], &board)
        #expect(board.details[Self.market]?.past.isEmpty == true)
    }
}
