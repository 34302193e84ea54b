import DataSourceContracts
import Domain

/// Maps stream messages to market events.
enum StreamMapping {
    /// Maps a batch; one `skipped` event counts the messages that cannot be mapped.
    ///
    /// Messages with a time after `limit` count, too: the board orders by exchange time, so a frame
    /// of the far future would be newer than all later prices. Nil for no limit. Trades of `recent`
    /// are dropped without a count.
    static func events(
        _ messages: [StreamMessageDTO],
        after recent: inout RecentTrades,
        notAfter limit: Timestamp? = nil
    ) -> [MarketEvent] {
        var events: [MarketEvent] = []
        events.reserveCapacity(messages.count)
        var skipped = 0
        for message in messages {
            switch message {
            case .status, .unknown, .depth, .orderBook: continue
            case .ticker(let dto):
                guard let frame = frame(dto), frame.at <= limit ?? frame.at else {
                    skipped += 1
                    continue
                }
                events.append(.ticker(frame))
            case .marketTicker(let dto):
                guard let row = MarketTickerMapping.row(dto), row.at <= limit ?? row.at else {
                    skipped += 1
                    continue
                }
                events.append(
                    dto.isSnapshot
                        ? .state(row.entry, at: row.at) : .row(row.entry, at: row.at)
                )
            case .trade(let dto):
                // It traded before the subscription: REST tells it, once.
                if dto.isSnapshot || !recent.add(dto) { continue }
                guard let trade = trade(dto), trade.executedAt <= limit ?? trade.executedAt else {
                    skipped += 1
                    continue
                }
                events.append(.trade(trade))
            case .transactions(let trades):
                for dto in trades {
                    guard let trade = trade(dto), trade.executedAt <= limit ?? trade.executedAt
                    else {
                        skipped += 1
                        continue
                    }
                    events.append(.trade(trade))
                }
            case .skipped: skipped += 1
            }
        }
        if skipped > 0 { events.append(.skipped(skipped, .stream)) }
        return events
    }

    private static func frame(_ dto: StreamTickerDTO) -> TickerFrame? {
        guard let market = MarketID(name: dto.symbol),
            let period = ChangePeriod(rawValue: dto.tickType),
            let openPrice = try? FixedDecimal(dto.openPrice),
            let closePrice = try? FixedDecimal(dto.closePrice), closePrice.sign > 0,
            let tradeValue = try? FixedDecimal(dto.value), tradeValue.sign >= 0,
            let volume = try? FixedDecimal(dto.volume),
            let changeAmount = try? FixedDecimal(dto.chgAmt),
            let changeRate = try? FixedDecimal(dto.chgRate)
        else { return nil }
        var frame = TickerFrame(
            market: market,
            period: period,
            at: Timestamp(microseconds: dto.atMicroseconds),
            openPrice: openPrice,
            closePrice: closePrice,
            tradeValue: tradeValue,
            volume: volume,
            changeAmount: changeAmount,
            changeRate: changeRate
        )
        // Implausible figures beside a valid price are dropped; the price counts.
        frame.highPrice = number(dto.highPrice) { $0.sign > 0 }
        frame.lowPrice = number(dto.lowPrice) { $0.sign > 0 }
        frame.buyVolume = number(dto.buyVolume) { $0.sign >= 0 }
        frame.sellVolume = number(dto.sellVolume) { $0.sign >= 0 }
        return frame
    }

    private static func number(
        _ wire: WireDecimal,
        where canBe: (FixedDecimal) -> Bool
    ) -> FixedDecimal? {
        guard let number = try? FixedDecimal(wire), canBe(number) else { return nil }
        return number
    }

    private static func trade(_ dto: TransactionDTO) -> Trade? {
        guard let market = MarketID(name: dto.symbol),
            let price = try? FixedDecimal(dto.price), price.sign > 0,
            let quantity = try? FixedDecimal(dto.quantity), quantity.sign >= 0
        else { return nil }
        return Trade(
            market: market,
            price: price,
            quantity: quantity,
            side: dto.takerBought ? .buy : .sell,
            executedAt: Timestamp(microseconds: dto.atMicroseconds)
        )
    }

    private static func trade(_ dto: MarketTradeDTO) -> Trade? {
        guard let market = MarketID(code: dto.market),
            ExchangeDates.milliseconds.contains(dto.atMilliseconds),
            let price = try? FixedDecimal(dto.price), price.sign > 0,
            let quantity = try? FixedDecimal(dto.quantity), quantity.sign >= 0
        else { return nil }
        return Trade(
            market: market,
            price: price,
            quantity: quantity,
            side: dto.takerBought ? .buy : .sell,
            executedAt: Timestamp(milliseconds: StreamTradeID.milliseconds(of: dto))
        )
    }
}
