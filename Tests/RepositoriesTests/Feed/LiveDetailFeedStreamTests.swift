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

    @Test("the feed connects for the first book")
    func start() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            harness.tasks.advance(by: .seconds(5))
            let trades = harness.look("BTC_KRW", .trades, .candles(.minute1))
            harness.tasks.advance(by: .seconds(5))
            #expect(harness.connectionTimes.isEmpty, "trades and candles need no stream of books")
            let book = harness.look("BTC_KRW", .book)
            #expect(harness.connectionTimes == [.seconds(10)])
            #expect(harness.subscriptions == [list("BTC_KRW")])
            harness.leave(trades)
            harness.leave(book)
        }
    }

    @Test("the feed subscribes the full list again on the same connection when it grows")
    func growth() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let leases = ["BTC_KRW", "XRP_KRW", "ETH_KRW"].map { harness.look($0, .book) }
            #expect(harness.connectionTimes == [.zero])
            #expect(
                harness.subscriptions == [
                    list("BTC_KRW"), list("BTC_KRW", "XRP_KRW"),
                    list("BTC_KRW", "ETH_KRW", "XRP_KRW"),
                ]
            )
            harness.tasks.advance(by: .seconds(100))
            #expect(harness.connectionTimes == [.zero], "nothing shrank")
            for lease in leases { harness.leave(lease) }
        }
    }

    @Test("the feed reports subscribed markets after the acknowledgement, or after its time limit")
    func subscribed() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let lease = harness.look("BTC_KRW", .book)
            let told = DetailFeedEvent.subscribed(["BTC_KRW"])
            harness.say("0000", "Connected Successfully")
            harness.acknowledge(1)
            #expect(!harness.detailEvents.contains(told), "the greeting registers nothing")
            harness.acknowledge(1)
            #expect(harness.detailEvents.contains(told))
            #expect(harness.board.detailStatus.subscribed == ["BTC_KRW"])
            let other = harness.look("ETH_KRW", .book)
            let both = DetailFeedEvent.subscribed(["BTC_KRW", "ETH_KRW"])
            harness.tasks.advance(by: BookConnection.acknowledgementLimit - .microseconds(1))
            #expect(!harness.detailEvents.contains(both))
            harness.tasks.advance(by: .microseconds(1))
            #expect(harness.detailEvents.contains(both), "no word in twelve seconds is a yes")
            harness.leave(lease)
            harness.leave(other)
        }
    }

    @Test("the feed replaces the connection when the list shrinks, the new one first")
    func replacement() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let stays = harness.look("BTC_KRW", .book)
            let goes = harness.look("ETH_KRW", .book)
            harness.acknowledge(4)
            harness.tasks.advance(by: .seconds(40))
            harness.log.clear()
            harness.leave(goes)
            #expect(
                harness.log.requests == [
                    .connection,
                    .subscription(
                        Self.both.map { StreamSubscriptionDTO(type: $0, symbols: ["BTC_KRW"]) }
                    ),
                ]
            )
            // Both connections deliver for a while, and frames of both are used.
            let before = harness.events.count
            harness.change(on: 0)
            harness.change(on: 1)
            #expect(harness.events.count == before + 2)
            harness.acknowledge(on: 1)
            #expect(harness.log.requests.last == .close)
            #expect(harness.streams.streams.map(\.isClosed) == [true, false])
            #expect(harness.detailEvents.last == .subscribed(["BTC_KRW"]))
            #expect(harness.board.detailStatus.reconnects == 0, "nothing was lost")
            harness.leave(stays)
        }
    }

    @Test("the feed replaces at most every 30 s")
    func replacementPace() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let stays = harness.look("BTC_KRW", .book)
            harness.acknowledge()
            for _ in 0..<120 {
                let lease = harness.look("ETH_KRW", .book)
                harness.acknowledge()
                harness.tasks.advance(by: .milliseconds(500))
                harness.leave(lease)
                harness.acknowledge()
                harness.tasks.advance(by: .milliseconds(500))
            }
            let gaps = zip(harness.connectionTimes, harness.connectionTimes.dropFirst())
                .map { $1 - $0 }
            #expect(harness.connectionTimes.count >= 4, "but it does")
            #expect(gaps.allSatisfy { $0 >= .seconds(30) })
            harness.leave(stays)
        }
    }

    @Test("the feed keeps the old connection when its successor fails")
    func failedReplacement() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let stays = harness.look("BTC_KRW", .book)
            let goes = harness.look("ETH_KRW", .book)
            harness.acknowledge(4)
            harness.tasks.advance(by: .seconds(40))
            harness.streams.refuse(with: DataSourceError(.unreachable, "no route"))
            harness.leave(goes)
            #expect(!harness.streams.streams[0].isClosed)
            #expect(harness.board.detailStatus.failure == nil)
            harness.tasks.advance(by: .seconds(29))
            #expect(harness.connectionTimes == [.zero, .seconds(40)], "nor does it hurry")
            harness.streams.refuse(with: nil)
            harness.tasks.advance(by: .seconds(1))
            harness.acknowledge()
            #expect(harness.streams.streams.map(\.isClosed) == [true, false])
            harness.leave(stays)
        }
    }

    @Test("the feed closes the connection without interests, at most every 30 s")
    func nobody() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let first = harness.look("BTC_KRW", .book)
            let second = harness.look("BTC_KRW", .book)
            harness.acknowledge()
            harness.tasks.advance(by: .seconds(10))
            harness.leave(first)
            harness.tasks.advance(by: .seconds(60))
            #expect(harness.closeTimes.isEmpty, "somebody still looks")
            #expect(harness.connectionTimes == [.zero])
            harness.leave(second)
            #expect(harness.closeTimes == [.seconds(70)])
            #expect(harness.detailEvents.last == .subscribed([]))
            harness.tasks.advance(by: .seconds(300))
            #expect(harness.connectionTimes == [.zero])
            let third = harness.look("XRP_KRW", .book)
            harness.acknowledge()
            harness.leave(third)
            harness.tasks.advance(by: .seconds(29))
            #expect(harness.closeTimes == [.seconds(70)], "it is not 30 s old")
            harness.tasks.advance(by: .seconds(1))
            #expect(harness.closeTimes == [.seconds(70), .seconds(400)])
        }
    }

    @Test("the feed drops frames of markets without an interest")
    func unwantedFrames() async throws {
        let harness = DetailFeedHarness()
        try await harness.drive {
            let stays = harness.look("BTC_KRW", .book)
            let goes = harness.look("ETH_KRW", .book)
            harness.leave(goes)
            let before = harness.events.count
            harness.change("ETH_KRW")
            harness.snapshot("ETH_KRW")
            harness.change("XRP_KRW")
            #expect(harness.events.count == before)
            #expect(harness.board.detailStatus.framesReceived == 3, "they are counted, though")
            harness.change("BTC_KRW")
            #expect(harness.events.count == before + 1)
            harness.leave(stays)
        }
    }

    @Test("the feed skips and counts books of an implausible time, except in recordings")
    func farFuture() async throws {
        for (lead, count) in [(Duration.zero, 1), (.seconds(60), 0), (nil, 0)] {
            let harness = DetailFeedHarness(lead: lead)
            try await harness.drive {
                let lease = harness.look("BTC_KRW", .book)
                let ahead = harness.now.advanced(by: .seconds(61))
                harness.send(.depth(.bid("BTC_KRW", at: ahead)))
                #expect(harness.board.feed.entriesSkipped == count)
                harness.leave(lease)
            }
        }
    }
}
