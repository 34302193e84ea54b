import DataSourceContracts
import Testing

@Suite("Webhooks of every store: each alert waits until it was accepted or given up")
struct WebhookStoreContractTests {
    private static let new = NewWebhookDTO(
        url: "https://example.com/a?b=c",
        sealedSecret: [0, 1, 255],
        createdAt: 50
    )

    /// An attempt with the webhook that was set at 50.
    private static func attempt(
        _ number: Int64,
        of user: Int64 = 1,
        at: Int64 = 60,
        version: Int64 = 50,
        attempts: Int64 = 1,
        retryAt: Int64?,
        givesUpBefore: Int64 = 0
    ) -> WebhookAttemptDTO {
        WebhookAttemptDTO(
            user: user,
            number: number,
            createdAt: version,
            at: at,
            failure: .init(
                reason: "status 500",
                attempts: attempts,
                inRow: 3,
                retryAt: retryAt,
                backoffUntil: at + 5,
                givesUpBefore: givesUpBefore
            )
        )
    }

    private static func accepted(
        _ number: Int64,
        of user: Int64 = 1,
        at: Int64 = 60,
        version: Int64 = 50
    ) -> WebhookAttemptDTO {
        WebhookAttemptDTO(user: user, number: number, createdAt: version, at: at, failure: nil)
    }

    /// Logs an alert of rule 1 at each time.
    private static func fire(
        _ times: [Int64],
        of user: Int64 = 1,
        _ stand: AlertStoreStand
    ) async throws {
        let lease = try await stand.lease()
        _ = try await stand.store.storeAlerts(
            times.map { NewAlertDTO(1, at: $0, of: user) },
            at: 100,
            under: lease
        )
    }

    @Test(
        "a webhook is set, read, replaced and removed, with rows in the journal",
        arguments: AlertStoreSubject.allCases
    )
    func setting(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            #expect(try await store.webhook(of: 1, deadLettersMax: 9) == nil)
            #expect(try await !store.removeWebhook(of: 1, at: 49))
            try await store.setWebhook(Self.new, of: 1)
            var expected = WebhookDTO(url: Self.new.url, createdAt: 50)
            #expect(try await store.webhook(of: 1, deadLettersMax: 9) == expected)
            var other = Self.new
            other.url = "https://example.org"
            other.createdAt = 51
            try await store.setWebhook(other, of: 1)
            expected = WebhookDTO(url: other.url, createdAt: 51)
            #expect(try await store.webhook(of: 1, deadLettersMax: 9) == expected)
            #expect(try await store.removeWebhook(of: 1, at: 52))
            #expect(try await store.webhook(of: 1, deadLettersMax: 9) == nil)
            let journal = try await store.journal(user: 1, newest: 9)
            #expect(journal.map(\.kind) == ["webhook.remove", "webhook.set", "webhook.set"])
            #expect(journal.map(\.at) == [52, 51, 50])
            let code = await StoreSubject.code { () throws(StoreError) in
                try await store.setWebhook(Self.new, of: 77)
            }
            #expect(code == .unavailable)
        }
    }

    @Test(
        "alerts after the webhook are delivered in order, one of a user at a time",
        arguments: AlertStoreSubject.allCases
    )
    func order(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            try await stand.add(1)
            try await Self.fire([20], stand)
            try await store.setWebhook(Self.new, of: 1)
            #expect(try await store.webhookDeliveries(of: nil, feed: "live", at: 80) == [])
            try await Self.fire([21, 22], stand)
            let first = WebhookDeliveryDTO(
                user: 1,
                alert: NewAlertDTO(1, at: 21).logged(2, at: 100),
                url: Self.new.url,
                createdAt: 50,
                sealedSecret: [0, 1, 255],
                attempts: 0,
                failures: nil,
                notBefore: nil
            )
            #expect(try await store.webhookDeliveries(of: nil, feed: "live", at: 80) == [first])
            #expect(try await store.webhookDeliveries(of: [1, 9], feed: "live", at: 80) == [first])
            #expect(try await store.webhookDeliveries(of: [9], feed: "live", at: 80) == [])
            #expect(try await store.webhookDeliveries(of: nil, feed: "simulated", at: 80) == [])
            #expect(try await store.webhook(of: 1, deadLettersMax: 9)?.pendingCount == 2)

            try await store.recordWebhookAttempts([Self.accepted(2)], feed: "live")
            let next = try await store.webhookDeliveries(of: nil, feed: "live", at: 80)
            #expect(next.map(\.alert.number) == [3])
            #expect(next.map(\.failures) == [0])
            try await store.recordWebhookAttempts([Self.accepted(3, at: 61)], feed: "live")
            #expect(try await store.webhookDeliveries(of: nil, feed: "live", at: 80) == [])
            let webhook = try #require(try await store.webhook(of: 1, deadLettersMax: 9))
            #expect(webhook.pendingCount == 0)
            #expect(webhook.lastSuccessAt == 61)
            #expect(webhook.failedAt == nil)
        }
    }

    @Test(
        "a failed alert waits behind new ones, is tried again, and ends as a dead letter",
        arguments: AlertStoreSubject.allCases
    )
    func failing(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            try await stand.add(1)
            try await store.setWebhook(Self.new, of: 1)
            try await Self.fire([21, 22], stand)
            try await store.recordWebhookAttempts([Self.attempt(1, retryAt: 90)], feed: "live")
            let untried = try #require(
                try await store.webhookDeliveries(of: nil, feed: "live", at: 80).first
            )
            #expect(untried.alert.number == 2)
            #expect(untried.notBefore == 65)
            #expect(untried.failures == 3)
            #expect(untried.attempts == 0)
            var webhook = try #require(try await store.webhook(of: 1, deadLettersMax: 9))
            #expect(webhook.failedAt == 60)
            #expect(webhook.failure == "status 500")
            #expect(webhook.pendingCount == 2)

            try await store.recordWebhookAttempts([Self.accepted(2, at: 70)], feed: "live")
            let tried = try #require(
                try await store.webhookDeliveries(of: nil, feed: "live", at: 80).first
            )
            #expect(tried.alert.number == 1)
            #expect(tried.attempts == 1)
            #expect(tried.failures == 0)
            #expect(tried.notBefore == 90)

            let last = Self.attempt(1, at: 95, attempts: 2, retryAt: nil)
            try await store.recordWebhookAttempts([last], feed: "live")
            #expect(try await store.webhookDeliveries(of: nil, feed: "live", at: 80) == [])
            webhook = try #require(try await store.webhook(of: 1, deadLettersMax: 9))
            #expect(webhook.pendingCount == 0)
            #expect(
                webhook.deadLetters == [
                    .init(number: 1, attempts: 2, failedAt: 95, failure: "status 500")
                ]
            )
            #expect(try await store.webhook(of: 1, deadLettersMax: 0)?.deadLetters == [])
            // A dead letter that was accepted after all, by an attempt in flight.
            try await store.recordWebhookAttempts([Self.accepted(1, at: 96)], feed: "live")
            #expect(try await store.webhook(of: 1, deadLettersMax: 9)?.deadLetters == [])
        }
    }

    @Test(
        "an alert that is due to be tried again comes before one that was not tried",
        arguments: AlertStoreSubject.allCases
    )
    func due(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            try await stand.add(1)
            try await store.setWebhook(Self.new, of: 1)
            try await Self.fire([21, 22], stand)
            try await store.recordWebhookAttempts([Self.attempt(1, retryAt: 90)], feed: "live")
            for (time, number) in [(Int64(89), Int64(2)), (90, 1)] {
                let next = try await store.webhookDeliveries(of: nil, feed: "live", at: time)
                #expect(next.map(\.alert.number) == [number])
            }
        }
    }

    @Test(
        "a failure of an alert that another process has tried is skipped",
        arguments: AlertStoreSubject.allCases
    )
    func lateFailure(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            try await stand.add(1)
            try await store.setWebhook(Self.new, of: 1)
            try await Self.fire([21, 22], stand)
            try await store.recordWebhookAttempts([Self.accepted(1)], feed: "live")
            try await store.recordWebhookAttempts([Self.attempt(2, retryAt: 90)], feed: "live")
            let before = try await store.webhook(of: 1, deadLettersMax: 9)
            for late in [
                Self.attempt(1, at: 99, retryAt: nil), Self.attempt(2, at: 99, retryAt: nil),
                Self.attempt(2, at: 99, attempts: 3, retryAt: nil),
            ] {
                try await store.recordWebhookAttempts([late], feed: "live")
                #expect(try await store.webhook(of: 1, deadLettersMax: 9) == before)
            }
            let next = Self.attempt(2, at: 99, attempts: 2, retryAt: nil)
            try await store.recordWebhookAttempts([next], feed: "live")
            #expect(try await store.webhook(of: 1, deadLettersMax: 9)?.failedAt == 99)
        }
    }

    @Test(
        "with a failure, alerts of the feed that are too old are given up, tried or not",
        arguments: AlertStoreSubject.allCases
    )
    func givingUp(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            try await stand.add(1)
            try await stand.add(2, feed: "simulated")
            try await store.setWebhook(Self.new, of: 1)
            try await Self.fire([21, 22, 23, 24], stand)
            let lease = try await stand.lease("simulated")
            let other = NewAlertDTO(2, at: 22)
            _ = try await store.storeAlerts([other], at: 100, under: lease)
            let live = try await stand.lease()
            _ = try await store.storeAlerts([NewAlertDTO(1, at: 30)], at: 200, under: live)
            try await store.recordWebhookAttempts([Self.attempt(1, retryAt: 90)], feed: "live")
            let last = Self.attempt(2, at: 300, retryAt: 400, givesUpBefore: 101)
            try await store.recordWebhookAttempts([last], feed: "live")
            let webhook = try #require(try await store.webhook(of: 1, deadLettersMax: 9))
            #expect(webhook.deadLetters.map(\.number) == [4, 3, 1])
            #expect(webhook.deadLetters.map(\.attempts) == [0, 0, 1])
            #expect(webhook.deadLetters.map(\.failedAt) == [300, 300, 60])
            // The tried one, the young one and the one of the other feed.
            #expect(webhook.pendingCount == 3)
            let next = try await store.webhookDeliveries(of: nil, feed: "live", at: 300)
            #expect(next.map(\.alert.number) == [6])
        }
    }

    @Test(
        "outcomes of a replaced or removed webhook do not count; the new one is tried at once",
        arguments: AlertStoreSubject.allCases
    )
    func versions(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            try await stand.add(1)
            try await store.setWebhook(Self.new, of: 1)
            try await Self.fire([21, 22, 23], stand)
            try await store.recordWebhookAttempts([Self.attempt(1, retryAt: 90)], feed: "live")
            try await store.recordWebhookAttempts([Self.attempt(2, retryAt: nil)], feed: "live")
            var other = Self.new
            other.createdAt = 80
            try await store.setWebhook(other, of: 1)
            let before = try await store.webhook(of: 1, deadLettersMax: 9)
            #expect(before?.pendingCount == 2)
            #expect(before?.failedAt == nil)
            #expect(before?.deadLetters.map(\.number) == [2])
            let untried = try await store.webhookDeliveries(of: nil, feed: "live", at: 79)
            #expect(untried.map(\.alert.number) == [3])
            #expect(untried.map(\.notBefore) == [nil])
            #expect(untried.map(\.failures) == [nil])
            for attempt in [Self.accepted(3), Self.attempt(3, retryAt: 99)] {
                try await store.recordWebhookAttempts([attempt], feed: "live")
                #expect(try await store.webhook(of: 1, deadLettersMax: 9) == before)
            }
            let now = Self.accepted(3, at: 81, version: 80)
            try await store.recordWebhookAttempts([now], feed: "live")
            let retried = try await store.webhookDeliveries(of: nil, feed: "live", at: 80)
            #expect(retried.map(\.alert.number) == [1])
            #expect(retried.map(\.notBefore) == [80])
            #expect(try await store.removeWebhook(of: 1, at: 82))
            let late = Self.accepted(1, at: 83, version: 80)
            try await store.recordWebhookAttempts([late], feed: "live")
            #expect(try await store.webhookDeliveries(of: nil, feed: "live", at: 80) == [])
            // A webhook that is set again has no past.
            try await store.setWebhook(Self.new, of: 1)
            #expect(try await store.webhook(of: 1, deadLettersMax: 9)?.pendingCount == 0)
            #expect(try await store.webhookDeliveries(of: nil, feed: "live", at: 80) == [])
        }
    }

    @Test(
        "alerts that leave the log are dropped, and counted unless they were settled",
        arguments: AlertStoreSubject.allCases
    )
    func dropping(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            try await stand.add(1)
            try await store.setWebhook(Self.new, of: 1)
            try await Self.fire([21, 22, 23, 24], stand)
            try await store.recordWebhookAttempts([Self.accepted(1)], feed: "live")
            try await store.recordWebhookAttempts([Self.attempt(2, retryAt: 90)], feed: "live")
            try await store.recordWebhookAttempts([Self.attempt(3, retryAt: nil)], feed: "live")
            let max = Int64(AlertLogDTO.storedRowsMax)
            try await Self.fire((1...max).map { 30 + $0 }, stand)
            // Of the first four, one waited for its first attempt and one for another.
            var webhook = try #require(try await store.webhook(of: 1, deadLettersMax: 9))
            #expect(webhook.droppedCount == 2)
            #expect(webhook.pendingCount == max)
            #expect(webhook.deadLetters == [])
            let next = try await store.webhookDeliveries(of: nil, feed: "live", at: 80)
            #expect(next.map(\.alert.number) == [5])
            // An attempt that ends later changes nothing of that.
            try await store.recordWebhookAttempts([Self.attempt(4, retryAt: 99)], feed: "live")
            webhook = try #require(try await store.webhook(of: 1, deadLettersMax: 9))
            #expect(webhook.pendingCount == max)
            #expect(webhook.droppedCount == 2)
        }
    }

    @Test(
        "each user has a webhook of its own; disabled ones get nothing",
        arguments: AlertStoreSubject.shared
    )
    func users(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            for user in [Int64(1), 2] {
                try await stand.add(1, of: user)
                try await store.setWebhook(Self.new, of: user)
                try await Self.fire([21, 22], of: user, stand)
            }
            let attempts = [Self.accepted(1), Self.attempt(1, of: 2, retryAt: 90)]
            try await store.recordWebhookAttempts(attempts, feed: "live")
            let next = try await store.webhookDeliveries(of: nil, feed: "live", at: 80)
            #expect(next.map(\.user) == [1, 2])
            #expect(next.map(\.alert.number) == [2, 2])
            #expect(next.map(\.failures) == [0, 3])
            try await stand.users.setUser(name: "other", isDisabled: true)
            var rest = try await store.webhookDeliveries(of: nil, feed: "live", at: 80)
            #expect(rest.map(\.user) == [1])
            try await stand.users.setUser(name: "other", isDisabled: false)
            rest = try await store.webhookDeliveries(of: [2], feed: "live", at: 80)
            #expect(rest.map(\.user) == [2])
            let export = try await stand.users.export(name: "other")
            #expect(export.webhook?.pendingCount == 2)
            try await stand.users.removeUser(name: "other")
            rest = try await store.webhookDeliveries(of: nil, feed: "live", at: 80)
            #expect(rest.map(\.user) == [1])
        }
    }

    @Test("each feed has its own progress", arguments: AlertStoreSubject.allCases)
    func feeds(subject: AlertStoreSubject) async throws {
        try await subject.with { stand async throws in
            let store = stand.store
            try await stand.add(1)
            try await stand.add(2, feed: "simulated")
            try await store.setWebhook(Self.new, of: 1)
            try await Self.fire([21], stand)
            let lease = try await stand.lease("simulated")
            let alert = NewAlertDTO(2, at: 22)
            _ = try await store.storeAlerts([alert], at: 100, under: lease)
            try await store.recordWebhookAttempts([Self.accepted(2)], feed: "simulated")
            #expect(try await store.webhookDeliveries(of: nil, feed: "simulated", at: 80) == [])
            let live = try await store.webhookDeliveries(of: nil, feed: "live", at: 80)
            #expect(live.map(\.alert.number) == [1])
            #expect(try await store.webhook(of: 1, deadLettersMax: 9)?.pendingCount == 1)
        }
    }
}
