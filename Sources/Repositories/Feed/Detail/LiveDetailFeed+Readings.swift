import DataSourceContracts
import Domain
import Synchronization
import UseCases

extension LiveDetailFeed {
    /// How often the board is asked what it lacks, and glances are looked through.
    static var askInterval: Duration { .seconds(1) }

    /// Opens and closes what is wanted and makes the calls that are due.
    func followReadings(_ deliver: @escaping Deliver) async {
        await withDiscardingTaskGroup { group in
            var askAt = elapsed + Self.askInterval
            while !Task.isCancelled {
                let news = requestsChanged.value
                for interest in await reconcile(deliver) {
                    group.addTask { await self.deliverStoredCandles(interest, deliver) }
                }
                if elapsed >= askAt {
                    askAt = elapsed + Self.askInterval
                    parts.interests.expire(now: parts.now())
                    await put([], deliver)
                }
                let (now, time) = (elapsed, exchangeTime)
                let (flights, wakeAt) = readings.withLock { $0.next(at: now, time: time) }
                for flight in flights { group.addTask { await self.make(flight, deliver) } }
                let wait = min(askAt, wakeAt ?? askAt) - elapsed
                await requestsChanged.first(within: wait.atLeastTick, by: parts.clock) {
                    $0 != news
                }
            }
            group.cancelAll()
        }
    }

    /// Brings what is open into line with what is wanted, and tells the board.
    ///
    /// - Returns: what was opened.
    private func reconcile(_ deliver: Deliver) async -> [DetailInterest] {
        let (wanted, held) = (parts.interests.wanted, parts.interests.held)
        let open = readings.withLock { $0.open }
        let closed = open.subtracting(wanted).inOrder
        let opened = wanted.subtracting(open).inOrder
        readings.withLock { plan in
            for interest in closed { plan.close(interest) }
            plan.hold(held)
        }
        guard !closed.isEmpty || !opened.isEmpty else { return [] }
        let events =
            closed.map { MarketEvent.detail(.closed($0)) }
            + opened.map { MarketEvent.detail(.opened($0)) }
        let needs = await deliver(MarketEventBatch(events: events, receivedAt: parts.now()))
        let now = elapsed
        let books = readings.withLock { plan in
            for interest in opened { plan.open(interest, at: now) }
            plan.hold(held)
            _ = plan.take(needs.readings)
            return plan.books
        }
        stream.withLock { $0.want(books) }
        streamChanged.update { $0 &+= 1 }
        return opened
    }

    /// Delivers the candles that were kept, while the exchange is asked for newer ones.
    private func deliverStoredCandles(_ interest: DetailInterest, _ deliver: Deliver) async {
        guard let archive = parts.archive, case .candles(let interval) = interest.facet,
            let page = await archive.candles(
                of: interest.market,
                interval,
                notAfter: latestTime(at: parts.now())
            ),
            readings.withLock({ $0.open.contains(interest) })
        else { return }
        await put([.candles(page)], deliver)
    }

    /// Makes one call, and delivers its answer if somebody still waits for it.
    private func make(_ flight: ReadingPlan.Flight, _ deliver: Deliver) async {
        let startedAt = elapsed
        let askedAt = exchangeTime
        do throws(DataSourceError) {
            let answer = try await read(flight.reading, askedAt: askedAt, startedAt: startedAt)
            let (now, random) = (elapsed, parts.random())
            let takers = readings.withLock { plan in
                plan.succeeded(flight, askedAt: askedAt, at: now, random: random)
                return plan.takers(of: flight)
            }
            if let takers { await put(answer.events(for: takers), deliver) }
        } catch {
            if error.code != .cancelled { await tell(error, flight, deliver) }
        }
        readings.withLock { $0.end(flight) }
        requestsChanged.update { $0 &+= 1 }
    }

    private func tell(
        _ error: DataSourceError,
        _ flight: ReadingPlan.Flight,
        _ deliver: Deliver
    ) async {
        let (now, random) = (elapsed, parts.random())
        let failed = readings.withLock {
            $0.failed(
                flight,
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
            MarketEvent.detail(.failed(interest, failure, nextRetryAt: nextRetryAt))
        }
        await put(events, deliver)
    }

    private func read(
        _ reading: DetailRequest,
        askedAt: Timestamp,
        startedAt: Duration
    ) async throws(DataSourceError) -> DetailResponse {
        switch reading {
        case .book(let market):
            let dto = try await parts.books.orderBook(symbol: market.name)
            let answer = try DetailResponse(dto, of: market, notAfter: latestTime(at: parts.now()))
            if let levels = answer.levelsHash {
                let now = elapsed
                stream.withLock { plan in
                    plan.noteReading(of: market, levels: levels, askedAt: startedAt, at: now)
                }
                streamChanged.update { $0 &+= 1 }
            }
            return answer
        case .trades(let market):
            let count = TradeHistoryMapping.count
            let dto = try await parts.trades.trades(symbol: market.name, count: count)
            let (history, skipped) = TradeHistoryMapping.history(
                dto,
                of: market,
                asked: count,
                notAfter: latestTime(at: parts.now())
            )
            return DetailResponse(history, skipped: skipped)
        case .candles(let market, let interval):
            let dto = try await parts.candles.candles(
                symbol: market.name,
                interval: interval.rawValue
            )
            let answeredAt = parts.now()
            let (page, skipped) = CandleMapping.page(
                dto,
                of: market,
                interval: interval,
                askedAt: askedAt,
                answeredAt: exchangeTime,
                notAfter: latestTime(at: answeredAt)
            )
            // A row that cannot be read would pass for a bucket without a trade.
            if skipped == 0 { parts.archive?.keep(page) }
            return DetailResponse(page, skipped: skipped)
        }
    }
}

extension Duration {
    /// Never nothing: a loop that waits for its plan always gives way.
    var atLeastTick: Duration { max(self, .milliseconds(1)) }
}

extension Set<DetailInterest> {
    /// The interests in an order that does not change from run to run.
    fileprivate var inOrder: [DetailInterest] {
        sorted { left, right in
            left.market == right.market
                ? left.facet.rank < right.facet.rank : left.market < right.market
        }
    }
}

extension DetailFacet {
    fileprivate var rank: Int {
        switch self {
        case .book: 0
        case .trades: 1
        case .candles(let interval):
            2 + (CandleInterval.allCases.firstIndex(of: interval) ?? 0)
        }
    }
}

extension DataSourceError {
    /// Whether the exchange understood the request and said no.
    fileprivate var isRefusal: Bool {
        switch code {
        case .refused: true
        case .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .httpStatus, .rateLimited,
            .malformed, .ended, .cancelled:
            false
        }
    }
}
