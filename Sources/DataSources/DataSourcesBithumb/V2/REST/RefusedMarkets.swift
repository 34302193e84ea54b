import Concurrency
import Synchronization

/// The markets that the exchange lists and yet refuses, so that their calls do not fail again.
///
/// Bound: ``marketsMax`` markets; further ones are not remembered.
final class RefusedMarkets: Sendable {
    /// How long a market is left out.
    static let memory: Duration = .seconds(600)
    /// The most markets: more than the exchange lists.
    static let marketsMax = 1_000

    private let stopwatch: Stopwatch
    /// Until when each market is left out.
    private let ends = Mutex<[String: Duration]>([:])

    /// Remembers no market.
    init(stopwatch: Stopwatch) { self.stopwatch = stopwatch }

    /// The markets that were not refused lately.
    func leavingOut(of markets: [String]) -> [String] {
        let now = stopwatch.elapsed
        let ends = ends.withLock { ends in
            ends = ends.filter { $0.value > now }
            return ends
        }
        return markets.filter { ends[$0] == nil }
    }

    /// Remembers refused markets.
    func note(_ markets: [String]) {
        let end = stopwatch.elapsed + Self.memory
        ends.withLock { ends in
            for market in markets.prefix(max(0, Self.marketsMax - ends.count)) {
                ends[market] = end
            }
        }
    }
}
