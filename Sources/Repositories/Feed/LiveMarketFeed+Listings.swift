import Concurrency
import DataSourceContracts
import Domain

extension LiveMarketFeed {
    /// Reads the listings on schedule and on request.
    func followListings(_ deliver: @escaping Deliver) async {
        var backoff = Backoff(.exchange)
        while !Task.isCancelled, !hasEnded.value {
            let request = listingsRequested.value
            let reading = await readListings(deliver)
            if reading.failure?.code != .cancelled { parts.onAnswer(.rest, reading.failure) }
            if reading.isUsable { listingsRead.update { $0 = max($0, request) } }
            let pause = reading.failure?.pause ?? .zero
            let wait: Duration
            if let error = reading.failure, !reading.isUsable {
                if error.code == .cancelled { return }
                wait = backoff.failed(at: elapsed, random: parts.random(), pause: pause)
            } else {
                // A listing that is not served is requested again with the others, on schedule.
                backoff.succeeded()
                wait = ListingSchedule.wait(at: parts.now())
            }
            if let error = reading.failure {
                let nextRetryAt = parts.now().advanced(by: wait)
                await report(.listingFailed(FeedFailure(error), nextRetryAt: nextRetryAt), deliver)
            }
            listingsAttempted.update { $0 = max($0, request) }
            identity.noteListingAttempt()
            await sleep(wait, atLeast: pause, until: listingsRequested) { $0 > request }
        }
    }

    /// The outcome of reading all listings.
    private struct Reading {
        /// The first failure.
        var failure: DataSourceError?
        /// Whether at least one listing was applied.
        ///
        /// A listing that is not served, as in some recordings, is reported as a failure; the
        /// others are followed.
        var isUsable = false
    }

    /// Reads every quote currency and delivers each listing as it arrives.
    ///
    /// After a failure of the server itself the other currencies are not tried.
    private func readListings(_ deliver: Deliver) async -> Reading {
        var reading = Reading()
        let markets: ListingReader.Markets?
        do throws(DataSourceError) {
            markets = try await parts.listings.markets()
        } catch {
            await identify(error.feedLabel, deliver)
            return Reading(failure: error)
        }
        var asOf: Timestamp?
        for quote in Quote.allCases {
            let requestedAt = parts.now()
            do throws(DataSourceError) {
                var listing = try await parts.listings.listing(
                    of: quote,
                    among: markets,
                    asOf: asOf,
                    now: parts.now
                )
                listing.listing.requestedAt = requestedAt
                await apply(listing, deliver)
                asOf = listing.asOf
                reading.isUsable = true
            } catch {
                await identify(error.feedLabel, deliver)
                reading.failure = reading.failure ?? error
                switch error.code {
                case .unreachable, .unknownHost, .proxy, .untrusted, .timedOut, .disconnected,
                    .httpStatus,
                    .rateLimited, .cancelled:
                    return Reading(failure: error)
                case .refused, .unserved, .malformed, .ended: continue
                }
            }
        }
        return reading
    }

    private func apply(_ reading: ListingReader.Reading, _ deliver: Deliver) async {
        let receivedAt = parts.now()
        var listing = reading.listing
        await identify(reading.feedLabel ?? configuredKind.rawValue, deliver)
        updateClockLead(of: &listing, receivedAt: receivedAt)
        var events: [MarketEvent] = [.listing(listing)]
        if reading.skipped > 0 { events.append(.skipped(reading.skipped, .listing)) }
        _ = await deliver(batch(events, receivedAt: receivedAt))
        scope.update { $0.markets.add(listing) }
    }

    /// Stores how far the exchange's clock is ahead.
    ///
    /// More than a day is an error, and the local clock counts; a simulated clock may show any day.
    private func updateClockLead(of listing: inout Listing, receivedAt: Timestamp) {
        guard kind.value != .replay else { return }
        let ahead = listing.at.duration(since: receivedAt)
        if ahead > .seconds(86_400), kind.value == .live {
            listing.at = receivedAt
        } else {
            clockLead.update { $0.note(ahead, receivedAt: receivedAt, uptime: elapsed) }
        }
    }

    /// The latest plausible time of an event received now; nil for a recording, whose times may be
    /// of any year.
    func latestTime(at receivedAt: Timestamp) -> Timestamp? {
        exchangeClockLead.map { receivedAt.advanced(by: $0 + ClockSkewLimit.ahead) }
    }

    /// Reports the feed label of the server if it is new.
    private func identify(_ label: String?, _ deliver: Deliver) async {
        guard let named = label.flatMap(FeedKind.init(rawValue:)) else { return }
        if named != kind.value {
            await report(.identified(named), deliver)
            kind.update { $0 = named }
        }
        identity.note(named)
    }

    /// Tells the board when a day begins in Seoul, except for recordings, whose listings carry the
    /// days.
    func followCalendar(_ deliver: Deliver) async {
        var day = SeoulTime(parts.now()).day
        while !Task.isCancelled {
            // In short steps, because the wall clock may be set meanwhile.
            let wait = min(ListingSchedule.untilMidnight(at: parts.now()), .seconds(1))
            try? await parts.clock.sleep(for: wait)
            let today = SeoulTime(parts.now()).day
            guard !Task.isCancelled, today > day else { continue }
            day = today
            guard kind.value != .replay else { continue }
            _ = await deliver(batch([.dayBegan(today)]))
        }
    }
}
