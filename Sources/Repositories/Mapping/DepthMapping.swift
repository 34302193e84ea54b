public import DataSourceContracts
public import Domain

/// Maps order book messages to the values of Domain's books.
public enum DepthMapping: Sendable {
    /// Maps the changes of one book; a quantity of zero stays, because it deletes its level.
    ///
    /// - Parameters:
    ///   - dto: the decoded changes.
    ///   - skipped: incremented for each skipped change: a price not above zero, a negative
    ///     quantity, a number out of range; all changes if the market name is invalid.
    /// - Returns: the other changes in the order of the wire; nil if none is left.
    public static func delta(_ dto: OrderBookDepthDTO, skipped: inout Int) -> OrderBookDelta? {
        guard let market = MarketID(name: dto.symbol) else {
            skipped += max(dto.changes.count, 1)
            return nil
        }
        var changes: [OrderBookDelta.Change] = []
        changes.reserveCapacity(dto.changes.count)
        for change in dto.changes {
            guard let price = price(change.price), let quantity = quantity(change.quantity) else {
                skipped += 1
                continue
            }
            let side: BookSide = change.isAsk ? .ask : .bid
            changes.append(OrderBookDelta.Change(side: side, price: price, quantity: quantity))
        }
        if changes.isEmpty { return nil }
        let at = Timestamp(microseconds: dto.atMicroseconds)
        return OrderBookDelta(market: market, at: at, changes: changes)
    }

    /// Maps a snapshot: sides best first, no level of quantity zero, no price twice.
    ///
    /// Levels of quantity zero or price zero are empty and dropped without a count. Of levels at
    /// one price the last one of the wire counts.
    ///
    /// - Parameters:
    ///   - dto: the decoded book.
    ///   - origin: REST or stream.
    ///   - skipped: incremented for each level with a negative number or one out of range; over
    ///     REST also for unreadable levels, which a stream reports as separate messages; once for
    ///     an invalid market name.
    /// - Returns: the book, possibly with empty sides; nil for an invalid market name.
    public static func snapshot(
        _ dto: OrderBookDTO,
        origin: OrderBookSnapshot.Origin,
        skipped: inout Int
    ) -> OrderBookSnapshot? {
        guard let market = MarketID(symbol: dto.symbol) else {
            skipped += 1
            return nil
        }
        var (asks, bids) = (ListedSide(), ListedSide())
        let skippedBefore = skipped
        var snapshot = OrderBookSnapshot(
            market: market,
            at: Timestamp(microseconds: dto.atMicroseconds),
            asks: levels(dto.asks, listed: &asks, skipped: &skipped) { $0 < $1 },
            bids: levels(dto.bids, listed: &bids, skipped: &skipped) { $0 > $1 },
            origin: origin,
            api: dto.generation.api
        )
        snapshot.unreadableCount = dto.skippedCount + skipped - skippedBefore
        // The side of an unreadable level is unknown: it may be either.
        snapshot.asksListed = asks.count + dto.skippedCount
        snapshot.bidsListed = bids.count + dto.skippedCount
        snapshot.emptyAskPrice = asks.last == snapshot.asks.last?.price ? nil : asks.last
        snapshot.emptyBidPrice = bids.last == snapshot.bids.last?.price ? nil : bids.last
        if origin == .rest { skipped += dto.skippedCount }
        return snapshot
    }

    /// The places of a side that the exchange filled.
    private struct ListedSide {
        /// How many.
        var count = 0
        /// The last price, whatever its quantity.
        var last: FixedDecimal?
    }

    private static func levels(
        _ wire: [BookLevelDTO],
        listed: inout ListedSide,
        skipped: inout Int,
        isBetter: (FixedDecimal, FixedDecimal) -> Bool
    ) -> [BookLevel] {
        var levels: [BookLevel] = []
        levels.reserveCapacity(wire.count)
        var isInOrder = true
        for level in wire {
            guard let price = value(level.price), price.sign >= 0,
                let quantity = quantity(level.quantity)
            else {
                listed.count += 1
                skipped += 1
                continue
            }
            // A price of zero is an empty level; a quantity of zero may be a removed one.
            if price.isZero { continue }
            listed.count += 1
            if listed.last.map({ isBetter($0, price) }) ?? true { listed.last = price }
            if quantity.isZero { continue }
            if let last = levels.last { isInOrder = isInOrder && isBetter(last.price, price) }
            levels.append(BookLevel(price: price, quantity: quantity))
        }
        return isInOrder ? levels : ordered(levels, isBetter: isBetter)
    }

    /// Sorts sides that the exchange did not send in order.
    private static func ordered(
        _ levels: [BookLevel],
        isBetter: (FixedDecimal, FixedDecimal) -> Bool
    ) -> [BookLevel] {
        var quantities: [FixedDecimal: FixedDecimal] = [:]
        for level in levels { quantities[level.price] = level.quantity }
        return quantities.map { BookLevel(price: $0.key, quantity: $0.value) }
            .sorted { isBetter($0.price, $1.price) }
    }

    private static func price(_ wire: WireDecimal) -> FixedDecimal? {
        guard let price = value(wire), price.sign > 0 else { return nil }
        return price
    }

    private static func quantity(_ wire: WireDecimal) -> FixedDecimal? {
        guard let quantity = value(wire), quantity.sign >= 0 else { return nil }
        return quantity
    }

    private static func value(_ wire: WireDecimal) -> FixedDecimal? { try? FixedDecimal(wire) }
}
