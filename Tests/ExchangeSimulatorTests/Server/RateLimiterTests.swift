import Domain
import HTTPServer
import NetworkAddresses
import Testing

@testable import ExchangeSimulator

@Suite("Token buckets hold one second's requests and refill steadily")
struct RateLimiterTests {
    private static let start = Timestamp(milliseconds: 1_790_000_000_000)
    private static let client = NetworkAddress(127, 0, 0, 1)

    @Test("the first request leaves 149 tokens, the 151st waits for the refill")
    func bucket() {
        let limiter = RateLimiter(perSecond: 150)
        for left in stride(from: 149, through: 0, by: -1) {
            #expect(take(limiter, after: .zero) == left)
        }
        #expect(take(limiter, after: .zero) == nil)
        #expect(take(limiter, after: .milliseconds(6)) == nil)
        #expect(take(limiter, after: .milliseconds(7)) == 0)
        #expect(take(limiter, after: .seconds(60)) == 149)
    }

    @Test("clients and categories have separate buckets")
    func separation() {
        let limiter = RateLimiter(perSecond: 1)
        #expect(take(limiter, after: .zero) == 0)
        #expect(take(limiter, after: .zero) == nil)
        #expect(take(limiter, after: .zero, category: .orderbook) == 0)
        #expect(
            limiter.acquire(client: NetworkAddress(10, 0, 0, 1), category: .ticker, at: Self.start)
                == 0
        )
    }

    @Test(
        "the category follows the path",
        arguments: [
            ("/public/ticker/ALL_KRW", RateLimiter.Category.ticker),
            ("/public/orderbook/BTC_KRW", .orderbook),
            ("/v1/ticker", .ticker), ("/v1/orderbook", .orderbook), ("/v1/trades/ticks", .trades),
            ("/v1/candles/days", .candles), ("/v1/market/all", .other),
            ("/public/transaction_history/BTC_KRW", .trades),
            ("/public/candlestick/BTC_KRW/1h", .candles), ("/public/assetsstatus/ALL", .other),
        ]
    )
    func categories(path: String, category: RateLimiter.Category) {
        #expect(RateLimiter.Category(path: path) == category)
    }

    private func take(
        _ limiter: RateLimiter,
        after elapsed: Duration,
        category: RateLimiter.Category = .ticker
    ) -> Int? {
        limiter.acquire(
            client: Self.client,
            category: category,
            at: Self.start.advanced(by: elapsed)
        )
    }
}
