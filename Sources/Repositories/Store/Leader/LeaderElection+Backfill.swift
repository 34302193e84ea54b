import Concurrency
import DataSourceContracts
import Domain
import Synchronization

/// How far and how fast the leader reads what nobody heard.
enum Backfill {
    /// How far apart two readings are at the least: few beside the hundred a second that readers
    /// may cause.
    static let spacing: Duration = .milliseconds(300)
    /// How far back is looked for what is missing: about as far as the exchange tells minutes.
    static let horizon: Duration = .seconds(86_400)
    /// How long after its end a minute is missing that was not recorded: by then its trades were
    /// heard, or the connection is given up.
    static let patience: Duration = .seconds(20)
    /// How often is looked for what is missing.
    static let lookInterval: Duration = .seconds(20)
    /// How long is waited after a pass that did not heal everything; twice as long after another.
    static let pause: Duration = .seconds(60)
    /// The status with which the exchange answers for what is not listed.
    ///
    /// Its others, such as 5400
    /// of its own database, 5600 of asking too often and 5900 of nobody knows what, say nothing of
    /// the market: it is asked for again.
    static let unlistedStatus = "5500"
    /// The longest wait.
    static let pauseMax: Duration = .seconds(3_600)

    /// What is under way.
    struct Work: Sendable {
        /// The lease under which it began: it ends with that.
        var lease: LeaseDTO?
        /// The readings of all markets, if any are under way.
        var pass: BackfillPass?
        /// Not before then is looked for something missing.
        var lookAt: Duration = .zero
        /// Not before then is anything read: the exchange asked for a pause, or the store failed.
        var readAt: Duration = .zero
        /// How long to wait after a pass that did not heal everything.
        var pause = Backfill.pause
    }

    /// How a reading went.
    enum Outcome: Sendable {
        /// It was kept; whether it told everything that was missing.
        case told(isWhole: Bool)
        /// The exchange knows no such market: there is nothing to keep.
        case unknown
        /// The exchange failed, and wants to be left alone for so long.
        case failed(pause: Duration)
        /// The store failed: the reading is to be made again.
        case unkept
    }
}

extension LeaderElection {
    /// Reads over REST what no process heard, a market at a time, while this process leads.
    func runBackfill() async {
        var work = Backfill.Work()
        while !Task.isCancelled {
            if let lease, let feed {
                if work.lease != lease {
                    let lookAt = parts.stopwatch.elapsed + Backfill.lookInterval
                    work = Backfill.Work(lease: lease, lookAt: lookAt)
                }
                if parts.stopwatch.elapsed >= work.readAt { await heal(&work, lease, feed) }
            } else {
                work = Backfill.Work()
            }
            let left = work.pass?.left.count ?? 0
            state.withLock { $0.healingLeft = left }
            try? await parts.clock.sleep(for: Backfill.spacing)
        }
    }

    /// Makes the next reading, or looks whether one is needed.
    private func heal(_ work: inout Backfill.Work, _ lease: LeaseDTO, _ feed: String) async {
        if let doubt = dueDoubt {
            let outcome = await read(doubt.market, [doubt.span], lease, feed)
            switch outcome {
            case .told(isWhole: true), .unknown:
                state.withLock { $0.ledger.settle(doubt) }
                isChanged.signal()
            // All markets are read for these minutes then.
            case .told(isWhole: false): state.withLock { $0.ledger.giveUp(doubt) }
            case .failed(let pause):
                work.readAt = parts.stopwatch.elapsed + max(pause, LeaderElection.writeInterval)
            case .unkept: work.readAt = parts.stopwatch.elapsed + LeaderElection.writeInterval
            }
        } else if work.pass != nil {
            await goOn(&work, lease, feed)
        } else if parts.stopwatch.elapsed >= work.lookAt {
            work.lookAt = parts.stopwatch.elapsed + Backfill.lookInterval
            work.pass = await lookForMissing(lease, feed)
        }
    }

    /// A market that was listed while the stream ran, once REST has all of what is in doubt.
    private var dueDoubt: PartialMarketData? {
        let end = settledUntil
        return state.withLock { state in
            state.ledger.doubts.first { $0.span.upperBound <= end }
        }
    }

    /// Until when minutes are missing that were not recorded.
    private var settledUntil: Timestamp {
        CandleInterval.minute1.bucketStart(
            of: exchangeTime.advanced(by: .zero - Backfill.patience)
        )
    }

    private func lookForMissing(_ lease: LeaseDTO, _ feed: String) async -> BackfillPass? {
        let limit = settledUntil
        let (closed, markets, isBehind) = state.withLock { state in
            (state.ledger.closedUntil ?? limit, state.ledger.markets, state.ledger.hasUnwritten)
        }
        // A stream that runs will tell of what is newer.
        let end = min(limit, closed)
        // What was heard is written first.
        guard !isBehind, !markets.isEmpty else { return nil }
        do throws(StoreError) {
            let covered = try await parts.store.fenced(by: lease).coveredMinutes(feed: feed)
            let start = CandleInterval.minute1.bucketStart(
                of: limit.advanced(by: .zero - Backfill.horizon)
            )
            guard start < end else { return nil }
            let missing = BackfillPass.missing(in: start..<end, covered: covered)
            // Where the stream just began, the minute it began in is read with those before.
            let isGrowing = end < closed && missing.last?.upperBound == end
            if missing.isEmpty || isGrowing { return nil }
            return BackfillPass(spans: missing, markets: markets)
        } catch {
            noteRefusal(error, lease)
            return nil
        }
    }

    private func goOn(_ work: inout Backfill.Work, _ lease: LeaseDTO, _ feed: String) async {
        guard var pass = work.pass else { return }
        if let market = pass.left.first {
            switch await read(market, pass.spans, lease, feed) {
            case .told(let isWhole): pass.told(isWhole: isWhole)
            case .unknown: pass.wasUnknown()
            case .failed(let pause):
                pass.failed()
                work.readAt = parts.stopwatch.elapsed + pause
            case .unkept: work.readAt = parts.stopwatch.elapsed + LeaderElection.writeInterval
            }
            work.pass = pass
        }
        guard pass.isOver, await finish(pass, &work, lease, feed) else { return }
        work.pass = nil
    }

    /// Tells the store what is not missing any more.
    ///
    /// - Returns: whether the pass is done with.
    private func finish(
        _ pass: BackfillPass,
        _ work: inout Backfill.Work,
        _ lease: LeaseDTO,
        _ feed: String
    ) async -> Bool {
        guard pass.isWhole else {
            work.lookAt = parts.stopwatch.elapsed + work.pause
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
            return true
        } catch {
            noteRefusal(error, lease)
            work.readAt = parts.stopwatch.elapsed + LeaderElection.writeInterval
            return false
        }
    }

    /// Reads one market and has what is missing kept.
    private func read(
        _ market: MarketID,
        _ missing: [Range<Timestamp>],
        _ lease: LeaseDTO,
        _ feed: String
    ) async -> Backfill.Outcome {
        let page: CandlePage
        do throws(DataSourceError) {
            guard let whole = try await minutes(of: market) else { return .told(isWhole: false) }
            page = whole
        } catch {
            switch error.code {
            // Of a market that the exchange does not list it has no candles.
            case .refused(status: Backfill.unlistedStatus, _): return .unknown
            // It cannot answer now, or not so often.
            case .refused, .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .httpStatus,
                .rateLimited, .malformed, .ended, .cancelled:
                return .failed(pause: error.pause)
            }
        }
        let healed = BackfilledMinutes(page, missing: missing)
        guard !healed.spans.isEmpty else { return .told(isWhole: healed.isWhole) }
        let series = CandleSeriesDTO(
            feed: feed,
            market: market.name,
            interval: CandleInterval.minute1.rawValue
        )
        let candles = StoredCandlesDTO(series: series, rows: healed.rows, spans: healed.spans)
        do throws(StoreError) {
            try await parts.store.fenced(by: lease).saveCandles(candles)
            return .told(isWhole: healed.isWhole)
        } catch {
            noteRefusal(error, lease)
            return .unkept
        }
    }

    /// The candles of one minute of a market as REST tells them; nil where some cannot be read: a
    /// row that is left out would pass for a minute without a trade.
    private func minutes(of market: MarketID) async throws(DataSourceError) -> CandlePage? {
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
        return skipped == 0 ? page : nil
    }
}
