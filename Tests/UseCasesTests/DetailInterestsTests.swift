import Domain
import Synchronization
import TestSupport
import Testing
@testable import UseCases

@Suite("Detail interests are counted: the last one to leave ends them", .tags(.threads))
struct DetailInterestsTests {
    private static let markets: [MarketID] = ["BTC_KRW", "ETH_KRW", "XRP_KRW"]
    private static let facets: [DetailFacet] = [.book, .trades, .candles(.minute1)]

    /// Counts the calls of a listener.
    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    private func book(_ market: MarketID = "BTC_KRW") -> DetailInterest {
        DetailInterest(market: market, facet: .book)
    }

    private func many(_ count: Int) -> Set<DetailInterest> {
        Set(
            (0..<count).compactMap { number in
                MarketID(symbol: "C\(number)", quote: .krw).map { book($0) }
            }
        )
    }

    @Test("an interest exists while a lease holds it")
    func counting() throws {
        let interests = DetailInterests()
        let first = try #require(interests.enter([book(), book("ETH_KRW")]))
        let second = try #require(interests.enter([book()]))
        #expect(interests.wanted == [book(), book("ETH_KRW")])
        #expect(interests.held == interests.wanted)
        first.release()
        first.release()
        #expect(interests.wanted == [book()], "releasing twice counts once")
        second.release()
        #expect(interests.wanted.isEmpty)
        #expect(interests.held.isEmpty)
    }

    @Test("a discarded lease ends its interest")
    func givenUp() {
        let interests = DetailInterests()
        do {
            let lease = interests.enter([book()])
            #expect(interests.wanted == lease?.interests)
        }
        #expect(interests.wanted.isEmpty)
    }

    @Test("a touch lasts for a minute after the last one")
    func glances() {
        let interests = DetailInterests()
        #expect(interests.touch([book()], now: .noon()))
        #expect(interests.touch([book()], now: .noon(30)))
        // A clock that was set back shortens nothing.
        #expect(interests.touch([book()], now: .noon(10)))
        interests.expire(now: .noon(plus: .seconds(90) - .microseconds(1)))
        #expect(interests.wanted == [book()])
        #expect(interests.held.isEmpty, "no screen shows it")
        interests.expire(now: .noon(90))
        #expect(interests.wanted.isEmpty)
    }

    @Test("a lease outlives a touch, and a touch a lease")
    func both() throws {
        let interests = DetailInterests()
        let lease = try #require(interests.enter([book()]))
        #expect(interests.touch([book()], now: .noon()))
        interests.expire(now: .noon(60))
        #expect(interests.wanted == [book()])
        #expect(interests.touch([book()], now: .noon(60)))
        lease.release()
        #expect(interests.wanted == [book()])
        #expect(interests.held.isEmpty)
        interests.expire(now: .noon(120))
        #expect(interests.wanted.isEmpty)
    }

    @Test("a set is accepted completely or not at all within the limit")
    func bound() throws {
        let interests = DetailInterests()
        let all = many(DetailInterests.interestsMax)
        let lease = try #require(interests.enter(all))
        #expect(interests.enter([book()]) == nil)
        #expect(!interests.touch([book()], now: .noon()))
        let known = try #require(all.first)
        #expect(interests.touch([known], now: .noon()), "a known interest does not count again")
        #expect(interests.enter([known, book()]) == nil)
        #expect(interests.wanted == all)
        lease.release()
        #expect(interests.wanted == [known])
        #expect(interests.enter([book()]) != nil)
    }

    @Test("the least recently touched candles end first")
    func heavyGlances() throws {
        let interests = DetailInterests()
        let most = DetailInterests.heavyTouchesMax
        let charts = many(most + 2).map {
            DetailInterest(market: $0.market, facet: .candles(.day1))
        }
        let held = try #require(interests.enter([charts[0]]))
        // Leased interests do not count, however long ago they were touched.
        #expect(interests.touch([charts[0], book()], now: .noon()))
        for (second, chart) in charts[1...most].enumerated() {
            #expect(interests.touch([chart], now: .noon(plus: .milliseconds(second + 1))))
        }
        #expect(interests.wanted == Set(charts[0...most]).union([book()]))
        // The second is the oldest; touched again, it is the newest.
        #expect(interests.touch([charts[1]], now: .noon(1)))
        #expect(interests.touch([charts[most + 1]], now: .noon(1)))
        #expect(interests.wanted == Set(charts).subtracting([charts[2]]).union([book()]))
        // A clock that was set back ends others, not the one just touched.
        #expect(interests.touch([charts[2]], now: .noon(-600)))
        #expect(interests.wanted.contains(charts[2]) && !interests.wanted.contains(charts[3]))
        held.release()
        #expect(interests.touch([charts[3]], now: .noon(2)))
        #expect(interests.wanted.count { $0.isHeavy } == most)
    }

    @Test("a client that touches the most loses its own oldest, not those of others")
    func heavyShares() {
        let interests = DetailInterests()
        let most = DetailInterests.heavyTouchesMax
        let charts = many(2 * most).map {
            DetailInterest(market: $0.market, facet: .candles(.minute1))
        }
        let (few, crowd) = (Set(charts[..<8]), charts[8...])
        #expect(interests.touch(few, by: InterestClient("few"), now: .noon()))
        for (step, chart) in crowd.enumerated() {
            let now = Timestamp.noon(plus: .milliseconds(step + 1))
            #expect(interests.touch([chart], by: InterestClient("many"), now: now))
        }
        #expect(interests.wanted == few.union(crowd.suffix(most - 8)))
        // Interests belong to the share of the client that touched them last.
        let taken = crowd.suffix(2)
        #expect(interests.touch(Set(taken), by: InterestClient("few"), now: .noon(1)))
        for chart in crowd.prefix(most) {
            #expect(interests.touch([chart], by: InterestClient("many"), now: .noon(2)))
        }
        #expect(interests.wanted.isSuperset(of: few.union(taken)))
        #expect(interests.wanted.count == most)
    }

    @Test("a single request above the limit gets all its interests")
    func manyHeavyAtOnce() {
        let interests = DetailInterests()
        let charts = many(DetailInterests.heavyTouchesMax + 3).map {
            DetailInterest(market: $0.market, facet: .candles(.minute1))
        }
        #expect(interests.touch([charts[0]], now: .noon()))
        #expect(interests.touch(Set(charts.dropFirst()), now: .noon(1)))
        #expect(interests.wanted == Set(charts.dropFirst()))
    }

    @Test("listeners are called for changes only")
    func listeners() throws {
        let interests = DetailInterests()
        let counter = Counter()
        interests.onChange {
            // A listener may read the interests.
            _ = interests.wanted
            counter.add()
        }
        let first = try #require(interests.enter([book()]))
        #expect(counter.value == 1)
        let second = try #require(interests.enter([book()]))
        second.release()
        interests.expire(now: .noon())
        #expect(counter.value == 1, "nothing became another")
        #expect(interests.touch([book()], now: .noon()))
        #expect(interests.touch([book()], now: .noon(1)))
        #expect(counter.value == 1)
        first.release()
        #expect(counter.value == 2, "no screen holds it any more")
        interests.expire(now: .noon(61))
        #expect(counter.value == 3)
    }

    @Test(
        "random leases and touches equal a list of all of them",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func property(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let interests = DetailInterests()
        let counter = Counter()
        interests.onChange { counter.add() }
        var leases: [DetailLease] = []
        var glances: [(interest: DetailInterest, end: Timestamp)] = []
        var now = Timestamp.noon()
        var changes = 0
        for _ in 0..<300 {
            let before = (interests.wanted, interests.held)
            let picked = Set(
                (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    DetailInterest(
                        market: Self.markets.randomElement(using: &random) ?? "BTC_KRW",
                        facet: Self.facets.randomElement(using: &random) ?? .book
                    )
                }
            )
            switch Int.random(in: 0..<4, using: &random) {
            case 0: if let lease = interests.enter(picked) { leases.append(lease) }
            case 1:
                if !leases.isEmpty {
                    leases.remove(at: Int.random(in: 0..<leases.count, using: &random)).release()
                }
            case 2:
                #expect(interests.touch(picked, now: now))
                glances += picked.map { ($0, now.advanced(by: DetailInterests.touchDuration)) }
            default:
                now = now.advanced(by: .seconds(Int.random(in: 0...40, using: &random)))
                interests.expire(now: now)
                glances.removeAll { $0.end <= now }
            }
            let held = Set(leases.flatMap(\.interests))
            #expect(interests.held == held)
            #expect(interests.wanted == held.union(glances.map(\.interest)))
            if before != (interests.wanted, interests.held) { changes += 1 }
            #expect(counter.value == changes)
        }
    }
}
