import Domain
import TestSupport
import Testing

@testable import App

@Suite("A favorites file is imported completely or refused with its wrong lines")
struct FavoritesFileTests {
    private func read(_ text: String) throws -> [MarketID] {
        try FavoritesFile.markets(Array(text.utf8))
    }

    @Test("written favorites survive the round trip", arguments: 0..<50)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let all = (0..<1_000).compactMap { number in
            MarketID(symbol: "M\(number)_", quote: number.isMultiple(of: 2) ? .krw : .btc)
        }
        let count = Int.random(in: 0...1_000, using: &random)
        let markets = Array(all.shuffled(using: &random).prefix(count))
        #expect(try read(FavoritesFile.text(markets)) == markets)
    }

    @Test("the text has a header and positions from 1")
    func text() {
        #expect(FavoritesFile.text([]) == "market,position\n")
        #expect(
            FavoritesFile.text(["BTC_KRW", "ETH_BTC"])
                == "market,position\nBTC_KRW,1\nETH_BTC,2\n"
        )
    }

    @Test(
        "line ends, quotes and byte order marks of spreadsheets are accepted",
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
        "a wrong file is refused with line and reason",
        arguments: [
            ("", "line 1: the header must be market,position"),
            ("BTC_KRW,1\nETH_KRW,2\n", "line 1: the header must be market,position"),
            ("market,position\nBTC_KRW\n", "line 2: must be a market and a position"),
            ("market,position\nBTC_KRW,1,2\n", "line 2: must be a market and a position"),
            ("market,position\nBTC_EUR,1\n", "line 2: the market must be like BTC_KRW"),
            ("market,position\n,1\n", "line 2: the market must be like BTC_KRW"),
            ("market,position\nBTC_KRW,x\n", "line 2: the position must be a whole number"),
            ("market,position\nBTC_KRW,0\n", "line 2: the position must be a whole number"),
            ("market,position\nBTC_KRW,1e400\n", "line 2: the position must be a whole number"),
            (
                "market,position\nBTC_KRW,2\nETH_KRW,1\n",
                "line 3: position 1 follows 2; sort the lines by position"
            ),
            (
                "market,position\nBTC_KRW,1\nkrw-btc,2\n",
                "line 3: BTC_KRW is on line 2 too"
            ),
            ("market,position\nBTC\u{0}_KRW,1\n", "line 2: zero byte"),
        ]
    )
    func mistakes(text: String, beginning: String) {
        let refusal = #expect(throws: ImportFile.Refusal.self) { try read(text) }
        #expect(refusal?.description.hasPrefix(beginning) == true, "\(refusal as Any)")
    }

    @Test("up to ten wrong lines are named")
    func several() {
        let lines = (1...30).map { "bad!,\($0)\n" }.joined()
        let refusal = #expect(throws: ImportFile.Refusal.self) {
            try read("market,position\n" + lines)
        }
        let named = refusal?.description.split(separator: "\n") ?? []
        #expect(named.count == 10)
        #expect(named.last?.hasPrefix("line 11: ") == true)
    }

    @Test(
        "invalid UTF-8 is refused",
        arguments: [[0xFF, 0xFE], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] as [[UInt8]]
    )
    func bytes(bytes: [UInt8]) {
        let file = Array("market,position\nBTC_KRW,1\n".utf8) + bytes + Array(",2\n".utf8)
        let refusal = #expect(throws: ImportFile.Refusal.self) {
            try FavoritesFile.markets(file)
        }
        #expect(refusal?.description == "line 3: not valid UTF-8")
    }

    @Test("too many favorites or bytes are refused")
    func bounds() {
        let lines = (1...1_001).map { "M\($0)_KRW,\($0)\n" }.joined()
        let refusal = #expect(throws: ImportFile.Refusal.self) {
            try read("market,position\n" + lines)
        }
        #expect(refusal?.description == "line 1002: more than 1000 favorites")
        let name = String(repeating: "X", count: 1 << 20)
        let large = #expect(throws: ImportFile.Refusal.self) {
            try read("market,position\n\(name)_KRW,1\n")
        }
        #expect(large?.description == "the file is larger than 1048576 bytes")
    }
}
