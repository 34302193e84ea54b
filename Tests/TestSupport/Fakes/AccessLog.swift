public import DataSourceContracts
import Synchronization

/// The requests to a fake exchange, in order and with their times.
public final class AccessLog: Sendable {
    /// One request.
    public enum Request: Sendable, Hashable {
        /// All markets of a quote currency.
        case listing(quote: String)
        /// Chosen markets of API 2.x.
        case tickers(markets: [String])
        /// The order book of a market over REST.
        case orderBook(symbol: String)
        /// Past trades of a market over REST, at most `count`.
        case trades(symbol: String, count: Int)
        /// Candles of a market over REST.
        case candles(symbol: String, interval: String)
        /// Deposits and withdrawals of all coins.
        case assetStatuses
        /// All markets with their names.
        case marketNames
        /// The active warnings.
        case marketAlerts
        /// A stream connection.
        case connection
        /// The subscriptions of one message.
        case subscription([StreamSubscriptionDTO])
        /// The end of a stream connection.
        case close
    }

    /// A request and its time on the test's clock.
    public struct Entry: Sendable, Hashable {
        /// The time since the clock was created.
        public let at: Duration
        /// The request.
        public let request: Request
    }

    private let clock: ManualClock
    private let state = Mutex<[Entry]>([])

    /// Creates an empty log.
    public init(clock: ManualClock) { self.clock = clock }

    /// All entries.
    public var entries: [Entry] { state.withLock { $0 } }

    /// All requests, without their times.
    public var requests: [Request] { entries.map(\.request) }

    /// The times of matching requests.
    public func times(where isMeant: (Request) -> Bool) -> [Duration] {
        entries.filter { isMeant($0.request) }.map(\.at)
    }

    /// Removes all entries.
    public func clear() { state.withLock { $0 = [] } }

    func note(_ request: Request) {
        let entry = Entry(at: clock.now.offset, request: request)
        state.withLock { $0.append(entry) }
    }
}
