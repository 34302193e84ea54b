public import DataSourceContracts
import Synchronization

/// An in-memory store of market data that several writers share; it fails on demand.
///
/// The store keeps the contract of a real store by a scan of all data in each call.
public final class InMemorySharedStore: SharedMarketStoreSource {
    /// The stored data and the leases.
    struct State {
        var market = StoredMarketData()
        var rolled = MinuteRollups()
        var leases = StoredLeases()
    }

    /// The contents of the store, which all connections share.
    private final class Contents: Sendable {
        let state = Mutex(State())
    }

    private let contents: Contents
    private let connection = Mutex(FailingConnection())
    private let now: @Sendable () -> Int64

    /// Makes an empty store.
    ///
    /// - Parameter now: the store's own clock, microseconds since 1970 UTC: when a lease runs out.
    public convenience init(now: @escaping @Sendable () -> Int64) {
        self.init(Contents(), now: now)
    }

    private init(_ contents: Contents, now: @escaping @Sendable () -> Int64) {
        self.contents = contents
        self.now = now
    }

    /// Another connection to this store, which fails and counts on its own.
    public func connected() -> InMemorySharedStore { InMemorySharedStore(contents, now: now) }

    /// The number of calls, including failed ones.
    public var callCount: Int { connection.withLock(\.callCount) }

    /// Makes every call fail, as if the store were unreachable; nil ends the failure.
    ///
    /// - Parameters:
    ///   - error: the failure.
    ///   - afterwards: as of ``InMemoryStore/fail(_:afterwards:)``.
    public func fail(_ error: StoreError?, afterwards: Bool = false) {
        connection.withLock { $0.fail(error, afterwards: afterwards) }
    }

    /// The holder of a feed's lease by the store's clock; nil if the lease is free.
    public func leaseInForce(feed: String) -> LeaseDTO? {
        let time = now()
        return contents.state.withLock { $0.leases.inForce(feed: feed, at: time) }
    }

    // MARK: The lease

    /// Acquires the lease of a feed if no other holder has it.
    public func takeLease(
        holder: String,
        feed: String,
        for duration: Duration
    ) async throws(StoreError) -> LeaseDTO? {
        let time = now()
        return try perform {
            $0.leases.take(holder: holder, feed: feed, for: duration, at: time)
        }
    }

    /// Renews a lease unless it is lost.
    public func renewLease(
        _ lease: LeaseDTO,
        for duration: Duration
    ) async throws(StoreError) -> Bool {
        let time = now()
        return try perform { $0.leases.renew(lease, for: duration, at: time) }
    }

    /// Gives a lease back if it is still held.
    public func releaseLease(_ lease: LeaseDTO) async throws(StoreError) {
        try perform { $0.leases.release(lease) }
    }

    /// The same store, writing as the holder of a lease.
    public func fenced(by lease: LeaseDTO) -> any MarketStoreSource & MinuteStoreSource {
        FencedInMemoryStore(store: self, lease: lease)
    }

    // MARK: Reading

    /// The newest candles, ascending, with all spans: those of recordings and roll-ups as well.
    public func candles(
        of series: CandleSeriesDTO,
        newest count: Int,
        before end: Int64?
    ) async throws(StoreError) -> StoredCandlesDTO {
        try perform { state in
            StoredCandlesDTO(
                series: series,
                rows: (state.market.candles[series] ?? [:]).values
                    .filter { $0.openTime < end ?? .max }
                    .sorted { $0.openTime < $1.openTime }.suffix(max(0, count)),
                spans: ((state.market.spans[series] ?? []) + state.rolled.spans(of: series)).joined
            )
        }
    }

    /// All prices of a feed, by market.
    public func closes(feed: String) async throws(StoreError) -> [StoredPriceDTO] {
        try perform { $0.market.closes(feed: feed) }
    }

    /// The names of a feed; nil if none were ever kept.
    public func names(feed: String) async throws(StoreError) -> StoredNamesDTO? {
        try perform { $0.market.names[feed] }
    }

    /// The warnings of a feed; nil if none were ever kept.
    public func marks(feed: String) async throws(StoreError) -> StoredWarningsDTO? {
        try perform { $0.market.marks[feed] }
    }

    // MARK: For the calls

    /// Reads or changes what is kept; as the holder of a lease if there is one to be checked, and
    /// of the feed of that, if any in particular.
    func perform<Value: Sendable>(
        holding lease: LeaseDTO? = nil,
        of feed: String? = nil,
        _ body: (inout State) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let time = now()
        let lost = try connection.withLock { connection throws(StoreError) in
            try connection.call()
        }
        let value = try contents.state.withLock { state throws(StoreError) -> Value in
            if let lease, !state.leases.isHeld(lease, at: time) || lease.feed != feed ?? lease.feed
            {
                throw InMemorySharedStore.noLease
            }
            return try body(&state)
        }
        if let lost { throw lost }
        return value
    }

    static let noLease = StoreError(.fenced, "the lease on writing candles is not held")
}
