import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("The palette finds markets, screens and commands, best hits first")
struct PaletteSearchTests {
    /// By turnover.
    private static let markets: [MarketID] = [
        "XRP_KRW", "BTC_KRW", "ETH_KRW", "BTT_KRW", "BTC_BTC", "LTC_KRW", "NEW_KRW",
    ]
    private static let names = CoinNames([
        "XRP": CoinNames.Entry(symbol: "XRP", korean: "엑스알피 [리플]", english: "XRP"),
        "BTC": CoinNames.Entry(symbol: "BTC", korean: "비트코인", english: "Bitcoin"),
        "ETH": CoinNames.Entry(symbol: "ETH", korean: "이더리움", english: "Ethereum"),
        "BTT": CoinNames.Entry(symbol: "BTT", korean: "비트토렌트", english: "BitTorrent"),
        "LTC": CoinNames.Entry(symbol: "LTC", korean: "라이트코인", english: "Litecoin"),
    ])

    private static func ids(
        _ text: String,
        in state: ScreenState = ScreenState(),
        language: Language = .korean
    ) -> [String] {
        PaletteSearch(
            markets: markets,
            names: names,
            keys: .screens,
            state: state,
            language: language
        ).entries(for: text).map(\.id)
    }

    @Test(
        "better matches come first, then those with the higher turnover",
        arguments: [
            ("btc", ["BTC_KRW", "BTC_BTC"]), ("bt", ["BTC_KRW", "BTT_KRW", "BTC_BTC"]),
            ("비트코인", ["BTC_KRW", "BTC_BTC"]), ("비트", ["BTC_KRW", "BTT_KRW", "BTC_BTC"]),
            ("ㅂㅌㅋ", ["BTC_KRW", "BTC_BTC"]), ("코인", ["BTC_KRW", "BTC_BTC", "LTC_KRW"]),
            ("new", ["NEW_KRW"]), ("LITE coin", ["LTC_KRW"]),
        ]
    )
    func markets(text: String, expected: [String]) {
        #expect(Self.ids(text).filter { $0.contains("_") } == expected)
    }

    @Test(
        "screens and commands are found in both languages and by initial consonants",
        arguments: [
            ("입출금", "page.assets"), ("ㅇㅊㄱ", "page.assets"),
            ("open the portfolio", "page.portfolio"),
            ("다음 정렬", "list.sort"), ("reverse", "list.direction"), ("종료", "quit"),
        ]
    )
    func commands(text: String, expected: String) {
        #expect(Self.ids(text).first == expected)
        #expect(Self.ids(text, language: .english).first == expected)
    }

    @Test("commands are those of the screen below, without moves and each once")
    func context() {
        var chart = ScreenState()
        chart.detail = MarketDetailScreenState(market: "BTC_KRW")
        chart.detail?.focus = .chart
        let inChart = Self.ids("", in: chart)
        let inList = Self.ids("")
        #expect(inChart.contains("chart.crosshair") && !inList.contains("chart.crosshair"))
        #expect(inList.contains("list.sort") && !inChart.contains("list.sort"))
        for ids in [inChart, inList] {
            #expect(Set(ids).count == ids.count)
            #expect(ids.prefix(4) == ["page.market", "page.assets", "page.portfolio", "page.more"])
            #expect(ids.suffix(Self.markets.count) == Self.markets.map(\.name)[...])
            for id in ["rows.up", "chart.earlier", "back", "palette.open"] {
                #expect(!ids.contains(id))
            }
        }
    }

    @Test("an entry shows pair or key, and the name in the language of the screen")
    func texts() throws {
        for (language, name, sort) in [
            (Language.korean, "비트코인", "다음 정렬 기준"), (.english, "Bitcoin", "next sort key"),
        ] {
            let entries = PaletteSearch(
                markets: Self.markets,
                names: Self.names,
                keys: .screens,
                state: ScreenState(),
                language: language
            ).entries(for: "")
            let bitcoin = try #require(entries.first { $0.id == "BTC_KRW" })
            #expect(bitcoin.pair == "BTC/KRW" && bitcoin.name == name && bitcoin.key == "")
            #expect(bitcoin.action == .open("BTC_KRW"))
            let command = try #require(entries.first { $0.id == "list.sort" })
            #expect(command.pair == nil && command.name == sort && command.key == "s")
        }
    }
}
