import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("A lost or dead book stream is reported and reconnected with backoff")
struct LiveDetailFeedLossTests {
    @Test(
        "the feed reports cause, next attempt and time, and starts over after a stable connection"
    )
    func reconnect() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            harness.acknowledge()
            harness.tasks.advance(by: .seconds(20))
            harness.hangUp()
            let status = harness.board.detailStatus
            #expect(status.failure?.code == .disconnected)
            #expect(status.attempt == 1)
            #expect(status.nextRetryAt == .noon(plus: .milliseconds(20_250)))
            #expect(status.subscribed.isEmpty)
            #expect(status.reconnects == 1)
            harness.tasks.advance(by: .milliseconds(250))
            harness.acknowledge()
            #expect(harness.board.detailStatus.attempt == 0)
            #expect(harness.board.detailStatus.subscribed == ["BTC_KRW"])
            #expect(harness.subscriptions.count == 2)
            // The new connection breaks soon, so the next wait is longer.
            harness.hangUp()
            harness.tasks.advance(by: .milliseconds(499))
            #expect(harness.connectionTimes.count == 2)
            harness.tasks.advance(by: .milliseconds(1))
            #expect(harness.connectionTimes.count == 3)
            harness.leave(lease)
        }
    }

    @Test("the feed makes at most 18 attempts in 60 s; a reload retries at once")
    func outage() async throws {
        let harness = DetailFeedHarness()
        harness.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            harness.tasks.advance(by: .seconds(60))
            #expect(harness.connectionTimes.count <= 19)
            #expect(harness.connectionTimes.count >= 9)
            harness.streams.refuse(with: nil)
            harness.feed.reload()
            harness.tasks.settle()
            #expect(harness.connectionTimes.last == .seconds(60))
            #expect(harness.streams.streams.count == 1)
            harness.leave(lease)
        }
    }

    @Test("the feed keeps a pause that the exchange asked for, despite reloads")
    func pause() async throws {
        let harness = DetailFeedHarness()
        let error = DataSourceError(.rateLimited(retryAfter: .seconds(7)), "stream")
        harness.streams.refuse(with: error)
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            harness.tasks.advance(by: .seconds(1))
            harness.feed.reload()
            harness.tasks.advance(by: .seconds(6) - .microseconds(1))
            #expect(harness.connectionTimes == [.zero])
            harness.tasks.advance(by: .microseconds(1))
            #expect(harness.connectionTimes == [.zero, .seconds(7)])
            harness.leave(lease)
        }
    }

    @Test("the feed stops retrying without interests")
    func leftWhileLost() async throws {
        let harness = DetailFeedHarness()
        harness.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            harness.tasks.advance(by: .seconds(10))
            harness.leave(lease)
            harness.log.clear()
            harness.tasks.advance(by: .seconds(300))
            #expect(harness.connectionTimes.isEmpty)
            #expect(harness.board.detailStatus.attempt == 0)
            #expect(harness.board.detailStatus.failure == nil)
        }
    }

    @Test("the feed requests the books whose stream begins or resumes")
    func readsAfterSubscribing() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            #expect(harness.bookTimes() == [.zero], "the board lacks it")
            harness.tasks.advance(by: .seconds(2))
            harness.snapshot()
            harness.acknowledge()
            #expect(harness.bookTimes() == [.zero, .seconds(2)])
            harness.tasks.advance(by: .seconds(2))
            harness.hangUp()
            harness.tasks.advance(by: .seconds(1))
            harness.acknowledge()
            // At once because the board lost sight of it, and again when the changes begin.
            #expect(harness.bookTimes() == [.zero, .seconds(2), .seconds(4), .seconds(5)])
            harness.leave(lease)
        }
    }

    @Test(
        "when whole books are refused, the feed streams changes only and reads books over REST",
        arguments: [("5100", "Wrong Filter Type"), ("5500", "Invalid Filter Syntax")]
    )
    func refusedType(status: String, message: String) async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            harness.say(status, message)
            harness.acknowledge(1)
            #expect(harness.connectionTimes == [.zero])
            #expect(harness.detailEvents.last == .subscribed(["BTC_KRW"]))
            for _ in 0..<60 {
                harness.tasks.advance(by: .milliseconds(500))
                harness.change()
            }
            let gaps = zip(harness.bookTimes(), harness.bookTimes().dropFirst()).map { $1 - $0 }
            #expect(gaps.count >= 3)
            #expect(gaps.allSatisfy { $0 <= .seconds(8) })
            // A list that grows, and the next connection, ask for changes only.
            let other = harness.look("ETH_KRW", .book)
            #expect(harness.subscriptions.last == ["orderbookdepth": ["BTC_KRW", "ETH_KRW"]])
            harness.hangUp()
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.subscriptions.last == ["orderbookdepth": ["BTC_KRW", "ETH_KRW"]])
            #expect(harness.connectionTimes.count == 2)
            // After a while the exchange may have thought better of it.
            harness.tasks.advance(by: BookStreamStateMachine.refusalMemory)
            harness.hangUp()
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.subscriptions.last?["orderbooksnapshot"] == ["BTC_KRW", "ETH_KRW"])
            harness.leave(lease)
            harness.leave(other)
        }
    }

    @Test("the feed ends the connection on a second refusal, or on one after snapshots")
    func refused() async throws {
        for hasBooks in [false, true] {
            let harness = DetailFeedHarness()
            try await harness.drive {
                let lease = harness.look("BTC_KRW", .book)
                if hasBooks { harness.snapshot() } else { harness.say("5100", "Wrong Filter Type") }
                #expect(harness.closeTimes.isEmpty)
                harness.say("5100", "Invalid Filter Syntax")
                #expect(harness.closeTimes == [.zero])
                #expect(harness.board.detailStatus.failure?.code == .refused)
                harness.leave(lease)
            }
        }
    }

    @Test("the feed closes a connection silent for 30 s while REST shows a changed book")
    func silence() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            harness.acknowledge()
            harness.tasks.advance(by: .seconds(5))
            harness.change()
            let lastFrame = harness.elapsed
            for step in 1..<30 {
                harness.tasks.advance(by: .seconds(1))
                harness.put(
                    book: "BTC_KRW",
                    ask: WireDecimal(mantissa: Int128(101 + step), scale: 0)
                )
                #expect(harness.connectionTimes == [.zero])
            }
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.closeTimes == [lastFrame + .seconds(30)])
            #expect(harness.board.detailStatus.failure?.code == .silent)
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.connectionTimes.count == 2)
            harness.leave(lease)
        }
    }

    @Test("the feed keeps a silent connection while its books do not change")
    func quiet() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            harness.acknowledge()
            harness.tasks.advance(by: .seconds(600))
            #expect(harness.connectionTimes == [.zero])
            #expect(harness.bookTimes().count > 60, "but looks after it")
            // The book changed and a frame arrived: a sign of life.
            harness.put(book: "BTC_KRW", ask: "105")
            harness.tasks.advance(by: BookStreamStateMachine.moveGrace)
            harness.change()
            harness.tasks.advance(by: .seconds(300))
            #expect(harness.connectionTimes == [.zero])
            harness.leave(lease)
        }
    }

    @Test("the feed opens no connection after the end of a recording")
    func ended() async throws {
        let harness = DetailFeedHarness(lead: nil)
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            harness.hangUp(.ended)
            harness.tasks.advance(by: .seconds(300))
            let other = harness.look("ETH_KRW", .book)
            harness.tasks.advance(by: .seconds(300))
            #expect(harness.connectionTimes == [.zero])
            #expect(harness.board.detailStatus.failure == nil)
            harness.leave(lease)
            harness.leave(other)
        }
    }

    @Test("the feed ends promptly when cancelled in any state")
    func cancellation() async throws {
        // `running` stops the run if cancelling does not end the work.
        for moment in [0, 100, 300, 2_000, 41_000] {
            let harness = DetailFeedHarness()
            if moment == 100 { harness.streams.delay(by: .seconds(1)) }
            if moment == 300 { harness.books.hold() }
            try await harness.drive {
                let leases = [harness.look("BTC_KRW", .book), harness.look("ETH_KRW", .book)]
                harness.tasks.advance(by: .milliseconds(moment))
                if moment == 41_000 { harness.leave(leases[0]) }
                if moment == 2_000 { harness.hangUp() }
            }
            #expect(harness.streams.streams.allSatisfy { $0.isClosed })
        }
    }
}
