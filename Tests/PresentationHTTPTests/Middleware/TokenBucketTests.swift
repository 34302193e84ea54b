import TestSupport
import Testing

@testable import PresentationHTTP

@Suite("Token bucket")
struct TokenBucketTests {
    private static let second: Int64 = 1_000_000_000

    @Test("a full bucket allows its quota at once, then one per interval")
    func burst() {
        let quota = RateQuota(count: 60)
        var bucket = TokenBucket()
        for number in 1...60 {
            let taken = bucket.acquire(1, from: quota, at: 0)
            #expect(taken.isAllowed && taken.remaining == 60 - number)
            #expect(taken.fullInSeconds == number)
        }
        #expect(!bucket.has(1, of: quota, at: 0))
        let refused = bucket.acquire(1, from: quota, at: 0)
        #expect(!refused.isAllowed && refused.remaining == 0 && refused.nextInSeconds == 1)
        #expect(!bucket.acquire(1, from: quota, at: Self.second - 1).isAllowed)
        #expect(bucket.acquire(1, from: quota, at: Self.second).isAllowed)
        #expect(!bucket.acquire(1, from: quota, at: Self.second).isAllowed)
    }

    @Test("a refused request is not charged")
    func refusals() {
        let quota = RateQuota(count: 1)
        var bucket = TokenBucket()
        #expect(bucket.acquire(1, from: quota, at: 0).isAllowed)
        for tenth in 1..<600 {
            let taken = bucket.acquire(1, from: quota, at: Int64(tenth) * Self.second / 10)
            #expect(!taken.isAllowed && taken.nextInSeconds >= 1 && taken.nextInSeconds <= 60)
        }
        #expect(bucket.acquire(1, from: quota, at: 60 * Self.second).isAllowed)
    }

    @Test("any minute allows at most twice the quota, and the long-term rate holds")
    func rate() {
        var random = SeededGenerator(seed: 41)
        for count in [1, 7, 60, 1_000, 1_000_000_000] {
            let quota = RateQuota(count: count)
            var bucket = TokenBucket()
            var now: Int64 = 0
            var given = 0
            for _ in 0..<2_000 {
                now += Int64.random(in: 0...(Self.second / 4), using: &random)
                let hasAny = bucket.has(1, of: quota, at: now)
                let taken = bucket.acquire(1, from: quota, at: now)
                #expect(taken.isAllowed == hasAny)
                #expect((0...count).contains(taken.remaining))
                given += taken.isAllowed ? 1 : 0
            }
            let earned = Double(now) / Double(RateQuota.windowNanoseconds) * Double(count)
            #expect(Double(given) <= Double(count) + earned.rounded(.up))
        }
    }

    @Test("a client that waits as told is allowed")
    func waiting() {
        var random = SeededGenerator(seed: 43)
        for count in [1, 3, 50, 900] {
            let quota = RateQuota(count: count)
            var bucket = TokenBucket()
            var now: Int64 = 0
            for _ in 0..<300 {
                let taken = bucket.acquire(1, from: quota, at: now)
                if taken.isAllowed {
                    now += Int64.random(in: 0...(Self.second / 50), using: &random)
                } else {
                    now += Int64(taken.nextInSeconds) * Self.second
                    #expect(bucket.has(1, of: quota, at: now))
                }
            }
        }
    }

    @Test("a request takes its units at once, and a refund gives them back")
    func units() {
        let quota = RateQuota(count: 60)
        var bucket = TokenBucket()
        #expect(bucket.acquire(40, from: quota, at: 0).remaining == 20)
        let refused = bucket.acquire(30, from: quota, at: 0)
        #expect(!refused.isAllowed && refused.remaining == 20 && refused.nextInSeconds == 10)
        #expect(bucket.refund(15, to: quota, at: 0).remaining == 35)
        #expect(bucket.acquire(30, from: quota, at: 0).isAllowed)
        // A refund fills a bucket no further than it is.
        #expect(bucket.refund(1_000, to: quota, at: 0).remaining == 60)
        // A request beyond the whole quota needs a full bucket.
        #expect(bucket.acquire(1_000, from: quota, at: 0).remaining == 0)
        #expect(!bucket.acquire(1_000, from: quota, at: 59 * Self.second).isAllowed)
        #expect(bucket.acquire(1_000, from: quota, at: 60 * Self.second).isAllowed)
    }

    @Test("an earlier time refills nothing")
    func backwards() {
        let quota = RateQuota(count: 1)
        var bucket = TokenBucket()
        #expect(bucket.acquire(1, from: quota, at: 100 * Self.second).isAllowed)
        #expect(!bucket.acquire(1, from: quota, at: 0).isAllowed)
    }
}
