public import Domain
public import ViewStates

extension SpokenPage {
    /// One market: its price and figures, the best levels of its book, its newest trades.
    public init(_ document: MarketDetailDocument, _ language: Language) {
        let state = document.state
        let header = state.header
        let words = SpokenDetail(state: state, language: language)
        self.init(
            heading: [
                MarketListStrings.program + " " + words.name + " " + header.symbol + "/"
                    + header.quote,
                Self.feed(document.source, language), Self.moment(document.asOf),
            ],
            at: document.asOf,
            sentences: Self.statusSentence(nil, header.health, at: document.asOf, language)
                + words.header
                + Self.statusSentence(
                    DetailStrings.pane(.book)[language],
                    state.orderBook.health,
                    at: document.asOf,
                    language
                )
                + words.book
                + Self.statusSentence(
                    DetailStrings.trades[language],
                    state.trades.health,
                    at: document.asOf,
                    language
                )
                + words.trades
        )
    }
}

/// The sentences of one market.
struct SpokenDetail {
    let state: MarketDetailViewState
    let language: Language

    /// The coin's name, or its code.
    var name: String {
        let name = state.header.name
        return name[language] ?? state.header.symbol
    }

    /// The price and its change, the day, what lasts.
    var header: [String] {
        let header = state.header
        let period =
            ChangePeriod(rawValue: header.changePeriod)
            .map { MarketListStrings.period($0)[language] } ?? header.changePeriod
        return [
            SpokenPage.sentence(
                [
                    name, told(MarketListStrings.price, header.priceText.map(priced)),
                    told(MarketListStrings.rate, header.changeRateText),
                    told(MarketListStrings.amount, header.changeAmountText), period,
                ] + marks
            ),
            SpokenPage.sentence([DetailStrings.today[language]] + today),
            SpokenPage.sentence([
                DetailStrings.rolling[language],
                told(DetailStrings.volume, header.rolling24h.volume.map(NumberText.quantity)),
                told(DetailStrings.tradeValue, header.rolling24h.tradeValue.map(turnover)),
                told(
                    DetailStrings.strength,
                    header.tradeStrengthPercent.map {
                        NumberText.grouped($0, fractionDigitsMin: 2) + "%"
                    }
                ),
            ]),
            SpokenPage.sentence([
                PageStrings.deposit[language] + " "
                    + AssetsPresenter.text(
                        of: header.deposit,
                        language
                    ),
                PageStrings.withdrawal[language] + " "
                    + AssetsPresenter.text(
                        of: header.withdrawal,
                        language
                    ),
            ]),
        ]
    }

    /// The spread, and each level from the best, asks before bids.
    var book: [String] {
        let book = state.orderBook
        let spread = book.spreadText.map {
            [SpokenPage.sentence([DetailStrings.spread[language] + " " + priced($0)])]
        }
        return (spread ?? []) + levels(book.asks, DetailStrings.ask[language])
            + levels(book.bids, DetailStrings.bid[language])
    }

    /// The trades, newest first.
    var trades: [String] {
        state.trades.rows.map { row in
            let side = row.side == .buy ? DetailStrings.buy : DetailStrings.sell
            return SpokenPage.sentence([
                DetailStrings.trades[language] + " " + row.timeText, side[language],
                priced(row.priceText), DetailStrings.quantity[language] + " " + row.quantityText,
                DetailStrings.amount[language] + " " + priced(row.amountText),
            ])
        }
    }

    private func levels(_ levels: [OrderBookViewState.Level], _ side: String) -> [String] {
        zip(1..., levels).map { place, level in
            let number = LocalizedText(ko: "\(side) \(place)호가", en: "\(side) \(place)")[language]
            return SpokenPage.sentence([
                number + " " + priced(level.priceText),
                DetailStrings.levelQuantity[language] + " " + level.quantityText,
            ])
        }
    }

    private var today: [String] {
        let figures = state.header.today
        return [
            told(DetailStrings.open, figures.open.map(price)),
            told(DetailStrings.high, figures.high.map(price)),
            told(DetailStrings.low, figures.low.map(price)),
            told(DetailStrings.previousClose, figures.previousClose.map(price)),
            told(DetailStrings.tradeValue, figures.tradeValue.map(turnover)),
        ]
    }

    private var marks: [String] {
        let marks = state.header.marks
        var words: [String] = []
        if marks.state == .suspended {
            words.append(LocalizedText(ko: "거래중단", en: "trading suspended")[language])
        }
        if marks.investmentWarning == true {
            words.append(LocalizedText(ko: "유의", en: "investment warning")[language])
        }
        if !marks.alerts.isEmpty { words.append(LocalizedText(ko: "경보", en: "alert")[language]) }
        return words
    }

    private var quote: Quote { state.header.quote == Quote.btc.rawValue ? .btc : .krw }

    private func price(_ value: FixedDecimal) -> String {
        priced(NumberText.price(value, quote: quote))
    }

    private func turnover(_ value: FixedDecimal) -> String {
        NumberText.tradeValue(value, quote: quote, language: language)
    }

    /// A price with its currency.
    private func priced(_ text: String) -> String {
        switch quote {
        case .krw: text + LocalizedText(ko: "원", en: " KRW")[language]
        case .btc: text + " BTC"
        }
    }

    private func told(_ words: LocalizedText, _ value: String?) -> String {
        words[language] + " " + (value ?? LocalizedText(ko: "없음", en: "unknown")[language])
    }
}
