import Domain
import Testing

@testable import ExchangeSimulator

@Suite("Followed books move, and their events are consistent")
struct SimulatedBooksTests {
    private static let interests: [Int: FrameKinds] = [0: .ofBooks, 3: .depth, 5: .snapshot]

    private struct RecordedEvent: Equatable {
        var isSnapshot: Bool
        var place: Int
        var at: Timestamp
        var asks: [SimulatedLevel]
        var bids: [SimulatedLevel]
    }

    /// Runs an exchange with its books, and collects the events.
    private static func run(
        seed: UInt64 = 1,
        seconds: Int,
        rate: Int? = nil,
        interests: [Int: FrameKinds] = interests,
        step: Duration = .milliseconds(10)
    ) -> [RecordedEvent] {
        var exchange = SimulatedExchangeTests.exchange(seed: seed)
        var desk = SimulatedBooks(framesPerSecond: rate, random: SeededRandom(seed: seed))
        desk.follow(interests, from: exchange.now)
        var recorded: [RecordedEvent] = []
        let end = exchange.now.advanced(by: .seconds(seconds))
        while exchange.now < end {
            let start = exchange.now
            exchange.advance(
                to: start.advanced(by: step),
                framesPerSecond: 600,
                framesPerEvent: 6
            ) { _, _ in }
            desk.advance(from: start, to: exchange.now, of: exchange) { event, place, book, at in
                #expect(at > start && at <= exchange.now)
                let isSnapshot = event == .snapshot
                recorded.append(
                    RecordedEvent(
                        isSnapshot: isSnapshot,
                        place: place,
                        at: at,
                        asks: isSnapshot ? book.asks.levels : book.asks.changes,
                        bids: isSnapshot ? book.bids.levels : book.bids.changes
                    )
                )
            }
        }
        return recorded
    }

    @Test(
        "the changes between two snapshots lead from one to the other, also in long steps",
        arguments: 1...3,
        [(nil, Duration.milliseconds(10)), (nil, .seconds(1)), (40, .seconds(1))]
            as [(Int?, Duration)]
    )
    func consistency(seed: UInt64, _ pace: (rate: Int?, step: Duration)) throws {
        var followed: (asks: [Int64: Int64], bids: [Int64: Int64])?
        var compared = 0
        let recorded = Self.run(seed: seed, seconds: 30, rate: pace.rate, step: pace.step)
            .filter { $0.place == 0 }
        #expect(zip(recorded, recorded.dropFirst()).allSatisfy { $0.at <= $1.at })
        for one in recorded {
            if one.isSnapshot {
                func visible(_ levels: [SimulatedLevel]) -> [Int64: Int64] {
                    let pairs = levels.filter { $0.quantity > 0 }.map { ($0.price, $0.quantity) }
                    return Dictionary(uniqueKeysWithValues: pairs)
                }
                let book = (asks: visible(one.asks), bids: visible(one.bids))
                if let followed {
                    try #require(followed.asks == book.asks && followed.bids == book.bids)
                    compared += 1
                }
                followed = book
            } else {
                for level in one.asks {
                    followed?.asks[level.price] = level.orders == 0 ? nil : level.quantity
                }
                for level in one.bids {
                    followed?.bids[level.price] = level.orders == 0 ? nil : level.quantity
                }
            }
        }
        #expect(compared > 100)
    }

    @Test("after a stall, a snapshot follows a change of the same moment and includes it")
    func stall() {
        var together = 0
        for seed in 1...20 as ClosedRange<UInt64> {
            let recorded = Self.run(seed: seed, seconds: 60, step: .seconds(3))
                .filter { $0.place == 0 }
            for (one, next) in zip(recorded, recorded.dropFirst()) where one.at == next.at {
                together += 1
                #expect(!one.isSnapshot && next.isSnapshot)
            }
        }
        #expect(together > 50)
    }

    @Test("the busiest market has about four changes and snapshots a second, at increasing times")
    func pace() {
        let recorded = Self.run(seconds: 30)
        for (place, kind) in [(0, false), (0, true), (3, false), (5, true)] {
            let times = recorded.filter { $0.place == place && $0.isSnapshot == kind }.map(\.at)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
            #expect(times.count > 30)
        }
        let changes = recorded.count { $0.place == 0 && !$0.isSnapshot }
        let snapshots = recorded.filter { $0.place == 0 && $0.isSnapshot }.map(\.at)
        #expect((90...150).contains(changes))
        for (one, next) in zip(snapshots, snapshots.dropFirst()) {
            let gap = next.duration(since: one)
            #expect(gap >= .milliseconds(200) && gap <= .milliseconds(250))
        }
        // Only the subscribed kinds.
        #expect(!recorded.contains { $0.place == 3 && $0.isSnapshot })
        #expect(!recorded.contains { $0.place == 5 && !$0.isSnapshot })
        #expect(Set(recorded.map(\.place)) == [0, 3, 5])
    }

    @Test("a set rate is exact and shared by all followed markets")
    func rate() {
        let recorded = Self.run(seconds: 2, rate: 3_000).filter { !$0.isSnapshot }
        #expect(recorded.count == 6_000)
        let first = recorded.count { $0.place == 0 }
        #expect(first == 3_000 && Set(recorded.map(\.place)) == [0, 3])
        let times = recorded.filter { $0.place == 0 }.map(\.at)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("books without subscribers do not move, and are equal at one moment")
    func quiet() {
        #expect(Self.run(seconds: 5, interests: [:]).isEmpty)
        var exchange = SimulatedExchangeTests.exchange(seed: 1)
        var desk = SimulatedBooks(framesPerSecond: nil, random: SeededRandom(seed: 1))
        let first = desk.book(ofMarketAt: 2, of: exchange)
        #expect(first.asks.levels == desk.book(ofMarketAt: 2, of: exchange).asks.levels)
        exchange.advance(
            to: exchange.now.advanced(by: .seconds(9)),
            framesPerSecond: 600,
            framesPerEvent: 6
        ) { _, _ in }
        let later = desk.book(ofMarketAt: 2, of: exchange)
        #expect(first.asks.levels != later.asks.levels)
        // A request does not move a followed book.
        desk.follow([2: .depth], from: exchange.now)
        exchange.advance(
            to: exchange.now.advanced(by: .seconds(1)),
            framesPerSecond: 600,
            framesPerEvent: 6
        ) { _, _ in }
        #expect(later.bids.levels == desk.book(ofMarketAt: 2, of: exchange).bids.levels)
    }

    @Test("the same seed gives the same events")
    func determinism() {
        #expect(Self.run(seed: 7, seconds: 5) == Self.run(seed: 7, seconds: 5))
        #expect(Self.run(seed: 7, seconds: 5) != Self.run(seed: 8, seconds: 5))
    }

    @Test("a clock jump causes no burst")
    func jump() {
        var exchange = SimulatedExchangeTests.exchange(seed: 1)
        var desk = SimulatedBooks(framesPerSecond: nil, random: SeededRandom(seed: 1))
        desk.follow([0: .ofBooks], from: exchange.now)
        let start = exchange.now
        exchange.advance(
            to: start.advanced(by: .seconds(50_000)),
            framesPerSecond: 600,
            framesPerEvent: 6
        ) { _, _ in }
        var count = 0
        desk.advance(from: start, to: exchange.now, of: exchange) { _, _, _, _ in count += 1 }
        #expect((2...20).contains(count))
    }
}
