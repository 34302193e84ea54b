import TestSupport
import Testing
import UseCases

@testable import Domain
@testable import ViewStates

@Suite("Health times and revisions")
struct HealthTimeTests {
    private static let ripple: MarketListQuery = {
        var query = MarketListQuery()
        query.markets = ["XRP_KRW"]
        return query
    }()

    @Test("a list of an idle market keeps its revision for a second while others trade")
    func quiet() {
        var bench = MarketListFixture()
        bench.wait(.milliseconds(100)) { $0.trade("BTC_KRW", at: "143211000") }
        let first = bench.lists.document(Self.ripple)
        let bytes = bench.lists.bytes(Self.ripple).bytes
        for _ in 0..<9 {
            bench.wait(.milliseconds(100)) { $0.trade("BTC_KRW", at: "143212000") }
            #expect(bench.lists.document(Self.ripple) == first)
            #expect(bench.lists.bytes(Self.ripple).bytes == bytes)
        }
        bench.wait(.milliseconds(100)) { $0.trade("BTC_KRW", at: "143213000") }
        let second = bench.lists.document(Self.ripple)
        #expect(second.revision != first.revision)
        #expect(second.state.health.at == bench.latest.value.board.feed.lastDataAt)
        #expect(second.state.health.at == first.state.health.at?.advanced(by: .seconds(1)))
    }

    @Test("any other change has exact times")
    func exact() {
        var bench = MarketListFixture()
        let first = bench.lists.document(Self.ripple)
        bench.wait(.milliseconds(1)) { $0.trade("XRP_KRW", at: "1000") }
        let second = bench.lists.document(Self.ripple)
        #expect(second.revision != first.revision)
        #expect(second.state.health.at == bench.latest.value.board.feed.lastDataAt)
    }

    @Test("coalesced times are never newer and less than a second older, over random events")
    func property() throws {
        var bench = MarketListFixture()
        var generator = SeededGenerator(seed: 45)
        var heldCount = 0
        for _ in 0..<400 {
            bench.randomStep(&generator)
            let snapshot = bench.latest.value
            let told = bench.lists.document(Self.ripple).state.health
            let truth = HealthPresenter.present(
                snapshot.board.feed,
                hasMarkets: true,
                changes: snapshot.board.coverage(
                    of: ["XRP_KRW"],
                    by: snapshot.board.changeStates(over: .hours24, now: snapshot.capturedAt)
                ),
                now: snapshot.capturedAt,
                language: .korean
            )
            #expect(told.phase == truth.phase && told.error == truth.error)
            #expect(told.complete == truth.complete && told.origin == truth.origin)
            #expect(told.known == truth.known && told.of == truth.of)
            let times = [(told.at, truth.at), (told.staleAfter, truth.staleAfter)]
            for (toldTime, trueTime) in times where toldTime != trueTime {
                heldCount += 1
                let late = try #require(trueTime).duration(since: try #require(toldTime))
                #expect(late > .zero && late < HealthViewState.timeResolution)
            }
        }
        #expect(heldCount > 10)
    }

    @Test(
        "only times within the resolution are coalesced",
        arguments: [(0, true), (1, true), (999_999, true), (1_000_000, false), (-1, false)]
    )
    func bounds(microseconds: Int, isHeld: Bool) {
        let old = Self.health(.noon())
        let new = Self.health(Timestamp.noon().advanced(by: .microseconds(microseconds)))
        var held = new
        held.coalesceTimes(of: old)
        #expect(held == (isHeld ? old : new))
    }

    @Test("a time that appears or disappears, and another health, are changes")
    func told() {
        let old = Self.health(.noon())
        var changes: [HealthViewState] = []
        for _ in 0..<5 { changes.append(Self.health(.noon(plus: .milliseconds(1)))) }
        changes[0].staleAfter = nil
        changes[1].phase = .stale
        changes[2].complete = false
        changes[3].origin = .rest
        changes[4].error = ErrorViewState(
            code: "silent",
            message: "",
            retryable: true,
            nextRetryAt: nil
        )
        for change in changes {
            var held = change
            held.coalesceTimes(of: old)
            #expect(held == change)
        }
    }

    private static func health(_ at: Timestamp) -> HealthViewState {
        HealthViewState(
            phase: .ready,
            at: at,
            staleAfter: at.advanced(by: .seconds(5)),
            origin: .stream,
            complete: true,
            error: nil
        )
    }
}
