import Domain

/// Says how fresh and complete the market data are.
enum HealthPresenter {
    /// The health of a board's data at a moment.
    static func present(
        _ feed: FeedStatus,
        hasMarkets: Bool,
        now: Timestamp,
        language: Language
    ) -> HealthViewState {
        let error = error(of: feed, language: language)
        return HealthViewState(
            phase: phase(feed, hasMarkets: hasMarkets, hasError: error != nil, now: now),
            at: feed.lastDataAt,
            staleAfter: staleAfter(feed),
            origin: feed.origin.map(HealthViewState.Origin.init),
            complete: feed.isComplete,
            error: error
        )
    }

    /// The health of what is kept where it was not read; nil where it was.
    static func unread(_ sight: PersonalSight, language: Language) -> HealthViewState? {
        let (failure, message): (StoreFailure?, String)
        switch sight {
        case .shown: return nil
        case .unread(let reason):
            failure = reason
            message = language == .korean ? "저장소를 읽지 못함" : "the store could not be read"
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
        switch (reason.code == .noToken, language) {
        case (true, .korean): "토큰을 주지 않음 – HOGA_TOKEN 또는 HOGA_TOKEN_FILE로 지정"
        case (true, .english): "no token was given – set HOGA_TOKEN or HOGA_TOKEN_FILE"
        case (false, .korean): "토큰이 유효하지 않음 – 새 토큰을 받으세요: hoga user token new"
        case (false, .english): "the token opens nothing – ask for a new one: hoga user token new"
        }
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

    /// Once played to its end a recording cannot turn stale.
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

    /// What is wrong with the stream of the list; nil if it runs, or has ended.
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
                message: language == .korean ? "데이터가 오지 않습니다" : "no data are arriving",
                retryable: true,
                nextRetryAt: nil
            )
        case .connecting, .subscribed, .live, .ended: nil
        }
    }

    /// A stream that was lost and is being made anew.
    static func reconnecting(
        attempt: Int,
        nextRetryAt: Timestamp,
        failure: FeedFailure?,
        _ language: Language
    ) -> ErrorViewState {
        let lead =
            language == .korean ? "재연결 중 (\(attempt)회)" : "reconnecting (attempt \(attempt))"
        return ErrorViewState(
            code: "reconnecting",
            message: lead + (failure.map { ": " + text(of: $0, language) } ?? ""),
            retryable: true,
            nextRetryAt: nextRetryAt
        )
    }

    /// A reading that failed.
    static func error(
        of failure: FeedFailure,
        nextRetryAt: Timestamp?,
        _ language: Language
    ) -> ErrorViewState {
        ErrorViewState(
            code: failure.code.rawValue,
            message: text(of: failure, language),
            retryable: failure.isRetryable,
            nextRetryAt: nextRetryAt
        )
    }

    /// A failure in words.
    ///
    /// What the exchange said, or a certificate or proxy that is in the way, is shown as it is in
    /// any language: without it nobody could mend it. What was unreadable, which is in English, is
    /// told only to those who read that.
    private static func text(of failure: FeedFailure, _ language: Language) -> String {
        let isKorean = language == .korean
        let words: String =
            switch failure.code {
            case .unreachable: isKorean ? "거래소에 연결할 수 없음" : "the exchange cannot be reached"
            case .proxy:
                isKorean ? "프록시로 연결할 수 없음" : "there is no way through the proxy"
            case .untrusted: isKorean ? "인증서를 신뢰할 수 없음" : "the certificate is not trusted"
            case .timedOut: isKorean ? "응답 시간 초과" : "no answer in time"
            case .disconnected: isKorean ? "연결 끊김" : "the connection was lost"
            case .silent: isKorean ? "데이터 없음" : "no data"
            case .httpStatus: isKorean ? "거래소 오류" : "the exchange failed"
            case .refused: isKorean ? "거래소가 거절함" : "the exchange refused"
            case .rateLimited: isKorean ? "요청 한도 초과" : "too many requests"
            case .malformed: isKorean ? "읽을 수 없는 응답" : "an unreadable answer"
            }
        switch failure.code {
        case .httpStatus, .refused, .proxy, .untrusted: return words + " – " + failure.detail
        case .malformed:
            return isKorean ? words : words + " – " + failure.detail
        case .unreachable, .timedOut, .disconnected, .silent, .rateLimited: return words
        }
    }
}
