import Domain
import TestSupport
import Testing

@testable import App

@Suite("A file of favourites is taken whole or not at all, and its wrong lines are named")
struct FavoritesFileTests {
    private func read(_ text: String) throws -> [MarketID] {
        try FavoritesFile.markets(Array(text.utf8))
    }

    @Test("What was written is read again, whatever the markets", arguments: 0..<50)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let all = (0..<1_000).compactMap { number in
            MarketID(symbol: "M\(number)_", quote: number.isMultiple(of: 2) ? .krw : .btc)
        }
        let count = Int.random(in: 0...1_000, using: &random)
        let markets = Array(all.shuffled(using: &random).prefix(count))
        #expect(try read(FavoritesFile.text(markets)) == markets)
    }

    @Test("The text is a header and a line for each market, places from 1")
    func text() {
        #expect(FavoritesFile.text([]) == "market,position\n")
        #expect(
            FavoritesFile.text(["BTC_KRW", "ETH_BTC"])
                == "market,position\nBTC_KRW,1\nETH_BTC,2\n"
        )
    }

    @Test(
        "Spreadsheets may write it in their way",
        arguments: [
            "market,position\r\nBTC_KRW,1\r\nETH_BTC,2\r\n",
            "\u{FEFF}market,position\nBTC_KRW,1\nETH_BTC,2",
            "\"market\",\"position\"\n\"BTC_KRW\",\"1\"\n\"ETH_BTC\",\"2\"\n\n",
            "market,position\nkrw-btc,3\neth_btc,40\n",
        ]
    )
    func spellings(text: String) throws {
        #expect(try read(text) == ["BTC_KRW", "ETH_BTC"])
    }

    @Test(
        "A wrong file is refused, by line and reason",
        arguments: [
            ("", "line 1: the header must be market,position"),
            ("BTC_KRW,1\nETH_KRW,2\n", "line 1: the header must be market,position"),
            ("market,position\nBTC_KRW\n", "line 2: a market and a position must stand there"),
            ("market,position\nBTC_KRW,1,2\n", "line 2: a market and a position must"),
            ("market,position\nBTC_EUR,1\n", "line 2: the market must be one like BTC_KRW"),
            ("market,position\n,1\n", "line 2: the market must be one like BTC_KRW"),
            ("market,position\nBTC_KRW,x\n", "line 2: the position must be a whole number"),
            ("market,position\nBTC_KRW,0\n", "line 2: the position must be a whole number"),
            ("market,position\nBTC_KRW,1e400\n", "line 2: the position must be a whole number"),
            (
                "market,position\nBTC_KRW,2\nETH_KRW,1\n",
                "line 3: position 1 comes after 2: lines stand in the order of their positions"
            ),
            (
                "market,position\nBTC_KRW,1\nkrw-btc,2\n",
                "line 3: BTC_KRW stands on line 2 too"
            ),
            ("market,position\nBTC\u{0}_KRW,1\n", "line 2: a zero byte stands there"),
        ]
    )
    func mistakes(text: String, beginning: String) {
        let refusal = #expect(throws: FavoritesFile.Refusal.self) { try read(text) }
        #expect(refusal?.description.hasPrefix(beginning) == true, "\(refusal as Any)")
    }

    @Test("Several wrong lines are named together, up to ten")
    func several() {
        let lines = (1...30).map { "bad!,\($0)\n" }.joined()
        let refusal = #expect(throws: FavoritesFile.Refusal.self) {
            try read("market,position\n" + lines)
        }
        let named = refusal?.description.split(separator: "\n") ?? []
        #expect(named.count == 10)
        #expect(named.last?.hasPrefix("line 11: ") == true)
    }

    @Test(
        "Bytes that are no text are refused",
        arguments: [[0xFF, 0xFE], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] as [[UInt8]]
    )
    func bytes(bytes: [UInt8]) {
        let file = Array("market,position\nBTC_KRW,1\n".utf8) + bytes + Array(",2\n".utf8)
        let refusal = #expect(throws: FavoritesFile.Refusal.self) {
            try FavoritesFile.markets(file)
        }
        #expect(refusal?.description == "line 3: it is not valid UTF-8")
    }

    @Test("More favourites, or more bytes, than may be are refused")
    func bounds() {
        let lines = (1...1_001).map { "M\($0)_KRW,\($0)\n" }.joined()
        let refusal = #expect(throws: FavoritesFile.Refusal.self) {
            try read("market,position\n" + lines)
        }
        #expect(refusal?.description == "line 1002: at most 1000 favourites are kept")
        let name = String(repeating: "X", count: 1 << 20)
        let large = #expect(throws: FavoritesFile.Refusal.self) {
            try read("market,position\n\(name)_KRW,1\n")
        }
        #expect(large?.description == "the file has more than 1048576 bytes")
    }
}
