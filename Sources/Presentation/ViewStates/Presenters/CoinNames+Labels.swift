import Domain

extension CoinNames {
    /// A coin's names in documents.
    func viewState(_ symbol: String) -> MarketRowViewState.Name {
        let name = self[symbol]
        return .init(ko: name?.korean, en: name?.english)
    }

    /// A coin's name in a sentence, or its code without a name.
    ///
    /// The code follows a name that several coins share in Korean.
    func spoken(_ symbol: String, _ language: Language) -> String {
        guard let entry = self[symbol] else { return symbol }
        let name = LocalizedText(ko: entry.korean, en: entry.english ?? symbol)[language]
        return isAmbiguous(korean: entry.korean) ? "\(name) (\(symbol))" : name
    }
}
