public import Domain

/// Owns the board: the only place that mutates it, and where cuts are made.
public actor FollowMarkets {
    private let feed: any MarketFeedRepository
    private let details: (any MarketDetailFeedRepository)?
    private let reference: (any MarketReferenceFeedRepository)?
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Timestamp
    private let cutInterval: Duration
    private let latest: SnapshotPublisher
    private var board: MarketBoard
    private var sequence: UInt64 = 0
    private var isChanged = false
    private var waiter: CheckedContinuation<Void, Never>?

    /// Prepares to follow a feed.
    ///
    /// - Parameters:
    ///   - feed: where events come from.
    ///   - details: where books, past trades and candles come from, if anywhere.
    ///   - reference: where names, warnings, deposits and withdrawals come from, if anywhere.
    ///   - board: the board to start with, usually empty.
    ///   - latest: where cuts are published.
    ///   - cutInterval: cuts are no closer together than this.
    ///   - clock: measures the interval.
    ///   - now: the local wall clock.
    public init(
        feed: any MarketFeedRepository,
        details: (any MarketDetailFeedRepository)? = nil,
        reference: (any MarketReferenceFeedRepository)? = nil,
        board: MarketBoard,
        latest: SnapshotPublisher,
        cutInterval: Duration,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.feed = feed
        self.details = details
        self.reference = reference
        self.board = board
        self.latest = latest
        self.cutInterval = cutInterval
        self.clock = clock
        self.now = now
    }

    /// Follows the feed and publishes cuts until the task is cancelled.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.feed.run { await self.apply($0) } }
            if let details {
                group.addTask { await details.run { await self.applyDetails($0) } }
            }
            if let reference {
                group.addTask { await reference.run { await self.applyReference($0) } }
            }
            group.addTask { await self.publishChanges() }
            group.addTask { await self.beat() }
            await group.waitForAll()
        }
    }

    /// Takes a batch and answers how the feed stands afterwards.
    public func apply(_ batch: MarketEventBatch) -> FeedStatus {
        let changes = board.apply(batch)
        if !changes.isEmpty || batch.frameCount > 0 { markChanged() }
        return board.feed
    }

    /// Takes a batch of the feed of details and answers what the board lacks afterwards.
    public func applyDetails(_ batch: DetailEventBatch) -> DetailNeeds {
        let changes = board.apply(batch)
        if !changes.isEmpty || batch.frameCount > 0 { markChanged() }
        return board.detailNeeds
    }

    /// Takes a batch of what is known beside prices.
    public func applyReference(_ batch: ReferenceEventBatch) {
        if !board.apply(batch).isEmpty { markChanged() }
    }

    private func markChanged() {
        isChanged = true
        waiter?.resume()
        waiter = nil
    }

    /// Cuts at once when something changed, then rests for the interval.
    private func publishChanges() async {
        while !Task.isCancelled {
            await change()
            if Task.isCancelled { return }
            isChanged = false
            sequence += 1
            latest.publish(BoardSnapshot(board: board, sequence: sequence, capturedAt: now()))
            try? await clock.sleep(for: cutInterval)
        }
    }

    /// Returns when the board has changed since the last cut, or the task is cancelled.
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

    /// Time changes what is true (ages, windows without a trade), so a second never passes uncut.
    private func beat() async {
        while !Task.isCancelled {
            try? await clock.sleep(for: .seconds(1))
            markChanged()
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Sleeps for a duration by this clock.
    func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration), tolerance: nil)
    }
}
