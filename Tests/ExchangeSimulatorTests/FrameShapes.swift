import Domain
import Testing

/// A `ticker` message; every field is a text.
struct TickerFrame: Decodable {
    struct Content: Decodable {
        var tickType, date, time, openPrice, closePrice, lowPrice, highPrice, value, volume: String
        var sellVolume, buyVolume, prevClosePrice, chgRate, chgAmt, volumePower, symbol: String

        /// Checks that the numbers agree with each other and with the tick table.
        func check() throws {
            let market = try #require(MarketID(name: symbol))
            let open = try FixedDecimal(parsing: openPrice)
            let close = try FixedDecimal(parsing: closePrice)
            let low = try FixedDecimal(parsing: lowPrice)
            let high = try FixedDecimal(parsing: highPrice)
            let sold = try FixedDecimal(parsing: sellVolume)
            let bought = try FixedDecimal(parsing: buyVolume)
            #expect(date.utf8.count == 8 && time.utf8.count == 6)
            for price in [open, close, low, high, try FixedDecimal(parsing: prevClosePrice)] {
                #expect(price > .zero)
                let step = TickTable.step(for: price, quote: market.quote)
                #expect(price.units % step.units == 0, "\(symbol) \(price)")
            }
            #expect(low <= close && close <= high)
            #expect(try FixedDecimal(parsing: volume) == sold + bought)
            #expect(try FixedDecimal(parsing: chgAmt) == close - open)
            let rate = try (close - open).multiplied(by: FixedDecimal(100), rounding: .truncate)
                .divided(by: open, rounding: .truncate)
                .rounded(toFractionDigits: 2, .halfAwayFromZero)
            #expect(try FixedDecimal(parsing: chgRate) == rate, "\(symbol) \(tickType)")
            let power = try FixedDecimal(parsing: volumePower)
            #expect(power <= FixedDecimal(500))
            if power < FixedDecimal(500) {
                let exact = try bought.multiplied(by: FixedDecimal(100), rounding: .truncate)
                    .divided(by: sold, rounding: .truncate)
                    .rounded(toFractionDigits: 2, .halfAwayFromZero)
                #expect(power == exact)
            }
        }
    }

    var type: String
    var content: Content
}

/// A `transaction` message; every field is a text.
struct TransactionFrame: Decodable {
    struct Trade: Decodable {
        var buySellGb, contPrice, contQty, contAmt, contDtm, updn, symbol: String

        /// Checks that the numbers agree with each other.
        func check() throws {
            let market = try #require(MarketID(name: symbol))
            #expect(["1", "2"].contains(buySellGb) && ["up", "dn"].contains(updn))
            let amount = try FixedDecimal(parsing: contPrice)
                .multiplied(by: try FixedDecimal(parsing: contQty), rounding: .truncate)
                .rounded(toFractionDigits: market.quote == .krw ? 0 : 8, .truncate)
            #expect(try FixedDecimal(parsing: contAmt) == amount)
            #expect(contDtm.utf8.count == "2026-11-20 08:43:42.240601".utf8.count)
        }
    }

    struct Content: Decodable {
        var list: [Trade]
    }

    var type: String
    var content: Content
}
