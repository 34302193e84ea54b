import TestSupport
import Testing

@testable import Domain
@testable import PresentationHTTP
import UseCases

@Suite("Metrics of feed and store")
struct MetricFamilyTests {
    private func value(
        _ name: String,
        _ labels: String...,
        in families: [MetricFamily]
    ) -> Double? {
        families.first { $0.name == name }?.samples
            .first { $0.labels.map(\.value) == labels && $0.suffix.isEmpty }?.value
    }

    @Test("before the first data there is no feed age")
    func noAge() {
        let board = MarketBoard(kind: .live)
        let families = FeedMetrics.families(board, now: SampleBoard.start)
        #expect(families.first { $0.name == "hoga_feed_age_seconds" }?.samples.isEmpty == true)
        #expect(value("hoga_feed_reconnects_total", in: families) == 0)
    }

    @Test("the feed age is never negative")
    func age() {
        var sample = SampleBoard.live()
        sample.trade("BTC_KRW", at: "143210000")
        let told = sample.board.feed.lastActivityAt ?? SampleBoard.start
        for (later, age) in [(Duration.milliseconds(2_500), 2.5), (.seconds(-3), 0)] {
            let families = FeedMetrics.families(sample.board, now: told.advanced(by: later))
            #expect(value("hoga_feed_age_seconds", in: families) == age)
        }
    }

    @Test("alerts and webhooks are absent without a store and a key")
    func alerts() {
        var metrics = AlertMetrics()
        #expect(metrics.families.flatMap(\.samples) == [])
        metrics.rules = .init(count: 5, pending: 4, dropped: 3)
        metrics.webhooks = .init(accepted: 9, failed: 8, deadLetters: 7, inFlight: 6, waiting: 2)
        let families = metrics.families
        #expect(value("hoga_alert_rules", in: families) == 5)
        #expect(value("hoga_alerts_pending", in: families) == 4)
        #expect(value("hoga_alerts_dropped_total", in: families) == 3)
        #expect(value("hoga_webhook_attempts_total", "accepted", in: families) == 9)
        #expect(value("hoga_webhook_attempts_total", "failed", in: families) == 8)
        #expect(value("hoga_webhook_dead_letters_total", in: families) == 7)
        #expect(value("hoga_webhook_requests", in: families) == 6)
        #expect(value("hoga_webhook_waiting", in: families) == 2)
    }

    @Test("users in memory are measured with their bound")
    func users() {
        let families = ProcessMetrics.users(.init(users: 3, bytes: 18_000, bytesMax: 64 << 20))
        #expect(value("hoga_users", in: families) == 3)
        #expect(value("hoga_user_bytes", in: families) == 18_000)
        #expect(value("hoga_user_bytes_max", in: families) == 67_108_864)
    }

    @Test("skipped entries are counted by kind, reconnects of both streams together")
    func counts() {
        var sample = SampleBoard.live()
        for (number, kind) in SkippedEntries.Kind.allCases.enumerated() {
            sample.apply(.skipped(number + 1, kind))
        }
        let lost = FeedFailure(code: .disconnected, detail: "", isRetryable: true)
        let retry = SampleBoard.start
        sample.apply(.feed(.reconnecting(attempt: 1, nextRetryAt: retry, failure: lost)))
        sample.applyDetails(.feed(.subscribed(["BTC_KRW"])))
        sample.applyDetails(
            .feed(.disconnected(attempt: 1, nextRetryAt: retry, failure: lost))
        )
        let families = FeedMetrics.families(sample.board, now: SampleBoard.start)
        for (number, kind) in SkippedEntries.Kind.allCases.enumerated() {
            let told = value("hoga_decode_skipped_total", kind.rawValue, in: families)
            #expect(told == Double(number + 1))
        }
        #expect(value("hoga_feed_reconnects_total", in: families) == 2)
        for reason in BookCorrections.Reason.allCases {
            #expect(value("hoga_book_heals_total", reason.rawValue, in: families) == 0)
        }
    }

    @Test("without a store there are no store samples")
    func noStore() {
        let families = StoreMetrics(isUp: nil).families
        #expect(families.count == 10)
        #expect(families.allSatisfy { $0.samples.isEmpty })
    }

    @Test("a shared store has waits, leader and lag")
    func sharedStore() {
        var metrics = StoreMetrics(
            isUp: true,
            isHearingNews: false,
            isReadingStandby: true,
            standbyAge: .milliseconds(1_500),
            pool: .init(count: 4, total: .milliseconds(1_500), longestInLastMinute: nil),
            candles: .init(isLeading: false, isLed: true, lag: nil, bufferedRows: 12)
        )
        var families = metrics.families
        #expect(value("hoga_store_up", in: families) == 1)
        #expect(value("hoga_news_up", in: families) == 0)
        #expect(value("hoga_standby_up", in: families) == 1)
        #expect(value("hoga_standby_age_seconds", in: families) == 1.5)
        #expect(value("hoga_pool_wait_seconds", "1", in: families)?.isNaN == true)
        let waits = families.first { $0.name == "hoga_pool_wait_seconds" }?.samples ?? []
        #expect(waits.map(\.suffix) == ["", "_sum", "_count"])
        #expect(waits.dropFirst().map(\.value) == [1.5, 4])
        #expect(value("hoga_candle_leader", in: families) == 0)
        #expect(value("hoga_candle_led", in: families) == 1)
        #expect(value("hoga_candle_lag_seconds", in: families) == nil)
        #expect(value("hoga_candle_buffer_rows", in: families) == 12)
        metrics = StoreMetrics(
            isUp: false,
            candles: .init(isLeading: true, isLed: true, lag: .seconds(61), bufferedRows: 0)
        )
        families = metrics.families
        #expect(value("hoga_store_up", in: families) == 0)
        #expect(value("hoga_standby_up", in: families) == nil)
        #expect(value("hoga_candle_leader", in: families) == 1)
        #expect(value("hoga_candle_lag_seconds", in: families) == 61)
    }
}
