import Domain

extension CoinNames {
    /// The names of the sample board's coins, NEW left out; KOR has no English name, and two coins
    /// share a Korean one.
    static let sample = CoinNames(
        [
            "BTC": .init(symbol: "BTC", korean: "비트코인", english: "Bitcoin"),
            "ETH": .init(symbol: "ETH", korean: "이더리움", english: "Ethereum"),
            "XRP": .init(symbol: "XRP", korean: "리플", english: "Ripple"),
            "KOR": .init(symbol: "KOR", korean: "한글이름", english: ""),
            "AAA": .init(symbol: "AAA", korean: "같은이름", english: "Same"),
            "BBB": .init(symbol: "BBB", korean: "같은이름", english: "Other"),
        ]
    )
}
