public import DataSourceContracts
public import Domain
public import UseCases

/// Follows what is known of markets and coins beside their prices: names and warnings each hour,
/// deposits and withdrawals while somebody looks at them.
///
/// Nothing of it is urgent: the listings go first, and what fails is tried again with back-off
/// while everything else goes on. Of a recording nothing is read or stored.
public final class LiveReferenceFeed<C: Clock>: MarketReferenceFeedRepository
where C.Duration == Duration {
    /// What a feed is made of.
    public struct Parts: Sendable {
        let markets: any MarketReferenceSource
        let assets: any AssetStatusSource
        let interests: AssetInterests
        let archive: (any ReferenceArchive)?
        let names: CoinNames
        let identity: FeedIdentity
        let clock: C
        let now: @Sendable () -> Timestamp
        let random: @Sendable () -> UInt64

        /// Gathers the parts.
        ///
        /// - Parameters:
        ///   - markets: names and warnings over REST.
        ///   - assets: deposits and withdrawals over REST.
        ///   - interests: who looks at deposits and withdrawals; this feed listens to its changes.
        ///   - archive: what was stored, if there is a store.
        ///   - names: the names that hoga brings along, for coins that nobody else names.
        ///   - identity: what the source is, such as ``LiveMarketFeed/identity``.
        ///   - clock: measures waits.
        ///   - now: the local wall clock, for receive times.
        ///   - random: spreads the waits after failures.
        public init(
            markets: any MarketReferenceSource,
            assets: any AssetStatusSource,
            interests: AssetInterests,
            archive: (any ReferenceArchive)?,
            names: CoinNames,
            identity: FeedIdentity,
            clock: C,
            now: @escaping @Sendable () -> Timestamp,
            random: @escaping @Sendable () -> UInt64
        ) {
            self.markets = markets
            self.assets = assets
            self.interests = interests
            self.archive = archive
            self.names = names
            self.identity = identity
            self.clock = clock
            self.now = now
            self.random = random
        }
    }

    typealias Deliver = @Sendable (MarketEventBatch) async -> Void

    let parts: Parts
    /// Counts the wishes to read at once.
    let reloads = Signal(0)
    /// Counts what the readings should look at.
    let news = Signal(UInt64.zero)
    private let start: C.Instant

    /// Makes a feed that is not running yet.
    public init(parts: Parts) {
        self.parts = parts
        start = parts.clock.now
        let news = news
        parts.interests.onChange { news.update { $0 &+= 1 } }
    }

    /// Follows until the task is cancelled; the protocol says how.
    public func run(deliver: @escaping @Sendable (MarketEventBatch) async -> Void) async {
        await withTaskGroup { group in
            group.addTask { await self.followIdentity() }
            group.addTask { await self.followNames(deliver) }
            group.addTask { await self.followAssets(deliver) }
            await group.waitForAll()
        }
    }

    /// Asks for names and warnings now, and for deposits and withdrawals as soon as somebody looks.
    public func reload() {
        reloads.update { $0 += 1 }
        news.update { $0 &+= 1 }
    }

    /// Monotonic time since this feed was made.
    var elapsed: Duration { start.duration(to: parts.clock.now) }

    /// Tells events, and how many entries could not be read, in one batch.
    func tell(
        _ events: [ReferenceEvent],
        skipped: Int = 0,
        receivedAt: Timestamp,
        _ deliver: Deliver
    ) async {
        var batch = events.map(MarketEvent.reference)
        if skipped > 0 { batch.append(.skipped(skipped, .reference)) }
        guard !batch.isEmpty else { return }
        await deliver(MarketEventBatch(events: batch, receivedAt: receivedAt))
    }

    /// Waits for news, but not longer than a while.
    func rest(_ duration: Duration, unless seen: UInt64) async {
        await news.first(within: duration, by: parts.clock) { $0 != seen }
    }

    /// Waits for news.
    func rest(unless seen: UInt64) async {
        _ = await news.first { $0 != seen }
    }

    private func followIdentity() async {
        var known = parts.identity.knowledge.value
        while true {
            let last = known
            guard let next = await parts.identity.knowledge.first(where: { $0 != last }) else {
                return
            }
            known = next
            news.update { $0 &+= 1 }
        }
    }
}
