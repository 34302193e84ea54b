import Domain
import HTTPServer
import NetworkAddresses
import Synchronization

/// Token buckets, one per client and category, as the exchange's headers describe them.
final class RateLimiter: Sendable {
    /// The category by which requests are counted for a client, both APIs together.
    enum Category: Sendable, Hashable {
        case ticker, orderbook, trades, candles, other

        init(path: String) {
            if path.hasPrefix("/public/ticker/") || path == "/v1/ticker" {
                self = .ticker
            } else if path.hasPrefix("/public/orderbook/") || path == "/v1/orderbook" {
                self = .orderbook
            } else if path.hasPrefix("/public/transaction_history/")
                || path.hasPrefix("/v1/trades/")
            {
                self = .trades
            } else if path.hasPrefix("/public/candlestick/") || path.hasPrefix("/v1/candles/") {
                self = .candles
            } else {
                self = .other
            }
        }
    }

    private struct Key: Hashable {
        var client: NetworkAddress
        var category: Category
    }

    private struct Bucket {
        /// Millionths of a token.
        var level: Int64
        var at: Timestamp
    }

    /// Bucket size and refill per second.
    let perSecond: Int
    private let buckets = Mutex<[Key: Bucket]>([:])
    /// Maximum number of buckets; beyond it, full buckets are evicted.
    private static let bucketsMax = 4_096
    private static let unitsPerToken: Int64 = 1_000_000

    init(perSecond: Int) {
        self.perSecond = perSecond
    }

    /// Takes a token.
    ///
    /// - Returns: the number of whole tokens left; nil if there was none.
    func acquire(client: NetworkAddress, category: Category, at now: Timestamp) -> Int? {
        let capacity = Int64(perSecond) * Self.unitsPerToken
        return buckets.withLock { buckets in
            let key = Key(client: client, category: category)
            var bucket = buckets[key] ?? Bucket(level: capacity, at: now)
            // One token a second is one unit a microsecond.
            let elapsed = min(1_000_000, max(0, now.microseconds - bucket.at.microseconds))
            bucket.level = min(capacity, bucket.level + elapsed * Int64(perSecond))
            bucket.at = now
            let isGranted = bucket.level >= Self.unitsPerToken
            if isGranted { bucket.level -= Self.unitsPerToken }
            if buckets[key] == nil, buckets.count >= Self.bucketsMax {
                buckets = buckets.filter { now.microseconds - $0.value.at.microseconds < 1_000_000 }
                if buckets.count >= Self.bucketsMax { return isGranted ? perSecond - 1 : nil }
            }
            buckets[key] = bucket
            return isGranted ? Int(bucket.level / Self.unitsPerToken) : nil
        }
    }
}
