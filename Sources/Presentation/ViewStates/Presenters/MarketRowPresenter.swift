import Domain

/// Turns one market of a board into a row.
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
                investmentWarning: nil,
                alerts: [],
                state: market.isTrading ? .trading : .suspended
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
        row.spokenText = spokenText(of: row, isAmbiguous: isAmbiguous(name))
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
        // The direction is that of the figure people see.
        row.priceDirection = change.ratePercent.map { rate in
            let rounded = (try? rate.rounded(toFractionDigits: 2, .halfAwayFromZero)) ?? rate
            return DirectionViewState(PriceDirection(signOf: rounded))
        }
    }

    private func isAmbiguous(_ name: CoinNames.Entry?) -> Bool {
        name.map { names.isAmbiguous(korean: $0.korean) } ?? false
    }

    /// One sentence that says the row aloud.
    private func spokenText(of row: MarketRowViewState, isAmbiguous: Bool) -> String {
        let isKorean = language == .korean
        var name = (isKorean ? row.name.ko : row.name.en) ?? row.symbol
        if isAmbiguous { name += " (\(row.symbol))" }
        let unit = row.quote == Quote.krw.rawValue ? (isKorean ? "원" : " KRW") : " BTC"
        let price = row.priceText.map { $0 + unit } ?? (isKorean ? "없음" : "unknown")
        let rate = row.changeRateText ?? (isKorean ? "없음" : "unknown")
        let value = row.tradeValueText ?? (isKorean ? "없음" : "unknown")
        let isSuspended = row.marks.state == .suspended
        if isKorean {
            return "\(name), 현재가 \(price), 변동률 \(rate), 거래금액 \(value)"
                + (isSuspended ? ", 거래중단" : "")
        }
        return "\(name), price \(price), change \(rate), trade value \(value)"
            + (isSuspended ? ", trading suspended" : "")
    }
}

extension DirectionViewState {
    /// The view's word for a direction.
    init(_ direction: PriceDirection) {
        switch direction {
        case .up: self = .up
        case .down: self = .down
        case .flat: self = .flat
        }
    }
}
