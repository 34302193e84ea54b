import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Book stream frames are routed by type and filtered by interest")
struct BookFramesTests {
    private let at = Timestamp.noon()

    private func book(_ symbol: String = "BTC_KRW") -> StreamMessageDTO {
        .orderBook(
            OrderBookDTO(
                symbol: symbol,
                atMicroseconds: at.microseconds,
                asks: [BookLevelDTO(price: "2", quantity: "1")],
                bids: []
            )
        )
    }

    private func frames(
        _ messages: [StreamMessageDTO],
        notAfter limit: Timestamp? = nil
    ) -> BookFrames {
        BookFrames(messages, of: ["BTC_KRW"], notAfter: limit)
    }

    @Test("frames keep their order, and snapshots are distinguished from changes")
    func order() {
        let frames = frames([
            .depth(.bid("BTC_KRW", at: at)), book(), .depth(.bid("BTC_KRW", at: at)),
        ])
        #expect(frames.events.count == 3)
        guard case .depth = frames.events[0], case .orderBook(let snapshot) = frames.events[1],
            case .depth = frames.events[2]
        else {
            Issue.record("the order is another")
            return
        }
        #expect(snapshot.origin == .stream)
        #expect(frames.snapshots == ["BTC_KRW"])
        #expect(frames.hasSnapshots)
    }

    @Test("frames of other markets and types are dropped")
    func others() {
        let ticker = StreamTickerDTO(
            "BTC_KRW",
            "24H",
            atMicroseconds: at.microseconds,
            open: "1",
            close: "1"
        )
        let frames = frames([
            .depth(.bid("ETH_KRW", at: at)), book("ETH_KRW"), .ticker(ticker), .transactions([]),
            .unknown(type: "new"), .status(StreamStatusDTO(status: "0000", message: "yes")),
        ])
        #expect(frames.events.isEmpty)
        #expect(frames.snapshots.isEmpty)
        #expect(frames.hasSnapshots, "the exchange serves whole books")
        #expect(frames.statusCount == 1)
    }

    @Test("unreadable and future messages are counted once at the end")
    func skipped() {
        let late = at.advanced(by: .microseconds(1))
        let messages: [StreamMessageDTO] = [
            .depth(.bid("rubbish", at: at)), .skipped(SkippedEntryDTO(key: "x", reason: "y")),
            .depth(.bid("BTC_KRW", at: late)), .depth(.bid("BTC_KRW", at: at)),
        ]
        let frames = frames(messages, notAfter: at)
        #expect(frames.events.count == 2)
        #expect(frames.events.last == .skipped(3, .book))
        #expect(self.frames(messages).events.last == .skipped(2, .book), "no limit, no future")
        #expect(self.frames([]).events.isEmpty)
    }
}
