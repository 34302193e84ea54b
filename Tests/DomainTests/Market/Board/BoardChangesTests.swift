import TestSupport
import Testing

@testable import Domain

@Suite("A change set names exactly the markets that look different")
struct BoardChangesTests {
    private let coin: MarketID = "XRP_KRW"

    private static func event(_ events: inout RandomMarketEvents, _ step: Int) -> MarketEvent {
        let midnight = SeoulTime.timestamp(year: 2026, month: 11, day: 21)
        switch Int.random(in: 0..<40, using: &events.generator) {
        case 0: return events.listing(.krw)
        case 1: return events.listing(.btc)
        case 2:
            // Some markets vanish, one is suspended.
            guard case .listing(var listing) = events.listing(.krw) else { return .skipped(0) }
            listing.suspended = [listing.entries.removeLast().market]
            listing.entries.removeFirst()
            return .listing(listing)
        case 3: return .dayBegan(SeoulTime(midnight).day + step / 150)
        case 4: return .feed(.live)
        case 5: return .feed(.stale)
        case 6: return .skipped(Int.random(in: 0...1, using: &events.generator))
        case 7...20: return events.trade()
        default: return events.frame()
        }
    }

    @Test(
        "after each event, and their revisions increase",
        arguments: 1...30 as ClosedRange<UInt64>
    )
    func exactness(seed: UInt64) {
        var events = RandomMarketEvents(seed: seed)
        var board = MarketBoard(kind: .live)
        for step in 0..<300 {
            // Sometimes long enough for periods to end.
            let now = Timestamp.noon(step * 1_000)
            let before = board
            let event = Self.event(&events, step)
            let changes = board.apply(event, at: now)
            var different: Set<MarketID> = []
            let newest = before.markets.map(\.revision).max() ?? 0
            for market in board.markets {
                let old = before.market(market.id)
                let oldView = old.map { VisibleMarket($0, day: before.day, now: now) }
                // Consecutive trades of one market change at least its tape.
                let isTaped = before.tape(of: market.id) != board.tape(of: market.id)
                if isTaped || oldView != VisibleMarket(market, day: board.day, now: now) {
                    different.insert(market.id)
                    #expect(market.revision > newest)
                } else {
                    #expect(market.revision == old?.revision)
                }
            }
            #expect(Set(changes.markets.keys) == different, "after \(event)")
            #expect(changes.markets.values.allSatisfy { !$0.isEmpty })
            #expect(changes.feed == Self.isFeedDifferent(before.feed, board.feed), "after \(event)")
        }
    }

    private static func isFeedDifferent(_ old: FeedStatus, _ new: FeedStatus) -> Bool {
        old.connection != new.connection || old.kind != new.kind || old.origin != new.origin
            || old.streamFailure != new.streamFailure || old.listingFailure != new.listingFailure
            || old.listingRetryAt != new.listingRetryAt || old.listedQuotes != new.listedQuotes
            || old.entriesSkipped != new.entriesSkipped || old.reconnects != new.reconnects
    }

    @Test("repeated events change nothing", arguments: 1...10 as ClosedRange<UInt64>)
    func repetition(seed: UInt64) {
        var events = RandomMarketEvents(seed: seed)
        var board = MarketBoard(kind: .live)
        for _ in 0..<50 {
            // A repeated trade is a visible tick without movement.
            let event = events.frame()
            board.apply(event, at: .noon(1))
            #expect(board.apply(event, at: .noon(1)).isEmpty)
        }
    }

    @Test("the changed facets are named")
    func facets() {
        var board = MarketBoard(kind: .live)
        func apply(_ event: MarketEvent, _ second: Int) -> MarketFacets? {
            board.apply(event, at: .noon(second)).markets[coin]
        }
        let entry = ListingEntry(coin, price: "100", previousClose: "90", tradeValue24h: "5")
        let first = apply(.listing(Listing(at: .noon(0), [entry])), 0)
        #expect(first == [.listed, .price, .change, .tradeValue])
        #expect(apply(.trade(Trade(coin, price: "101", at: .noon(1))), 1) == [.price, .trades])
        let frame = TickerFrame(coin, .hour1, at: .noon(1), open: "100", close: "101")
        #expect(apply(.ticker(frame), 1) == .change)
        let day = TickerFrame(coin, .hours24, at: .noon(1), open: "100", close: "101", value: "6")
        #expect(apply(.ticker(day), 1) == [.change, .tradeValue, .figures])
        #expect(apply(.listing(Listing(at: .noon(1), [])), 1) == .trading)
        #expect(apply(.dayBegan(SeoulTime(.noon()).day + 1), 2) == .change)
        #expect(apply(.dayBegan(SeoulTime(.noon()).day + 2), 3) == nil)
        let same = Trade(coin, price: "101", at: .noon(1))
        #expect(apply(.trade(same), 3_000) == [.price, .change, .trades], "it was traded again")
    }
}
