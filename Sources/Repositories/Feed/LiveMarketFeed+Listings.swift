import DataSourceContracts
import Domain

extension LiveMarketFeed {
    /// Reads the listings on their schedule and whenever one is asked for.
    func followListings(_ deliver: @escaping Deliver) async {
        var backoff = ReconnectBackoff()
        while !Task.isCancelled, !hasEnded.value {
            let request = listingsRequested.value
            let reading = await readListings(deliver)
            if reading.isUsable { listingsRead.update { $0 = max($0, request) } }
            let pause = reading.failure?.pause ?? .zero
            let wait: Duration
            if let error = reading.failure, !reading.isUsable {
                if error.code == .cancelled { return }
                wait = backoff.failed(at: elapsed, random: parts.random(), pause: pause)
            } else {
                // What is not served is asked for again with the rest, on schedule.
                backoff.succeeded()
                wait = ListingSchedule.wait(at: parts.now())
            }
            if let error = reading.failure {
                let nextRetryAt = parts.now().advanced(by: wait)
                await tell(.listingFailed(FeedFailure(error), nextRetryAt: nextRetryAt), deliver)
            }
            listingsAttempted.update { $0 = max($0, request) }
            identity.noteListingAttempt()
            await sleep(wait, atLeast: pause, until: listingsRequested) { $0 > request }
        }
    }

    /// How a reading of all listings went.
    private struct Reading {
        /// The first failure; nil without any.
        var failure: DataSourceError?
        /// Whether a listing was taken.
        ///
        /// One that the exchange does not serve, as a recording may not, is told as a failure but
        /// keeps nobody from following the others.
        var isUsable = false
    }

    /// Reads every quote currency and delivers each answer as it comes.
    ///
    /// Where the server itself is in trouble, and not one answer of it, the rest is not tried.
    private func readListings(_ deliver: Deliver) async -> Reading {
        var reading = Reading()
        for quote in Quote.allCases {
            do throws(DataSourceError) {
                let answer = try await parts.tickers.tickers(quote: quote.rawValue)
                if quote == .krw, answer.namesNothing {
                    throw DataSourceError(.malformed, "ticker/ALL_KRW: an answer without a market")
                }
                await take(answer, quote: quote, deliver)
                reading.isUsable = true
            } catch {
                await identify(error.feedLabel, deliver)
                reading.failure = reading.failure ?? error
                switch error.code {
                case .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .httpStatus,
                    .rateLimited, .cancelled:
                    return Reading(failure: error)
                case .refused, .malformed, .ended: continue
                }
            }
        }
        return reading
    }

    private func take(_ answer: TickerAllDTO, quote: Quote, _ deliver: Deliver) async {
        let receivedAt = parts.now()
        var (listing, skipped) = ListingMapping.listing(
            answer,
            quote: quote,
            receivedAt: receivedAt
        )
        await identify(answer.feedLabel ?? configuredKind.rawValue, deliver)
        updateClockLead(of: &listing, receivedAt: receivedAt)
        var events: [MarketEvent] = [.listing(listing)]
        if skipped > 0 { events.append(.skipped(skipped, .listing)) }
        _ = await deliver(MarketEventBatch(events: events, receivedAt: receivedAt))
        directory.update { $0.add(listing) }
    }

    /// Notes how far the exchange's clock is ahead; a day cannot be, and goes by the local clock.
    ///
    /// A simulated clock may be set to any day.
    private func updateClockLead(of listing: inout Listing, receivedAt: Timestamp) {
        guard kind.value != .replay else { return }
        let ahead = listing.at.duration(since: receivedAt)
        if ahead > .seconds(86_400), kind.value == .live {
            listing.at = receivedAt
        } else {
            lead.update { $0 = max(ahead, .zero) }
        }
    }

    /// The latest time that something received now can have happened at; nil for a recording,
    /// whose times may be of any year.
    func latestTime(at receivedAt: Timestamp) -> Timestamp? {
        exchangeClockLead.map { receivedAt.advanced(by: $0 + FrameTime.tolerance) }
    }

    /// Tells what the server says it serves where that is news; nil says nothing.
    private func identify(_ label: String?, _ deliver: Deliver) async {
        guard let named = label.flatMap(FeedKind.init(rawValue:)) else { return }
        if named != kind.value {
            await tell(.identified(named), deliver)
            kind.update { $0 = named }
        }
        identity.note(named)
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

extension TickerAllDTO {
    /// Whether not one market is named, not even one that cannot be read.
    fileprivate var namesNothing: Bool {
        tickers.isEmpty && emptySymbols.isEmpty && skipped.isEmpty
    }
}
