import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("Past candles are read block by block, once, and at a bounded rate")
struct LiveDetailFeedPastTests {
    private static let market: MarketID = "BTC_KRW"
    private static let symbol = "BTC_KRW"
    /// Half a day before the clocks of the harness.
    private static let block = CandleBlock(.minute1, around: .noon(-43_200))

    private static func row(_ time: Timestamp) -> CandleDTO {
        CandleDTO(
            atMilliseconds: time.microseconds / 1_000,
            open: "1",
            close: "2",
            high: "3",
            low: "1",
            volume: "4"
        )
    }

    /// An exchange with a minute in the block and one before it.
    private func harness() -> DetailFeedHarness {
        let harness = DetailFeedHarness()
        harness.put(candles: Self.symbol, "1m")
        let rows = [Self.block.start.advanced(by: .seconds(-60)), Self.block.start].map(Self.row)
        harness.candles.put(
            CandlesDTO(rows: rows, isTruncated: true),
            symbol: Self.symbol,
            interval: "1m",
            from: Self.block.start.second
        )
        return harness
    }

    @Test("a block is read once, after the series, and a reader who comes back costs no call")
    func cached() async throws {
        let harness = harness()
        try await harness.drive {
            for visit in 0..<3 {
                let lease = harness.look(
                    Self.market,
                    .candles(.minute1),
                    .pastCandles(Self.block)
                )
                harness.tasks.advance(by: .seconds(3))
                let detail = try #require(harness.board.details[Self.market])
                #expect(!detail.lacks(Self.block), "visit \(visit)")
                let shown = Self.block.start..<Self.block.end
                let series = try #require(detail.series(.minute1, reaching: shown))
                #expect(series.first?.openTime == Self.block.start)
                #expect(
                    harness.candles.readCount(
                        symbol: Self.symbol,
                        interval: "1m",
                        from: Self.block.start.second
                    ) == 1
                )
                harness.leave(lease)
                #expect(harness.board.details.isEmpty)
            }
        }
    }

    @Test("an API without past candles is named, and asked again after a minute")
    func unserved() async throws {
        let harness = harness()
        harness.candles.fail(
            DataSourceError(.unserved, "past candles"),
            symbol: Self.symbol,
            interval: "1m",
            from: Self.block.start.second
        )
        try await harness.drive {
            let lease = harness.look(Self.market, .candles(.minute1), .pastCandles(Self.block))
            harness.tasks.advance(by: .seconds(3))
            let facet = DetailFacet.pastCandles(Self.block)
            let failure = harness.board.details[Self.market]?.failures[facet]
            #expect(failure?.failure.code == .unserved)
            #expect(failure?.failure.isRetryable == true)
            harness.put(candles: Self.symbol, "1m")
            harness.candles.put(
                CandlesDTO(rows: [Self.row(Self.block.start)], isTruncated: false),
                symbol: Self.symbol,
                interval: "1m",
                from: Self.block.start.second
            )
            harness.tasks.advance(by: .seconds(61))
            let detail = try #require(harness.board.details[Self.market])
            #expect(detail.failures[facet] == nil && !detail.lacks(Self.block))
            harness.leave(lease)
        }
    }

    @Test("a short page that reaches beyond the block is not the market's beginning")
    func overshoot() {
        let before = Self.block.start.advanced(by: .seconds(-60))
        for (times, isBeginning) in [
            ([before, Self.block.start], false), ([Self.block.start], true), ([], true),
        ] {
            let (page, served, skipped) = CandleMapping.page(
                CandlesDTO(rows: times.map(Self.row), isTruncated: false),
                of: Self.market,
                block: Self.block,
                requestedAt: .noon(),
                answeredAt: .noon()
            )
            #expect(page.isBeginning == isBeginning && skipped == 0)
            #expect(page.candles.map(\.openTime) == times.filter { $0 >= Self.block.start })
            #expect(served.candles == page.candles)
            #expect(served.spans == [Self.block.start..<Self.block.end])
        }
    }

    @Test("a block with unreadable rows fails")
    func unreadable() async throws {
        let harness = harness()
        harness.candles.put(
            CandlesDTO(rows: [], isTruncated: true, skippedCount: 1),
            symbol: Self.symbol,
            interval: "1m",
            from: Self.block.start.second
        )
        try await harness.drive {
            let lease = harness.look(Self.market, .candles(.minute1), .pastCandles(Self.block))
            harness.tasks.advance(by: .seconds(3))
            let detail = try #require(harness.board.details[Self.market])
            #expect(detail.lacks(Self.block))
            #expect(detail.failures[.pastCandles(Self.block)]?.failure.code == .malformed)
            harness.leave(lease)
        }
    }

    @Test("at most four blocks are read at a time, and eight start in a second, newest first")
    func pace() {
        var plan = DetailFetchScheduler()
        var blocks = [Self.block]
        while blocks.count < 40 {
            let end = blocks[blocks.count - 1].start.advanced(by: .seconds(-1))
            blocks.append(CandleBlock(.minute1, around: end))
        }
        let interests = blocks.shuffled()
            .map { DetailInterest(market: Self.market, facet: .pastCandles($0)) }
        for interest in interests { plan.open(interest, at: .zero) }
        _ = plan.apply(Set(interests))
        var (now, started): (Duration, [(at: Duration, block: CandleBlock)]) = (.zero, [])
        var flying: [(end: Duration, fetch: DetailFetchScheduler.Fetch)] = []
        while started.count < blocks.count, now < .seconds(60) {
            let (fetches, wakeAt) = plan.next(at: now, time: .noon())
            for fetch in fetches {
                guard case .pastCandles(_, let block) = fetch.request else { continue }
                started.append((now, block))
                flying.append((now + .milliseconds(200), fetch))
            }
            #expect(flying.count <= 4)
            now = min(wakeAt ?? .seconds(60), flying.map(\.end).min() ?? .seconds(60))
            for done in flying where done.end <= now {
                plan.succeeded(
                    done.fetch,
                    requestedAt: .noon(),
                    isReadable: true,
                    at: now,
                    random: 0
                )
                plan.end(done.fetch)
            }
            flying.removeAll { $0.end <= now }
        }
        #expect(started.map(\.block) == blocks)
        #expect(started.map(\.at).mostInOneSecond <= 8)
        #expect(now < .seconds(10))
    }

    @Test("the cache forgets the block that was used longest ago")
    func bound() {
        var cache = PastCandleCache()
        func page(_ number: Int) -> CandleBlockPage {
            let moment = Timestamp.noon(-number * 36_000)
            return CandleBlockPage(
                market: Self.market,
                block: CandleBlock(.minute1, around: moment),
                candles: [],
                isBeginning: false
            )
        }
        let pages = (0...PastCandleCache.blocksMax).map(page)
        #expect(Set(pages.map(\.block)).count == pages.count)
        for page in pages.dropLast() { cache.keep(page, of: nil) }
        #expect(cache.page(of: Self.market, pages[0].block) == pages[0])
        cache.keep(pages[pages.count - 1], of: nil)
        #expect(cache.page(of: Self.market, pages[0].block) != nil)
        #expect(cache.page(of: Self.market, pages[1].block) == nil)
        #expect(cache.page(of: "ETH_KRW", pages[0].block) == nil)
    }

    @Test("the cache holds no market's beginning, and nothing of another feed")
    func forgotten() {
        var cache = PastCandleCache()
        cache.follow(.simulated)
        var page = CandleBlockPage(
            market: Self.market,
            block: Self.block,
            candles: [],
            isBeginning: true
        )
        cache.keep(page, of: .simulated)
        #expect(cache.page(of: Self.market, Self.block) == nil)
        page.isBeginning = false
        cache.keep(page, of: .live)
        #expect(cache.page(of: Self.market, Self.block) == nil)
        cache.keep(page, of: .simulated)
        cache.keep(unfinished: CandlesDTO(rows: []), of: Self.market, Self.block, .simulated)
        cache.follow(.simulated)
        #expect(cache.page(of: Self.market, Self.block) == page)
        cache.follow(.live)
        #expect(cache.page(of: Self.market, Self.block) == nil)
        #expect(cache.takeUnfinished(of: Self.market, Self.block) == nil)
    }

    @Test("the rows before a failed page are not read again")
    func failedPage() async throws {
        let harness = DetailFeedHarness()
        harness.put(candles: Self.symbol, "1m")
        let middle = Self.block.start.advanced(by: .seconds(18_000))
        let source = harness.candles
        // The whole block: its newer half alone.
        source.put(
            CandlesDTO(rows: [Self.row(middle)], isTruncated: true),
            symbol: Self.symbol,
            interval: "1m",
            from: Self.block.start.second,
            to: Self.block.end.second
        )
        func older(_ put: (Int64, Int64) -> Void) { put(Self.block.start.second, middle.second) }
        older { start, end in
            source.fail(
                DataSourceError(.timedOut, "a page"),
                symbol: Self.symbol,
                interval: "1m",
                from: start,
                to: end
            )
        }
        func count(_ end: Timestamp) -> Int {
            source.readCount(
                symbol: Self.symbol,
                interval: "1m",
                from: Self.block.start.second,
                to: end.second
            )
        }
        try await harness.drive {
            let lease = harness.look(Self.market, .candles(.minute1), .pastCandles(Self.block))
            harness.tasks.advance(by: .seconds(3))
            #expect(harness.board.details[Self.market]?.lacks(Self.block) == true)
            #expect(count(Self.block.end) == 1 && count(middle) >= 1)
            older { start, end in
                source.put(
                    CandlesDTO(rows: [Self.row(Self.block.start)], isTruncated: true),
                    symbol: Self.symbol,
                    interval: "1m",
                    from: start,
                    to: end
                )
            }
            harness.tasks.advance(by: .seconds(61))
            let detail = try #require(harness.board.details[Self.market])
            #expect(!detail.lacks(Self.block))
            let span = Self.block.start..<Self.block.end
            let times = detail.series(.minute1, reaching: span)?.prefix(2).map(\.openTime)
            #expect(times == [Self.block.start, middle])
            #expect(count(Self.block.end) == 1)
            harness.leave(lease)
        }
    }

    @Test("a block is kept by the store, and read from it without a call")
    func stored() async throws {
        let first = harness()
        try await first.drive {
            let lease = first.look(Self.market, .candles(.minute1), .pastCandles(Self.block))
            first.tasks.advance(by: .seconds(3))
            first.leave(lease)
        }
        await first.archive.flush()
        let series = CandleSeriesDTO(feed: "live", market: Self.symbol, interval: "1m")
        let kept = try await first.store.candles(of: series, newest: 9)
        let span = StoredCandlesDTO.Span(
            from: Self.block.start.microseconds,
            to: Self.block.end.microseconds
        )
        #expect(kept.rows.map(\.openTime).first == Self.block.start.microseconds)
        #expect(kept.spans.contains(span))

        let second = harness()
        try await second.store.saveCandles(kept)
        try await second.drive {
            let lease = second.look(Self.market, .candles(.minute1), .pastCandles(Self.block))
            second.tasks.advance(by: .seconds(3))
            let detail = try #require(second.board.details[Self.market])
            #expect(!detail.lacks(Self.block))
            let shown = Self.block.start..<Self.block.end
            let stored = detail.series(.minute1, reaching: shown)?.first
            #expect(stored?.openTime == Self.block.start && stored?.origin == .store)
            #expect(
                second.candles.readCount(
                    symbol: Self.symbol,
                    interval: "1m",
                    from: Self.block.start.second
                ) == 0
            )
            second.leave(lease)
        }
    }

    @Test("a block without a trade is kept by the store, and not asked for after a restart")
    func storedHole() async throws {
        func harness() -> DetailFeedHarness {
            let harness = DetailFeedHarness()
            harness.put(candles: Self.symbol, "1m")
            // The maintenance lasts longer than the block: the page reaches beyond it.
            harness.candles.put(
                CandlesDTO(
                    rows: [Self.row(Self.block.start.advanced(by: .seconds(-60)))],
                    isTruncated: true
                ),
                symbol: Self.symbol,
                interval: "1m",
                from: Self.block.start.second
            )
            return harness
        }
        func expectHole(_ harness: DetailFeedHarness, calls: Int) throws {
            let lease = harness.look(Self.market, .candles(.minute1), .pastCandles(Self.block))
            harness.tasks.advance(by: .seconds(3))
            let detail = try #require(harness.board.details[Self.market])
            #expect(!detail.lacks(Self.block))
            let span = Self.block.start..<Self.block.end
            let gaps = detail.series(.minute1, reaching: span)?.gaps(in: span, known: .noon())
            #expect(
                gaps == [CandleGap(from: span.lowerBound, to: span.upperBound, reason: .noTrade)]
            )
            harness.leave(lease)
            let count = harness.candles.readCount(
                symbol: Self.symbol,
                interval: "1m",
                from: Self.block.start.second
            )
            #expect(count == calls)
        }
        let first = harness()
        try await first.drive { try expectHole(first, calls: 1) }
        await first.archive.flush()
        let second = harness()
        let series = CandleSeriesDTO(feed: "live", market: Self.symbol, interval: "1m")
        try await second.store.saveCandles(first.store.candles(of: series, newest: 9))
        try await second.drive { try expectHole(second, calls: 0) }
    }

    @Test("a block before the market's beginning is no hole, and is not stored")
    func beforeBeginning() async throws {
        let harness = DetailFeedHarness()
        harness.put(candles: Self.symbol, "1m")
        harness.candles.put(
            CandlesDTO(rows: [], isTruncated: false),
            symbol: Self.symbol,
            interval: "1m",
            from: Self.block.start.second
        )
        try await harness.drive {
            let lease = harness.look(Self.market, .candles(.minute1), .pastCandles(Self.block))
            harness.tasks.advance(by: .seconds(3))
            let detail = try #require(harness.board.details[Self.market])
            #expect(!detail.lacks(Self.block))
            let older = CandleBlock(.minute1, around: Self.block.start.advanced(by: .seconds(-1)))
            #expect(!detail.lacks(older))
            harness.leave(lease)
        }
        await harness.archive.flush()
        let series = CandleSeriesDTO(feed: "live", market: Self.symbol, interval: "1m")
        #expect(try await harness.store.candles(of: series, newest: 9).spans.isEmpty)
    }

    @Test("an interest in more of the newest candles opens their blocks, which move with time")
    func newest() async throws {
        let harness = harness()
        let block = CandleBlock(.minute1, around: .noon(-43_200))
        try await harness.drive {
            // The oldest bucket is the last one of the block.
            let count = CandleInterval.minute1.bucketCount(from: block.end, to: .noon()) + 1
            let facet = DetailFacet.newestCandles(.minute1, count: count)
            let lease = harness.look(Self.market, .candles(.minute1), facet)
            harness.tasks.advance(by: .seconds(3))
            let facets = harness.board.details[Self.market]?.facets ?? []
            #expect(facets.contains(facet) && facets.contains(.pastCandles(block)))
            #expect(
                harness.candles.readCount(
                    symbol: Self.symbol,
                    interval: "1m",
                    from: block.start.second
                ) >= 1
            )
            harness.tasks.advance(by: .seconds(180))
            let later = harness.board.details[Self.market]?.facets ?? []
            #expect(!later.contains(.pastCandles(block)) && later.contains(facet))
            harness.leave(lease)
            #expect(harness.board.details.isEmpty)
        }
    }
}
