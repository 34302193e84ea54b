import Concurrency
import DataSourceContracts
import Domain
import Synchronization
import UseCases

extension LiveDetailFeed {
    /// How often the board reports its needs, and short interests expire.
    static var checkInterval: Duration { .seconds(1) }

    /// Opens and closes interests and sends the requests that are due.
    func followRequests(_ deliver: @escaping Deliver) async {
        await withDiscardingTaskGroup { group in
            var checkAt = elapsed + Self.checkInterval
            var latest = exchangeTime
            while !Task.isCancelled {
                let isSetBack = noteTime(&latest)
                for interest in await reconcile(renewing: isSetBack, deliver) {
                    group.addTask { await self.deliverStoredCandles(interest, deliver) }
                }
                routeBooks()
                if elapsed >= checkAt {
                    checkAt = elapsed + Self.checkInterval
                    parts.interests.expire(now: parts.now())
                    await send([], deliver)
                }
                let (now, time) = (elapsed, exchangeTime)
                let (fetches, wakeAt) = scheduler.withLock { $0.next(at: now, time: time) }
                for fetch in fetches { group.addTask { await self.perform(fetch, deliver) } }
                let wait = min(checkAt, wakeAt ?? checkAt) - elapsed
                await requestsChanged.wait(within: wait.atLeastTick, clock: parts.clock)
            }
            group.cancelAll()
        }
    }

    /// Stores the latest exchange time.
    ///
    /// - Returns: whether a clock was set back, so that earlier times lie in the future.
    private func noteTime(_ latest: inout Timestamp) -> Bool {
        let now = exchangeTime
        let isSetBack = latest.duration(since: now) > SteadyTime.boundStepMax
        latest = isSetBack ? now : max(latest, now)
        return isSetBack && parts.exchangeClockLead() != nil
    }

    /// Opens new interests, closes ended ones, and tells the board.
    ///
    /// - Parameters:
    ///   - isRenewing: whether all but the books, which have no times of requests, are opened anew.
    ///     Responses to earlier requests do not count then.
    ///   - deliver: tells the board.
    /// - Returns: the opened interests.
    private func reconcile(
        renewing isRenewing: Bool,
        _ deliver: Deliver
    ) async -> [DetailInterest] {
        let now = exchangeTime
        let wanted = parts.interests.wanted.withBlocks(at: now)
        let held = parts.interests.held.withBlocks(at: now)
        let open = scheduler.withLock { $0.open }
        let renewed = isRenewing ? open.filter(\.facet.isOfRequestTime) : []
        if isRenewing { past.withLock { $0 = PastCandleCache() } }
        let closed = open.subtracting(wanted).union(renewed).inOrder
        let opened = wanted.subtracting(open.subtracting(renewed)).inOrder
        scheduler.withLock { plan in
            for interest in closed { plan.close(interest) }
            plan.hold(held)
        }
        guard !closed.isEmpty || !opened.isEmpty else { return [] }
        let events =
            closed.map { DetailEvent.feed(.closed($0)) }
            + opened.map { DetailEvent.feed(.opened($0)) }
        let needs = await deliver(DetailEventBatch(events: events, receivedAt: parts.now()))
        keep(needs)
        let openedAt = elapsed
        scheduler.withLock { plan in
            for interest in opened { plan.open(interest, at: openedAt) }
            plan.hold(held)
            _ = plan.apply(needs.readings)
        }
        return opened
    }

    /// Assigns each open book to the generation that has it at the wanted depth.
    ///
    /// The shown book stays until the first one of another generation arrives.
    private func routeBooks() {
        let books = scheduler.withLock { $0.books(in: parts.books.use.value) }
        let before = lanes.reduce(into: Set()) { $0.formUnion($1.markets) }
        for lane in lanes {
            let moved = lane.route(books[lane.generation] ?? []).intersection(before)
            scheduler.withLock { $0.requestBooks(of: moved) }
        }
    }

    /// The lane of a market's book.
    private func lane(of market: MarketID) -> BookLane? {
        lanes.first { $0.markets.contains(market) }
    }

    /// Delivers stored candles while the exchange is asked for newer ones.
    private func deliverStoredCandles(_ interest: DetailInterest, _ deliver: Deliver) async {
        guard let archive = parts.archive, case .candles(let interval) = interest.facet,
            let page = await archive.candles(
                of: interest.market,
                interval,
                notAfter: latestTime(at: parts.now())
            ),
            scheduler.withLock({ $0.open.contains(interest) })
        else { return }
        await send([.candles(page)], deliver)
    }

    /// Sends one request, and delivers its response if an interest is still open.
    private func perform(_ fetch: DetailFetchScheduler.Fetch, _ deliver: Deliver) async {
        let startedAt = elapsed
        let requestedAt = exchangeTime
        do throws(DataSourceError) {
            let response = try await read(
                fetch,
                requestedAt: requestedAt,
                startedAt: startedAt
            )
            let (now, random) = (elapsed, parts.random())
            let recipients = scheduler.withLock { plan in
                plan.succeeded(
                    fetch,
                    requestedAt: requestedAt,
                    isReadable: response.skipped == 0,
                    at: now,
                    random: random
                )
                return plan.recipients(of: fetch)
            }
            if let recipients { await send(response.events(for: recipients), deliver) }
        } catch {
            if error.code != .cancelled { await report(error, fetch, deliver) }
        }
        scheduler.withLock { $0.end(fetch) }
        requestsChanged.signal()
    }

    private func report(
        _ error: DataSourceError,
        _ fetch: DetailFetchScheduler.Fetch,
        _ deliver: Deliver
    ) async {
        let (now, random) = (elapsed, parts.random())
        let failed = scheduler.withLock {
            $0.failed(
                fetch,
                isRefused: error.isRefusal,
                pause: error.pause,
                at: now,
                random: random
            )
        }
        guard let failed else { return }
        let failure = FeedFailure(error)
        let nextRetryAt = parts.now().advanced(by: failed.wait)
        let events = failed.interests.inOrder.map { interest in
            DetailEvent.feed(.failed(interest, failure, nextRetryAt: nextRetryAt))
        }
        await send(events, deliver)
    }

    /// Discards a response if the clock was set back since its request.
    ///
    /// The response would count as newer than all later ones.
    ///
    /// - Throws: ``DataSourceError`` `cancelled`.
    func checkClock(since requestedAt: Timestamp) throws(DataSourceError) {
        guard requestedAt.duration(since: exchangeTime) <= SteadyTime.boundStepMax else {
            throw DataSourceError(.cancelled, "the clock was set back")
        }
    }

    private func read(
        _ fetch: DetailFetchScheduler.Fetch,
        requestedAt: Timestamp,
        startedAt: Duration
    ) async throws(DataSourceError) -> DetailResponse {
        switch fetch.request {
        case .book(let market):
            guard let lane = lane(of: market) else { throw .closed(market) }
            let dto = try await parts.books.orderBook(symbol: market.name, of: lane.generation)
            // Meanwhile the book may have begun to come from another generation.
            guard lane.markets.contains(market) else { throw .closed(market) }
            let response = try DetailResponse(
                dto,
                of: market,
                notAfter: latestTime(at: parts.now())
            )
            if let levels = response.levelsHash {
                let now = elapsed
                lane.state.withLock { plan in
                    plan.compareResponse(
                        of: market,
                        levels: levels,
                        requestedAt: startedAt,
                        at: now
                    )
                }
                lane.changed.signal()
            }
            return response
        case .trades(let market):
            let today = SeoulTime(requestedAt).day
            var pages = TradePaging(market, after: lastTrade(of: market), today: today)
            while let page = pages.next {
                let dto = try await parts.trades.trades(
                    symbol: market.name,
                    page: page.page,
                    count: page.count
                )
                pages.apply(dto, notAfter: latestTime(at: parts.now()))
            }
            try checkClock(since: requestedAt)
            return DetailResponse(pages, requestedAt: requestedAt)
        case .pastCandles(let market, let block):
            return try await read(block, of: market)
        case .candles(let market, let interval):
            let dto = try await parts.candles.candles(
                symbol: market.name,
                interval: interval.rawValue,
                reach: fetch.reach
            )
            try checkClock(since: requestedAt)
            let answeredAt = parts.now()
            var (page, skipped) = CandleMapping.page(
                dto,
                of: market,
                interval: interval,
                requestedAt: requestedAt,
                answeredAt: exchangeTime,
                notAfter: latestTime(at: answeredAt)
            )
            // API 1.x returns all that it has, however few are asked for.
            page.isNewestPart = fetch.reach == .newest && dto.isTruncated == true
            // An unreadable row would look like a bucket without trades.
            if skipped == 0 { parts.archive?.keep(page) }
            return DetailResponse(page, skipped: skipped, isTruncated: dto.isTruncated ?? false)
        }
    }
}

extension DetailFacet {
    /// Whether its data depend on when they were requested.
    fileprivate var isOfRequestTime: Bool {
        switch self {
        case .book, .deepBook: false
        case .trades, .candles, .pastCandles, .newestCandles: true
        }
    }
}

extension Duration {
    /// At least a millisecond, so that a loop never spins.
    var atLeastTick: Duration { max(self, .milliseconds(1)) }
}

extension Set<DetailInterest> {
    /// The interests, and those in the blocks of the newest candles.
    fileprivate func withBlocks(at now: Timestamp) -> Set<DetailInterest> {
        var all = self
        for interest in self {
            guard case .newestCandles(let interval, let count) = interest.facet else { continue }
            for block in CandleBlock.newest(of: interval, count: count, at: now) {
                all.insert(DetailInterest(market: interest.market, facet: .pastCandles(block)))
            }
        }
        return all
    }

    /// The interests in a deterministic order.
    fileprivate var inOrder: [DetailInterest] {
        sorted { left, right in
            left.market == right.market
                ? left.facet.rank < right.facet.rank : left.market < right.market
        }
    }
}

extension DetailFacet {
    fileprivate var rank: (Int, Timestamp) {
        switch self {
        case .book: (0, .distantPast)
        case .deepBook: (1, .distantPast)
        case .trades: (2, .distantPast)
        case .candles(let interval): (3 + interval.place, .distantPast)
        case .pastCandles(let block):
            (3 + CandleInterval.allCases.count + block.interval.place, block.start)
        case .newestCandles(let interval, let count):
            (
                3 + 2 * CandleInterval.allCases.count + interval.place,
                Timestamp(microseconds: Int64(count))
            )
        }
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(microseconds: .min)
}

extension DataSourceError {
    /// A response about a book that is not read from its generation any more.
    fileprivate static func closed(_ market: MarketID) -> DataSourceError {
        DataSourceError(.cancelled, "orderbook/\(market.name): not wanted any more")
    }

    /// Whether the exchange refused the request, and another generation could not serve it.
    fileprivate var isRefusal: Bool {
        switch code {
        case .unserved: true
        case .refused:
            !APIGeneration.allCases.contains {
                GenerationStateMachine.Answer(self, of: $0).isGone
            }
        case .unreachable, .unknownHost, .proxy, .untrusted, .timedOut, .disconnected, .httpStatus,
            .rateLimited, .malformed, .ended, .cancelled:
            false
        }
    }
}
