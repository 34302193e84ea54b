import Concurrency
import DataSourceContracts
import Domain
import Synchronization

/// The stream connections that carry the order books of one API generation.
final class BookLane: Sendable {
    /// The generation.
    let generation: APIGeneration
    /// The rules of its connections.
    let state = Mutex(BookStreamStateMachine())
    /// Wakes the task that acts for ``state``.
    let changed = AsyncEvent()

    private let routed = Mutex<Set<MarketID>>([])
    private let reported = Mutex<Set<MarketID>>([])

    init(_ generation: APIGeneration) { self.generation = generation }

    /// The markets whose books come from here.
    var markets: Set<MarketID> { routed.withLock { $0 } }

    /// The markets that are subscribed.
    var subscribed: Set<MarketID> { reported.withLock { $0 } }

    /// Sets the markets whose books come from here.
    ///
    /// - Returns: the new ones.
    func route(_ markets: Set<MarketID>) -> Set<MarketID> {
        let before = routed.withLock { routed in
            defer { routed = markets }
            return routed
        }
        guard before != markets else { return [] }
        state.withLock { $0.want(markets) }
        changed.signal()
        return markets.subtracting(before)
    }

    /// Sets the markets that are subscribed.
    func report(_ markets: Set<MarketID>) { reported.withLock { $0 = markets } }
}
