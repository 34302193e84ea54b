import TestSupport
import Testing

@testable import Domain

@Suite("List of deposits and withdrawals")
struct ListAssetsTests {
    private let names = CoinNames([
        "BTC": .init(symbol: "BTC", korean: "비트코인", english: "Bitcoin"),
        "ETH": .init(symbol: "ETH", korean: "이더리움", english: "Ethereum"),
        "SOL": .init(symbol: "SOL", korean: "솔라나", english: "Solana"),
        "AAA": .init(symbol: "AAA", korean: "같은이름", english: "Same"),
        "BBB": .init(symbol: "BBB", korean: "같은이름", english: "Other"),
    ])

    /// Open, closed and unknown in every relevant pairing; ZZZ has no name.
    private let states = Self.states([
        ("BTC", true, true), ("ETH", true, false), ("SOL", false, true), ("AAA", false, false),
        ("BBB", nil, true), ("ZZZ", nil, nil),
    ])

    static func states(_ rows: [(String, Bool?, Bool?)]) -> AssetStates {
        var board = MarketBoard(kind: .live)
        let states = rows.compactMap { symbol, deposit, withdrawal in
            Asset(symbol: symbol).map {
                ($0, AssetState(isDepositOpen: deposit, isWithdrawalOpen: withdrawal))
            }
        }
        board.applyReference(
            .assetStates(Dictionary(uniqueKeysWithValues: states), readAt: .noon()),
            at: .noon()
        )
        return board.reference.assets
    }

    private func order(_ list: ListAssets) -> String {
        list(states, names: names).order.map(\.symbol).joined(separator: " ")
    }

    @Test("names of the language are the sort key and break ties")
    func language() {
        #expect(order(ListAssets(language: .english)) == "BTC ETH BBB AAA SOL ZZZ")
        #expect(order(ListAssets(sort: .deposit, language: .english)) == "BTC ETH AAA SOL BBB ZZZ")
    }

    @Test(
        "every key sorts both ways, ties by name, unknown values last",
        arguments: [
            // Latin sorts before Hangul; codes break ties of equal names.
            (.name, .ascending, "ZZZ AAA BBB BTC SOL ETH"),
            (.name, .descending, "ETH SOL BTC AAA BBB ZZZ"),
            (.deposit, .ascending, "BTC ETH AAA SOL ZZZ BBB"),
            (.deposit, .descending, "AAA SOL BTC ETH ZZZ BBB"),
            (.withdrawal, .ascending, "BBB BTC SOL AAA ETH ZZZ"),
            (.withdrawal, .descending, "AAA ETH BBB BTC SOL ZZZ"),
        ] as [(AssetSortKey, SortDirection, String)]
    )
    func sorting(key: AssetSortKey, direction: SortDirection, expected: String) {
        #expect(order(ListAssets(sort: key, direction: direction)) == expected)
        // The order is the same with a filter and a search.
        let filtered = order(ListAssets(filter: .suspended, sort: key, direction: direction))
        let symbols = ["ETH", "SOL", "AAA"]
        let kept = expected.split(separator: " ").filter { symbols.contains(String($0)) }
        #expect(filtered == kept.joined(separator: " "))
    }

    @Test(
        "a filter includes only coins with a known state",
        arguments: [
            (.all, "AAA BBB BTC ETH SOL ZZZ"), (.normal, "BTC"), (.suspended, "AAA ETH SOL"),
        ] as [(AssetFilter, String)]
    )
    func filters(filter: AssetFilter, expected: String) {
        let result = ListAssets(filter: filter)(states, names: names)
        let symbols = result.order.map(\.symbol).sorted().joined(separator: " ")
        #expect(symbols == expected)
        #expect(result.counts[filter] == result.order.count)
    }

    @Test("counts include all coins, whatever the filter and search")
    func counts() {
        for filter in AssetFilter.allCases {
            for text in ["비트", "zzz", "없는코인"] {
                let list = ListAssets(filter: filter, search: CoinSearch(text))
                let counts = list(states, names: names).counts
                #expect(counts.all == 6 && counts.normal == 1 && counts.suspended == 3)
            }
        }
    }

    @Test(
        "a search covers names and codes as in the market list",
        arguments: [("ㅂㅌㅋ", "BTC"), ("ether", "ETH"), ("zz", "ZZZ"), ("같은", "AAA BBB"), ("없음", "")]
    )
    func search(text: String, expected: String) {
        #expect(order(ListAssets(search: CoinSearch(text))) == expected)
    }

    @Test("before the first answer the list is empty")
    func empty() {
        let result = ListAssets()(AssetStates(), names: names)
        #expect(result.order.isEmpty && result.counts == ListAssets.Counts())
    }
}
