import DataSourceContracts
import Domain
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Repositories

/// A feed between an exchange in memory and a board that lists all markets.
struct PeriodFeedHarness {
    /// The API generations.
    enum Generation: CaseIterable, Sendable {
        case v1
        case v2
    }

    static let markets: [MarketID] = (0..<480).compactMap {
        MarketID(symbol: "C\($0)", quote: .krw)
    }

    /// The trades of the 36 hours before a moment: some markets have many, some have few.
    private static func trades(of symbol: String, until start: Timestamp) -> [Trade] {
        guard let market = MarketID(name: symbol), let number = Int(market.symbol.dropFirst())
        else { return [] }
        var generator = SeededGenerator(seed: UInt64(number))
        let pause = Int64.random(in: 120...6_000, using: &generator) * 1_000_000
        var at = start.advanced(by: .seconds(-36 * 3_600))
        var trades: [Trade] = []
        while true {
            at = Timestamp(
                microseconds: at.microseconds + .random(in: 0...2 * pause, using: &generator)
            )
            guard at < start else { return trades }
            let price = FixedDecimal(Int64.random(in: 90...110, using: &generator))
            trades.append(Trade(market, price: price, at: at))
        }
    }

    static func close(of trades: [Trade], before moment: Timestamp) -> FixedDecimal? {
        trades.last { $0.executedAt < moment }?.price
    }

    /// The rate, by the rule of the specification alone.
    static func rate(from base: FixedDecimal, to price: FixedDecimal) -> FixedDecimal? {
        try? (price - base).multiplied(by: FixedDecimal(100), rounding: .halfEven)
            .divided(by: base, rounding: .truncate)
            .rounded(toFractionDigits: 2, .halfAwayFromZero)
    }

    let tasks = SteppedTasks()
    let interests = PeriodInterests()
    let history: [MarketID: [Trade]]
    let board = SharedBoard()
    let calls = CallTimes()
    let feed: LivePeriodFeed
    private let start: Timestamp
    private let listedAt: Duration

    /// Makes a feed.
    ///
    /// - Parameters:
    ///   - generation: the first generation of the API.
    ///   - next: another generation from a moment on.
    ///   - start: what wall clocks show when the feed starts.
    ///   - listedAt: when the board begins to tell its needs.
    ///   - kind: the kind of source.
    ///   - failure: what the exchange answers for the market C7.
    ///   - change: changes the trades of a market, given its number.
    init(
        _ generation: Generation,
        then next: (generation: Generation, at: Duration)? = nil,
        from start: Timestamp = .noon(90),
        listedAt: Duration = .zero,
        kind: FeedKind = .live,
        failing failure: DataSourceError? = nil,
        change: (Int, [Trade]) -> [Trade] = { $1 }
    ) {
        self.start = start
        self.listedAt = listedAt
        var history: [MarketID: [Trade]] = [:]
        for (number, market) in Self.markets.enumerated() {
            history[market] = change(number, Self.trades(of: market.name, until: start))
        }
        self.history = history
        let (clock, calls, shared) = (tasks.clock, calls, history)
        let source = InMemoryCandlePageSource { symbol throws(DataSourceError) in
            calls.note(symbol, at: clock.now.offset)
            if let failure, symbol == "C7_KRW" { throw failure }
            return (MarketID(name: symbol).flatMap { shared[$0] } ?? []).map { trade in
                (
                    trade.executedAt.microseconds / 1_000,
                    WireDecimal(mantissa: trade.price.units, scale: 18)
                )
            }
        }
        feed = LivePeriodFeed(
            parts: .init(
                closes: {
                    let isNext = next.map { clock.now.offset >= $0.at } ?? false
                    let current = isNext ? next?.generation ?? generation : generation
                    return current == .v1 ? .v1(source) : .v2(source)
                },
                interests: interests,
                identity: FeedIdentity(expecting: kind),
                clock: clock,
                now: { start.advanced(by: clock.now.offset) },
                exchangeClockLead: { .zero },
                random: { 0 }
            )
        )
        let entries = Self.markets.map { market in
            ListingEntry(market, price: history[market]?.last?.price)
        }
        board.apply([.listing(Listing(.krw, at: start, entries))], at: start)
    }

    var now: Timestamp { start.advanced(by: tasks.clock.now.offset) }

    func drive(_ drive: () throws -> Void) async throws {
        let (feed, board, clock, start, listedAt) = (feed, board, tasks.clock, start, listedAt)
        try await tasks.running(
            {
                await feed.run(
                    needs: { shown in
                        let now = clock.now.offset
                        guard now >= listedAt else { return nil }
                        return board.needs(shown, now: start.advanced(by: now))
                    },
                    deliver: { board.apply($0.events, at: $0.receivedAt) }
                )
            },
            drive: drive
        )
    }

    func coverage(_ period: ChangePeriod) -> ChangeCoverage {
        let board = board.value
        return board.coverage(of: Self.markets, by: board.changeStates(over: period, now: now))
    }

    func check(_ period: ChangePeriod) throws {
        let board = board.value
        let window = try #require(period.window)
        let beginning = CandleInterval.minute1.bucketStart(of: now)
            .advanced(by: .zero - window)
        for id in Self.markets {
            let (trades, market) = (history[id] ?? [], try #require(board.market(id)))
            let change = board.change(of: market, over: period, now: now)
            let base = Self.close(of: trades, before: beginning)
            let price = try #require(trades.last?.price)
            #expect(change.ratePercent == base.flatMap { Self.rate(from: $0, to: price) }, "\(id)")
        }
    }
}

/// The board of a harness.
final class SharedBoard: Sendable {
    private let board = Mutex(MarketBoard(kind: .live))

    var value: MarketBoard { board.withLock(\.self) }

    func apply(_ events: [MarketEvent], at receivedAt: Timestamp) {
        board.withLock { board in
            _ = board.apply(MarketEventBatch(events: events, receivedAt: receivedAt))
        }
    }

    func needs(_ shown: Set<ShownPeriod>, now: Timestamp) -> [CloseNeed] {
        board.withLock { $0.closeNeeds(of: shown, now: now) }
    }
}

/// When calls were made.
final class CallTimes: Sendable {
    private let calls = Mutex<[(symbol: String, at: Duration)]>([])

    var count: Int { calls.withLock(\.count) }

    /// The markets of the calls, in their order.
    var symbols: [String] { calls.withLock { $0.map(\.symbol) } }

    var mostInASecond: Int { mostInASecond(since: .zero) }

    /// The most calls within any second from a moment on.
    func mostInASecond(since start: Duration) -> Int {
        calls.withLock { calls in
            let times = calls.map(\.at).filter { $0 >= start }
            return times.indices.map { first in
                times[first...].prefix { $0 < times[first] + .seconds(1) }.count
            }.max() ?? 0
        }
    }

    func note(_ symbol: String, at time: Duration) { calls.withLock { $0.append((symbol, time)) } }
}
