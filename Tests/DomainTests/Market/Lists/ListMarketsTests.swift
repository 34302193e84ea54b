import Domain
import TestSupport
import Testing

@Suite("Market list: selected, searched and sorted in one total order")
struct ListMarketsTests {
    private let names = CoinNames([
        "BTC": .init(symbol: "BTC", korean: "비트코인", english: "Bitcoin"),
        "ETH": .init(symbol: "ETH", korean: "이더리움", english: "Ethereum"),
        "XRP": .init(symbol: "XRP", korean: "엑스알피", english: "XRP"),
        "SOL": .init(symbol: "SOL", korean: "솔라나", english: "Solana"),
    ])

    /// A board whose values are easy to order by eye.
    private func board() -> MarketBoard {
        var board = MarketBoard(kind: .live)
        let won = [
            entry("XRP_KRW", price: "3000", value: "500", rate: "-2"),
            entry("BTC_KRW", price: "100000000", value: "900", rate: "1.5"),
            entry("ZZZ_KRW", price: nil, value: nil, rate: nil),
            entry("ETH_KRW", price: "5000000", value: "700", rate: "1.5"),
            entry("AAA_KRW", price: nil, value: nil, rate: nil),
            entry("SOL_KRW", price: "200000", value: "500", rate: "10"),
        ]
        let bitcoin = [
            entry("XRP_BTC", price: "0.00003", value: "0.000004", rate: "-3"),
            entry("ETH_BTC", price: "0.05", value: "0.000008", rate: "2"),
        ]
        board.apply(.listing(Listing(at: .noon(), won)), at: .noon())
        board.apply(.listing(Listing(.btc, at: .noon(), bitcoin)), at: .noon())
        return board
    }

    private func entry(
        _ market: MarketID,
        price: FixedDecimal?,
        value: FixedDecimal?,
        rate: FixedDecimal?
    ) -> ListingEntry {
        ListingEntry(
            market,
            price: price,
            volume24h: "1",
            tradeValue24h: value,
            changeAmount24h: market.quote == .krw ? "1" : nil,
            changeRate24h: rate
        )
    }

    private func order(_ list: ListMarkets) -> [MarketID] {
        list(board(), names: names, now: .noon(1)).order
    }

    @Test(
        "every key sorts both ways, missing values last, ties by name",
        arguments: [
            (.popularity, .descending, "BTC ETH SOL XRP AAA ZZZ"),
            (.popularity, .ascending, "SOL XRP ETH BTC AAA ZZZ"),
            (.tradeValue, .descending, "BTC ETH SOL XRP AAA ZZZ"),
            (.price, .descending, "BTC ETH SOL XRP AAA ZZZ"),
            (.price, .ascending, "XRP SOL ETH BTC AAA ZZZ"),
            (.changeRate, .descending, "SOL BTC ETH XRP AAA ZZZ"),
            (.changeRate, .ascending, "XRP BTC ETH SOL AAA ZZZ"),
            // A coin without a name is listed by its code, and Latin sorts before Hangul.
            (.name, .ascending, "AAA ZZZ BTC SOL XRP ETH"),
            (.name, .descending, "ETH XRP SOL BTC ZZZ AAA"),
        ] as [(MarketSortKey, SortDirection, String)]
    )
    func sorting(key: MarketSortKey, direction: SortDirection, expected: String) {
        let list = ListMarkets(selection: .quote(.krw), sort: key, direction: direction)
        #expect(order(list).map(\.symbol).joined(separator: " ") == expected)
    }

    @Test(
        "names sort as displayed, ignoring case",
        arguments: [
            (.korean, .ascending, "eth sol XRP BTC"), (.english, .ascending, "BTC sol XRP eth"),
            (.english, .descending, "eth XRP sol BTC"),
        ] as [(Language, SortDirection, String)]
    )
    func names(language: Language, direction: SortDirection, expected: String) {
        // No English name, a lower-case one, and one equal to the code.
        let names = CoinNames([
            "BTC": .init(symbol: "BTC", korean: "하", english: "Bitcoin"),
            "SOL": .init(symbol: "SOL", korean: "나", english: "cat"),
            "ETH": .init(symbol: "ETH", korean: "가", english: ""),
        ])
        let list = ListMarkets(
            selection: .markets(["ETH_KRW", "XRP_KRW", "SOL_KRW", "BTC_KRW"]),
            sort: .name,
            direction: direction,
            language: language
        )
        let order = list(board(), names: names, now: .noon(1)).order.map(\.symbol)
        let latin = expected.uppercased().split(separator: " ").map(String.init)
        #expect(order == (language == .korean ? ["XRP", "ETH", "SOL", "BTC"] : latin))
    }

    @Test("prices across quote currencies are compared in won, at the price of bitcoin")
    func acrossQuotes() {
        let byValue = ListMarkets(selection: .all, sort: .popularity)
        #expect(
            order(byValue).prefix(6) == [
                // 0.000008 BTC are 800 won, 0.000004 are 400.
                "BTC_KRW", "ETH_BTC", "ETH_KRW", "SOL_KRW", "XRP_KRW", "XRP_BTC",
            ]
        )
        let byPrice = ListMarkets(selection: .all, sort: .price)
        // Both markets of ETH are at 5,000,000 won, both of XRP at 3,000: won comes first.
        #expect(
            order(byPrice).prefix(6) == [
                "BTC_KRW", "ETH_KRW", "ETH_BTC", "SOL_KRW", "XRP_KRW", "XRP_BTC",
            ]
        )
    }

    @Test("without a price of bitcoin, bitcoin markets have no value in won")
    func withoutBitcoin() throws {
        var board = MarketBoard(kind: .live)
        let coin: MarketID = "ETH_BTC"
        let entries = [ListingEntry(coin, price: "0.05", tradeValue24h: "1")]
        board.apply(.listing(Listing(.btc, at: .noon(), entries)), at: .noon())
        let market = try #require(board.market(coin))
        #expect(board.priceInWon(of: market) == nil)
        #expect(board.tradeValue24hInWon(of: market) == nil)
        board.apply(.trade(Trade("BTC_KRW", price: "100", at: .noon())), at: .noon())
        #expect(board.priceInWon(of: market) == "5")
        #expect(board.tradeValue24hInWon(of: market) == "100")
    }

    @Test("the change of the list's period is the sort key")
    func period() {
        var board = board()
        let frame = TickerFrame("XRP_KRW", .hour1, at: .noon(1), open: "2000", close: "3000")
        board.apply(.ticker(frame), at: .noon(1))
        let list = ListMarkets(selection: .quote(.krw), sort: .changeRate, period: .hour1)
        let order = list(board, names: names, now: .noon(1)).order.map(\.symbol)
        #expect(order == ["XRP", "AAA", "BTC", "ETH", "SOL", "ZZZ"])
    }

    @Test(
        "a search finds names, codes and initial consonants, and counts the searched markets",
        arguments: [
            ("ㅂㅌㅋ", "BTC"), ("ether", "ETH"), ("x", "XRP"), ("라", "SOL"), ("zz", "ZZZ"), ("q", ""),
        ]
    )
    func search(text: String, expected: String) {
        let list = ListMarkets(selection: .quote(.krw), search: CoinSearch(text))
        let result = list(board(), names: names, now: .noon(1))
        #expect(result.order.map(\.symbol).joined(separator: " ") == expected)
        #expect(result.total == 6)
        #expect(result.missing.isEmpty)
    }

    @Test("requested markets are listed once each, and unknown ones are reported")
    func named() {
        let wanted: [MarketID] = ["XRP_KRW", "NONE_KRW", "ETH_BTC", "XRP_KRW", "NONE_KRW"]
        let result = ListMarkets(selection: .markets(wanted))(board(), names: names, now: .noon(1))
        #expect(result.order == ["ETH_BTC", "XRP_KRW"])
        #expect(result.missing == ["NONE_KRW"])
        #expect(result.total == 2)
    }

    @Test("an empty board has an empty list")
    func empty() {
        let board = MarketBoard(kind: .live)
        let result = ListMarkets(selection: .all)(board, names: names, now: .noon())
        #expect(result.order.isEmpty)
        #expect(result.total == 0)
    }

    @Test(
        "the order does not depend on when markets were first seen",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func totalOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let entries = (0..<60).map { index in
            let figure = Int64.random(in: 0...5, using: &generator)
            return ListingEntry(
                MarketID(stringLiteral: "C\(index)_KRW"),
                price: figure == 0 ? nil : FixedDecimal(figure),
                tradeValue24h: figure == 3 ? nil : FixedDecimal(figure),
                changeAmount24h: "1",
                changeRate24h: FixedDecimal(figure - 2)
            )
        }
        func board(_ entries: [ListingEntry]) -> MarketBoard {
            var board = MarketBoard(kind: .live)
            board.apply(.listing(Listing(at: .noon(), entries)), at: .noon())
            return board
        }
        let (one, other) = (board(entries), board(entries.shuffled(using: &generator)))
        for key in MarketSortKey.allCases {
            for direction in SortDirection.allCases {
                let list = ListMarkets(selection: .all, sort: key, direction: direction)
                let order = list(one, names: names, now: .noon()).order
                #expect(order == list(other, names: names, now: .noon()).order)
                #expect(Set(order).count == entries.count)
            }
        }
    }

    @Test("names ascend and numbers descend by default")
    func directions() {
        #expect(MarketSortKey.name.naturalDirection == .ascending)
        for key in MarketSortKey.allCases where key != .name {
            #expect(key.naturalDirection == .descending)
        }
        #expect(SortDirection.ascending.reversed == .descending)
        #expect(SortDirection.descending.reversed == .ascending)
    }
}
