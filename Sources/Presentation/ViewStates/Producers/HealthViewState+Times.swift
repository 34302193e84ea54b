import Domain

extension HealthViewState {
    /// How much newer the newest data have to be for a document to be told anew though nothing else
    /// in it has changed.
    ///
    /// A feed has data in every cut. If that alone made a revision, no list would ever be the same
    /// as before, however few markets it shows: no answer a 304, no stream without an event. A
    /// consumer's age is the `Date` header, which tells whole seconds, minus `at`, so nobody could
    /// tell more than a second apart. What is held is older than the truth, never newer: data are
    /// taken for stale a second early at the most, and never for fresh too long. Whether they are
    /// stale is decided by the times of the cut and is told at once.
    public static let timeResolution: Duration = .seconds(1)

    /// Takes over the times of an older health that says the same and is hardly older.
    mutating func coalesceTimes(of old: HealthViewState) {
        guard Self.isHardlyLater(at, than: old.at),
            Self.isHardlyLater(staleAfter, than: old.staleAfter)
        else { return }
        var held = self
        held.at = old.at
        held.staleAfter = old.staleAfter
        if held == old { self = old }
    }

    private static func isHardlyLater(_ time: Timestamp?, than old: Timestamp?) -> Bool {
        guard let time, let old else { return time == old }
        let passed = time.duration(since: old)
        return passed >= .zero && passed < timeResolution
    }
}

/// A document, or a part of one, that tells once how fresh all of it is.
public protocol HealthReporting {
    /// How fresh and complete it is.
    var health: HealthViewState { get set }
}

extension HealthReporting {
    /// Takes over the times of an older health that says the same and is hardly older.
    public mutating func coalesceTimes(of old: Self) { health.coalesceTimes(of: old.health) }
}

extension MarketDetailViewState {
    /// That of each block.
    public mutating func coalesceTimes(of old: Self) {
        header.coalesceTimes(of: old.header)
        orderBook.coalesceTimes(of: old.orderBook)
        trades.coalesceTimes(of: old.trades)
        chart.coalesceTimes(of: old.chart)
    }
}

extension MarketBlockViewState {
    /// That of the block.
    public mutating func coalesceTimes(of old: Self) { block.coalesceTimes(of: old.block) }
}

extension SnapshotViewState {
    /// Those of each document.
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
