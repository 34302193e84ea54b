import Domain
import Testing

@Suite("Coin search: name, symbol and initial consonants")
struct CoinSearchTests {
    private let bitcoin = CoinSearchText(symbol: "BTC", korean: "비트코인", english: "Bitcoin")
    private let cash = CoinSearchText(symbol: "BCH", korean: "비트코인 캐시", english: "Bitcoin Cash")
    private let inch = CoinSearchText(symbol: "1INCH", korean: "1인치", english: "1inch")

    @Test(
        "finds bitcoin",
        arguments: [
            "비트코인", "비트", "코인", "ㅂㅌㅋㅇ", "ㅂㅌㅋ", "ㅌㅋ", "비ㅌ", "비ㅌㅋ인", "ㅂ트", "btc", "BTC",
            "tc", "bitcoin", "BITCOIN", "itco", "비 트", " 비트코인 ", "ㅂ ㅌ", "\u{3000}btc",
            // Decomposed, as some systems type it.
            "\u{1107}\u{1175}\u{1110}\u{1173}\u{110F}\u{1169}\u{110B}\u{1175}\u{11AB}",
            "\u{1107}\u{1175}\u{1110}", "B T C",
        ]
    )
    func finds(text: String) throws {
        #expect(try #require(CoinSearch(text)).matches(bitcoin))
    }

    @Test(
        "does not find bitcoin",
        arguments: ["ㅂㅋ", "비트코인캐시", "ㅂㅌㅋㅇㅋ", "eth", "btcc", "ㅏ", "빝", "비츠", "이트", "b.t", "ㅃㅌ"]
    )
    func missesOthers(text: String) throws {
        #expect(try !#require(CoinSearch(text)).matches(bitcoin))
    }

    @Test(
        "ignores spaces in names",
        arguments: ["비트코인캐시", "ㅇㅋㅅ", "bitcoincash", "ncash"]
    )
    func spaces(text: String) throws {
        #expect(try #require(CoinSearch(text)).matches(cash))
    }

    @Test("finds digits before Hangul", arguments: ["1인", "1ㅇㅊ", "1inch", "1"])
    func digits(text: String) throws {
        #expect(try #require(CoinSearch(text)).matches(inch))
    }

    @Test(
        "finds initial consonants that the keyboard joined",
        arguments: [("ㄳ", "가스"), ("ㅄㅋ", "보스코인"), ("ㄶ", "넥스트노하우"), ("ㅀㅁ", "알리하마")]
    )
    func clusters(text: String, korean: String) throws {
        let coin = CoinSearchText(symbol: "X", korean: korean, english: "")
        #expect(try #require(CoinSearch(text)).matches(coin))
    }

    @Test("a blank text is no search", arguments: ["", " ", "\n\t ", "\u{3000}"])
    func blank(text: String) {
        #expect(CoinSearch(text) == nil)
    }

    @Test("only the symbol matches for a coin without names")
    func unnamed() throws {
        let unknown = CoinSearchText(symbol: "NEWCOIN", korean: "", english: "")
        #expect(try #require(CoinSearch("newc")).matches(unknown))
        #expect(try !#require(CoinSearch("ㄴ")).matches(unknown))
    }
}

@Suite("Coin names")
struct CoinNamesTests {
    private static func entry(_ symbol: String, _ korean: String) -> CoinNames.Entry {
        CoinNames.Entry(symbol: symbol, korean: korean, english: symbol.lowercased())
    }

    @Test("names are looked up by code, and shared Korean names are marked")
    func names() {
        let names = CoinNames([
            "A": Self.entry("A", "에이"), "B": Self.entry("B", "비"), "C": Self.entry("C", "비"),
        ])
        #expect(names.count == 3)
        #expect(names["A"]?.korean == "에이")
        #expect(names["A"]?.english == "a")
        #expect(names["a"] == nil)
        #expect(names.isAmbiguous(korean: "비"))
        #expect(!names.isAmbiguous(korean: "에이"))
        #expect(!names.isAmbiguous(korean: "없음"))
    }

    @Test(
        "A match is ranked: symbol, its start, name, its start, initial consonants, elsewhere",
        arguments: [
            ("btc", .symbol), ("bt", .symbolPrefix), ("BitCoin", .name), ("비트 코인", .name),
            ("비트", .namePrefix), ("bitc", .namePrefix), ("ㅂㅌ", .initials), ("비ㅌㅋ", .initials),
            ("코인", .part), ("ㅋㅇ", .part), ("tc", .part), ("eth", nil),
        ] as [(String, CoinSearch.Match?)]
    )
    func ranks(text: String, expected: CoinSearch.Match?) throws {
        let bitcoin = CoinSearchText(symbol: "BTC", korean: "비트코인", english: "Bitcoin")
        let search = try #require(CoinSearch(text))
        #expect(search.match(bitcoin) == expected)
        #expect(search.matches(bitcoin) == (expected != nil))
    }
}
