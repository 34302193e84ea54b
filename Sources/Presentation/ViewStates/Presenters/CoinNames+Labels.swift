import Domain

extension CoinNames {
    /// A coin's names as documents hold them.
    func viewState(_ symbol: String) -> MarketRowViewState.Name {
        let name = self[symbol]
        return .init(ko: name?.korean, en: name?.english)
    }

    /// What a coin is called in a sentence: its name, with the code behind it where several coins
    /// bear the same Korean one; its code where it has no name.
    func spoken(_ symbol: String, _ language: Language) -> String {
        guard let entry = self[symbol] else { return symbol }
        let name = LocalizedText(ko: entry.korean, en: entry.english ?? symbol)[language]
        return isAmbiguous(korean: entry.korean) ? "\(name) (\(symbol))" : name
    }
}
