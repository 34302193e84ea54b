public import Domain

/// Owns the board: the only place that changes it and takes snapshots.
public actor FollowMarkets {
    private let feed: any MarketFeedRepository
    private let details: (any MarketDetailFeedRepository)?
    private let reference: (any MarketReferenceFeedRepository)?
    private let periods: (any PeriodFeedRepository)?
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private let snapshotInterval: Duration
    private let latest: SnapshotPublisher
    private let alerts: AlertEvaluation?
    private var board: MarketBoard
    private var sequence: UInt64 = 0
    private var isChanged = false
    private var waiter: CheckedContinuation<Void, Never>?

    /// Makes a use case that is not running yet.
    ///
    /// - Parameters:
    ///   - feed: source of market events.
    ///   - details: source of books, past trades and candles, if any.
    ///   - reference: source of names, warnings, deposits and withdrawals, if any.
    ///   - periods: source of the bases of changes, if any.
    ///   - alerts: evaluates alert rules on the events, if any.
    ///   - board: the initial board, usually empty.
    ///   - latest: publishes snapshots.
    ///   - snapshotInterval: minimum time between two snapshots.
    ///   - clock: measures the interval.
    ///   - now: the local wall clock.
    public init(
        feed: any MarketFeedRepository,
        details: (any MarketDetailFeedRepository)? = nil,
        reference: (any MarketReferenceFeedRepository)? = nil,
        periods: (any PeriodFeedRepository)? = nil,
        alerts: AlertEvaluation? = nil,
        board: MarketBoard,
        latest: SnapshotPublisher,
        snapshotInterval: Duration,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.feed = feed
        self.details = details
        self.reference = reference
        self.periods = periods
        self.alerts = alerts
        self.board = board
        self.latest = latest
        self.snapshotInterval = snapshotInterval
        self.clock = clock
        self.now = now
    }

    /// Follows the feeds and publishes snapshots until the task is cancelled.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.feed.run { await self.apply($0) } }
            if let details {
                group.addTask { await details.run { await self.applyDetails($0) } }
            }
            if let reference {
                group.addTask { await reference.run { await self.applyReference($0) } }
            }
            if let periods {
                group.addTask {
                    await periods.run(
                        needs: { await self.closeNeeds(of: $0) },
                        deliver: { _ = await self.apply($0) }
                    )
                }
            }
            group.addTask { await self.publishChanges() }
            group.addTask { await self.beat() }
            await group.waitForAll()
        }
    }

    /// Applies a batch of the market list and returns the state of the feed.
    public func apply(_ batch: MarketEventBatch) -> FeedStatus {
        let changes = board.apply(batch)
        alerts?.receive(batch, board)
        if !changes.isEmpty || batch.frameCount > 0 { markChanged() }
        return board.feed
    }

    /// Applies a batch of the detail feed and returns what the board still needs.
    public func applyDetails(_ batch: DetailEventBatch) -> DetailNeeds {
        let losses = alerts == nil ? [:] : lossesFilled(by: batch)
        let changes = board.apply(batch)
        if let alerts {
            let books = changes.markets.filter { $0.value.contains(.book) }
            alerts.receiveBooks(of: Set(books.keys), board, now: batch.receivedAt)
            alerts.receiveRepairs(losses, board, now: batch.receivedAt)
        }
        if !changes.isEmpty || batch.frameCount > 0 { markChanged() }
        return board.detailNeeds
    }

    /// The last trades before the losses that a batch may fill, by market.
    private func lossesFilled(by batch: DetailEventBatch) -> [MarketID: Timestamp] {
        var losses: [MarketID: Timestamp] = [:]
        for case .tradeHistory(let history) in batch.events {
            losses[history.market] = board.tape(of: history.market).lastTradeBeforeLoss
        }
        return losses
    }

    /// Applies a batch of reference data.
    public func applyReference(_ batch: ReferenceEventBatch) {
        if !board.apply(batch).isEmpty { markChanged() }
    }

    /// The closes that changes over these periods lack; nil before the first list of markets.
    public func closeNeeds(of shown: Set<ShownPeriod>) -> [CloseNeed]? {
        if shown.isEmpty { return [] }
        return board.feed.listedQuotes.isEmpty ? nil : board.closeNeeds(of: shown, now: now())
    }

    private func markChanged() {
        isChanged = true
        waiter?.resume()
        waiter = nil
    }

    /// Publishes a snapshot as soon as the board changes, then waits for the interval.
    private func publishChanges() async {
        while !Task.isCancelled {
            await change()
            if Task.isCancelled { return }
            isChanged = false
            sequence += 1
            latest.publish(BoardSnapshot(board: board, sequence: sequence, capturedAt: now()))
            try? await clock.sleep(for: snapshotInterval)
        }
    }

    /// Returns when the board has changed since the last snapshot, or the task is cancelled.
    private func change() async {
        if isChanged { return }
        // A cancelled wait ends too: `beat` marks a change once more when its sleep is cancelled.
        await withCheckedContinuation { continuation in
            if Task.isCancelled {
                continuation.resume()
            } else {
                waiter = continuation
            }
        }
    }

    /// Publishes at least once a second, because ages and windows without a trade depend on time.
    private func beat() async {
        while !Task.isCancelled {
            try? await clock.sleep(for: .seconds(1))
            alerts?.tick(board, now: now())
            markChanged()
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Sleeps for a duration.
    func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration), tolerance: nil)
    }
}
