import DataSources
import DataSourcesWire
import Foundation
import TestSupport
import Testing

/// Payloads that others captured from the exchange, beside the checkout where they exist.
private enum Recordings {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/recordings")

    static var exist: Bool { FileManager.default.fileExists(atPath: folder.path()) }

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }

    static func lines(_ path: String) throws -> [[UInt8]] {
        try bytes(path).split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }
}

@Suite(
    "What was captured from the exchange decodes without a remainder",
    .enabled(if: Recordings.exist, "no recordings lie beside the checkout")
)
struct RecordingTests {
    private struct Line: Decodable {
        let kind: String
        let path: String?
        let body: String?
        let text: String?
    }

    private func check(frame: [UInt8]) throws {
        var batch = MessageBatch()
        batch.append(frame)
        var decoder = StreamDecoder()
        let messages = decoder.decode(batch)
        #expect(messages.count == 1)
        for message in messages {
            switch message {
            case .ticker(let ticker):
                // The change of a frame refers to the window's open: the fields are in place.
                #expect(ticker.chgAmt.scale == 0 && ticker.closePrice.scale == 0)
                #expect(
                    ticker.closePrice.mantissa - ticker.openPrice.mantissa == ticker.chgAmt.mantissa
                )
                #expect(ticker.sellVolume.scale == ticker.volume.scale)
                let sum = ticker.sellVolume.mantissa + ticker.buyVolume.mantissa
                #expect(sum == ticker.volume.mantissa)
                #expect(ticker.symbol.hasSuffix("_KRW"))
            case .transactions(let trades):
                #expect(!trades.isEmpty)
                for trade in trades {
                    #expect(trade.price.mantissa > 0 && trade.quantity.mantissa > 0)
                    #expect(
                        (1_600_000_000_000_000...1_700_000_000_000_000)
                            .contains(trade.atMicroseconds)
                    )
                }
            case .depth(let depth):
                #expect(!depth.changes.isEmpty)
                // The exchange lists asks before bids and no price twice on a side.
                let sides = depth.changes.map(\.isAsk)
                #expect(sides == sides.sorted { $0 && !$1 })
                let asks = depth.changes.filter(\.isAsk).map(\.price)
                let bids = depth.changes.filter { !$0.isAsk }.map(\.price)
                #expect(Set(asks).count == asks.count && Set(bids).count == bids.count)
                #expect(
                    (1_600_000_000_000_000...1_700_000_000_000_000)
                        .contains(depth.atMicroseconds)
                )
            case .orderBook(let book):
                #expect(!book.asks.isEmpty && !book.bids.isEmpty)
            case .unknown(let type):
                Issue.record("\(type) is not read")
            case .status(let status):
                #expect(status.status == "0000")
            case .skipped(let entry):
                Issue.record("\(entry)")
            }
        }
    }

    private func check(tickers body: [UInt8]) throws {
        var decoder = TickerAllDecoder()
        let answer = try decoder.decode(body)
        #expect(!answer.tickers.isEmpty)
        #expect(answer.skipped.isEmpty)
        #expect(answer.emptySymbols.isEmpty)
        #expect(answer.dateMilliseconds != nil)
        for ticker in answer.tickers {
            let numbers = [
                ticker.openingPrice, ticker.closingPrice, ticker.minPrice, ticker.maxPrice,
                ticker.unitsTraded, ticker.accTradeValue, ticker.prevClosingPrice,
                ticker.unitsTraded24H, ticker.accTradeValue24H, ticker.fluctate24H,
                ticker.fluctateRate24H,
            ]
            #expect(!numbers.contains(nil), "\(ticker.symbol)")
        }
    }

    @Test("Whole-market answers")
    func tickers() throws {
        try check(tickers: Recordings.bytes("z3rosmith/TickersJSONFile.json"))
    }

    @Test(
        "Frames of 2022",
        arguments: [
            "WebSocketTickerJSONFile", "WebSocketTransactionJSONFile",
            "WebSocketOrderbookdepthJSONFile",
        ]
    )
    func singleFrames(name: String) throws {
        try check(frame: Recordings.bytes("z3rosmith/\(name).json"))
    }

    @Test("Frames of 2021")
    func frames() throws {
        let frames = try Recordings.lines("thrasher-corp/bithumb_ws_frames.jsonl")
        try #require(!frames.isEmpty)
        for frame in frames { try check(frame: frame) }
    }

    @Test("An order book of 2022")
    func orderBook() throws {
        var decoder = OrderBookDecoder()
        let body = try Recordings.bytes("z3rosmith/OrderbookJSONFile.json")
        let book = try decoder.decode(body, symbol: "BTC_KRW")
        #expect(book.asks.count == 30 && book.bids.count == 30 && book.skippedCount == 0)
        // Prices of bitcoin are whole won: the mantissas can be compared.
        let asks = book.asks.map(\.price.mantissa)
        let bids = book.bids.map(\.price.mantissa)
        #expect(asks == asks.sorted() && bids == bids.sorted(by: >))
        #expect((book.asks + book.bids).allSatisfy { $0.price.scale == 0 })
        #expect(bids[0] < asks[0])
    }

    @Test(
        "Candles of 2022",
        arguments: ["MockCandlestickDataHour1", "MockCandlestickDataMinute30"]
    )
    func candles(name: String) throws {
        var decoder = CandlesDecoder()
        let answer = try decoder.decode(try Recordings.bytes("z3rosmith/\(name).json"))
        #expect(answer.rows.count > 3_000 && answer.skippedCount == 0)
        for row in answer.rows {
            let prices = [row.open.mantissa, row.close.mantissa]
            #expect(row.low.mantissa <= (prices.min() ?? 0))
            #expect(row.high.mantissa >= (prices.max() ?? 0))
        }
        let times = answer.rows.map(\.atMilliseconds)
        #expect(times == times.sorted())
    }

    @Test("A recording in our own format")
    func sample() throws {
        let lines = try Recordings.lines("sample.jsonl")
            .map { try JSONDecoder().decode(Line.self, from: Data($0)) }
        let frames = lines.compactMap(\.text)
        let answers = lines.filter { $0.path?.hasPrefix("/public/ticker/ALL_") ?? false }
        try #require(!frames.isEmpty && !answers.isEmpty)
        for frame in frames { try check(frame: Array(frame.utf8)) }
        for answer in answers { try check(tickers: Array((answer.body ?? "").utf8)) }
    }
}
