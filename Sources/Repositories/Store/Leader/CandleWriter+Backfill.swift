import Concurrency
import DataSourceContracts
import Domain
import Synchronization

/// How far back and how fast the leader reads missing minutes.
enum Backfill {
    /// Minimum time between two requests, few beside the hundred a second that readers may cause.
    static let spacing: Duration = .milliseconds(300)
    /// How far back missing minutes are searched, about as far as the exchange returns minutes.
    static let horizon: Duration = .seconds(86_400)
    /// How long after its end an unrecorded minute counts as missing.
    ///
    /// By then its trades have arrived, or the connection counts as lost.
    static let patience: Duration = .seconds(20)
    /// How often missing minutes are searched.
    static let searchInterval: Duration = .seconds(20)
    /// Pause after an incomplete pass, doubled after each further one.
    static let pause: Duration = .seconds(60)
    /// The statuses with which API 1.x and 2.x answer for an unlisted market.
    ///
    /// Other statuses, such as 5400 (database), 5600 (too many requests) and 5900 (unknown), do not
    /// concern the market: the request is repeated.
    static let unlistedStatuses: Set = ["5500", "404"]
    /// The longest pause.
    static let pauseMax: Duration = .seconds(3_600)

    /// Work in progress.
    struct Work: Sendable {
        /// The lease under which it began; the work ends with it.
        var lease: LeaseDTO?
        /// The current pass over all markets, if any.
        var pass: BackfillPass?
        /// Time of the next search.
        var searchAt: Duration = .zero
        /// Earliest time of the next request: the exchange asked for a pause, or the store failed.
        var readAt: Duration = .zero
        /// Pause after the next incomplete pass.
        var pause = Backfill.pause
    }

    /// Outcome of a request.
    enum Outcome: Sendable {
        /// The answer was stored; whether it covers the whole gap.
        case stored(isWhole: Bool)
        /// The exchange does not list the market: there is nothing to store.
        case unknown
        /// The exchange failed and asks for a pause.
        case failed(pause: Duration)
        /// The store failed: the request must be repeated.
        case storeFailed
    }
}

extension CandleWriter {
    /// Reads missing minutes over REST, one market at a time, while this process leads.
    func runBackfill() async {
        var work = Backfill.Work()
        while !Task.isCancelled {
            if let lease = election.lease, let feed = election.feed {
                if work.lease != lease {
                    let searchAt = parts.stopwatch.elapsed + Backfill.searchInterval
                    work = Backfill.Work(lease: lease, searchAt: searchAt)
                }
                if parts.stopwatch.elapsed >= work.readAt { await backfillNext(&work, lease, feed) }
            } else {
                work = Backfill.Work()
            }
            let left = work.pass?.left.count ?? 0
            state.withLock { $0.healingLeft = left }
            try? await parts.clock.sleep(for: Backfill.spacing)
        }
    }

    /// Makes the next request, or searches for missing minutes.
    private func backfillNext(_ work: inout Backfill.Work, _ lease: LeaseDTO, _ feed: String) async
    {
        if let partial = duePartial {
            let outcome = await read(partial.market, [partial.span], lease, feed)
            switch outcome {
            case .stored(isWhole: true), .unknown:
                state.withLock { $0.builder.settle(partial) }
                isChanged.signal()
            // All markets are read for these minutes then.
            case .stored(isWhole: false): state.withLock { $0.builder.giveUp(partial) }
            case .failed(let pause):
                work.readAt = parts.stopwatch.elapsed + max(pause, CandleWriter.writeInterval)
            case .storeFailed: work.readAt = parts.stopwatch.elapsed + CandleWriter.writeInterval
            }
        } else if work.pass != nil {
            await continuePass(&work, lease, feed)
        } else if parts.stopwatch.elapsed >= work.searchAt {
            work.searchAt = parts.stopwatch.elapsed + Backfill.searchInterval
            work.pass = await findMissing(&work, lease, feed)
        }
    }

    /// A market listed while the stream ran, whose partial minutes REST can cover now.
    private var duePartial: PartialMarketData? {
        let end = settledUntil
        return state.withLock { state in
            state.builder.partialMarkets.first { $0.span.upperBound <= end }
        }
    }

    /// Unrecorded minutes up to this time are missing.
    private var settledUntil: Timestamp {
        CandleInterval.minute1.bucketStart(
            of: exchangeTime.advanced(by: .zero - Backfill.patience)
        )
    }

    private func findMissing(
        _ work: inout Backfill.Work,
        _ lease: LeaseDTO,
        _ feed: String
    ) async -> BackfillPass? {
        let limit = settledUntil
        let (closed, markets, isBehind) = state.withLock { state in
            (state.builder.closedUntil ?? limit, state.builder.markets, state.builder.hasUnwritten)
        }
        // A running stream will deliver the newer minutes.
        let end = min(limit, closed)
        // Recorded minutes are written first.
        guard !isBehind, !markets.isEmpty else { return nil }
        do throws(StoreError) {
            let covered = try await parts.store.fenced(by: lease).coveredMinutes(feed: feed)
            election.note(nil, of: .backfill)
            let start = CandleInterval.minute1.bucketStart(
                of: limit.advanced(by: .zero - Backfill.horizon)
            )
            guard start < end else { return nil }
            let missing = BackfillPass.missing(in: start..<end, covered: covered)
            // If the stream has just begun, its first minute is read with those before.
            let isGrowing = end < closed && missing.last?.upperBound == end
            if missing.isEmpty || isGrowing { return nil }
            return BackfillPass(spans: missing, markets: markets)
        } catch {
            work.searchAt = parts.stopwatch.elapsed + CandleWriter.writeInterval
            election.noteRefusal(error, lease, of: .backfill)
            return nil
        }
    }

    private func continuePass(_ work: inout Backfill.Work, _ lease: LeaseDTO, _ feed: String) async
    {
        guard var pass = work.pass else { return }
        if let market = pass.left.first {
            switch await read(market, pass.spans, lease, feed) {
            case .stored(let isWhole): pass.answered(isWhole: isWhole)
            case .unknown: pass.wasUnknown()
            case .failed(let pause):
                pass.failed()
                work.readAt = parts.stopwatch.elapsed + pause
            case .storeFailed: work.readAt = parts.stopwatch.elapsed + CandleWriter.writeInterval
            }
            work.pass = pass
        }
        guard pass.isOver, await finish(pass, &work, lease, feed) else { return }
        work.pass = nil
    }

    /// Records the backfilled minutes in the store.
    ///
    /// - Returns: whether the pass is finished.
    private func finish(
        _ pass: BackfillPass,
        _ work: inout Backfill.Work,
        _ lease: LeaseDTO,
        _ feed: String
    ) async -> Bool {
        guard pass.isWhole else {
            work.searchAt = parts.stopwatch.elapsed + work.pause
            work.pause = min(work.pause * 2, Backfill.pauseMax)
            state.withLock { $0.needsRollUp = true }
            return true
        }
        do throws(StoreError) {
            let covered = MinuteCandleBatchMapping.spans(pass.spans)
            let minutes = MinuteCandleBatchDTO(feed: feed, rows: [], covered: covered)
            try await parts.store.fenced(by: lease).saveMinutes(minutes)
            state.withLock { $0.needsRollUp = true }
            work.pause = Backfill.pause
            election.note(nil, of: .backfill)
            return true
        } catch {
            election.noteRefusal(error, lease, of: .backfill)
            work.readAt = parts.stopwatch.elapsed + CandleWriter.writeInterval
            return false
        }
    }

    /// Reads one market and stores its missing minutes.
    private func read(
        _ market: MarketID,
        _ missing: [Range<Timestamp>],
        _ lease: LeaseDTO,
        _ feed: String
    ) async -> Backfill.Outcome {
        let page: CandlePage
        let isTruncated: Bool?
        do throws(DataSourceError) {
            guard let whole = try await minutes(of: market) else { return .stored(isWhole: false) }
            (page, isTruncated) = whole
        } catch {
            switch error.code {
            // The exchange has no candles of an unlisted market.
            case .refused(let status, _) where Backfill.unlistedStatuses.contains(status):
                return .unknown
            // It cannot answer now, or not so often.
            case .refused, .unreachable, .unknownHost, .proxy, .untrusted, .timedOut, .disconnected,
                .httpStatus,
                .rateLimited, .unserved, .malformed, .ended, .cancelled:
                return .failed(pause: error.pause)
            }
        }
        let backfilled = BackfilledMinutes(page, isTruncated: isTruncated, missing: missing)
        guard !backfilled.spans.isEmpty else { return .stored(isWhole: backfilled.isWhole) }
        let series = CandleSeriesDTO(
            feed: feed,
            market: market.name,
            interval: CandleInterval.minute1.rawValue
        )
        let candles = StoredCandlesDTO(
            series: series,
            rows: backfilled.rows,
            spans: backfilled.spans
        )
        do throws(StoreError) {
            try await parts.store.fenced(by: lease).saveCandles(candles)
            election.note(nil, of: .backfill)
            return .stored(isWhole: backfilled.isWhole)
        } catch {
            election.noteRefusal(error, lease, of: .backfill)
            return .storeFailed
        }
    }

    /// The one minute candles of a market from REST; nil if a row is unreadable, because it would
    /// look like a minute without a trade.
    private func minutes(
        of market: MarketID
    ) async throws(DataSourceError) -> (CandlePage, isTruncated: Bool?)? {
        let askedAt = exchangeTime
        let dto = try await parts.candles.candles(
            symbol: market.name,
            interval: CandleInterval.minute1.rawValue
        )
        let answeredAt = exchangeTime
        let (page, skipped) = CandleMapping.page(
            dto,
            of: market,
            interval: .minute1,
            requestedAt: askedAt,
            answeredAt: answeredAt,
            notAfter: answeredAt.advanced(by: ClockSkewLimit.ahead)
        )
        return skipped == 0 ? (page, dto.isTruncated) : nil
    }
}
