import Domain
import ViewStates

extension DocumentGenerator {
    mutating func detail() -> MarketDetailViewState {
        MarketDetailViewState(
            header: header(),
            orderBook: orderBook(),
            trades: trades(),
            chart: chart()
        )
    }

    mutating func header() -> DetailHeaderViewState {
        var header = DetailHeaderViewState(
            health: health(),
            market: text(),
            symbol: text(),
            quote: text(),
            name: .init(ko: optional { $0.text() }, en: optional { $0.text() }),
            changePeriod: text(),
            marks: marks()
        )
        header.price = optional { $0.decimal() }
        header.priceText = optional { $0.text() }
        header.priceAt = optional { $0.time() }
        header.priceOrigin = optional { $0.text() }
        header.changeRatePercent = optional { $0.decimal() }
        header.changeRateText = optional { $0.text() }
        header.changeAmount = optional { $0.decimal() }
        header.changeAmountText = optional { $0.text() }
        header.priceDirection = optional { $0.direction() }
        header.tickDirection = optional { $0.direction() }
        header.today.open = optional { $0.decimal() }
        header.today.high = optional { $0.decimal() }
        header.today.low = optional { $0.decimal() }
        header.today.previousClose = optional { $0.decimal() }
        header.today.volume = optional { $0.decimal() }
        header.today.tradeValue = optional { $0.decimal() }
        header.rolling24h.volume = optional { $0.decimal() }
        header.rolling24h.tradeValue = optional { $0.decimal() }
        header.rolling24h.changeAmount = optional { $0.decimal() }
        header.rolling24h.changeRatePercent = optional { $0.decimal() }
        header.tradeStrengthPercent = optional { $0.decimal() }
        header.deposit = optional { $0.pick([.normal, .suspended]) }
        header.withdrawal = optional { $0.pick([.normal, .suspended]) }
        header.sparkline = optional {
            SparklineViewState(
                from: $0.text(),
                to: $0.text(),
                opens: $0.several { $0.decimal() },
                complete: $0.flag()
            )
        }
        return header
    }

    mutating func orderBook() -> OrderBookViewState {
        OrderBookViewState(
            health: health(),
            depth: integer(),
            group: optional { $0.decimal() },
            levelsKept: integer(),
            crossed: flag(),
            heals: integer(),
            asks: several { $0.level() },
            bids: several { $0.level() },
            best: .init(ask: optional { $0.quote() }, bid: optional { $0.quote() }),
            spread: optional { $0.decimal() },
            spreadText: optional { $0.text() },
            mid: optional { $0.decimal() },
            totals: .init(
                askQuantity: decimal(),
                bidQuantity: decimal(),
                bidSharePercent: optional { $0.decimal() }
            )
        )
    }

    private mutating func level() -> OrderBookViewState.Level {
        .init(
            price: decimal(),
            priceText: text(),
            quantity: decimal(),
            quantityText: text(),
            cumulative: decimal(),
            changeRatePercent: optional { $0.decimal() },
            priceDirection: optional { $0.direction() },
            ratioBoth: decimal(),
            ratioSide: decimal(),
            isLastTrade: flag()
        )
    }

    private mutating func quote() -> OrderBookViewState.Best.Quote {
        .init(price: decimal(), quantity: decimal())
    }

    mutating func trades() -> TradesViewState {
        TradesViewState(
            health: health(),
            rows: several {
                .init(
                    id: $0.text(),
                    at: $0.time(),
                    timeText: $0.text(),
                    price: $0.decimal(),
                    priceText: $0.text(),
                    quantity: $0.decimal(),
                    quantityText: $0.text(),
                    amount: $0.decimal(),
                    amountText: $0.text(),
                    side: $0.pick([.buy, .sell]),
                    tickDirection: $0.optional { $0.direction() }
                )
            },
            dropped: integer(),
            gaps: several { $0.gap() }
        )
    }

    mutating func chart() -> ChartViewState {
        ChartViewState(
            health: health(),
            interval: text(),
            lastPrice: optional { $0.decimal() },
            candles: several {
                .init(
                    openTime: $0.time(),
                    open: $0.decimal(),
                    high: $0.decimal(),
                    low: $0.decimal(),
                    close: $0.decimal(),
                    volume: $0.decimal(),
                    origin: $0.pick([.store, .rest, .live]),
                    corrected: $0.flag(),
                    closed: $0.flag(),
                    priceDirection: $0.direction(),
                    averages: $0.averages()
                )
            },
            range: optional { .init(low: $0.decimal(), high: $0.decimal()) },
            gaps: several { $0.gap() }
        )
    }

    private mutating func averages() -> CandleAverages {
        CandleAverages(windows: CandleSeries.averageWindows) { _, _ in optional { $0.decimal() } }
    }

    private mutating func gap() -> GapViewState {
        GapViewState(from: time(), to: time(), reason: pick([.noTrade, .missing]))
    }

    private mutating func direction() -> DirectionViewState { pick([.up, .down, .flat]) }
}
