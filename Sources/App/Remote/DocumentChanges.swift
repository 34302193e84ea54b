import ViewStates

/// Whether documents of a server lack changes that it is reading.
extension MarketListViewState {
    /// Whether the change of a market of the list is not known yet.
    var lacksChanges: Bool {
        health.isReading && (health.known ?? 0) < (health.of ?? 0)
    }
}

extension MarketDetailViewState {
    /// Whether the change in the header is not known yet.
    var lacksChanges: Bool { header.health.isReading && !header.health.complete }
}

extension SnapshotViewState {
    /// Whether a change of the list or in the header is not known yet.
    var lacksChanges: Bool {
        marketList?.lacksChanges ?? false || marketDetail?.lacksChanges ?? false
    }
}

extension HealthViewState {
    /// Whether the server follows its exchange, so that it reads what is missing.
    fileprivate var isReading: Bool { phase == .ready && error == nil }
}
