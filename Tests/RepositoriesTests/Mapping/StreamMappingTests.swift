import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("A stream message is mapped to an event; invalid ones are counted")
struct StreamMappingTests {
    private static let at: Int64 = 1_795_147_391_000_000

    private func ticker(_ change: (inout StreamTickerDTO) -> Void = { _ in }) -> StreamMessageDTO {
        var ticker = StreamTickerDTO(
            symbol: "SUN_OLD_KRW",
            tickType: "12H",
            atMicroseconds: Self.at,
            openPrice: "1202",
            closePrice: "1210",
            lowPrice: "1",
            highPrice: "2",
            value: "45741663716.89916828275244531",
            volume: "120000.01",
            sellVolume: "3",
            buyVolume: "4",
            prevClosePrice: "5",
            chgRate: "0.67",
            chgAmt: "8",
            volumePower: "6"
        )
        change(&ticker)
        return .ticker(ticker)
    }

    private func trade(
        _ symbol: String = "XRP_KRW",
        price: WireDecimal = "1211",
        quantity: WireDecimal = "35.5",
        takerBought: Bool = true
    ) -> TransactionDTO {
        TransactionDTO(
            symbol: symbol,
            takerBought: takerBought,
            price: price,
            quantity: quantity,
            amount: "1",
            atMicroseconds: Self.at + 240_601
        )
    }

    @Test("the mapping maps each number of a ticker exactly from its own field")
    func tickers() {
        var expected = TickerFrame(
            market: "SUN_OLD_KRW",
            period: .hours12,
            at: Timestamp(microseconds: Self.at),
            openPrice: "1202",
            closePrice: "1210",
            tradeValue: "45741663716.89916828275244531",
            volume: "120000.01",
            changeAmount: "8",
            changeRate: "0.67"
        )
        expected.highPrice = "2"
        expected.lowPrice = "1"
        expected.buyVolume = "4"
        expected.sellVolume = "3"
        #expect(StreamMapping.events([ticker()]) == [.ticker(expected)])
    }

    @Test(
        "every subscribed tick type has a period",
        arguments: ["24H", "MID", "12H", "1H", "30M"]
    )
    func tickTypes(type: String) {
        #expect(StreamScope().subscriptions.first?.tickTypes.contains(type) == true)
        guard case .ticker(let frame) = StreamMapping.events([ticker { $0.tickType = type }]).first
        else {
            Issue.record("a frame of type \(type) is no ticker")
            return
        }
        #expect(frame.period.rawValue == type)
    }

    @Test("the mapping skips and counts a frame with a negative turnover")
    func negativeTurnover() {
        #expect(StreamMapping.events([ticker { $0.value = "-5" }]) == [.skipped(1)])
    }

    @Test("the mapping skips and counts events after the limit, if there is one")
    func limit() {
        let last = Timestamp(microseconds: Self.at)
        let before = Timestamp(microseconds: Self.at - 1)
        #expect(StreamMapping.events([ticker()], notAfter: last).count == 1)
        #expect(StreamMapping.events([ticker()], notAfter: before) == [.skipped(1)])
        guard case .ticker = StreamMapping.events([ticker()], notAfter: nil).first else {
            Issue.record("a frame without a limit is no ticker")
            return
        }
    }

    @Test("the mapping drops an implausible high, low or volume, and keeps the price")
    func unknownFigures() {
        let message = ticker {
            $0.highPrice = "0"
            $0.lowPrice = "-1"
            $0.buyVolume = "-4"
            $0.sellVolume = WireDecimal(mantissa: 1, scale: -30)
        }
        guard case .ticker(let frame) = StreamMapping.events([message]).first else {
            Issue.record("the frame is no ticker")
            return
        }
        #expect(frame.closePrice == "1210")
        #expect(frame.highPrice == nil && frame.lowPrice == nil)
        #expect(frame.buyVolume == nil && frame.sellVolume == nil)
        let quiet = ticker { $0.sellVolume = "0" }
        guard case .ticker(let still) = StreamMapping.events([quiet]).first else { return }
        #expect(still.sellVolume == .zero, "nothing sold is known, not unknown")
    }

    @Test("the mapping maps the trades of a frame in order")
    func trades() {
        let events = StreamMapping.events([
            .transactions([trade(), trade(price: "1212", takerBought: false)])
        ])
        let at = Timestamp(microseconds: Self.at + 240_601)
        #expect(
            events == [
                .trade(
                    Trade(
                        market: "XRP_KRW",
                        price: "1211",
                        quantity: "35.5",
                        side: .buy,
                        executedAt: at
                    )
                ),
                .trade(
                    Trade(
                        market: "XRP_KRW",
                        price: "1212",
                        quantity: "35.5",
                        side: .sell,
                        executedAt: at
                    )
                ),
            ]
        )
    }

    @Test("the mapping skips invalid markets, periods and prices, and counts them once at the end")
    func badMessages() {
        let huge = WireDecimal(mantissa: 1, scale: -30)
        let bad: [StreamMessageDTO] = [
            ticker { $0.symbol = "XRP_USDT" }, ticker { $0.symbol = "rubbish" },
            ticker { $0.tickType = "1M" }, ticker { $0.closePrice = "0" },
            ticker { $0.closePrice = "-5" }, ticker { $0.openPrice = huge },
            ticker { $0.value = huge }, ticker { $0.volume = huge }, ticker { $0.chgRate = huge },
            ticker { $0.chgAmt = huge },
            .transactions([
                trade("XRP"), trade(price: "0"), trade(price: huge), trade(quantity: huge),
                trade(quantity: "-35.5"),
            ]),
            .skipped(SkippedEntryDTO(key: "ticker", reason: "closePrice")),
        ]
        let events = StreamMapping.events(bad + [ticker()])
        #expect(events.count == 2)
        #expect(events.last == .skipped(16))
    }

    @Test("the mapping ignores statuses and unknown types")
    func others() {
        let events = StreamMapping.events([
            .status(StreamStatusDTO(status: "0000", message: "Connected Successfully")),
            .unknown(type: "orderbookdepth"),
        ])
        #expect(events.isEmpty)
    }

    @Test("the mapping keeps the price of a frame without an opening price")
    func withoutOpening() {
        #expect(StreamMapping.events([ticker { $0.openPrice = "0" }]).count == 1)
    }
}

@Suite("A data source error is translated with the exchange's own message")
struct FeedFailureMappingTests {
    @Test(
        "every error has a code, a detail and whether it is retryable",
        arguments: [
            (.unreachable, .unreachable, "where", true),
            (.proxy, .proxy, "where", true),
            (.untrusted, .untrusted, "where", false),
            (.timedOut, .timedOut, "where", true),
            (.disconnected, .disconnected, "where", true),
            (.httpStatus(503), .httpStatus, "HTTP 503", true),
            (.httpStatus(429), .rateLimited, "HTTP 429", true),
            (.refused(status: "5600", message: "잠시 후"), .refused, "5600 잠시 후", true),
            (.rateLimited(retryAfter: .seconds(1)), .rateLimited, "where", true),
            (.malformed, .malformed, "where", true),
            (.ended, .disconnected, "where", false),
            (.cancelled, .disconnected, "where", false),
        ] as [(DataSourceError.Code, FeedFailure.Code, String, Bool)]
    )
    func codes(
        source: DataSourceError.Code,
        code: FeedFailure.Code,
        detail: String,
        isRetryable: Bool
    ) {
        let failure = FeedFailure(DataSourceError(source, "where"))
        #expect(failure == FeedFailure(code: code, detail: detail, isRetryable: isRetryable))
    }

    @Test("an error has a pause only if the exchange asked for one")
    func pauses() {
        func pause(_ code: DataSourceError.Code) -> Duration { DataSourceError(code, "").pause }
        #expect(pause(.rateLimited(retryAfter: .seconds(7))) == .seconds(7))
        #expect(pause(.rateLimited(retryAfter: .seconds(-7))) == .zero)
        #expect(pause(.timedOut) == .zero)
    }
}

extension StreamMapping {
    /// Maps the first batch of a stream.
    static func events(
        _ messages: [StreamMessageDTO],
        notAfter limit: Timestamp? = nil
    ) -> [MarketEvent] {
        var recent = RecentTrades()
        return events(messages, after: &recent, notAfter: limit)
    }
}
