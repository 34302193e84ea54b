public import DataSourceContracts
import Synchronization

/// What a fake exchange was asked for, in order and with the time.
public final class AccessLog: Sendable {
    /// One request.
    public enum Request: Sendable, Hashable {
        /// All markets of a quote currency.
        case listing(quote: String)
        /// The order book of a market over REST.
        case orderBook(symbol: String)
        /// Past trades of a market over REST, so many at the most.
        case trades(symbol: String, count: Int)
        /// Candles of a market over REST.
        case candles(symbol: String, interval: String)
        /// Deposits and withdrawals of all coins.
        case assetStatuses
        /// All markets with their names.
        case marketNames
        /// The warnings in force.
        case marketAlerts
        /// A stream connection.
        case connection
        /// What was subscribed at once.
        case subscription([StreamSubscriptionDTO])
        /// The end of a stream connection.
        case close
    }

    /// A request and when it came, on the test's clock.
    public struct Entry: Sendable, Hashable {
        /// The time since the clock was made.
        public let at: Duration
        /// The request.
        public let request: Request
    }

    private let clock: ManualClock
    private let state = Mutex<[Entry]>([])

    /// Makes an empty log.
    public init(clock: ManualClock) { self.clock = clock }

    /// Everything so far.
    public var entries: [Entry] { state.withLock { $0 } }

    /// The requests so far, without their times.
    public var requests: [Request] { entries.map(\.request) }

    /// When such requests came.
    public func times(where isMeant: (Request) -> Bool) -> [Duration] {
        entries.filter { isMeant($0.request) }.map(\.at)
    }

    /// Forgets everything so far.
    public func clear() { state.withLock { $0 = [] } }

    func note(_ request: Request) {
        let entry = Entry(at: clock.now.offset, request: request)
        state.withLock { $0.append(entry) }
    }
}
