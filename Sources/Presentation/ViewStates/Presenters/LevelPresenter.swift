import Domain

/// Presents the visible levels of one side.
struct LevelPresenter {
    let quote: Quote
    let previousClose: FixedDecimal?
    /// The largest quantity of both sides.
    let largest: FixedDecimal
    let lastTrade: LastTradeMark

    func present(_ side: VisibleBookSide) -> [OrderBookViewState.Level] {
        var cumulative = FixedDecimal.zero
        return side.levels.map { level in
            cumulative = cumulative.addedSaturating(level.quantity)
            let rate = previousClose.flatMap { level.price.changePercent(from: $0) }
            return OrderBookViewState.Level(
                price: level.price,
                priceText: NumberText.price(level.price, quote: quote),
                quantity: level.quantity,
                quantityText: NumberText.quantity(level.quantity),
                cumulative: cumulative,
                changeRatePercent: rate,
                priceDirection: rate.map { DirectionViewState(PriceDirection(signOf: $0)) },
                ratioBoth: FixedDecimal.share(of: level.quantity, in: largest) ?? .zero,
                ratioSide: FixedDecimal.share(of: level.quantity, in: side.largest) ?? .zero,
                isLastTrade: lastTrade.isAt(level.price, side.side)
            )
        }
    }
}
