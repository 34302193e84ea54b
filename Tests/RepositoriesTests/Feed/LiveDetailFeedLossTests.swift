import DataSourceContracts
import Domain
import TestSupport
import Testing
import UseCases

@testable import Repositories

@Suite("A lost or dead book stream is reported and reconnected with backoff")
struct LiveDetailFeedLossTests {
    @Test("reports cause, next attempt and time, and starts over after a stable connection")
    func reconnect() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            bench.acknowledge()
            bench.tasks.advance(by: .seconds(20))
            bench.hangUp()
            let status = bench.board.detailStatus
            #expect(status.failure?.code == .disconnected)
            #expect(status.attempt == 1)
            #expect(status.nextRetryAt == .noon(plus: .milliseconds(20_250)))
            #expect(status.subscribed.isEmpty)
            #expect(status.reconnects == 1)
            bench.tasks.advance(by: .milliseconds(250))
            bench.acknowledge()
            #expect(bench.board.detailStatus.attempt == 0)
            #expect(bench.board.detailStatus.subscribed == ["BTC_KRW"])
            #expect(bench.subscriptions.count == 2)
            // That one breaks soon, so the next wait is longer.
            bench.hangUp()
            bench.tasks.advance(by: .milliseconds(499))
            #expect(bench.connectionTimes.count == 2)
            bench.tasks.advance(by: .milliseconds(1))
            #expect(bench.connectionTimes.count == 3)
            bench.leave(lease)
        }
    }

    @Test("makes at most 18 attempts in 60 s; a reload retries at once")
    func outage() async throws {
        let bench = DetailFeedHarness()
        bench.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            bench.tasks.advance(by: .seconds(60))
            #expect(bench.connectionTimes.count <= 19)
            #expect(bench.connectionTimes.count >= 9)
            bench.streams.refuse(with: nil)
            bench.feed.reload()
            bench.tasks.settle()
            #expect(bench.connectionTimes.last == .seconds(60))
            #expect(bench.streams.streams.count == 1)
            bench.leave(lease)
        }
    }

    @Test("keeps a pause that the exchange asked for, despite reloads")
    func pause() async throws {
        let bench = DetailFeedHarness()
        let error = DataSourceError(.rateLimited(retryAfter: .seconds(7)), "stream")
        bench.streams.refuse(with: error)
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            bench.tasks.advance(by: .seconds(1))
            bench.feed.reload()
            bench.tasks.advance(by: .seconds(6) - .microseconds(1))
            #expect(bench.connectionTimes == [.zero])
            bench.tasks.advance(by: .microseconds(1))
            #expect(bench.connectionTimes == [.zero, .seconds(7)])
            bench.leave(lease)
        }
    }

    @Test("stops retrying without interests")
    func leftWhileLost() async throws {
        let bench = DetailFeedHarness()
        bench.streams.refuse(with: DataSourceError(.unreachable, "no route"))
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            bench.tasks.advance(by: .seconds(10))
            bench.leave(lease)
            bench.log.clear()
            bench.tasks.advance(by: .seconds(300))
            #expect(bench.connectionTimes.isEmpty)
            #expect(bench.board.detailStatus.attempt == 0)
            #expect(bench.board.detailStatus.failure == nil)
        }
    }

    @Test("requests the books whose stream begins or resumes")
    func readsAfterSubscribing() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            #expect(bench.bookTimes() == [.zero], "the board lacks it")
            bench.tasks.advance(by: .seconds(2))
            bench.snapshot()
            bench.acknowledge()
            #expect(bench.bookTimes() == [.zero, .seconds(2)])
            bench.tasks.advance(by: .seconds(2))
            bench.hangUp()
            bench.tasks.advance(by: .seconds(1))
            bench.acknowledge()
            // At once because the board lost sight of it, and again when the changes begin.
            #expect(bench.bookTimes() == [.zero, .seconds(2), .seconds(4), .seconds(5)])
            bench.leave(lease)
        }
    }

    @Test(
        "goes on with changes alone when whole books are refused, and reads those over REST",
        arguments: [("5100", "Wrong Filter Type"), ("5500", "Invalid Filter Syntax")]
    )
    func refusedType(status: String, message: String) async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            bench.say(status, message)
            bench.acknowledge(1)
            #expect(bench.connectionTimes == [.zero])
            #expect(bench.detailEvents.last == .subscribed(["BTC_KRW"]))
            for _ in 0..<60 {
                bench.tasks.advance(by: .milliseconds(500))
                bench.change()
            }
            let gaps = zip(bench.bookTimes(), bench.bookTimes().dropFirst()).map { $1 - $0 }
            #expect(gaps.count >= 3)
            #expect(gaps.allSatisfy { $0 <= .seconds(8) })
            // A list that grows, and the next connection, ask for changes only.
            let other = bench.look("ETH_KRW", .book)
            #expect(bench.subscriptions.last == ["orderbookdepth": ["BTC_KRW", "ETH_KRW"]])
            bench.hangUp()
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.subscriptions.last == ["orderbookdepth": ["BTC_KRW", "ETH_KRW"]])
            #expect(bench.connectionTimes.count == 2)
            // After a while the exchange may have thought better of it.
            bench.tasks.advance(by: BookStreamStateMachine.refusalMemory)
            bench.hangUp()
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.subscriptions.last?["orderbooksnapshot"] == ["BTC_KRW", "ETH_KRW"])
            bench.leave(lease)
            bench.leave(other)
        }
    }

    @Test("ends the connection on a second refusal, or on one after snapshots")
    func refused() async throws {
        for hasBooks in [false, true] {
            let bench = DetailFeedHarness()
            try await bench.drive {
                let lease = bench.look("BTC_KRW", .book)
                if hasBooks { bench.snapshot() } else { bench.say("5100", "Wrong Filter Type") }
                #expect(bench.closeTimes.isEmpty)
                bench.say("5100", "Invalid Filter Syntax")
                #expect(bench.closeTimes == [.zero])
                #expect(bench.board.detailStatus.failure?.code == .refused)
                bench.leave(lease)
            }
        }
    }

    @Test("closes a connection silent for 30 s while REST shows a changed book")
    func silence() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            bench.acknowledge()
            bench.tasks.advance(by: .seconds(5))
            bench.change()
            let lastFrame = bench.elapsed
            for step in 1..<30 {
                bench.tasks.advance(by: .seconds(1))
                bench.put(book: "BTC_KRW", ask: WireDecimal(mantissa: Int128(101 + step), scale: 0))
                #expect(bench.connectionTimes == [.zero])
            }
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.closeTimes == [lastFrame + .seconds(30)])
            #expect(bench.board.detailStatus.failure?.code == .silent)
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.connectionTimes.count == 2)
            bench.leave(lease)
        }
    }

    @Test("keeps a silent connection while its books do not change")
    func quiet() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            bench.acknowledge()
            bench.tasks.advance(by: .seconds(600))
            #expect(bench.connectionTimes == [.zero])
            #expect(bench.bookTimes().count > 60, "but looks after it")
            // It moved, and a frame came: that is life.
            bench.put(book: "BTC_KRW", ask: "105")
            bench.tasks.advance(by: BookStreamStateMachine.moveGrace)
            bench.change()
            bench.tasks.advance(by: .seconds(300))
            #expect(bench.connectionTimes == [.zero])
            bench.leave(lease)
        }
    }

    @Test("opens no connection after the end of a recording")
    func ended() async throws {
        let bench = DetailFeedHarness(lead: nil)
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            bench.hangUp(.ended)
            bench.tasks.advance(by: .seconds(300))
            let other = bench.look("ETH_KRW", .book)
            bench.tasks.advance(by: .seconds(300))
            #expect(bench.connectionTimes == [.zero])
            #expect(bench.board.detailStatus.failure == nil)
            bench.leave(lease)
            bench.leave(other)
        }
    }

    @Test("ends promptly when cancelled in any state")
    func cancellation() async throws {
        // `running` stops the run if cancelling does not end the work.
        for moment in [0, 100, 300, 2_000, 41_000] {
            let bench = DetailFeedHarness()
            if moment == 100 { bench.streams.delay(by: .seconds(1)) }
            if moment == 300 { bench.books.hold() }
            try await bench.drive {
                let leases = [bench.look("BTC_KRW", .book), bench.look("ETH_KRW", .book)]
                bench.tasks.advance(by: .milliseconds(moment))
                if moment == 41_000 { bench.leave(leases[0]) }
                if moment == 2_000 { bench.hangUp() }
            }
            #expect(bench.streams.streams.allSatisfy { $0.isClosed })
        }
    }
}
