import DataSourceContracts
import DataSourcesBithumb
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
    "Captured traffic of the exchange decodes completely",
    .enabled(if: Recordings.exist, "no recordings lie beside the checkout")
)
struct RecordingTests {
    private struct Line: Decodable {
        let kind: String
        let path: String?
        let body: String?
        let text: String?
    }

    /// The times that the recordings are of, in microseconds.
    private static let times: ClosedRange<Int64> = 1_600_000_000_000_000...1_700_000_000_000_000

    /// The names of the conditions that are not met.
    private static func faults(_ conditions: KeyValuePairs<String, Bool>) -> [String] {
        conditions.filter { !$0.value }.map(\.key)
    }

    /// The unmet conditions of a frame.
    private static func faults(frame: [UInt8]) -> [String] {
        var batch = MessageBatch()
        batch.append(frame)
        var decoder = StreamDecoder(.v1)
        let messages = decoder.decode(batch)
        return faults(["one message": messages.count == 1]) + messages.flatMap(faults(message:))
    }

    private static func faults(message: StreamMessageDTO) -> [String] {
        switch message {
        case .ticker(let ticker):
            let change = ticker.closePrice.mantissa - ticker.openPrice.mantissa
            let sum = ticker.sellVolume.mantissa + ticker.buyVolume.mantissa
            return faults([
                "whole won": ticker.chgAmt.scale == 0 && ticker.closePrice.scale == 0,
                // The change of a frame refers to the window's open: the fields are in place.
                "change since the open": change == ticker.chgAmt.mantissa,
                "scale of volumes": ticker.sellVolume.scale == ticker.volume.scale,
                "sum of volumes": sum == ticker.volume.mantissa,
                "market": ticker.symbol.hasSuffix("_KRW"),
            ])
        case .transactions(let trades):
            return faults([
                "trades": !trades.isEmpty,
                "prices": trades.allSatisfy { $0.price.mantissa > 0 },
                "quantities": trades.allSatisfy { $0.quantity.mantissa > 0 },
                "times": trades.allSatisfy { times.contains($0.atMicroseconds) },
            ])
        case .depth(let depth):
            let sides = depth.changes.map(\.isAsk)
            let asks = depth.changes.filter(\.isAsk).map(\.price)
            let bids = depth.changes.filter { !$0.isAsk }.map(\.price)
            return faults([
                "changes": !depth.changes.isEmpty,
                // The exchange lists asks before bids and no price twice on a side.
                "asks before bids": sides == sides.sorted { $0 && !$1 },
                "no price twice": Set(asks).count == asks.count && Set(bids).count == bids.count,
                "time": times.contains(depth.atMicroseconds),
            ])
        case .orderBook(let book):
            return faults(["both sides": !book.asks.isEmpty && !book.bids.isEmpty])
        case .marketTicker, .trade: return ["a frame of API 2.x"]
        case .unknown(let type): return ["\(type) is not read"]
        case .status(let status): return faults(["status": status.status == "0000"])
        case .skipped(let entry): return ["\(entry)"]
        }
    }

    /// The unmet conditions of a response of all tickers.
    private static func faults(tickers body: [UInt8]) throws -> [String] {
        var decoder = TickerAllDecoder()
        let answer = try decoder.decode(body)
        let incomplete = answer.tickers.filter { ticker in
            let numbers = [
                ticker.openingPrice, ticker.closingPrice, ticker.minPrice, ticker.maxPrice,
                ticker.unitsTraded, ticker.accTradeValue, ticker.prevClosingPrice,
                ticker.unitsTraded24H, ticker.accTradeValue24H, ticker.fluctate24H,
                ticker.fluctateRate24H,
            ]
            return numbers.contains(nil)
        }
        return faults([
            "tickers": !answer.tickers.isEmpty,
            "nothing skipped": answer.skipped.isEmpty,
            "no empty symbols": answer.emptySymbols.isEmpty,
            "date": answer.dateMilliseconds != nil,
        ]) + incomplete.map { "numbers of \($0.symbol)" }
    }

    @Test("a response of all tickers decodes")
    func tickers() throws {
        let body = try Recordings.bytes("z3rosmith/TickersJSONFile.json")
        #expect(try Self.faults(tickers: body) == [])
    }

    @Test(
        "frames of 2022 decode",
        arguments: [
            "WebSocketTickerJSONFile", "WebSocketTransactionJSONFile",
            "WebSocketOrderbookdepthJSONFile",
        ]
    )
    func singleFrames(name: String) throws {
        let frame = try Recordings.bytes("z3rosmith/\(name).json")
        #expect(Self.faults(frame: frame) == [])
    }

    @Test("frames of 2021 decode")
    func frames() throws {
        let frames = try Recordings.lines("thrasher-corp/bithumb_ws_frames.jsonl")
        try #require(!frames.isEmpty)
        for frame in frames { #expect(Self.faults(frame: frame) == []) }
    }

    @Test("an order book of 2022 decodes to sorted sides")
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
        "candles of 2022 decode in order",
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

    @Test("the sample recording decodes")
    func sample() throws {
        let lines = try Recordings.lines("sample.jsonl")
            .map { try JSONDecoder().decode(Line.self, from: Data($0)) }
        let frames = lines.compactMap(\.text)
        let answers = lines.filter { $0.path?.hasPrefix("/public/ticker/ALL_") ?? false }
        try #require(!frames.isEmpty && !answers.isEmpty)
        for frame in frames { #expect(Self.faults(frame: Array(frame.utf8)) == []) }
        for answer in answers {
            #expect(try Self.faults(tickers: Array((answer.body ?? "").utf8)) == [])
        }
    }
}
