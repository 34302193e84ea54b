extension MarketBoard {
    /// Takes an event of the feed of details.
    mutating func apply(
        detail event: MarketEvent,
        receivedAt: Timestamp,
        _ changes: inout BoardChanges
    ) {
    }
}
