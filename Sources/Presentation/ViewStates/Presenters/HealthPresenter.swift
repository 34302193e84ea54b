import Domain

/// Presents the health of the market data.
enum HealthPresenter {
    /// The health of the list's feed at a time, and of its markets' changes.
    static func present(
        _ feed: FeedStatus,
        hasMarkets: Bool,
        changes: ChangeCoverage? = nil,
        now: Timestamp,
        language: Language
    ) -> HealthViewState {
        let error = error(of: feed, language: language)
        var health = HealthViewState(
            phase: phase(feed, hasMarkets: hasMarkets, hasError: error != nil, now: now),
            at: feed.lastDataAt,
            staleAfter: staleAfter(feed),
            origin: feed.origin.map(HealthViewState.Origin.init),
            complete: feed.isComplete,
            error: error
        )
        if let changes { health.add(changes, isFeedComplete: feed.isComplete) }
        return health
    }

    /// The health of user data that are not loaded; nil if they are.
    static func unread(_ visibility: Visibility, language: Language) -> HealthViewState? {
        let (failure, message): (StoreFailure?, String)
        switch visibility {
        case .shown: return nil
        case .unread(let reason):
            failure = reason
            message = FailureStrings.unread[language]
        case .closed(let reason):
            failure = reason
            message = words(ofClosed: reason, language)
        }
        return HealthViewState(
            phase: failure == nil ? .loading : .failed,
            at: nil,
            staleAfter: nil,
            origin: nil,
            complete: false,
            error: failure.map {
                ErrorViewState(
                    code: $0.code.rawValue,
                    message: message,
                    retryable: $0.isRetryable,
                    nextRetryAt: nil
                )
            }
        )
    }

    private static func words(ofClosed reason: StoreFailure, _ language: Language) -> String {
        let text =
            reason.code == .noToken
            ? LocalizedText(
                ko: "토큰 없음 – HOGA_TOKEN 또는 HOGA_TOKEN_FILE로 지정",
                en: "no token – set HOGA_TOKEN or HOGA_TOKEN_FILE"
            )
            : LocalizedText(
                ko: "토큰이 유효하지 않음 – 새 토큰을 받으세요: hoga user token new",
                en: "the token is not valid – create a new one: hoga user token new"
            )
        return text[language]
    }

    private static func phase(
        _ feed: FeedStatus,
        hasMarkets: Bool,
        hasError: Bool,
        now: Timestamp
    ) -> HealthViewState.Phase {
        if feed.connection == .ended { return .ended }
        guard hasMarkets else { return hasError ? .failed : .loading }
        return feed.isFresh(at: now) ? .ready : .stale
    }

    /// A recording played to its end cannot become stale.
    private static func staleAfter(_ feed: FeedStatus) -> Timestamp? {
        feed.connection == .ended ? nil : feed.staleAt
    }

    private static func error(of feed: FeedStatus, language: Language) -> ErrorViewState? {
        switch feed.connection {
        case .reconnecting: return streamError(of: feed, language)
        case .ended: return nil
        case .connecting, .subscribed, .live, .stale: break
        }
        if let failure = feed.listingFailure {
            return error(of: failure, nextRetryAt: feed.listingRetryAt, language)
        }
        return streamError(of: feed, language)
    }

    /// The error of the list's stream; nil while it works, and after a recording's end.
    static func streamError(of feed: FeedStatus, _ language: Language) -> ErrorViewState? {
        switch feed.connection {
        case .reconnecting(let attempt, let nextRetryAt):
            reconnecting(
                attempt: attempt,
                nextRetryAt: nextRetryAt,
                failure: feed.streamFailure,
                language
            )
        case .stale:
            ErrorViewState(
                code: "silent",
                message: FailureStrings.silence[language],
                retryable: true,
                nextRetryAt: nil
            )
        case .connecting, .subscribed, .live, .ended: nil
        }
    }

    /// The error of a stream that is reconnecting.
    static func reconnecting(
        attempt: Int,
        nextRetryAt: Timestamp,
        failure: FeedFailure?,
        _ language: Language
    ) -> ErrorViewState {
        ErrorViewState(
            code: FailureStrings.reconnectingCode,
            message: FailureStrings.reconnecting(attempt)[language]
                + (failure.map { ": " + FailureStrings.text(of: $0, language) } ?? ""),
            retryable: true,
            nextRetryAt: nextRetryAt
        )
    }

    /// The error of a failed REST request.
    static func error(
        of failure: FeedFailure,
        nextRetryAt: Timestamp?,
        _ language: Language
    ) -> ErrorViewState {
        ErrorViewState(
            code: failure.code.rawValue,
            message: FailureStrings.text(of: failure, language),
            retryable: failure.isRetryable,
            nextRetryAt: nextRetryAt
        )
    }
}

extension HealthViewState {
    /// Says what is known of the changes of the shown rows.
    mutating func add(_ changes: ChangeCoverage, isFeedComplete: Bool) {
        complete = isFeedComplete && changes.isComplete
        (known, of) = (changes.known, changes.of)
        baseResolution = changes.resolution?.rawValue
    }
}
