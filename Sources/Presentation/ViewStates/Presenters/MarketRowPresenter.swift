import Domain

/// Presents one market as a row.
struct MarketRowPresenter {
    let board: MarketBoard
    let names: CoinNames
    let period: ChangePeriod
    let language: Language
    let now: Timestamp

    /// The row of a market.
    func present(_ market: MarketState, rank: Int?) -> MarketRowViewState {
        let id = market.id
        let name = names[id.symbol]
        var row = MarketRowViewState(
            market: id.name,
            symbol: id.symbol,
            quote: id.quote.rawValue,
            name: .init(ko: name?.korean, en: name?.english),
            changePeriod: period.rawValue,
            marks: MarksViewState(
                board.reference.marks,
                of: id,
                isTrading: market.isTrading && !board.isUnlistedStored(market),
                now: now
            ),
            spokenText: ""
        )
        row.rank = rank
        row.price = market.price
        row.priceText = market.price.map { NumberText.price($0, quote: id.quote) }
        row.priceAt = market.priceAt
        row.priceKRW = board.priceInWon(of: market)
        present(board.change(of: market, over: period, now: now), of: market, in: &row)
        row.tickDirection = market.tick.map(DirectionViewState.init)
        row.tradeValue24h = market.tradeValue24h
        row.tradeValue24hKRW = board.tradeValue24hInWon(of: market)
        row.tradeValueText = market.tradeValue24h.map {
            NumberText.tradeValue($0, quote: id.quote, language: language)
        }
        row.spokenText = spokenText(of: row)
        return row
    }

    private func present(
        _ change: PriceChange,
        of market: MarketState,
        in row: inout MarketRowViewState
    ) {
        row.changeRatePercent = change.ratePercent
        row.changeRateText = change.ratePercent.map(NumberText.rate)
        row.changeAmount = change.amount
        row.changeAmountText = change.amount.map {
            NumberText.amount($0, price: market.price, quote: market.id.quote)
        }
        row.changeAt = change.at
        row.noTrade = change.isWithoutTrade
        row.priceDirection = DirectionViewState(change)
    }

    /// The row as a sentence for screen readers.
    private func spokenText(of row: MarketRowViewState) -> String {
        let name = names.spoken(row.symbol, language)
        let unit =
            row.quote == Quote.krw.rawValue ? LocalizedText(ko: "원", en: " KRW")[language] : " BTC"
        let price =
            row.priceText.map { $0 + unit } ?? LocalizedText(ko: "없음", en: "unknown")[language]
        let rate = row.changeRateText ?? LocalizedText(ko: "없음", en: "unknown")[language]
        let value = row.tradeValueText ?? LocalizedText(ko: "없음", en: "unknown")[language]
        let figures = [
            name,
            LocalizedText(ko: "현재가 \(price)", en: "price \(price)")[language],
            LocalizedText(ko: "변동률 \(rate)", en: "change \(rate)")[language],
            LocalizedText(ko: "거래금액 \(value)", en: "trade value \(value)")[language],
        ]
        return (figures + spokenMarks(row.marks)).joined(separator: ", ")
    }

    /// Lasting marks only; short-lived warnings are not spoken, as in the contract's example.
    private func spokenMarks(_ marks: MarksViewState) -> [String] {
        var words: [String] = []
        if marks.state == .suspended {
            words.append(LocalizedText(ko: "거래중단", en: "trading suspended")[language])
        }
        if marks.investmentWarning == true {
            words.append(LocalizedText(ko: "유의", en: "investment warning")[language])
        }
        return words
    }
}

extension MarksViewState {
    /// Presents a market's marks.
    ///
    /// - Parameters:
    ///   - marks: the marks of all markets; nil before they are loaded.
    ///   - market: the market.
    ///   - isTrading: whether it trades.
    ///   - now: the current time; expired warnings are dropped.
    init(_ marks: MarketWarnings?, of market: MarketID, isTrading: Bool, now: Timestamp) {
        self.init(
            investmentWarning: marks.map { $0.warned.contains(market) },
            alerts: (marks?.alerts(of: market, at: now) ?? []).map {
                Alert(type: $0.type, step: $0.step, endsAt: $0.endsAt)
            },
            state: isTrading ? .trading : .suspended
        )
    }
}

extension DirectionViewState {
    /// Presents a direction.
    init(_ direction: PriceDirection) {
        switch direction {
        case .up: self = .up
        case .down: self = .down
        case .flat: self = .flat
        }
    }

    /// The direction of the rate as shown, with two decimals; nil if unknown.
    init?(_ change: PriceChange) {
        guard let rate = change.ratePercent else { return nil }
        let rounded = (try? rate.rounded(toFractionDigits: 2, .halfAwayFromZero)) ?? rate
        self.init(PriceDirection(signOf: rounded))
    }
}
