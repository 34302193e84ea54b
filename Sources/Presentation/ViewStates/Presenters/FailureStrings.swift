public import Domain

/// The words of failures, in both languages.
///
/// Documents of a service tell them in Korean, whatever `lang` says; a screen far from the service
/// says the same in its own language.
public enum FailureStrings: Sendable {
    static let reconnectingCode = "reconnecting"
    /// Between what happened and what somebody else said of it.
    private static let dash = " – "

    /// A failure in words.
    ///
    /// What the exchange said, or a certificate or proxy that is in the way, is shown as it is in
    /// any language: without it nobody could mend it. What was unreadable, which is in English, is
    /// told only to those who read that.
    static func text(of failure: FeedFailure, _ language: Language) -> String {
        let words = words(of: failure.code)[language]
        switch failure.code {
        case .httpStatus, .refused, .proxy, .untrusted: return words + dash + failure.detail
        case .malformed:
            // The decoder's detail exists in English only.
            return LocalizedText(ko: words, en: words + dash + failure.detail)[language]
        case .unreachable, .timedOut, .disconnected, .silent, .rateLimited: return words
        }
    }

    /// A reconnection in progress and its attempt number, from 1.
    public static func reconnecting(_ attempt: Int) -> LocalizedText {
        LocalizedText(ko: "재연결 중 (\(attempt)회)", en: "reconnecting (attempt \(attempt))")
    }

    /// A connected stream that sends no data.
    static let silence = LocalizedText(ko: "데이터가 오지 않습니다", en: "no data is arriving")

    /// A store whose data has not been read.
    static let unread = LocalizedText(ko: "저장소를 읽지 못함", en: "the store could not be read")

    /// What a service's document says of a failure, in a language.
    ///
    /// The words are made from the codes, and what others said stays as it is; words that are not
    /// known here, of a later version, stay too.
    public static func translated(
        _ error: ErrorViewState,
        to language: Language
    ) -> ErrorViewState {
        guard language != .korean else { return error }
        var error = error
        error.message = sentence(error.message, language) ?? error.message
        return error
    }

    private static func sentence(_ korean: String, _ language: Language) -> String? {
        if korean == silence.ko { return silence[language] }
        if korean == unread.ko { return unread[language] }
        if let (number, rest) = attempt(in: korean) {
            let lead = reconnecting(number)[language]
            guard rest.hasPrefix(": ") else { return rest.isEmpty ? lead : nil }
            let cause = rest.dropFirst(2)
            return lead + ": " + (failure(cause, language) ?? String(cause))
        }
        return failure(korean[...], language)
    }

    /// The number in the Korean words for an attempt, and what comes behind them.
    private static func attempt(in text: String) -> (number: Int, rest: Substring)? {
        let parts = reconnecting(0).ko.split(separator: "0")
        guard parts.count == 2, text.hasPrefix(parts[0]) else { return nil }
        let digits = text.dropFirst(parts[0].count).prefix { $0.isNumber }
        let rest = text.dropFirst(parts[0].count + digits.count)
        guard let number = Int(digits), rest.hasPrefix(parts[1]) else { return nil }
        return (number, rest.dropFirst(parts[1].count))
    }

    private static func failure(_ korean: Substring, _ language: Language) -> String? {
        for code in FeedFailure.Code.allCases {
            let words = words(of: code).ko
            guard korean.hasPrefix(words) else { continue }
            let detail = korean.dropFirst(words.count)
            guard detail.isEmpty || detail.hasPrefix(dash) else { continue }
            return Self.words(of: code)[language] + detail
        }
        return nil
    }

    private static func words(of code: FeedFailure.Code) -> LocalizedText {
        switch code {
        case .unreachable: LocalizedText(ko: "거래소에 연결할 수 없음", en: "the exchange cannot be reached")
        case .proxy: LocalizedText(ko: "프록시로 연결할 수 없음", en: "the proxy cannot connect")
        case .untrusted: LocalizedText(ko: "인증서를 신뢰할 수 없음", en: "the certificate is not trusted")
        case .timedOut: LocalizedText(ko: "응답 시간 초과", en: "the request timed out")
        case .disconnected: LocalizedText(ko: "연결 끊김", en: "the connection was lost")
        case .silent: LocalizedText(ko: "데이터 없음", en: "no data")
        case .httpStatus: LocalizedText(ko: "거래소 오류", en: "the exchange reported an error")
        case .refused: LocalizedText(ko: "거래소가 거절함", en: "the exchange refused the request")
        case .rateLimited: LocalizedText(ko: "요청 한도 초과", en: "too many requests")
        case .malformed: LocalizedText(ko: "읽을 수 없는 응답", en: "the response is unreadable")
        }
    }
}
