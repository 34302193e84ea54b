import Domain
import Testing

@testable import Repositories

@Suite("All built-in names are readable")
struct EmbeddedCoinNamesTests {
    @Test("the file has 483 coins, each with a Korean name")
    func shipped() throws {
        let names = EmbeddedCoinNames().names()
        #expect(names.count == 483)
        #expect(names["BTC"]?.korean == "비트코인")
        #expect(names["BTC"]?.english == "Bitcoin")
        #expect(names["1INCH"]?.korean == "1인치")
        #expect(names["DAI"]?.english == nil, "the file has none")
        #expect(names["symbol"] == nil, "the header is no coin")
    }

    @Test("every code is a valid symbol, and no name is empty")
    func wellFormed() {
        let entries = EmbeddedCoinNames.entries(csv: PackageResources.coins_csv)
        #expect(entries.count == 483)
        for (symbol, entry) in entries {
            #expect(MarketID(symbol: symbol, quote: .krw) != nil, "\(symbol)")
            #expect(!entry.korean.isEmpty, "\(symbol)")
            #expect(entry.english != "", "\(symbol)")
        }
    }

    @Test(
        "a line of the file is parsed",
        arguments: [
            ("A,에이,Alpha", "에이", "Alpha"), ("A,\"에이, 비\",\"Alpha, Beta\"", "에이, 비", "Alpha, Beta"),
            ("A,에이,", "에이", nil), ("A,\"에이\",\"Al\"\"pha\"\"\"", "에이", "Al\"pha\""),

        ]
    )
    func lines(line: String, korean: String, english: String?) {
        let entries = EmbeddedCoinNames.entries(csv: Array("h,h,h\n\(line)\n".utf8))
        #expect(entries["A"]?.korean == korean)
        #expect(entries["A"]?.english == english)
    }

    @Test(
        "invalid lines are skipped",
        arguments: ["A", "A,에이", "A,에이,Alpha,more", ",에이,Alpha", "", ",,", "A,,Alpha"]
    )
    func rubbish(line: String) {
        let csv = "symbol,korean_name,english_name\n\(line)\r\nB,비,Beta\r\n"
        #expect(Set(EmbeddedCoinNames.entries(csv: Array(csv.utf8)).keys) == ["B"])
    }
}
