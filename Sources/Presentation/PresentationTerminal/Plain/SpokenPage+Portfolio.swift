public import Domain
public import ViewStates

extension SpokenPage {
    /// What a user holds: everything together, each coin, the cash.
    public init(_ document: PortfolioDocument, _ language: Language) {
        let state = document.state
        let isKorean = language == .korean
        let unit = isKorean ? "원" : " KRW"
        func told(_ words: LocalizedText, _ value: String?, _ unit: String = "") -> String {
            words[language] + " " + (value.map { $0 + unit } ?? (isKorean ? "없음" : "unknown"))
        }
        func share(_ percent: FixedDecimal?) -> String? {
            percent.map { NumberText.grouped($0, fractionDigitsMin: 2) + "%" }
        }
        func price(_ price: FixedDecimal?) -> String? {
            price.map { NumberText.price($0, quote: .krw) }
        }
        let rows = state.rows.map { row in
            Self.sentence([
                (isKorean ? row.name.ko : row.name.en) ?? row.asset,
                told(PageWords.quantity, NumberText.quantity(row.quantity)),
                told(PageWords.averagePrice, price(row.averagePrice), unit),
                told(PageWords.price, price(row.price), unit),
                told(PageWords.value, row.valueText, unit),
                told(PageWords.profit, row.profitText, unit),
                told(PageWords.rate, row.profitRatePercent.map(NumberText.rate)),
                told(PageWords.share, share(row.sharePercent)),
            ])
        }
        let cash = Self.sentence([
            told(PageWords.cash, state.cash.amountText, unit),
            told(PageWords.share, share(state.cash.sharePercent)),
        ])
        let total = Self.sentence([
            told(PageWords.total, state.totals.valueText, unit),
            told(PageWords.profit, state.totals.profit.map(NumberText.wonChange), unit),
            told(PageWords.rate, state.totals.profitRatePercent.map(NumberText.rate)),
        ])
        let nothing = state.rows.isEmpty ? [PageWords.noHoldings[language]] : []
        self.init(
            heading: [
                ListWords.program + " " + PageWords.page(.portfolio)[language],
                Self.feed(document.source, language), Self.moment(document.asOf),
            ],
            at: document.asOf,
            sentences: Self.ailment(nil, state.health, at: document.asOf, language)
                + (state.isRead ? [total] + rows + [cash] : nothing)
        )
    }
}
