import Domain
import ExchangeSimulator
import Foundation
import Testing

@testable import App

@Suite("Replaying a recording", .timeLimit(.minutes(4)))
struct RecordingTests {
    /// Recordings that may lie beside the checkout; they are read only.
    private static let shared = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("shared/recordings").path

    private func played(_ path: String) async throws -> BoardSnapshot {
        try await ConnectedExchange.run(.replay(.init(path: path, speed: .maximum))) { followed in
            try await followed.snapshot("the recording ends") { $0.board.feed.connection == .ended }
        }
    }

    /// Written by hand on 2026-11-20 in the shapes of API 1.x: a listing, a frame, two trades.
    private static let handwritten = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appendingPathComponent("Fixtures/recording.jsonl").path

    @Test("prices, rates before and after a trade, and long turnovers are right")
    func pricesAndRates() async throws {
        let snapshot = try await played(Self.handwritten)
        #expect(snapshot.board.feed.kind == .replay)
        #expect(snapshot.board.feed.framesReceived == 2)
        let bitcoin = try #require(MarketID(name: "BTC_KRW").flatMap { snapshot.board.market($0) })
        #expect(bitcoin.price?.canonicalText == "103")
        #expect(bitcoin.tradeValue24h?.canonicalText == "46947568969.878487505202689")
        // The trade has moved the price, so both rates are recalculated from their bases.
        let hour = snapshot.board.change(of: bitcoin, over: .hour1, now: snapshot.capturedAt)
        #expect(hour.ratePercent?.canonicalText == "5.1")
        let day = snapshot.board.change(of: bitcoin, over: .hours24, now: snapshot.capturedAt)
        #expect(day.ratePercent?.canonicalText == "-0.96")
        // A market without a listing is shown and not suspended.
        let ether = try #require(MarketID(name: "ETH_KRW").flatMap { snapshot.board.market($0) })
        #expect(ether.price?.canonicalText == "102")
        #expect(ether.isTrading)
    }

    @Test(
        "a recording of frames alone plays to its end, as a file and as a folder",
        arguments: [true, false]
    )
    func framesAlone(isFolder: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("hoga-frames-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = try String(contentsOfFile: Self.handwritten, encoding: .utf8)
            .split(separator: "\n").filter { $0.contains(#""kind":"frame""#) }
        let texts = try lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require((object as? [String: Any])?["text"] as? String)
        }
        let file = folder.appendingPathComponent("frames.jsonl")
        try Data((isFolder ? texts : lines.map(String.init)).joined(separator: "\n").utf8)
            .write(to: file)
        let snapshot = try await played(isFolder ? folder.path : file.path)
        let bitcoin = try #require(MarketID(name: "BTC_KRW").flatMap { snapshot.board.market($0) })
        #expect(bitcoin.price?.canonicalText == "103")
        #expect(snapshot.board.feed.framesReceived == 2)
        #expect(!snapshot.board.feed.isComplete)
    }

    @Test(
        "in recordings beside the checkout every price is the newest recorded one",
        .enabled(
            if: FileManager.default.fileExists(atPath: shared + "/sample.jsonl"),
            "no recordings lie beside this checkout"
        )
    )
    func recorded() async throws {
        let snapshot = try await played(Self.shared + "/sample.jsonl")
        let expected = try NewestPrices(recording: Self.shared + "/sample.jsonl")
        #expect(!expected.prices.isEmpty)
        for (name, price) in expected.prices {
            let market = try #require(MarketID(name: name).flatMap { snapshot.board.market($0) })
            #expect(market.price == (try FixedDecimal(parsing: price)), "\(name)")
        }
    }
}

/// The newest price of every market in a recording, found by a simple scan.
private struct NewestPrices {
    private(set) var prices: [String: String] = [:]
    private var times: [String: String] = [:]

    init(recording path: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for line in text.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            if let frame = object?["text"] as? String { try take(frame: frame) }
            if let body = object?["body"] as? String, let path = object?["path"] as? String,
                path.hasPrefix("/public/ticker/ALL_")
            {
                try take(listing: body, quote: String(path.suffix(3)))
            }
        }
    }

    private mutating func take(frame: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(frame.utf8)) as? [String: Any]
        guard let content = object?["content"] as? [String: Any] else { return }
        if object?["type"] as? String == "ticker", let date = content["date"] as? String,
            let time = content["time"] as? String
        {
            take(content["symbol"], content["closePrice"], at: date + time)
        }
        if object?["type"] as? String == "transaction" {
            for trade in content["list"] as? [[String: Any]] ?? [] {
                let digits = (trade["contDtm"] as? String ?? "").filter(\.isNumber)
                take(trade["symbol"], trade["contPrice"], at: digits)
            }
        }
    }

    private mutating func take(listing body: String, quote: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        guard var data = object?["data"] as? [String: Any],
            let milliseconds = (data.removeValue(forKey: "date") as? String).flatMap(Int64.init)
        else { return }
        let formatter = DateFormatter()
        formatter.timeZone = TimeZone(secondsFromGMT: 9 * 3_600)
        formatter.dateFormat = "yyyyMMddHHmmss"
        let at = formatter.string(
            from: Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        )
        for (coin, value) in data {
            guard let ticker = value as? [String: Any] else { continue }
            take("\(coin)_\(quote)", ticker["closing_price"], at: at)
        }
    }

    private mutating func take(_ market: Any?, _ price: Any?, at time: String) {
        guard let market = market as? String, let price = price as? String,
            time >= times[market] ?? ""
        else { return }
        prices[market] = price
        times[market] = time
    }
}
