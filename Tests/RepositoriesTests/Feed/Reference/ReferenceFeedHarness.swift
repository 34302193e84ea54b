import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import UseCases

@testable import Repositories

/// A live feed of names, warnings and states between an exchange in memory and a board.
struct ReferenceFeedHarness {
    let tasks = SteppedTasks()
    let interests = AssetInterests()
    let log: AccessLog
    let markets: InMemoryMarketReferenceSource
    let assets: InMemoryAssetStatusSource
    let archive: InMemoryReferenceArchive
    let identity: FeedIdentity
    let feed: LiveReferenceFeed
    private let reader: Reader
    private let start: Timestamp

    /// A harness whose exchange lists BTC and XRP in won.
    ///
    /// - Parameters:
    ///   - kind: the expected kind of source.
    ///   - isListed: whether the listings had their turn.
    ///   - random: spreads waits; zero makes them as short as they may be.
    init(
        kind: FeedKind = .live,
        isListed: Bool = true,
        random: @escaping @Sendable () -> UInt64 = { 0 }
    ) {
        let clock = tasks.clock
        let start = Timestamp.noon()
        log = AccessLog(clock: clock)
        markets = InMemoryMarketReferenceSource(log: log)
        assets = InMemoryAssetStatusSource(log: log)
        archive = InMemoryReferenceArchive(expecting: kind)
        identity = FeedIdentity(expecting: kind)
        reader = Reader(clock: clock, kind: kind)
        self.start = start
        feed = LiveReferenceFeed(
            parts: .init(
                markets: markets,
                assets: assets,
                interests: interests,
                archive: archive,
                names: CoinNames(["OLD": .init(symbol: "OLD", korean: "옛", english: "Old")]),
                identity: identity,
                clock: clock,
                now: { start.advanced(by: clock.now.offset) },
                random: random
            )
        )
        if isListed {
            identity.note(kind)
            identity.noteListingAttempt()
        }
        markets.put(
            MarketNamesDTO(markets: [
                MarketNameDTO(
                    market: "KRW-BTC",
                    korean: "비트코인",
                    english: "Bitcoin",
                    isWarned: false
                ),
                MarketNameDTO(market: "KRW-XRP", korean: "리플", english: "", isWarned: true),
            ])
        )
        put(alert: "A")
        put(deposit: true)
    }

    func drive(_ drive: () throws -> Void) async throws {
        let (feed, reader) = (feed, reader)
        try await tasks.running(
            { await feed.run { batch in reader.take(batch) } },
            drive: drive
        )
    }

    /// Sets the exchange's warnings to one alert about XRP.
    func put(alert type: String) {
        markets.put(
            MarketAlertsDTO(alerts: [
                MarketAlertDTO(market: "KRW-XRP", type: type, step: nil, endsAtMicroseconds: nil)
            ])
        )
    }

    /// Sets whether BTC can be deposited.
    func put(deposit isOpen: Bool) {
        assets.put(
            AssetStatusesDTO(assets: [
                AssetStatusDTO(asset: "BTC", isDepositOpen: isOpen, isWithdrawalOpen: true)
            ])
        )
    }

    /// Makes the source say what it is, as the feed of the list does: to the board first.
    func identify(_ kind: FeedKind) {
        let event = MarketEvent.feed(.identified(kind))
        reader.identify(MarketEventBatch(events: [event], receivedAt: now))
        identity.note(kind)
        identity.noteListingAttempt()
        tasks.settle()
    }

    /// The current wall-clock time.
    var now: Timestamp { start.advanced(by: tasks.clock.now.offset) }
    /// The current board.
    var board: MarketBoard { reader.board }
    /// The board's reference data.
    var reference: MarketReference { reader.board.reference }
    /// Every event so far.
    var events: [ReferenceEvent] { reader.events }
    /// When names were asked for.
    var nameTimes: [Duration] { log.times { $0 == .marketNames } }
    /// When deposits and withdrawals were asked for.
    var assetTimes: [Duration] { log.times { $0 == .assetStatuses } }
    /// The warnings about XRP that stand.
    var alerts: [String] {
        reference.marks?.alerts(of: "XRP_KRW", at: now).map(\.type) ?? []
    }
}

/// Keeps what it is given, apart for each kind of feed.
final class InMemoryReferenceArchive: ReferenceArchive {
    struct Content: Sendable {
        var closes: [StoredPrice] = []
        var names: CoinNames?
        var marks: MarketWarnings?
    }

    private struct State {
        var kind: FeedKind
        var contents: [FeedKind: Content] = [:]
    }

    private let state: Mutex<State>

    init(expecting kind: FeedKind) { state = Mutex(State(kind: kind)) }

    func content(of kind: FeedKind) -> Content { state.withLock { $0.contents[kind] ?? Content() } }

    func put(_ content: Content, of kind: FeedKind) {
        state.withLock { $0.contents[kind] = content }
    }

    func identify(_ kind: FeedKind) { state.withLock { $0.kind = kind } }

    func closes() async -> (closes: [StoredPrice], kind: FeedKind)? {
        state.withLock { state in
            let closes = state.contents[state.kind]?.closes ?? []
            return closes.isEmpty ? nil : (closes, state.kind)
        }
    }

    func names() async -> (names: CoinNames, readAt: Timestamp)? {
        state.withLock { state in state.contents[state.kind]?.names.map { ($0, .noon()) } }
    }

    func marks() async -> MarketWarnings? {
        state.withLock { state in state.contents[state.kind]?.marks }
    }

    func keep(_ names: CoinNames, readAt: Timestamp) {
        state.withLock { $0.contents[$0.kind, default: Content()].names = names }
    }

    func keep(_ marks: MarketWarnings) {
        state.withLock { $0.contents[$0.kind, default: Content()].marks = marks }
    }
}

private final class Reader: Sendable {
    private struct State {
        var board: MarketBoard
        var events: [ReferenceEvent] = []
    }

    private let state: Mutex<State>

    init(clock: ManualClock, kind: FeedKind) {
        state = Mutex(State(board: MarketBoard(kind: kind)))
    }

    var board: MarketBoard { state.withLock { $0.board } }
    var events: [ReferenceEvent] { state.withLock { $0.events } }

    func identify(_ batch: MarketEventBatch) {
        state.withLock { _ = $0.board.apply(batch) }
    }

    func take(_ batch: ReferenceEventBatch) {
        state.withLock { state in
            _ = state.board.apply(batch)
            state.events += batch.events
        }
    }
}
