public import Domain

/// The last hour of a book's spread; of screens, never of documents.
public struct SpreadHourViewState: Sendable, Equatable {
    /// The mean of each minute in basis points, from the oldest known minute to the running one;
    /// nil for a minute in which the book was not followed or was stale.
    public var minutes: [FixedDecimal?]
    /// `12.3bp`: the time-weighted mean; nil before the first known minute is over.
    public var meanText: String?
    /// `8.1–14.0bp`: the least and the greatest mean of a minute; one figure if both print alike.
    public var rangeText: String
    /// For how many whole minutes the spread is known: 60 for the whole hour.
    public var minutesKnown: Int
    /// The present spread against the mean, both as printed; nil without either.
    public var trend: DirectionViewState?

    /// Presents an hour.
    ///
    /// - Parameters:
    ///   - hour: of the history.
    ///   - spread: the present spread in basis points; nil while there is none.
    public init(_ hour: SpreadHour, spread: FixedDecimal?) {
        minutes = hour.minutes
        let known = hour.minutes.compactMap { $0 }
        let low = NumberText.basisPoints(known.min() ?? hour.mean)
        let high = NumberText.basisPoints(known.max() ?? hour.mean)
        rangeText = low == high ? low : String(low.dropLast(2)) + "–" + high
        // The running minute is one of the sixty, so a whole hour is never known to the second.
        let whole = Int(hour.known.components.seconds / 60)
        minutesKnown = whole >= SpreadHistory.minutesKept - 1 ? SpreadHistory.minutesKept : whole
        meanText = whole > 0 ? NumberText.basisPoints(hour.mean) : nil
        guard let spread, let meanText else { return }
        let text = NumberText.basisPoints(spread)
        trend = text == meanText ? .flat : (spread < hour.mean ? .down : .up)
    }
}

extension OrderBookViewState {
    /// The spread in basis points of the midpoint, exact to 18 digits; nil with an empty side.
    public var spreadBasisPoints: FixedDecimal? {
        guard let ask = best.ask?.price, let bid = best.bid?.price else { return nil }
        return FixedDecimal.spreadBasisPoints(ask: ask, bid: bid)
    }
}
