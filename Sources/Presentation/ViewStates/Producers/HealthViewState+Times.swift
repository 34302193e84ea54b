import Domain

extension HealthViewState {
    /// The least change of health times that makes a new revision of an otherwise equal document.
    ///
    /// Every snapshot has newer data. If that alone made a revision, no list would stay unchanged:
    /// no 304, and an event per snapshot on each stream. Consumers compute an age from the `Date`
    /// header, which has whole seconds, so a finer resolution is of no use. Coalesced times are
    /// older than the truth, never newer: data may appear stale up to a second early. `phase` comes
    /// from the exact times, so going stale is reported at once.
    public static let timeResolution: Duration = .seconds(1)

    /// Takes the times of an older, otherwise equal health if they differ by less than
    /// ``timeResolution``.
    mutating func coalesceTimes(of old: HealthViewState) {
        guard Self.isWithinResolution(at, of: old.at),
            Self.isWithinResolution(staleAfter, of: old.staleAfter)
        else { return }
        var coalesced = self
        coalesced.at = old.at
        coalesced.staleAfter = old.staleAfter
        if coalesced == old { self = old }
    }

    private static func isWithinResolution(_ time: Timestamp?, of old: Timestamp?) -> Bool {
        guard let time, let old else { return time == old }
        let passed = time.duration(since: old)
        return passed >= .zero && passed < timeResolution
    }
}

/// A view state with one health for all of its data.
public protocol HealthReporting {
    /// The health.
    var health: HealthViewState { get set }
}

extension HealthReporting {
    /// Coalesces the times of the health.
    public mutating func coalesceTimes(of old: Self) { health.coalesceTimes(of: old.health) }
}

extension MarketDetailViewState {
    /// Coalesces the times of each block.
    public mutating func coalesceTimes(of old: Self) {
        header.coalesceTimes(of: old.header)
        orderBook.coalesceTimes(of: old.orderBook)
        trades.coalesceTimes(of: old.trades)
        chart.coalesceTimes(of: old.chart)
    }
}

extension MarketBlockViewState {
    /// Coalesces the times of the block.
    public mutating func coalesceTimes(of old: Self) { block.coalesceTimes(of: old.block) }
}

extension SnapshotViewState {
    /// Coalesces the times of each document.
    public mutating func coalesceTimes(of old: Self) {
        if let old = old.marketList { marketList?.coalesceTimes(of: old) }
        if let old = old.marketDetail { marketDetail?.coalesceTimes(of: old) }
        if let old = old.assets { assets?.coalesceTimes(of: old) }
        if let old = old.portfolio { portfolio?.coalesceTimes(of: old) }
    }
}

extension MarketListViewState: HealthReporting {}
extension AssetsViewState: HealthReporting {}
extension PortfolioViewState: HealthReporting {}
extension DetailHeaderViewState: HealthReporting {}
extension OrderBookViewState: HealthReporting {}
extension TradesViewState: HealthReporting {}
extension ChartViewState: HealthReporting {}
