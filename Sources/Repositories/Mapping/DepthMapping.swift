public import DataSourceContracts
public import Domain

/// Turns what the exchange says of order books into what the books of the domain take.
public enum DepthMapping: Sendable {
    /// Maps the changes of one book; a quantity of zero stays, because it deletes its level.
    ///
    /// - Parameters:
    ///   - dto: the decoded changes.
    ///   - skipped: grows by the changes left out: a price that is not above zero, a quantity below
    ///     zero, a number out of range; all of them where the market's name is none.
    /// - Returns: the rest in the order of the wire; nil when nothing is left.
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

    /// Maps a whole book: sides best first, no level of quantity zero, no price twice.
    ///
    /// Levels of quantity zero and of price zero mean that nothing rests there: they go without
    /// being counted. Of levels at one price the last of the wire stays.
    ///
    /// - Parameters:
    ///   - dto: the decoded book.
    ///   - origin: where it came from.
    ///   - skipped: grows by the levels left out because a number is negative or out of range;
    ///     over REST also by those that could not be read, which a stream tells as messages of
    ///     their own; by one where the market's name is none.
    /// - Returns: the book, empty sides included; nil when it belongs to no market.
    public static func snapshot(
        _ dto: OrderBookDTO,
        origin: OrderBookSnapshot.Origin,
        skipped: inout Int
    ) -> OrderBookSnapshot? {
        guard let market = MarketID(name: dto.symbol) else {
            skipped += 1
            return nil
        }
        var (asksListed, bidsListed) = (0, 0)
        var snapshot = OrderBookSnapshot(
            market: market,
            at: Timestamp(microseconds: dto.atMicroseconds),
            asks: levels(dto.asks, listed: &asksListed, skipped: &skipped) { $0 < $1 },
            bids: levels(dto.bids, listed: &bidsListed, skipped: &skipped) { $0 > $1 },
            origin: origin
        )
        // Of a level that could not be read nobody knows the side: it may have been of either.
        snapshot.asksListed = asksListed + dto.skippedCount
        snapshot.bidsListed = bidsListed + dto.skippedCount
        if origin == .rest { skipped += dto.skippedCount }
        return snapshot
    }

    private static func levels(
        _ wire: [BookLevelDTO],
        listed: inout Int,
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
                listed += 1
                skipped += 1
                continue
            }
            // Nothing is listed at zero; a quantity of zero may be the rest of one at a real price.
            if price.isZero { continue }
            listed += 1
            if quantity.isZero { continue }
            if let last = levels.last { isInOrder = isInOrder && isBetter(last.price, price) }
            levels.append(BookLevel(price: price, quantity: quantity))
        }
        return isInOrder ? levels : ordered(levels, isBetter: isBetter)
    }

    /// The exchange orders its sides; this is for the day on which it does not.
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
