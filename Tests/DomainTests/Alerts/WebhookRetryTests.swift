import Domain
import TestSupport
import Testing

@Suite("Failed deliveries to a webhook are repeated for a day, with growing waits")
struct WebhookRetryTests {
    private static func outcome(
        _ result: WebhookResult,
        attempts: Int = 0,
        inRow: Int? = nil,
        after seconds: Int = 0
    ) throws -> WebhookOutcome {
        var delivery = WebhookDelivery(
            user: .local,
            number: 3,
            alert: .sample(3),
            storedAt: .noon(),
            url: "https://example.com",
            createdAt: .noon(-9),
            sealedSecret: []
        )
        delivery.attempts = attempts
        delivery.failuresInRow = inRow
        return try #require(
            WebhookOutcome(result, of: delivery, at: .noon(seconds), random: 1_024)
        )
    }

    @Test("the wait triples from 5 s to an hour, and is random between its half and its whole")
    func waits() {
        let wholes = [5, 15, 45, 135, 405, 1_215, 3_600, 3_600]
        for (index, seconds) in wholes.enumerated() {
            let failures = index + 1
            #expect(WebhookRetry.wait(after: failures, random: 1_024) == .seconds(seconds))
            #expect(WebhookRetry.wait(after: failures, random: 0) == .seconds(seconds) / 2)
        }
        #expect(WebhookRetry.wait(after: .max, random: 1_024) == .seconds(3_600))
        #expect(WebhookRetry.wait(after: 0, random: 1_024) == .seconds(5))
    }

    @Test("an accepted alert has no failure")
    func accepted() throws {
        let outcome = try Self.outcome(.accepted, attempts: 4, inRow: 9)
        #expect(outcome.failure == nil)
        #expect(outcome.number == 3)
        #expect(outcome.createdAt == .noon(-9))
    }

    @Test("alert and receiver have waits of their own; a longer one that is asked for counts")
    func failed() throws {
        let result = WebhookResult.failed("status 500", retryAfter: nil)
        let failure = try #require(try Self.outcome(result, attempts: 1, inRow: 2).failure)
        #expect(failure.attempts == 2)
        #expect(failure.failuresInRow == 3)
        #expect(failure.retryAt == .noon(15))
        #expect(failure.receiverBackoffUntil == .noon(45))
        #expect(failure.givesUpBefore == .noon(-24 * 3_600))
        for (asked, granted) in [(1, 5), (60, 60), (999_999, 3_600)] {
            let result = WebhookResult.failed("status 503", retryAfter: .seconds(asked))
            let failure = try #require(try Self.outcome(result).failure)
            #expect(failure.retryAt == .noon(granted))
            #expect(failure.receiverBackoffUntil == .noon(granted))
        }
    }

    @Test("an attempt whose successor would come after a day is the last")
    func end() throws {
        let result = WebhookResult.failed("status 500", retryAfter: nil)
        let day = 24 * 3_600
        let last = try Self.outcome(result, attempts: 30, after: day - 3_600)
        #expect(last.failure?.retryAt == .noon(day))
        #expect(try Self.outcome(result, attempts: 30, after: day - 3_599).failure?.retryAt == nil)
    }

    @Test("a reason is cut at 200 bytes, between characters, and is never empty")
    func reasons() {
        let at = Timestamp.noon()
        #expect(WebhookFailure(at: at, reason: "").reason == "failed")
        #expect(WebhookFailure(at: at, reason: "한글").reason == "한글")
        let long = WebhookFailure(at: at, reason: String(repeating: "글", count: 70)).reason
        #expect(long == String(repeating: "글", count: 66))
    }
}
