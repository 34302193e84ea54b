import Domain
import ExchangeSimulator
import ViewStates
import Testing

@testable import App

@Suite("Faults of the exchange", .tags(.threads), .timeLimit(.minutes(4)))
struct FaultTests {
    private static let feed = ExchangeSimulator.Feed.markets(won: 10, bitcoin: 2, rate: 500)

    @Test(
        "broken REST at the start is reported by its code",
        arguments: [
            (SimulatorFault.htmlBodies, "malformed"),
            (.serverError(status: 503), "http_status"),
            (.refusal5600, "rate_limited"),
            (.tooManyRequests, "rate_limited"),
            (.truncatedJSON(every: 1), "malformed"),
        ]
    )
    func brokenFromTheStart(fault: SimulatorFault, code: String) async throws {
        try await ConnectedExchange.run(Self.feed, faults: [fault]) { followed in
            _ = try await followed.snapshot("the failure is reported") {
                $0.board.feed.listingFailure != nil
            }
            let document = followed.markets.lists.document(MarketListQuery())
            #expect(document.state.health.phase == .failed)
            #expect(document.state.emptyReason == .error)
            #expect(document.state.rows.isEmpty)
            let error = try #require(document.state.health.error)
            #expect(error.code == code)
            #expect(!error.message.isEmpty)
            #expect(error.nextRetryAt != nil)
        }
    }

    @Test(
        "REST that breaks later keeps the last good rows and reports the failure",
        arguments: [
            SimulatorFault.htmlBodies, .serverError(status: 500), .wrongTypes(every: 1),
        ]
    )
    func brokenLater(fault: SimulatorFault) async throws {
        try await ConnectedExchange.run(Self.feed) { followed in
            let before = try await followed.live()
            followed.simulator.start(fault)
            followed.markets.feed.reload()
            let snapshot = try await followed.snapshot(
                "the failure or the skipped entries are told"
            ) {
                $0.board.feed.listingFailure != nil
                    || $0.board.feed.entriesSkipped > before.board.feed.entriesSkipped
            }
            #expect(snapshot.board.markets.count == before.board.markets.count)
            #expect(snapshot.board.markets.allSatisfy { $0.price.map { $0.sign > 0 } ?? true })
            let document = followed.markets.lists.document(MarketListQuery())
            #expect(!document.state.rows.isEmpty)
        }
    }

    @Test(
        "broken frames are skipped and counted, and valid ones still arrive",
        arguments: [
            SimulatorFault.truncatedJSON(every: 5), .wrongTypes(every: 5),
            .unknownSymbols(every: 5),
        ]
    )
    func brokenFrames(fault: SimulatorFault) async throws {
        try await ConnectedExchange.run(Self.feed) { followed in
            _ = try await followed.live()
            let names = Set(followed.simulator.report().markets.map(\.market))
            followed.simulator.start(fault)
            let simulator = followed.simulator
            _ = try await followed.snapshot("some hundred frames, and broken ones") {
                $0.board.feed.framesReceived > 600
                    && simulator.report().connections.last.map { $0.brokenFrames > 10 } == true
            }
            simulator.end(fault.kind)
            let (snapshot, report) = try await followed.settled()
            #expect(report.connections.last.map { $0.brokenFrames > 0 } == true)
            if fault.kind != .unknownSymbols { #expect(snapshot.board.feed.entriesSkipped > 0) }
            for expected in report.markets {
                let id = try #require(MarketID(name: expected.market))
                #expect(snapshot.board.market(id)?.price?.canonicalText == expected.price)
            }
            #expect(snapshot.board.markets.allSatisfy { $0.price.map { $0.sign > 0 } ?? true })
            #expect(names.count == 12)
        }
    }

    @Test("an empty list in place of a coin suspends the market until it returns")
    func suspension() async throws {
        try await ConnectedExchange.run(Self.feed) { followed in
            let snapshot = try await followed.live()
            let coin = try #require(snapshot.board.markets.last { $0.id.quote == .krw }).id
            followed.simulator.start(.suspension(coin))
            followed.markets.feed.reload()
            _ = try await followed.snapshot("the coin is suspended") {
                $0.board.market(coin)?.isTrading == false
            }
            followed.simulator.end(.suspension)
            followed.markets.feed.reload()
            _ = try await followed.snapshot("the coin trades again") {
                $0.board.market(coin)?.isTrading == true
            }
        }
    }

    @Test("a dropped connection is reported at once, then followed by a full reload")
    func drop() async throws {
        try await ConnectedExchange.run(Self.feed) { followed in
            _ = try await followed.live()
            followed.simulator.start(.connectionDrop)
            let lost = try await followed.snapshot("the loss is reported") {
                if case .reconnecting = $0.board.feed.connection { true } else { false }
            }
            #expect(lost.board.feed.streamFailure?.code == .disconnected)
            #expect(!lost.board.feed.isComplete)
            let back = try await followed.snapshot("live again") {
                $0.board.feed.connection == .live && $0.board.feed.reconnects == 1
            }
            #expect(back.board.feed.isComplete)
        }
    }
}
