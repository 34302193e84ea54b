public import Domain

/// Boards from complete to empty: each optional value of a document is absent on one of them and
/// present on another.
public enum BoardBuilder: String, Sendable, CaseIterable {
    /// A busy market, fresh, with every value that the exchange sends.
    case live
    /// The program has just started.
    case unread
    /// The stream is disconnected and requests fail.
    case lost
    /// No request ever succeeded.
    case failed
    /// Shown from the store, before the exchange has answered.
    case stored
    /// A recording played to its end.
    case ended

    /// The market whose details are shown.
    public static let market: MarketID = "BTC_KRW"

    /// The names of its coins; NEW has none.
    public static let names = CoinNames(
        [
            "BTC": .init(symbol: "BTC", korean: "비트코인", english: "Bitcoin"),
            "ETH": .init(symbol: "ETH", korean: "이더리움", english: "Ethereum"),
            "XRP": .init(symbol: "XRP", korean: "리플", english: "Ripple"),
        ]
    )

    /// A new board.
    public var board: SampleBoard {
        switch self {
        case .live: Self.live()
        case .unread: SampleBoard()
        case .lost: Self.lost()
        case .failed: Self.failed()
        case .stored: Self.stored()
        case .ended: Self.ended()
        }
    }

    private static func live() -> SampleBoard {
        var sample = SampleBoard.live()
        sample.open(market, .book, .trades, .candles(.day1), .candles(.hour1))
        sample.applyReference(.names(names))
        sample.applyDetails(.feed(.subscribed([market])))
        sample.marks(
            warned: ["XRP_KRW"],
            alerts: [
                "BTC_KRW": [
                    MarketAlert(
                        type: "PRICE_SUDDEN_FLUCTUATION",
                        step: "CAUTION",
                        endsAt: SampleBoard.start.advanced(by: .seconds(36_000))
                    ), MarketAlert(type: "TRADING_VOLUME_SUDDEN", step: nil, endsAt: nil),
                ]
            ]
        )
        sample.transfers([
            "BTC": (true, false), "ETH": (true, true), "XRP": (nil, nil), "NEW": (false, false),
        ])
        sample.joinTrades(market)
        candles(&sample, .day1, count: 130)
        candles(&sample, .hour1, count: 130)
        sample.wait(.milliseconds(151))
        for period in ChangePeriod.allCases {
            var frame = TickerFrame(
                market,
                period,
                at: sample.now,
                open: "145155000",
                close: "143210000",
                value: "98123456789.5123",
                volume: "683.2219"
            )
            (frame.highPrice, frame.lowPrice) = ("145880000", "142900000")
            (frame.buyVolume, frame.sellVolume) = ("327.8", "355.4219")
            sample.apply(.ticker(frame))
        }
        sample.trade(market, "143209000", "0.5", .sell)
        sample.wait(.microseconds(220))
        sample.trade(market, "143210000", "0.0012", .buy)
        sample.trade(market, "143210000", "0.25", .buy)
        sample.book(
            market,
            asks: [["143211000": "0.0421"], ["143212000": "1.5"]],
            bids: [["143210000": "0.5163"], ["143209000": "2"]]
        )
        sample.apply(.skipped(2))
        sample.wait(.milliseconds(30))
        return sample
    }

    private static func candles(
        _ sample: inout SampleBoard,
        _ interval: CandleInterval,
        count: Int
    ) {
        let newest = interval.bucketStart(of: sample.now)
        let candles = (0..<count).reversed().compactMap { back -> Candle? in
            // One bucket without a trade.
            guard back != 2 else { return nil }
            return Candle(
                interval.advanced(newest, by: -back),
                open: "143000000",
                high: FixedDecimal(Int64(143_500_000 + back * 1_000)),
                low: "142900000",
                close: FixedDecimal(Int64(143_210_000 - back * 1_000)),
                volume: "4.2193"
            )
        }
        sample.candles(market, interval, candles)
    }

    private static func lost() -> SampleBoard {
        var sample = live()
        let failure = FeedFailure(code: .disconnected, detail: "stream", isRetryable: true)
        let retryAt = sample.now.advanced(by: .seconds(2))
        sample.apply(.feed(.reconnecting(attempt: 3, nextRetryAt: retryAt, failure: failure)))
        sample.applyDetails(
            .feed(.disconnected(attempt: 2, nextRetryAt: retryAt, failure: failure))
        )
        sample.applyReference(.assetStatesFailed(failure, nextRetryAt: retryAt))
        sample.wait(.seconds(61))
        sample.list(.krw, [.sample(market, price: "143210000", tradeValue: nil, nil)])
        // Read during the loss: the trades in part, the candles of days as a whole.
        let history = TradeHistory(market: market, rows: [], beginning: .short(.tooLong))
        sample.applyDetails(.tradeHistory(history))
        candles(&sample, .day1, count: 130)
        sample.applyDetails(
            .feed(
                .failed(
                    DetailInterest(market: market, facet: .candles(.day1)),
                    FeedFailure(code: .httpStatus, detail: "503", isRetryable: true),
                    nextRetryAt: sample.now.advanced(by: .seconds(4))
                )
            )
        )
        return sample
    }

    private static func failed() -> SampleBoard {
        var sample = SampleBoard(kind: .simulated)
        let failure = FeedFailure(code: .unreachable, detail: "ticker", isRetryable: true)
        let retryAt = sample.now.advanced(by: .seconds(2))
        sample.open(market, .book, .trades, .candles(.day1))
        sample.apply(.feed(.listingFailed(failure, nextRetryAt: retryAt)))
        sample.applyReference(.assetStatesFailed(failure, nextRetryAt: retryAt))
        for facet in [DetailFacet.book, .trades, .candles(.day1)] {
            let interest = DetailInterest(market: market, facet: facet)
            sample.applyDetails(.feed(.failed(interest, failure, nextRetryAt: retryAt)))
        }
        sample.apply(.feed(.stale))
        return sample
    }

    private static func stored() -> SampleBoard {
        var sample = SampleBoard()
        let readAt = sample.now.advanced(by: .seconds(-90_000))
        let close = StoredPrice(
            market: market,
            price: "143210000",
            at: readAt,
            tradeValue24h: nil
        )
        sample.applyReference(.closes([close], of: .live))
        sample.open(market, .candles(.day1))
        let day = CandleInterval.day1.bucketStart(of: readAt)
        var candle = Candle(day, open: "140", high: "145", low: "139", close: "143")
        candle.origin = .store
        let page = CandlePage(
            market: market,
            interval: .day1,
            candles: [candle],
            requestedAt: readAt,
            answeredAt: readAt,
            spans: [day..<CandleInterval.day1.advanced(day, by: 1)]
        )
        sample.applyDetails(.candles(page))
        // Its close of the previous day is unknown.
        sample.open("ETH_KRW", .book)
        sample.book("ETH_KRW", asks: [["4512000": "1"]], bids: [["4511000": "2"]])
        return sample
    }

    private static func ended() -> SampleBoard {
        var sample = SampleBoard(kind: .replay)
        sample.list(.krw, [.sample(market, price: "143210000", tradeValue: "1", "0")])
        sample.list(.btc, [])
        sample.apply(.feed(.ended))
        return sample
    }
}
