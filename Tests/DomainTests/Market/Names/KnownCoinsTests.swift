import Domain
import Testing

@Suite("A coin to add must be known")
struct KnownCoinsTests {
    private static let coins: KnownCoins = {
        let names = [
            ("BTC", "비트코인", "Bitcoin"), ("BCH", "비트코인 캐시", "Bitcoin Cash"),
            ("ETH", "이더리움", "Ethereum"), ("XRP", "엑스알피 [리플]", "XRP"),
            ("TWIN", "쌍둥이", "Twin One"), ("TWINTWO", "쌍둥이", "Twin Two"),
            ("NEWCOIN", "하나", "Single"), ("OLDCOIN", "하나", "Single"),
        ]
        return KnownCoins(
            symbols: ["BTC", "ETH", "NEWCOIN", "GONE"],
            names: CoinNames(
                Dictionary(
                    uniqueKeysWithValues: names.map {
                        ($0.0, CoinNames.Entry(symbol: $0.0, korean: $0.1, english: $0.2))
                    }
                )
            )
        )
    }()

    @Test(
        "listed, named and held coins are known in any spelling",
        arguments: ["BTC", " btc ", "Xrp", "newcoin", "GONE"]
    )
    func known(text: String) throws {
        #expect(try Self.coins.asset(text) == UserInput.asset(text))
    }

    @Test(
        "a unique name identifies its coin, also with the other name in brackets",
        arguments: [
            ("비트코인", "BTC"), (" bitcoin ", "BTC"), ("비트코인캐시", "BCH"), ("Bitcoin Cash", "BCH"),
            ("리플", "XRP"), ("엑스알피", "XRP"), ("twin two", "TWINTWO"),
            // The listed one.
            ("하나", "NEWCOIN"), ("single", "NEWCOIN"),
        ]
    )
    func named(text: String, symbol: String) throws {
        #expect(try Self.coins.asset(text).symbol == symbol)
    }

    @Test("a name is not a code, even if spelled like one")
    func nameAsCode() throws {
        let name = try #require(Asset(anySpelling: "Bitcoin"))
        let error = #expect(throws: InputError.self) { try Self.coins.check(name) }
        guard case .unknownAsset(let told)? = error?.reason else { return }
        #expect(told.first == "BTC")
        try Self.coins.check(try #require(Asset(anySpelling: "xrp")))
    }

    @Test(
        "anything else is refused with suggestions, the best first",
        arguments: [
            ("BTD", ["BTC"]), ("ethh", ["ETH"]), ("비트", ["BTC", "BCH"]), ("이더", ["ETH"]),
            ("ㅂㅌㅋㅇ", ["BTC", "BCH"]), ("bitcoi", ["BTC", "BCH"]), ("ripple", []),
            ("쌍둥이", ["TWIN", "TWINTWO"]),
            ("QQQQQQ", []),
        ]
    )
    func unknown(text: String, nearest: [String]) {
        let error = #expect(throws: InputError.self) { try Self.coins.asset(text) }
        guard case .unknownAsset(let told)? = error?.reason else {
            Issue.record("\(text): \(String(describing: error))")
            return
        }
        #expect(told == nearest || (told.first == nearest.first && told.count <= 3), "\(told)")
    }

    @Test(
        "a text that is neither code nor name is refused as before",
        arguments: [
            ("", InputError.Reason.empty), ("  ", .empty), ("KRW", .noAsset), ("?!", .noAsset),
        ]
    )
    func noCode(text: String, reason: InputError.Reason) {
        #expect(throws: InputError(reason)) { try Self.coins.asset(text) }
    }
}
