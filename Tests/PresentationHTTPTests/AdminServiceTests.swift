import Foundation
import UseCases
import ViewStates
import PresentationHTTP
import Synchronization
import TestSupport
import Testing

@testable import Domain

@Suite("Admin service", .tags(.threads))
struct AdminServiceTests {
    @Test("healthz is always 200")
    func healthz() throws {
        let admin = try AdminServiceFixture(SampleBoard())
        let answer = try admin.served.ask("GET", "/healthz")
        #expect(answer.status == 200)
        #expect(answer.body == Array(#"{"alive":true}"#.utf8))
        #expect(answer.fields["content-type"] == "application/json")
        #expect(answer.fields["cache-control"] == "no-store")
        admin.service.stop()
        #expect(try admin.served.ask("HEAD", "/healthz").status == 200)
    }

    @Test(
        "a browser takes no answer for a page",
        arguments: ["/healthz", "/readyz", "/metrics", "/nowhere"]
    )
    func contentProtection(path: String) throws {
        let answer = try AdminServiceFixture(.live()).served.ask("GET", path)
        #expect(answer.fields["x-content-type-options"] == "nosniff")
        #expect(
            answer.fields["content-security-policy"]
                == "default-src 'none'; frame-ancestors 'none'"
        )
    }

    @Test("readyz is 200 from the first list")
    func firstList() throws {
        let admin = try AdminServiceFixture(SampleBoard())
        #expect(try admin.readiness() == 503)
        admin.wait(.seconds(1)) { $0.list(.krw, []) }
        #expect(try admin.readiness() == 503)
        admin.wait(.seconds(1)) { $0.list(.krw, [ListingEntry("BTC_KRW")]) }
        #expect(try admin.readiness() == 200)
    }

    @Test("without a list readyz is 200 after exactly thirty seconds")
    func patience() throws {
        let admin = try AdminServiceFixture(SampleBoard())
        admin.wait(.microseconds(29_999_999)) { _ in }
        #expect(try admin.readiness() == 503)
        admin.wait(.microseconds(1)) { _ in }
        #expect(try admin.readiness() == 200)
    }

    @Test("readyz is 503 once the process stops")
    func leaving() throws {
        let admin = try AdminServiceFixture(.live())
        #expect(try admin.readiness() == 200)
        admin.service.stop()
        #expect(try admin.readiness() == 503)
        admin.wait(.seconds(60)) { _ in }
        #expect(try admin.readiness() == 503)
        admin.service.stop()
        #expect(try admin.readiness() == 503)
    }

    @Test("the feed counts only with require=feed")
    func requiredFeed() throws {
        let admin = try AdminServiceFixture(.live())
        #expect(try admin.readiness("?require=feed") == 200)
        admin.wait(.seconds(5)) { _ in }
        #expect(try admin.readiness("?require=feed") == 503)
        #expect(try admin.readiness() == 200)
        admin.wait(.seconds(1)) { $0.trade("BTC_KRW", at: "143210000") }
        #expect(try admin.readiness("?require=feed") == 200)
        let lost = FeedEvent.reconnecting(
            attempt: 1,
            nextRetryAt: SampleBoard.start,
            failure: FeedFailure(code: .disconnected, detail: "", isRetryable: true)
        )
        admin.wait(.zero) { $0.apply(.feed(lost)) }
        #expect(try admin.readiness("?require=feed") == 503)
        #expect(try admin.readiness() == 200)
    }

    @Test("without a store require=store is 503")
    func requiredStore() throws {
        let admin = try AdminServiceFixture(.live())
        for query in ["?require=store", "?require=feed,store", "?require=store,feed"] {
            #expect(try admin.readiness(query) == 503)
        }
        for query in ["?require=", "?require", "?require=feed,feed"] {
            #expect(try admin.readiness(query) == 200)
        }
    }

    @Test("the body has the states of feed and store")
    func body() throws {
        var sample = SampleBoard.live()
        sample.apply(.skipped(3))
        let admin = try AdminServiceFixture(sample)
        for isReady in [true, false] {
            if !isReady { admin.service.stop() }
            let answer = try admin.served.ask("GET", "/readyz")
            #expect(answer.fields["content-type"] == "application/json")
            #expect(answer.fields["cache-control"] == "no-store")
            let document = try JSONDecoder().decode(ReadinessDocument.self, from: Data(answer.body))
            let expected = ReadinessDocument(
                ready: isReady,
                feed: sample.board.feed,
                details: sample.board.detailStatus,
                marketCount: 0
            )
            #expect(document == expected)
            #expect(document.feed.connection == "live" && document.feed.entriesSkipped == 3)
        }
    }

    @Test("HEAD is answered as GET", arguments: [200, 503])
    func head(status: Int) throws {
        let admin = try AdminServiceFixture(.live())
        if status == 503 { admin.service.stop() }
        let head = try admin.served.ask("HEAD", "/readyz")
        let get = try admin.served.ask("GET", "/readyz")
        #expect(head.status == status && get.status == status)
        #expect(head.fields["content-length"] == "\(get.body.count)")
    }

    @Test(
        "an invalid requirement or parameter is 400",
        arguments: [
            ("require=database", "require", ["feed", "store"]),
            ("require=feed,FEED", "require", ["feed", "store"]),
            ("require=feed&require=store", "require", ["once"]),
            ("verbose", "verbose", ["require"]),
        ]
    )
    func refused(query: String, parameter: String, allowed: [String]) throws {
        let answer = try AdminServiceFixture(.live()).served.ask("GET", "/readyz?" + query)
        #expect(answer.status == 400)
        let problem = try answer.json
        #expect(problem["parameter"] == .string(parameter))
        #expect(problem["allowed"] == .array(allowed.map { .string($0) }))
    }

    @Test("metrics are current Prometheus text")
    func metrics() throws {
        let admin = try AdminServiceFixture(.live())
        let first = try admin.served.ask("GET", "/metrics")
        #expect(first.status == 200)
        #expect(first.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(first.fields["cache-control"] == "no-store")
        admin.wait(.zero) { $0.applyDetails(.skipped(3, .book)) }
        let second = try admin.served.ask("GET", "/metrics")
        for (answer, count) in [(first, 0), (second, 3)] {
            let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
            #expect(lines.contains("hoga_decode_skipped_total{kind=\"book\"} \(count)"))
        }
        #expect(try admin.served.ask("HEAD", "/metrics").status == 200)
        #expect(try admin.served.ask("PUT", "/metrics").status == 405)
    }

    @Test("other methods and paths are problems")
    func others() throws {
        let admin = try AdminServiceFixture(.live())
        for path in ["/healthz", "/readyz"] {
            let answer = try admin.served.ask("POST", path)
            #expect(answer.status == 405 && answer.fields["allow"] == "GET, HEAD")
        }
        for path in ["/", "/v1/markets", "/healthz/"] {
            let answer = try admin.served.ask("GET", path)
            #expect(answer.status == 404)
            #expect(answer.fields["content-type"] == "application/problem+json")
        }
    }
}

/// The admin service over a board and a clock that the test moves.
private final class AdminServiceFixture {
    private var sample: SampleBoard
    private let latest: SnapshotPublisher
    private let clock: WallClock
    let service: AdminService
    let served: ServerFixture

    init(_ sample: SampleBoard) throws {
        self.sample = sample
        latest = SnapshotPublisher(self.sample.snapshot())
        let clock = WallClock(sample.now)
        self.clock = clock
        let service = AdminService(
            latest: latest,
            metrics: Metrics([
                { [latest] in FeedMetrics.families(latest.value.board, now: clock.now) }
            ]),
            now: { clock.now },
            makeRequestID: RequestIDSequence().next
        )
        self.service = service
        served = try ServerFixture { service.answer($0) }
    }

    /// Advances the time, changes the board and publishes a snapshot.
    func wait(_ duration: Duration, _ change: (inout SampleBoard) -> Void) {
        sample.wait(duration)
        change(&sample)
        clock.now = sample.now
        latest.publish(sample.snapshot())
    }

    /// The status of `/readyz`.
    func readiness(_ query: String = "") throws -> Int {
        try served.ask("GET", "/readyz" + query).status
    }
}

/// A clock that a test sets.
private final class WallClock: Sendable {
    private let shown: Mutex<Timestamp>

    init(_ now: Timestamp) { shown = Mutex(now) }

    var now: Timestamp {
        get { shown.withLock { $0 } }
        set { shown.withLock { $0 = newValue } }
    }
}
