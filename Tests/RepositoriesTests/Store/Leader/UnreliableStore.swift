import Concurrency
import DataSourceContracts
import Domain
import Synchronization
import TestSupport

@testable import Repositories

/// The link from one instance to the shared store, which a test can cut or hold.
final class UnreliableStore: SharedMarketStoreSource {
    private enum Standing {
        case open
        /// Calls wait, and reach the store when the link is open again, unless they time out.
        case held
        /// Calls fail.
        case lost
    }

    private let store: InMemorySharedStore
    private let audit: WriteAudit
    private let clock: ManualClock
    private let standing = AsyncValue(Standing.open)
    private let refused = Mutex<Set<Call>>([])

    /// The kinds of calls that a test can refuse alone.
    enum Call: CaseIterable, Sendable {
        case lease
        case minutes
        case rollUp
        case prepare
        case coverage
    }

    /// Makes calls of these kinds fail until the next call of this function.
    func refuse(_ calls: Set<Call>) { refused.withLock { $0 = calls } }

    init(_ store: InMemorySharedStore, audit: WriteAudit, clock: ManualClock) {
        self.store = store
        self.audit = audit
        self.clock = clock
    }

    var isOpen: Bool { if case .open = standing.value { true } else { false } }

    func open() { standing.update { $0 = .open } }
    func hold() { standing.update { $0 = .held } }
    func lose() { standing.update { $0 = .lost } }

    /// Passes a call once the link is open.
    fileprivate func pass(_ call: Call? = nil) async throws(StoreError) {
        if let call, refused.withLock({ $0.contains(call) }) {
            throw StoreError(.busy, "the test refuses \(call)")
        }
        switch standing.value {
        case .open: return
        case .lost: throw StoreError(.unavailable, "the way to the store is cut")
        case .held:
            _ = await standing.first { if case .held = $0 { false } else { true } }
            guard case .open = standing.value else {
                throw StoreError(.unavailable, "the way to the store is cut")
            }
        }
    }

    /// Makes a write and records its lease.
    fileprivate func write<Value: Sendable>(
        _ lease: LeaseDTO,
        as kind: Call? = nil,
        _ call: (any MarketStoreSource & MinuteStoreSource) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await pass(kind)
        do throws(StoreError) {
            let value = try await call(store.fenced(by: lease))
            audit.note(lease, inForce: store.leaseInForce(feed: lease.feed), at: clock.now.offset)
            return value
        } catch {
            if error.code == .fenced { audit.noteFenced() }
            throw error
        }
    }

    func takeLease(
        holder: String,
        feed: String,
        for duration: Duration
    ) async throws(StoreError) -> LeaseDTO? {
        try await pass(.lease)
        return try await store.takeLease(holder: holder, feed: feed, for: duration)
    }

    func renewLease(
        _ lease: LeaseDTO,
        for duration: Duration
    ) async throws(StoreError) -> Bool {
        try await pass(.lease)
        return try await store.renewLease(lease, for: duration)
    }

    func releaseLease(_ lease: LeaseDTO) async throws(StoreError) {
        try await pass()
        try await store.releaseLease(lease)
    }

    func fenced(by lease: LeaseDTO) -> any MarketStoreSource & MinuteStoreSource {
        FencedLink(link: self, lease: lease)
    }

    // MARK: Reading, and writing without a lease

    func candles(
        of series: CandleSeriesDTO,
        newest count: Int,
        before end: Int64?
    ) async throws(StoreError) -> StoredCandlesDTO {
        try await pass()
        return try await store.candles(of: series, newest: count, before: end)
    }

    func closes(feed: String) async throws(StoreError) -> [StoredPriceDTO] {
        try await pass()
        return try await store.closes(feed: feed)
    }

    func names(feed: String) async throws(StoreError) -> StoredNamesDTO? {
        try await pass()
        return try await store.names(feed: feed)
    }

    func marks(feed: String) async throws(StoreError) -> StoredWarningsDTO? {
        try await pass()
        return try await store.marks(feed: feed)
    }

    func saveCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        try await store.saveCandles(candles)
    }

    func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int {
        try await store.removeCandles(intervals: intervals, openingBefore: time)
    }

    func savePrices(_ closes: [StoredPriceDTO], feed: String) async throws(StoreError) {
        try await store.savePrices(closes, feed: feed)
    }

    func saveNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        try await store.saveNames(names, feed: feed)
    }

    func saveWarnings(_ marks: StoredWarningsDTO, feed: String) async throws(StoreError) {
        try await store.saveWarnings(marks, feed: feed)
    }
}

/// The writes under each lease.
final class WriteAudit: Sendable {
    struct Entry: Sendable {
        let at: Duration
        let lease: LeaseDTO
        let inForce: LeaseDTO?
    }

    private let state = Mutex<(entries: [Entry], fenced: Int)>(([], 0))

    var entries: [Entry] { state.withLock { $0.entries } }
    /// Number of writes refused because another process held the lease.
    var fenced: Int { state.withLock { $0.fenced } }

    func note(_ lease: LeaseDTO, inForce: LeaseDTO?, at time: Duration) {
        state.withLock { $0.entries.append(Entry(at: time, lease: lease, inForce: inForce)) }
    }

    func noteFenced() { state.withLock { $0.fenced += 1 } }
}

private struct FencedLink: MarketStoreReads, MinuteStoreSource {
    let link: UnreliableStore
    let lease: LeaseDTO
    var readings: UnreliableStore { link }

    func saveMinutes(_ minutes: MinuteCandleBatchDTO) async throws(StoreError) {
        try await link.write(lease, as: .minutes) { store throws(StoreError) in
            try await store.saveMinutes(minutes)
        }
    }

    func rollUp(feed: String, until: Int64) async throws(StoreError) -> Int {
        try await link.write(lease, as: .rollUp) { store throws(StoreError) in
            try await store.rollUp(feed: feed, until: until)
        }
    }

    func coveredMinutes(feed: String) async throws(StoreError) -> [StoredCandlesDTO.Span] {
        try await link.pass(.coverage)
        return try await link.fencedStore(lease).coveredMinutes(feed: feed)
    }

    func prepare(at: Int64) async throws(StoreError) {
        try await link.write(lease, as: .prepare) { store throws(StoreError) in
            try await store.prepare(at: at)
        }
    }

    func saveCandles(_ candles: StoredCandlesDTO) async throws(StoreError) {
        try await link.write(lease) { store throws(StoreError) in
            try await store.saveCandles(candles)
        }
    }

    func removeCandles(
        intervals: [String],
        openingBefore time: Int64
    ) async throws(StoreError) -> Int {
        try await link.write(lease) { store throws(StoreError) in
            try await store.removeCandles(intervals: intervals, openingBefore: time)
        }
    }

    func savePrices(_ closes: [StoredPriceDTO], feed: String) async throws(StoreError) {
        try await link.write(lease) { store throws(StoreError) in
            try await store.savePrices(closes, feed: feed)
        }
    }

    func saveNames(_ names: StoredNamesDTO, feed: String) async throws(StoreError) {
        try await link.write(lease) { store throws(StoreError) in
            try await store.saveNames(names, feed: feed)
        }
    }

    func saveWarnings(_ marks: StoredWarningsDTO, feed: String) async throws(StoreError) {
        try await link.write(lease) { store throws(StoreError) in
            try await store.saveWarnings(marks, feed: feed)
        }
    }
}

extension UnreliableStore {
    fileprivate func fencedStore(_ lease: LeaseDTO) -> any MarketStoreSource & MinuteStoreSource {
        store.fenced(by: lease)
    }
}
