import Domain
import TestSupport
import Testing

@Suite("Market identifier: a coin and a quote currency, split at the last underscore")
struct MarketIDTests {
    @Test(
        "symbols of the stream are parsed",
        arguments: [
            ("BTC_KRW", "BTC", Quote.krw), ("SUN_OLD_KRW", "SUN_OLD", .krw),
            ("1INCH_KRW", "1INCH", .krw), ("ETH_BTC", "ETH", .btc), ("KRW_BTC", "KRW", .btc),
            ("A8_KRW", "A8", .krw), ("__KRW", "_", .krw),
        ]
    )
    func names(name: String, symbol: String, quote: Quote) throws {
        let market = try #require(MarketID(name: name))
        #expect(market.symbol == symbol)
        #expect(market.quote == quote)
        #expect(market.name == name)
        #expect(MarketID(symbol: symbol, quote: quote) == market)
    }

    @Test(
        "other texts are rejected",
        arguments: [
            "", "BTC", "_KRW", "BTC_", "BTC_USDT", "BTC_krw", "btc_KRW", "BTC-KRW", "BTC KRW",
            "비트_KRW", "BTC_KRW ", "BTC\u{0}_KRW", "BTĆ_KRW", "ABCDEFGHIJKLMNOPQRSTU_KRW",
        ]
    )
    func rubbish(name: String) {
        #expect(MarketID(name: name) == nil)
    }

    @Test("coin codes have 1 to 20 characters")
    func lengths() {
        let longest = String(repeating: "A", count: MarketID.symbolBytesMax)
        #expect(MarketID(symbol: longest, quote: .krw) != nil)
        #expect(MarketID(symbol: longest + "A", quote: .krw) == nil)
        #expect(MarketID(symbol: "", quote: .krw) == nil)
    }

    @Test(
        "spellings of users and other programs are parsed",
        arguments: [
            ("BTC_KRW", "BTC_KRW"), ("btc_krw", "BTC_KRW"), ("KRW-BTC", "BTC_KRW"),
            ("krw-sun_old", "SUN_OLD_KRW"), ("btc-eth", "ETH_BTC"), ("Eth_Btc", "ETH_BTC"),
        ] as [(String, MarketID)]
    )
    func spellings(text: String, market: MarketID) {
        #expect(MarketID(anySpelling: text) == market)
    }

    @Test(
        "other spellings and look-alike letters are rejected",
        arguments: [
            "", "-", "KRW-", "-BTC", "BTC-KRW-ETH", "USDT-BTC", "BTC/KRW", "KRW-BTC ",
            // The upper cases of these are plain ASCII letters.
            "ﬁ_KRW", "ß_krw", "ı_krw", "KRW-ſ",
        ]
    )
    func otherSpellings(text: String) {
        #expect(MarketID(anySpelling: text) == nil)
    }

    @Test(
        "markets as people type them are parsed, won being a quote on either side",
        arguments: [
            ("BTC_KRW", "BTC_KRW"), ("BTC-KRW", "BTC_KRW"), ("KRW-BTC", "BTC_KRW"),
            ("btc/krw", "BTC_KRW"), ("krw/btc", "BTC_KRW"), ("ETH-BTC", "ETH_BTC"),
            ("BTC-ETH", "ETH_BTC"), ("eth/btc", "ETH_BTC"), ("sun_old-krw", "SUN_OLD_KRW"),
        ] as [(String, MarketID)]
    )
    func typed(text: String, market: MarketID) {
        #expect(MarketID(typed: text) == market)
    }

    @Test(
        "a typed text without a quote, or with more than two parts, is no market",
        arguments: [
            "", "BTC", "-", "KRW-", "/BTC", "KRW-KRW", "BTC/BTC", "ETH-XRP", "BTC-KRW-ETH",
            "KRW-ſ", "BTC/KRW ",
        ]
    )
    func notTyped(text: String) {
        #expect(MarketID(typed: text) == nil)
    }

    @Test("order is alphabetical, won before bitcoin")
    func order() {
        let ordered: [MarketID] = [
            "1INCH_KRW", "AAVE_KRW", "BTC_KRW", "ETH_KRW", "ETH_BTC", "XRP_KRW",
        ]
        var generator = SeededGenerator(seed: 1)
        #expect(ordered.shuffled(using: &generator).sorted() == ordered)
        for market in ordered { #expect(!(market < market)) }
    }
}
