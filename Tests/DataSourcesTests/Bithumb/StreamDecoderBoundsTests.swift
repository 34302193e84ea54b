import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("Stream messages are bounded and decoded independently of each other")
struct StreamDecoderBoundsTests {
    private func decode(_ messages: [String], frameBytesMax: Int = 1 << 20) -> [StreamMessageDTO] {
        var decoder = StreamDecoder(.v1, frameBytesMax: frameBytesMax)
        return decoder.decode(BithumbFixtures.batch(messages))
    }

    private func skipped(_ key: String, _ reason: String) -> StreamMessageDTO {
        .skipped(SkippedEntryDTO(key: key, reason: reason))
    }

    @Test("a frame longer than the limit is skipped; its neighbors are read")
    func longFrame() {
        let status = #"{"status":"0000"}"#
        let ticker = BithumbFixtures.ticker()
        let messages = decode([status, ticker, status], frameBytesMax: ticker.utf8.count - 1)
        let expected = StreamMessageDTO.status(StreamStatusDTO(status: "0000", message: ""))
        #expect(
            messages == [expected, skipped("", "the entry is longer than the limit"), expected]
        )
        #expect(decode([ticker], frameBytesMax: ticker.utf8.count).count == 1)
    }

    @Test("a truncated frame is not completed by the first byte of the next one")
    func neighbors() {
        let ticker = BithumbFixtures.ticker()
        let cut = String(ticker.dropLast())
        let messages = decode([cut, "}", cut, "\n}", ticker])
        let broken = "the entry is not well-formed JSON"
        #expect(
            messages.prefix(4) == [
                skipped("ticker", broken), skipped("", broken), skipped("ticker", broken),
                skipped("", broken),
            ]
        )
        #expect(messages.count == 5)
        guard case .ticker = messages[4] else {
            Issue.record("the whole frame was not read")
            return
        }
    }

    @Test("a frame truncated anywhere is skipped and gives no message")
    func everyCut() {
        let frames = [
            BithumbFixtures.ticker(), BithumbFixtures.transaction([BithumbFixtures.trade()]),
            BithumbFixtures.depth([BithumbFixtures.change(), BithumbFixtures.change()]),
            BithumbFixtures.snapshot(),
        ]
        for bytes in frames.map({ Array($0.utf8) }) {
            var batch = MessageBatch()
            for length in 0..<bytes.count { batch.append(bytes[..<length]) }
            var decoder = StreamDecoder(.v1)
            let messages = decoder.decode(batch)
            #expect(messages.count == bytes.count)
            for message in messages {
                guard case .skipped = message else {
                    Issue.record("a part was read: \(message)")
                    continue
                }
            }
        }
    }

    @Test("names beyond 64 bytes are skipped or truncated")
    func longNames() {
        let long = String(repeating: "x", count: 65)
        let name = String(repeating: "x", count: 64)
        let ticker = BithumbFixtures.ticker(["symbol": #""\#(long)""#])
        #expect(decode([ticker]) == [skipped("ticker", "symbol is longer than 64 bytes")])
        #expect(decode([#"{"type":"\#(name)"}"#]) == [.unknown(type: name)])
        let typed = skipped("", "type is longer than 64 bytes")
        #expect(decode([#"{"type":"\#(long)"}"#]) == [typed])
        let status = #"{"status":"\#(long)","resmsg":"\#(String(repeating: "y", count: 5_000))"}"#
        let words = String(repeating: "y", count: 1_024)
        #expect(decode([status]) == [.status(StreamStatusDTO(status: name, message: words))])
    }

    @Test("a list of too many trades is skipped and counted once")
    func manyTrades() {
        let trade = BithumbFixtures.trade()
        let full = BithumbFixtures.transaction(Array(repeating: trade, count: 4_096))
        let over = BithumbFixtures.transaction(Array(repeating: trade, count: 4_097))
        let messages = decode([full, over], frameBytesMax: over.utf8.count)
        guard messages.count == 2, case .transactions(let trades) = messages[0] else {
            Issue.record("the full list was not read")
            return
        }
        #expect(trades.count == 4_096)
        #expect(messages[1] == skipped("transaction", "list has too many entries"))
    }

    @Test("an empty batch and an empty list are valid")
    func emptiness() {
        #expect(decode([]).isEmpty)
        #expect(decode([BithumbFixtures.transaction([])]) == [.transactions([])])
    }

    @Test("a frame of invalid UTF-8 is skipped")
    func invalidUTF8() {
        var batch = MessageBatch()
        batch.append(
            BithumbFixtures.ticker(["symbol": #""@""#]).utf8.map { $0 == 0x40 ? 0xFF : $0 }
        )
        batch.append(#"{"status":"0000"}"#.utf8)
        var decoder = StreamDecoder(.v1)
        #expect(
            decoder.decode(batch) == [
                skipped("", "the entry is not UTF-8"),
                .status(StreamStatusDTO(status: "0000", message: "")),
            ]
        )
    }

    @Test("a decoder's result is independent of earlier batches")
    func reuse() {
        var decoder = StreamDecoder(.v1)
        let large = BithumbFixtures.batch(
            Array(repeating: BithumbFixtures.transaction([BithumbFixtures.trade()]), count: 500)
        )
        let small = BithumbFixtures.batch([
            BithumbFixtures.ticker(), "x", BithumbFixtures.snapshot(),
            BithumbFixtures.depth([BithumbFixtures.change(), "{}"]),
        ])
        let first = decoder.decode(small)
        _ = decoder.decode(large)
        _ = decoder.decode(MessageBatch())
        #expect(decoder.decode(small) == first)
    }
}
