import Domain
import TestSupport
import Testing

@testable import ViewStates

@Suite("Health has the freshness and completeness of the data and the current error")
struct HealthPresenterTests {
    @Test("each state of the feed has its phase, error and completeness", arguments: Case.all)
    func phases(row: Case) {
        let health = HealthPresenter.present(
            row.feed,
            hasMarkets: row.hasMarkets,
            now: SampleBoard.start,
            language: .english
        )
        #expect(health.phase == row.phase)
        #expect(health.error?.code == row.error)
        #expect(health.complete == row.isComplete)
        #expect(health.at == row.feed.lastDataAt)
    }

    @Test("data is fresh for exactly five seconds")
    func edge() {
        var feed = FeedStatus(kind: .live)
        feed.connection = .live
        feed.lastActivityAt = SampleBoard.start
        let staleAfter = SampleBoard.start.advanced(by: .seconds(5))
        for (age, phase) in [(-1, HealthViewState.Phase.ready), (0, .stale), (1, .stale)] {
            let health = HealthPresenter.present(
                feed,
                hasMarkets: true,
                now: staleAfter.advanced(by: .microseconds(age)),
                language: .korean
            )
            #expect(health.phase == phase)
            #expect(health.staleAfter == staleAfter)
            #expect(health.error == nil)
        }
    }

    @Test("a recording that has ended cannot turn stale")
    func ended() {
        var feed = FeedStatus(kind: .replay)
        feed.connection = .ended
        feed.lastActivityAt = SampleBoard.start
        feed.listingFailure = .sample(.timedOut)
        let health = HealthPresenter.present(
            feed,
            hasMarkets: true,
            now: SampleBoard.start.advanced(by: .seconds(3_600)),
            language: .korean
        )
        #expect(health.phase == .ended && health.staleAfter == nil && health.error == nil)
    }

    @Test(
        "health has the origin of the newest data",
        arguments: [FeedStatus.Origin?.none, .rest, .stream]
    )
    func origin(origin: FeedStatus.Origin?) {
        var feed = FeedStatus(kind: .live)
        feed.origin = origin
        let health = HealthPresenter.present(
            feed,
            hasMarkets: false,
            now: SampleBoard.start,
            language: .korean
        )
        #expect(health.origin == origin.map { $0 == .rest ? .rest : .stream })
    }

    @Test("a lost connection has attempt, time and reason in the requested language")
    func reconnecting() {
        var feed = FeedStatus(kind: .live)
        let retryAt = SampleBoard.start.advanced(by: .seconds(8))
        feed.connection = .reconnecting(attempt: 3, nextRetryAt: retryAt)
        feed.streamFailure = .sample(.disconnected)
        #expect(
            error(feed, .korean)
                == ErrorViewState(
                    code: "reconnecting",
                    message: "재연결 중 (3차): 연결 끊김",
                    retryable: true,
                    nextRetryAt: retryAt
                )
        )
        #expect(
            error(feed, .english)?.message == "reconnecting (attempt 3): the connection was lost"
        )
        feed.streamFailure = nil
        #expect(error(feed, .korean)?.message == "재연결 중 (3차)")
    }

    @Test("a failed listing has its code, whether it is retryable and the time of the next attempt")
    func listingFailed() {
        var feed = FeedStatus(kind: .live)
        let retryAt = SampleBoard.start.advanced(by: .seconds(2))
        feed.connection = .live
        feed.listingRetryAt = retryAt
        for isRetryable in [true, false] {
            feed.listingFailure = .sample(.rateLimited, isRetryable: isRetryable)
            #expect(
                error(feed, .english)
                    == ErrorViewState(
                        code: "rate_limited",
                        message: "too many requests",
                        retryable: isRetryable,
                        nextRetryAt: retryAt
                    )
            )
        }
        // The lost stream is the greater trouble: one message, not two.
        feed.connection = .reconnecting(attempt: 1, nextRetryAt: SampleBoard.start)
        #expect(error(feed, .english)?.code == "reconnecting")
    }

    @Test("silence of an open connection is an error")
    func silent() {
        var feed = FeedStatus(kind: .live)
        feed.connection = .stale
        let expected = [(Language.korean, "데이터가 수신되지 않음"), (.english, "no data is arriving")]
        for (language, message) in expected {
            #expect(
                error(feed, language)
                    == ErrorViewState(
                        code: "silent",
                        message: message,
                        retryable: true,
                        nextRetryAt: nil
                    )
            )
        }
    }

    @Test(
        "a detail of the exchange, a certificate or a proxy is in the message in both languages",
        arguments: [
            (.unreachable, []), (.proxy, [.korean, .english]), (.untrusted, [.korean, .english]),
            (.timedOut, []), (.disconnected, []), (.silent, []),
            (.httpStatus, [.korean, .english]), (.refused, [.korean, .english]),
            (.rateLimited, []), (.malformed, [.english]),
        ] as [(FeedFailure.Code, [Language])]
    )
    func detail(code: FeedFailure.Code, repeatedIn languages: [Language]) throws {
        var feed = FeedStatus(kind: .live)
        feed.listingFailure = .sample(code)
        let korean = try #require(error(feed, .korean))
        let english = try #require(error(feed, .english))
        #expect(korean.code == code.rawValue)
        #expect(korean.message.contains("5600 no") == languages.contains(.korean))
        #expect(english.message.contains("5600 no") == languages.contains(.english))
        #expect(korean.message != english.message)
    }

    private func error(_ feed: FeedStatus, _ language: Language) -> ErrorViewState? {
        HealthPresenter.present(
            feed,
            hasMarkets: true,
            now: SampleBoard.start,
            language: language
        ).error
    }
}

extension FeedFailure {
    fileprivate static func sample(_ code: Code, isRetryable: Bool = true) -> FeedFailure {
        FeedFailure(code: code, detail: "5600 no", isRetryable: isRetryable)
    }
}

extension HealthPresenterTests {
    /// A state of the feed and its expected health.
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        var feed = FeedStatus(kind: .live)
        let hasMarkets: Bool
        let phase: HealthViewState.Phase
        let error: String?
        let isComplete: Bool

        private init(
            _ connection: FeedStatus.Connection,
            silentFor silence: Duration?,
            listed: Set<Quote> = [],
            listingFails: Bool = false,
            hasMarkets: Bool,
            _ phase: HealthViewState.Phase,
            _ error: String?,
            isComplete: Bool = false
        ) {
            feed.connection = connection
            feed.lastActivityAt = silence.map { SampleBoard.start.advanced(by: .zero - $0) }
            feed.lastDataAt = feed.lastActivityAt
            feed.listedQuotes = listed
            if listingFails { feed.listingFailure = .sample(.unreachable) }
            self.hasMarkets = hasMarkets
            self.phase = phase
            self.error = error
            self.isComplete = isComplete
            testDescription =
                "\(connection), silent for \(silence.map { "\($0)" } ?? "ever"), "
                + (hasMarkets ? "with" : "without") + " markets"
                + (listingFails ? ", listing failed" : "")
        }

        private static let lost = FeedStatus.Connection.reconnecting(
            attempt: 1,
            nextRetryAt: SampleBoard.start
        )
        private static let both = Set(Quote.allCases)
        private static let second = Duration.seconds(1)
        private static let minute = Duration.seconds(60)

        static let all: [Case] = [
            // No data has arrived yet.
            Case(.connecting, silentFor: nil, hasMarkets: false, .loading, nil),
            Case(.subscribed, silentFor: nil, hasMarkets: false, .loading, nil),
            Case(.live, silentFor: nil, hasMarkets: false, .loading, nil),
            // No data has arrived and an error is current: the phase is not loading.
            Case(
                .connecting,
                silentFor: nil,
                listingFails: true,
                hasMarkets: false,
                .failed,
                "unreachable"
            ),
            Case(
                .live,
                silentFor: nil,
                listingFails: true,
                hasMarkets: false,
                .failed,
                "unreachable"
            ),
            Case(lost, silentFor: nil, hasMarkets: false, .failed, "reconnecting"),
            Case(.stale, silentFor: nil, hasMarkets: false, .failed, "silent"),
            // Data are there and fresh.
            Case(
                .connecting,
                silentFor: second,
                listed: both,
                hasMarkets: true,
                .ready,
                nil,
                isComplete: true
            ),
            Case(
                .subscribed,
                silentFor: second,
                listed: both,
                hasMarkets: true,
                .ready,
                nil,
                isComplete: true
            ),
            Case(.live, silentFor: second, listed: [.krw], hasMarkets: true, .ready, nil),
            Case(
                .live,
                silentFor: second,
                listed: both,
                hasMarkets: true,
                .ready,
                nil,
                isComplete: true
            ),
            Case(
                .live,
                silentFor: second,
                listed: both,
                listingFails: true,
                hasMarkets: true,
                .ready,
                "unreachable",
                isComplete: true
            ),
            // Data are there but old: the last good ones stay.
            Case(
                .connecting,
                silentFor: minute,
                listed: both,
                hasMarkets: true,
                .stale,
                nil,
                isComplete: true
            ),
            Case(.subscribed, silentFor: minute, hasMarkets: true, .stale, nil),
            Case(
                .live,
                silentFor: minute,
                listed: both,
                hasMarkets: true,
                .stale,
                nil,
                isComplete: true
            ),
            Case(.live, silentFor: nil, hasMarkets: true, .stale, nil),
            Case(
                .stale,
                silentFor: minute,
                listed: both,
                hasMarkets: true,
                .stale,
                "silent",
                isComplete: true
            ),
            // A lost connection is stale at once.
            Case(lost, silentFor: second, hasMarkets: true, .stale, "reconnecting"),
            Case(
                lost,
                silentFor: second,
                listingFails: true,
                hasMarkets: true,
                .stale,
                "reconnecting"
            ),
            // A recording has ended.
            Case(
                .ended,
                silentFor: minute,
                listed: both,
                hasMarkets: true,
                .ended,
                nil,
                isComplete: true
            ),
            Case(.ended, silentFor: nil, hasMarkets: false, .ended, nil),
        ]
    }
}
