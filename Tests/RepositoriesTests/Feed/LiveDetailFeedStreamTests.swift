import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("The book stream carries the books of open interests")
struct LiveDetailFeedStreamTests {
    private static let both = ["orderbookdepth", "orderbooksnapshot"]

    private func list(_ symbols: String...) -> [String: [String]] {
        Dictionary(Self.both.map { ($0, symbols) }) { $1 }
    }

    @Test("connects for the first book")
    func start() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            bench.tasks.advance(by: .seconds(5))
            let trades = bench.look("BTC_KRW", .trades, .candles(.minute1))
            bench.tasks.advance(by: .seconds(5))
            #expect(bench.connectionTimes.isEmpty, "trades and candles need no stream of books")
            let book = bench.look("BTC_KRW", .book)
            #expect(bench.connectionTimes == [.seconds(10)])
            #expect(bench.subscriptions == [list("BTC_KRW")])
            bench.leave(trades)
            bench.leave(book)
        }
    }

    @Test("subscribes the full list again on the same connection when it grows")
    func growth() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let leases = ["BTC_KRW", "XRP_KRW", "ETH_KRW"].map { bench.look($0, .book) }
            #expect(bench.connectionTimes == [.zero])
            #expect(
                bench.subscriptions == [
                    list("BTC_KRW"), list("BTC_KRW", "XRP_KRW"),
                    list("BTC_KRW", "ETH_KRW", "XRP_KRW"),
                ]
            )
            bench.tasks.advance(by: .seconds(100))
            #expect(bench.connectionTimes == [.zero], "nothing shrank")
            for lease in leases { bench.leave(lease) }
        }
    }

    @Test("reports subscribed markets after the acknowledgement, or after its time limit")
    func subscribed() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let lease = bench.look("BTC_KRW", .book)
            let told = DetailFeedEvent.subscribed(["BTC_KRW"])
            bench.say("0000", "Connected Successfully")
            bench.acknowledge(1)
            #expect(!bench.detailEvents.contains(told), "the greeting registers nothing")
            bench.acknowledge(1)
            #expect(bench.detailEvents.contains(told))
            #expect(bench.board.detailStatus.subscribed == ["BTC_KRW"])
            let other = bench.look("ETH_KRW", .book)
            let both = DetailFeedEvent.subscribed(["BTC_KRW", "ETH_KRW"])
            bench.tasks.advance(by: BookConnection.acknowledgementLimit - .microseconds(1))
            #expect(!bench.detailEvents.contains(both))
            bench.tasks.advance(by: .microseconds(1))
            #expect(bench.detailEvents.contains(both), "no word in twelve seconds is a yes")
            bench.leave(lease)
            bench.leave(other)
        }
    }

    @Test("replaces the connection when the list shrinks, the new one first")
    func replacement() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let stays = bench.look("BTC_KRW", .book)
            let goes = bench.look("ETH_KRW", .book)
            bench.acknowledge(4)
            bench.tasks.advance(by: .seconds(40))
            bench.log.clear()
            bench.leave(goes)
            #expect(
                bench.log.requests == [
                    .connection,
                    .subscription(
                        Self.both.map { StreamSubscriptionDTO(type: $0, symbols: ["BTC_KRW"]) }
                    ),
                ]
            )
            // Both connections deliver for a while, and both are heard.
            let before = bench.events.count
            bench.change(on: 0)
            bench.change(on: 1)
            #expect(bench.events.count == before + 2)
            bench.acknowledge(on: 1)
            #expect(bench.log.requests.last == .close)
            #expect(bench.streams.streams.map(\.isClosed) == [true, false])
            #expect(bench.detailEvents.last == .subscribed(["BTC_KRW"]))
            #expect(bench.board.detailStatus.reconnects == 0, "nothing was lost")
            bench.leave(stays)
        }
    }

    @Test("replaces at most every 30 s")
    func replacementPace() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let stays = bench.look("BTC_KRW", .book)
            bench.acknowledge()
            for _ in 0..<120 {
                let lease = bench.look("ETH_KRW", .book)
                bench.acknowledge()
                bench.tasks.advance(by: .milliseconds(500))
                bench.leave(lease)
                bench.acknowledge()
                bench.tasks.advance(by: .milliseconds(500))
            }
            let gaps = zip(bench.connectionTimes, bench.connectionTimes.dropFirst())
                .map { $1 - $0 }
            #expect(bench.connectionTimes.count >= 4, "but it does")
            #expect(gaps.allSatisfy { $0 >= .seconds(30) })
            bench.leave(stays)
        }
    }

    @Test("keeps the old connection when its successor fails")
    func failedReplacement() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let stays = bench.look("BTC_KRW", .book)
            let goes = bench.look("ETH_KRW", .book)
            bench.acknowledge(4)
            bench.tasks.advance(by: .seconds(40))
            bench.streams.refuse(with: DataSourceError(.unreachable, "no route"))
            bench.leave(goes)
            #expect(!bench.streams.streams[0].isClosed)
            #expect(bench.board.detailStatus.failure == nil)
            bench.tasks.advance(by: .seconds(29))
            #expect(bench.connectionTimes == [.zero, .seconds(40)], "nor does it hurry")
            bench.streams.refuse(with: nil)
            bench.tasks.advance(by: .seconds(1))
            bench.acknowledge()
            #expect(bench.streams.streams.map(\.isClosed) == [true, false])
            bench.leave(stays)
        }
    }

    @Test("closes the connection without interests, at most every 30 s")
    func nobody() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let first = bench.look("BTC_KRW", .book)
            let second = bench.look("BTC_KRW", .book)
            bench.acknowledge()
            bench.tasks.advance(by: .seconds(10))
            bench.leave(first)
            bench.tasks.advance(by: .seconds(60))
            #expect(bench.closeTimes.isEmpty, "somebody still looks")
            #expect(bench.connectionTimes == [.zero])
            bench.leave(second)
            #expect(bench.closeTimes == [.seconds(70)])
            #expect(bench.detailEvents.last == .subscribed([]))
            bench.tasks.advance(by: .seconds(300))
            #expect(bench.connectionTimes == [.zero])
            let third = bench.look("XRP_KRW", .book)
            bench.acknowledge()
            bench.leave(third)
            bench.tasks.advance(by: .seconds(29))
            #expect(bench.closeTimes == [.seconds(70)], "it is not 30 s old")
            bench.tasks.advance(by: .seconds(1))
            #expect(bench.closeTimes == [.seconds(70), .seconds(400)])
        }
    }

    @Test("drops frames of markets without an interest")
    func unwantedFrames() async throws {
        let bench = DetailFeedHarness()
        try await bench.drive {
            let stays = bench.look("BTC_KRW", .book)
            let goes = bench.look("ETH_KRW", .book)
            bench.leave(goes)
            let before = bench.events.count
            bench.change("ETH_KRW")
            bench.snapshot("ETH_KRW")
            bench.change("XRP_KRW")
            #expect(bench.events.count == before)
            #expect(bench.board.detailStatus.framesReceived == 3, "they are counted, though")
            bench.change("BTC_KRW")
            #expect(bench.events.count == before + 1)
            bench.leave(stays)
        }
    }

    @Test("skips and counts books of an implausible time, except in recordings")
    func farFuture() async throws {
        for (lead, count) in [(Duration.zero, 1), (.seconds(60), 0), (nil, 0)] {
            let bench = DetailFeedHarness(lead: lead)
            try await bench.drive {
                let lease = bench.look("BTC_KRW", .book)
                let ahead = bench.now.advanced(by: .seconds(61))
                bench.send(.depth(.bid("BTC_KRW", at: ahead)))
                #expect(bench.board.feed.entriesSkipped == count)
                bench.leave(lease)
            }
        }
    }
}
