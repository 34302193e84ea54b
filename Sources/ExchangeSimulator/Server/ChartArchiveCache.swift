import Synchronization

/// The pasts of the markets that were asked for last, because making one up takes milliseconds.
///
/// The bound: 16 archives of about a megabyte; the one that was not asked for longest goes. Two who
/// ask for the same one at the same time may both make it, which gives the same rows.
final class ChartArchiveCache: Sendable {
    private struct State {
        /// The one asked for last is last.
        var archives: [(key: UInt64, archive: MarketArchive)] = []
    }

    private let state = Mutex(State())
    private static let archivesMax = 16

    /// What was before the simulation began; nil for a coin that was listed since.
    func archive(of market: SimulatedMarket) -> MarketArchive? {
        guard let past = market.past else { return nil }
        if let known = archive(past.key) { return known }
        let made = past.archive()
        state.withLock { state in
            state.archives.removeAll { $0.key == past.key }
            if state.archives.count >= Self.archivesMax { state.archives.removeFirst() }
            state.archives.append((past.key, made))
        }
        return made
    }

    private func archive(_ key: UInt64) -> MarketArchive? {
        state.withLock { state in
            guard let index = state.archives.firstIndex(where: { $0.key == key }) else {
                return nil
            }
            let entry = state.archives.remove(at: index)
            state.archives.append(entry)
            return entry.archive
        }
    }
}
