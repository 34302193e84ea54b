import DataSources
import Domain

extension LiveMarketFeed {
    /// Reads the listings on their schedule and whenever one is asked for.
    func followListings(_ deliver: @escaping Deliver) async {
        var backoff = ReconnectBackoff()
        while !Task.isCancelled, !hasEnded.value {
            let request = listingsWanted.value
            switch await readListings(deliver) {
            case .success:
                backoff.succeeded()
                listingsRead.update { $0 = max($0, request) }
                let wait = ListingSchedule.wait(at: parts.now())
                await sleep(wait, until: listingsWanted) { $0 > request }
            case .failure(let error):
                if error.code == .cancelled { return }
                let wait = backoff.failed(
                    at: elapsed,
                    random: parts.random(),
                    pause: error.pause
                )
                await tell(
                    .listingFailed(
                        FeedFailure(error),
                        nextRetryAt: parts.now().advanced(by: wait)
                    ),
                    deliver
                )
                await sleep(wait, atLeast: error.pause, until: listingsWanted) { $0 > request }
            }
        }
    }

    /// Reads every quote currency and delivers each answer as it comes.
    ///
    /// - Returns: the first failure. Where the server itself is in trouble, and not one answer of
    ///   it, the rest is not tried.
    private func readListings(_ deliver: Deliver) async -> Result<Void, DataSourceError> {
        var failure: DataSourceError?
        for quote in Quote.allCases {
            do throws(DataSourceError) {
                let answer = try await parts.tickers.tickers(quote: quote.rawValue)
                await take(answer, quote: quote, deliver)
            } catch {
                failure = failure ?? error
                switch error.code {
                case .unreachable, .untrusted, .timedOut, .disconnected, .httpStatus,
                    .rateLimited, .cancelled:
                    return .failure(error)
                case .refused, .malformed, .ended: continue
                }
            }
        }
        return failure.map { .failure($0) } ?? .success(())
    }

    private func take(_ answer: TickerAllDTO, quote: Quote, _ deliver: Deliver) async {
        let receivedAt = parts.now()
        let (listing, skipped) = ListingMapping.listing(
            answer,
            quote: quote,
            receivedAt: receivedAt
        )
        var events: [MarketEvent] = []
        let named = answer.feedLabel.flatMap { FeedKind(rawValue: $0) } ?? configuredKind
        if named != kind.value {
            kind.update { $0 = named }
            events.append(.feed(.identified(named)))
        }
        events.append(.listing(listing))
        if skipped > 0 { events.append(.skipped(skipped)) }
        _ = await deliver(MarketEventBatch(events: events, receivedAt: receivedAt))
        directory.update { $0.add(listing) }
    }

    /// Tells the board when a day begins in Seoul.
    ///
    /// A recording has its own calendar: the days of its listings.
    func followCalendar(_ deliver: Deliver) async {
        var day = SeoulTime(parts.now()).day
        while !Task.isCancelled {
            // In short steps, because a wall clock may be set while somebody sleeps.
            let wait = min(ListingSchedule.untilMidnight(at: parts.now()), .seconds(30))
            try? await parts.clock.sleep(for: wait)
            let today = SeoulTime(parts.now()).day
            guard !Task.isCancelled, today > day else { continue }
            day = today
            guard kind.value != .replay else { continue }
            _ = await deliver(
                MarketEventBatch(events: [.dayBegan(today)], receivedAt: parts.now())
            )
        }
    }
}
