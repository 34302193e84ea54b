import Synchronization

/// Caches the generated histories of recently requested markets, because generating one takes
/// milliseconds.
///
/// Bounded by 16 archives of about one megabyte; the least recently used is evicted. Two concurrent
/// requests may both generate an archive, with equal rows.
final class ChartArchiveCache: Sendable {
    private struct State {
        /// Most recently used last.
        var archives: [(key: UInt64, archive: ChartArchive)] = []
    }

    private let state = Mutex(State())
    private static let archivesMax = 16

    /// The time before the simulation began; nil for a coin that was listed later.
    func archive(of market: SimulatedMarket) -> ChartArchive? {
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

    private func archive(_ key: UInt64) -> ChartArchive? {
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
