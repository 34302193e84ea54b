import Synchronization

/// Caches generated parts of the pasts of recently requested markets, because generating one takes
/// milliseconds.
///
/// Bounded by a number of parts; the least recently used is evicted. Two concurrent requests may
/// both generate a part, with equal contents.
final class PastCache<Part: Sendable>: Sendable {
    private struct State {
        /// Most recently used last.
        var parts: [(key: UInt64, part: Part)] = []
    }

    private let state = Mutex(State())
    private let partsMax: Int
    private let make: @Sendable (PastMarket) -> Part

    init(partsMax: Int, make: @escaping @Sendable (PastMarket) -> Part) {
        self.partsMax = partsMax
        self.make = make
    }

    /// The part of a market's past; nil for a coin that was listed after the start.
    func part(of market: SimulatedMarket) -> Part? {
        guard let past = market.past else { return nil }
        if let known = part(past.key) { return known }
        let made = make(past)
        state.withLock { state in
            state.parts.removeAll { $0.key == past.key }
            if state.parts.count >= partsMax { state.parts.removeFirst() }
            state.parts.append((past.key, made))
        }
        return made
    }

    private func part(_ key: UInt64) -> Part? {
        state.withLock { state in
            guard let index = state.parts.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = state.parts.remove(at: index)
            state.parts.append(entry)
            return entry.part
        }
    }
}
