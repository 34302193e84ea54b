import DataSourceContracts
import TestSupport
import Testing

@testable import DataSourcesPostgreSQL

@Suite("The roll-up plan equals a check of every bucket")
struct RollUpPlanTests {
    private typealias Span = StoredCandlesDTO.Span
    private typealias Market = RollUpPlan.Market

    /// A bucket of an interval, of one market or, without a name, of all.
    private struct Bucket: Hashable {
        var market: Market
        var interval: RolledInterval
        var from: Int64
    }

    private static let minute: Int64 = 60_000_000
    private static let hour = 60 * minute
    /// 00:00 in Seoul: 2025-06-10 15:00 UTC; all tests use the three days from then.
    private static let midnight: Int64 = 1_749_567_600_000_000
    private static let minutesMax: Int64 = 3 * 1_440
    private static let markets: [Market] = [Array("A".utf8), Array("B".utf8)]

    // MARK: The naive way

    private static func buckets(_ interval: RolledInterval) -> [Int64] {
        Array(
            stride(
                from: midnight,
                to: midnight + minutesMax * minute,
                by: Int64.Stride(interval.microseconds)
            )
        )
    }

    private static func isWhole(
        _ from: Int64,
        _ interval: RolledInterval,
        in spans: [Span]
    ) -> Bool {
        spans.contains { $0.from <= from && from + interval.microseconds <= $0.to }
    }

    private static func isMade(_ bucket: Bucket, in plan: RollUpPlan) -> Bool {
        let key = RollUpPlan.Made(market: bucket.market, interval: bucket.interval)
        return isWhole(bucket.from, bucket.interval, in: plan.made[key] ?? [])
    }

    private static func expected(_ plan: RollUpPlan, until: Int64) -> Set<Bucket> {
        var expected: Set<Bucket> = []
        for interval in RolledInterval.allCases {
            for from in buckets(interval) where from + interval.microseconds <= until {
                let isOfAll = isWhole(from, interval, in: plan.coverage)
                let candidates = isOfAll ? [[]] : markets
                for market in candidates {
                    let known = (plan.coverage + (plan.own[market] ?? [])).joined
                    let bucket = Bucket(market: market, interval: interval, from: from)
                    if isWhole(from, interval, in: known), !isMade(bucket, in: plan) {
                        expected.insert(bucket)
                    }
                }
            }
        }
        return expected
    }

    /// The buckets of steps; each is in one step, and none crosses midnight.
    private static func buckets(of steps: [RollUpPlan.Step]) -> Set<Bucket> {
        var found: Set<Bucket> = []
        for step in steps {
            let length = step.interval.microseconds
            #expect(step.from < step.to)
            #expect((step.to - step.from) % length == 0)
            let day = RolledInterval.day1.bucketStart(of: step.from)
            #expect(step.to <= day + RolledInterval.day1.microseconds)
            for from in stride(from: step.from, to: step.to, by: Int64.Stride(length)) {
                for market in step.markets.isEmpty ? [[]] : step.markets {
                    let bucket = Bucket(market: market, interval: step.interval, from: from)
                    let (isNew, _) = found.insert(bucket)
                    #expect(isNew)
                }
            }
        }
        return found
    }

    // MARK: Random plans

    private static func spans(
        _ count: Int,
        _ grid: Int64,
        using random: inout SeededGenerator
    ) -> [Span] {
        (0..<count).map { _ in
            let from = Int64.random(in: 0..<minutesMax, using: &random) / grid * grid
            let length = Int64.random(in: 1...1_800, using: &random) / grid * grid
            let to = min(from + length, minutesMax / grid * grid)
            return Span(from: midnight + from * minute, to: midnight + to * minute)
        }
        .joined
    }

    private static func plan(using random: inout SeededGenerator) -> RollUpPlan {
        var plan = RollUpPlan()
        plan.coverage = spans(.random(in: 0...3, using: &random), 1, using: &random)
        for market in markets {
            plan.own[market] = spans(.random(in: 0...3, using: &random), 1, using: &random)
        }
        for interval in RolledInterval.allCases {
            for market in [[]] + markets where Bool.random(using: &random) {
                let key = RollUpPlan.Made(market: market, interval: interval)
                // Sometimes split within a bucket, as after removal of old candles.
                let grid = Bool.random(using: &random) ? interval.microseconds / minute : 1
                plan.made[key] = spans(2, grid, using: &random)
            }
        }
        return plan
    }

    @Test(
        "steps are the buckets that are covered, closed and not built",
        arguments: Array(0..<60) as [UInt64]
    )
    func steps(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plan = Self.plan(using: &random)
        let minutes = Int64.random(in: 0...Self.minutesMax, using: &random)
        let until = Self.midnight + minutes * Self.minute + .random(in: -1...1, using: &random)
        let steps = plan.steps(until: until)
        #expect(Self.buckets(of: steps) == Self.expected(plan, until: until))
    }

    @Test(
        "portions together build everything once",
        arguments: Array(0..<20) as [UInt64]
    )
    func portions(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var plan = Self.plan(using: &random)
        let until = Self.midnight + Self.minutesMax * Self.minute
        let steps = plan.steps(until: until)
        var left = steps
        var done: [RollUpPlan.Step] = []
        while !left.isEmpty {
            let portion = Array(RollUpPlan.portion(of: left))
            guard !portion.isEmpty else {
                Issue.record("a portion without a step")
                return
            }
            // All but the last step are within a quarter of a day.
            let read = portion.dropLast().reduce(Int64(0)) { sum, step in
                sum + (step.to - step.from) / (step.markets.isEmpty ? 1 : 256)
            }
            #expect(read < 6 * Self.hour)
            for step in portion {
                let market = step.markets.first ?? []
                let key = RollUpPlan.Made(market: market, interval: step.interval)
                let span = Span(from: step.from, to: step.to)
                plan.made[key] = ((plan.made[key] ?? []) + [span]).joined
            }
            done += portion
            left = plan.steps(until: until)
        }
        #expect(Self.buckets(of: done) == Self.buckets(of: steps))
    }

    @Test(
        "buckets with late minutes are built again if they were built before",
        arguments: Array(0..<40) as [UInt64]
    )
    func again(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let plan = Self.plan(using: &random)
        let late = (0..<6).map { _ in
            let hours = Int64.random(in: 0..<Self.minutesMax / 60, using: &random)
            return RollUpPlan.Late(
                market: Self.markets.randomElement(using: &random) ?? [],
                hour: Self.midnight + hours * Self.hour
            )
        }
        var expected: Set<Bucket> = []
        for entry in late {
            let known = (plan.coverage + (plan.own[entry.market] ?? [])).joined
            for interval in RolledInterval.allCases {
                for from in Self.buckets(interval)
                where from < entry.hour + Self.hour && from + interval.microseconds > entry.hour {
                    let isMade = [[], entry.market].contains { market in
                        let bucket = Bucket(market: market, interval: interval, from: from)
                        return Self.isMade(bucket, in: plan)
                    }
                    if isMade, Self.isWhole(from, interval, in: known) {
                        let bucket = Bucket(market: entry.market, interval: interval, from: from)
                        expected.insert(bucket)
                    }
                }
            }
        }
        // Two late hours of one long bucket give it once.
        #expect(Self.buckets(of: plan.steps(again: late)) == expected)
    }

    @Test("span arithmetic equals sets of minutes", arguments: Array(0..<40) as [UInt64])
    func cutting(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let some = Self.spans(.random(in: 0...5, using: &random), 60, using: &random)
        let others = Self.spans(.random(in: 0...5, using: &random), 60, using: &random)
        let hours = { (spans: [Span]) in
            Set(
                spans.flatMap {
                    Array(stride(from: $0.from, to: $0.to, by: Int64.Stride(Self.hour)))
                }
            )
        }
        #expect(hours(some.subtracting(others)) == hours(some).subtracting(hours(others)))
        #expect(hours(some.intersection(with: others)) == hours(some).intersection(hours(others)))
        #expect(some.subtracting(others).joined == some.subtracting(others))
    }
}
